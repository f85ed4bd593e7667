"""What mail programs write around quotations, forwarded mails and signatures, in the languages seen in the field.

Data only; `quotes` uses it. Phrases are compared in lower case.
"""

from __future__ import annotations

import re


def _labels(kind: str, single: str, *several: str) -> dict[str, str]:
    """Labels of one word, separated by spaces, and labels of several words."""
    return dict.fromkeys((*single.split(), *several), kind)


MARKER = "=== write above this line ==="
"""The first line of every mail we send. Short, so that no mail program wraps it."""

ATTRIBUTION_VERB = re.compile(
    r"(?:\b(?:wrote|writes)\b(?: on .{0,80})?"
    r"|\b(?:schrieb|schreibt)\b.{0,160}"
    r"|\ba écrit(?: le .{0,80})?|\bécrit"
    r"|\b(?:escribió|escribió lo siguiente|escrigué|va escriure)"
    r"|\bescreveu(?: .{0,80})?"
    r"|\bha scritto(?: .{0,80})?"
    r"|\b(?:schreef|geschreven)\b.{0,160}"
    r"|\b(?:skrev|skrifaði)\b.{0,160}"
    r"|napisał(?:a|\(a\)|/a)?|pisze"
    r"|пишет|написал(?:а|\(а\))?|писал(?:а|\(а\))?|пише|написав(?:ла)?"
    r"|napsal(?:a|\(a\))?|napísal(?:a|\(a\))?|je napisao|je napisala|je napisal"
    r"|\bírta(?: .{0,80})?|kirjoitti(?: .{0,80})?"
    r"|şunu yazdı|şunları yazdı|yazdı|a scris"
    r"|έγραψε|כתב(?:ה)?|كتب(?:ت)?|đã viết|เขียนว่า|menulis"
    r"|写道|寫道|写到|寫到|書きました|書いた|のメール|のメッセージ|님이 작성|작성"
    r")\s*[:：]\s*$",
    re.IGNORECASE,
)

ATTRIBUTION_OPENER = re.compile(
    r"^(?:on|am|le|el|em|no dia|às|il|il giorno|in data|op|den|på|w dniu|dnia|dne|dňa|em|la data de|στις|в|tarihinde"
    r"|vào|pada|在|于|於)\b",
    re.IGNORECASE,
)

FORWARDED = frozenset(
    (
        "forwarded message",
        "begin forwarded message",
        "forwarded mail",
        "start of forwarded message",
        "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht",
        "anfang der weitergeleiteten e-mail",
        "message transféré",
        "message transmis",
        "début du message transféré",
        "début du message réexpédié",
        "mensaje reenviado",
        "inicio del mensaje reenviado",
        "mensagem encaminhada",
        "mensagem reencaminhada",
        "início da mensagem encaminhada",
        "início da mensagem reencaminhada",
        "messaggio inoltrato",
        "inizio messaggio inoltrato",
        "doorgestuurd bericht",
        "begin doorgestuurd bericht",
        "vidarebefordrat meddelande",
        "vidarebefordrat mejl",
        "videresendt meddelelse",
        "videresendt besked",
        "videresendt melding",
        "wiadomość przekazana dalej",
        "przekazana wiadomość",
        "treść przekazanej wiadomości",
        "пересылаемое сообщение",
        "пересланное сообщение",
        "начало переадресованного сообщения",
        "переслане повідомлення",
        "přeposlaná zpráva",
        "preposlaná správa",
        "továbbított üzenet",
        "továbbított levél",
        "välitetty viesti",
        "yönlendirilen ileti",
        "mesaj redirecționat",
        "προωθημένο μήνυμα",
        "转发的邮件",
        "转发邮件",
        "转发的信息",
        "轉寄的郵件",
        "轉寄郵件",
        "轉寄的信件",
        "轉寄訊息",
        "已轉寄的郵件",
        "以下是轉寄的郵件",
        "下面是被转发的邮件",
        "開始轉寄郵件",
        "转发信件",
        "転送されたメッセージ",
        "転送メッセージ",
        "転送メール",
        "전달된 메일",
        "전달된 메시지",
        "전달 메시지",
    )
)

FORWARDED_BEGINNING = ("forwarded message from", "forwarded by", "weitergeleitet von", "transféré par", "reenviado por")

ORIGINAL = frozenset(
    (
        "original message",
        "original email",
        "original mail",
        "reply message",
        "ursprüngliche nachricht",
        "originalnachricht",
        "original-nachricht",
        "urspr. nachricht",
        "message d'origine",
        "message original",
        "message initial",
        "mensaje original",
        "mensagem original",
        "messaggio originale",
        "messaggio originario",
        "oorspronkelijk bericht",
        "origineel bericht",
        "ursprungligt meddelande",
        "oprindelig meddelelse",
        "original meddelelse",
        "opprinnelig melding",
        "original melding",
        "wiadomość oryginalna",
        "oryginalna wiadomość",
        "исходное сообщение",
        "оригинальное сообщение",
        "původní zpráva",
        "pôvodná správa",
        "eredeti üzenet",
        "alkuperäinen viesti",
        "orijinal ileti",
        "mesajul original",
        "αρχικό μήνυμα",
        "原始邮件",
        "原始郵件",
        "原始信件",
        "原始訊息",
        "邮件原件",
        "元のメッセージ",
        "元のメール",
        "원본 메시지",
        "원본 메일",
        "original nachricht",
    )
)

HEADER_LABELS: dict[str, str] = {
    **_labels(
        "from",
        "from von de da van från fra od от від feladó lähettäjä kimden gönderen από"
        " 发件人 發件人 寄件者 寄件人 差出人 送信者 từ",
        "de la",
        "보낸 사람",
        "보낸사람",
    ),
    **_labels(
        "date",
        "sent date gesendet datum envoyé enviado enviada fecha inviato verzonden skickat sendt dato wysłano data"
        " отправлено дата odesláno odoslané dátum elküldve lähetetty päivämäärä gönderildi tarih trimis ημερομηνία"
        " 发送时间 发送日期 日期 时间 時間 寄件日期 傳送時間 送信日時 日付 日時 날짜",
        "envoyé le",
        "enviado el",
        "enviada em",
        "enviado em",
        "sent at",
        "sent on",
        "보낸 날짜",
    ),
    **_labels(
        "to",
        "to an à a para aan till til do кому komu címzett vastaanottaja kime către προς cc cci kopie copie"
        " 收件人 收件者 宛先 抄送 副本",
        "받는 사람",
        "받는사람",
        "reply to",
        "reply-to",
    ),
    **_labels(
        "subject",
        "subject betreff objet asunto assunto oggetto onderwerp ämne emne temat тема předmět predmet tárgy aihe konu"
        " subiect θέμα 主题 主題 主旨 件名 제목",
    ),
}

MOBILE_SIGNATURE = re.compile(
    r"(?:sent (?:from|via|with) (?:my|mail|outlook|yahoo|proton|gmail|samsung|the|an?|aol|tutanota|fairemail|k-9"
    r"|thunderbird|iphone|ipad|android)\b.{0,80}"
    r"|get outlook for .{1,40}|download outlook for .{1,40}|sent from .{1,30}(?:phone|pad|mobile|android|galaxy).{0,20}"
    r"|(?:von|vom) (?:meinem|mein) .{1,60} gesendet|gesendet (?:von|mit|aus) .{1,80}"
    r"|diese nachricht wurde von meinem .{1,80}"
    r"|envoyé (?:de|depuis|à partir de|avec) .{1,80}|télécharger outlook pour .{1,40}"
    r"|enviado (?:desde|do|a partir do|de) (?:mi|meu|o meu|mail|outlook|yahoo|correo).{0,80}"
    r"|obtener outlook para .{1,40}|obter o? ?outlook para .{1,40}"
    r"|inviato (?:da|dal) .{1,60}|scarica outlook per .{1,40}"
    r"|verstuurd vanaf .{1,60}|verzonden (?:vanaf|met|vanuit) .{1,60}|outlook voor .{1,30} downloaden"
    r"|skickat från (?:min|e-post|yahoo|outlook) ?.{0,60}|skaffa outlook för .{1,30}"
    r"|sendt fra (?:min|mail|outlook|yahoo) ?.{0,60}|hent outlook (?:til|for) .{1,30}"
    r"|wysłane z .{1,60}|отправлено (?:с|из) .{1,60}|надіслано з .{1,60}|odesláno z .{1,60}|odoslané z .{1,60}"
    r"|lähetetty .{1,40}(?:puhelimesta|iphonesta|ipadista)|iphone.{0,3}dan gönderildi|iphone.?umdan gönderildi"
    r"|küldve .{1,40}"
    r"|发自我的.{1,40}|发送自.{1,40}|從我的.{1,40}(?:傳送|發送|寄出)|寄自.{1,40}|傳送自.{1,40}|從.{1,20}(?:傳送|寄出)"
    r"|.{0,30}(?:iphone|ipad|android|スマートフォン).{0,10}から送信(?:されました)?"
    r"|나의 .{1,20}에서 보냄|내 .{1,20}에서 보냄)[.。!]?",
    re.IGNORECASE,
)

AUTOMATIC_SUBJECT = re.compile(
    r"\s*(?:automatic reply|auto(?:matic)?[ -]?(?:reply|response)|autoreply|out of (?:the )?office"
    r"|automatische antwort|abwesenheitsnotiz|réponse automatique|respuesta automática|resposta automática"
    r"|risposta automatica|automatisch antwoord|autosvar|automatiskt svar|automatisk svar|odpowiedź automatyczna"
    r"|автоматический ответ|automatická odpověď|自动回复|自動回覆|自動回复|自動返信|不在通知|자동 회신"
    r"|delivery status notification|undeliver(?:able|ed)|mail delivery (?:failed|failure)|returned mail|failure notice"
    r")\b",
    re.IGNORECASE,
)
