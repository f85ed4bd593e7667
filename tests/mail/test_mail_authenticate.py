"""Whose mail is it? The inputs about senders, loops, bounces and mails that answer something old."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from pbem.mail.addresses import (
    Scheme,
    bounce_address,
    is_service_address,
    new_token,
    parse_bounce_address,
    parse_secret_address,
    scheme_for,
    secret_address,
)
from pbem.mail.authenticate import (
    Accepted,
    Ask,
    Hold,
    Issued,
    MailPolicy,
    OpenWindow,
    Outcome,
    Person,
    Refuse,
    Secret,
    Silent,
    authenticate,
    subject_campaign,
)
from pbem.mail.dkim import DkimResult, Signature
from tests.mail.letters import (
    CHINA,
    CHINA_ADDRESS,
    DECOY,
    GOOD_1,
    JAPAN,
    JAPAN_ADDRESS,
    KIM,
    MODERATOR,
    letter,
    order_lines,
    read,
)

SCHEME = scheme_for("pbem.example")
ROUND_2 = Issued("p40-17", "p-japan", "round 2, combat move")
ROUND_3 = Issued("p40-17", "p-japan", "round 3, combat move")
PASS = DkimResult((Signature("players.example", "pass", ""),))


@dataclass
class Club:
    """The fixture campaign, as the service would look it up."""

    rules: MailPolicy = field(default_factory=MailPolicy)
    issued_mails: dict[str, Issued] = field(
        default_factory=lambda: {
            "r8.japan.p40-17@pbem.example": ROUND_2,
            "r9.japan.p40-17@pbem.example": ROUND_3,
            "r1.japan.s42-3@pbem.example": Issued("s42-3", "p-japan", "round 1"),
        }
    )
    windows: tuple[OpenWindow, ...] = (OpenWindow("p40-17", "p-japan", "round 3, combat move"),)
    revoked: bool = False

    def secrets(self, campaign: str) -> Sequence[Secret]:
        if campaign != "p40-17":
            return ()
        return (Secret("p-japan", "jp7k2q", self.revoked), Secret("p-china", "cn4x9m"), Secret("p-gone", "gone99"))

    def people(self, campaign: str) -> Sequence[Person]:
        return (
            Person("p-japan", (JAPAN, "japan@second.example")),
            Person("p-china", (CHINA,)),
            Person("p-kim", (KIM,)),
            Person("moderator", (MODERATOR,)),
        )

    def policy(self, campaign: str) -> MailPolicy:
        return self.rules

    def open_windows(self, campaign: str, player: str) -> Sequence[str]:
        return [open.window for open in self.windows if (open.campaign, open.player) == (campaign, player)]

    def issued(self, message_id: str) -> Issued | None:
        return self.issued_mails.get(message_id)

    def windows_of(self, address: str) -> Sequence[OpenWindow]:
        return self.windows if address == JAPAN else ()

    def is_registered(self, address: str) -> bool:
        return any(address in person.addresses for person in self.people("p40-17"))


def decide(
    raw: bytes,
    club: Club | None = None,
    recipient: str = JAPAN_ADDRESS,
    dkim: DkimResult | None = PASS,
    envelope_sender: str = JAPAN,
) -> Outcome:
    mail = read(raw, envelope_sender=envelope_sender)
    return authenticate(recipient, mail, club or Club(), scheme=SCHEME, dkim=dkim)


def test_the_plain_case() -> None:
    assert decide(letter(GOOD_1)) == Accepted("p40-17", "p-japan", JAPAN)


def test_the_case_of_addresses_does_not_matter() -> None:
    raw = letter(GOOD_1, **{"from": "Japan <JAPAN@Players.Example>"})
    assert decide(raw, recipient=JAPAN_ADDRESS.upper()) == Accepted("p40-17", "p-japan", JAPAN)


def test_a_second_registered_address_gets_the_answer_and_the_first_too() -> None:
    outcome = decide(letter(GOOD_1, **{"from": "japan@second.example"}))
    assert outcome == Accepted("p40-17", "p-japan", "japan@second.example", (JAPAN,))


def test_m49_without_address_from_alone_is_never_enough() -> None:
    raw = letter(GOOD_1, to="orders@pbem.example", subject="my moves")
    accepting = Club(MailPolicy(without_address="accept"))
    for club, dkim in ((Club(), PASS), (accepting, None), (accepting, DkimResult(()))):
        outcome = decide(raw, club, "orders@pbem.example", dkim)
        assert isinstance(outcome, Refuse)
        assert (outcome.reason, outcome.reply_to) == ("no_secret_address", JAPAN)
    accepted = decide(raw, accepting, "orders@pbem.example", PASS)
    assert isinstance(accepted, Accepted)
    assert (accepted.campaign, accepted.player, accepted.confirm_to) == ("p40-17", "p-japan", JAPAN)
    assert [notice.code for notice in accepted.notices] == ["campaign_by_sender"]
    two = Club(accepting.rules, windows=(*Club().windows, OpenWindow("s42-3", "p-x", "round 1")))
    assert isinstance(decide(raw, two, "orders@pbem.example", PASS), Refuse)


def test_m49_without_address_an_unknown_sender_gets_no_answer() -> None:
    raw = letter(GOOD_1, **{"from": "x@evil.example"})
    outcome = decide(raw, recipient="orders@pbem.example")
    assert outcome == Silent("unknown_sender", "a sender nobody registered")


def test_m51_unknown_sender_is_asked_at_the_registered_address() -> None:
    raw = letter(GOOD_1, **{"from": "Japan at work <j.player@work.example>"})
    outcome = decide(raw)
    assert isinstance(outcome, Ask)
    assert (outcome.reason, outcome.reply_to) == ("unknown_sender", JAPAN)
    assert "j.player@work.example" in outcome.detail


def test_m51_unknown_sender_accepted_by_policy_is_confirmed_to_the_registered_address_only() -> None:
    raw = letter(GOOD_1, **{"from": "Japan at work <j.player@work.example>"})
    outcome = decide(raw, Club(MailPolicy(unknown_sender="accept")))
    assert isinstance(outcome, Accepted)
    assert (outcome.confirm_to, outcome.also_confirm_to) == (JAPAN, ())
    assert [notice.code for notice in outcome.notices] == ["unknown_sender"]


@pytest.mark.parametrize("sender", [CHINA, KIM, MODERATOR])
def test_m53_another_known_person_is_held_and_the_owner_told(sender: str) -> None:
    raw = letter(GOOD_1, **{"from": f"Somebody <{sender}>"})
    for rules in (MailPolicy(), MailPolicy(unknown_sender="accept")):
        outcome = decide(raw, Club(rules))
        assert isinstance(outcome, Hold)
        assert (outcome.reason, outcome.player, outcome.notify) == ("other_player", "p-japan", JAPAN)


@pytest.mark.parametrize(
    "raw",
    [
        letter(DECOY, first="From: Someone <x@evil.example>\n"),
        letter(DECOY, **{"from": f"{JAPAN}, x@evil.example"}),
        letter(DECOY, without=("From",)),
        letter(DECOY, **{"from": "nobody"}),
    ],
)
def test_m55_not_exactly_one_sender(raw: bytes) -> None:
    outcome = decide(raw)
    assert isinstance(outcome, Hold)
    assert (outcome.reason, outcome.notify) == ("from_header", None)


def test_m57_automatic_answers_get_silence() -> None:
    outcome = decide(letter(DECOY, auto_submitted="auto-replied"), envelope_sender="")
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.campaign, outcome.player) == ("automatic", "p40-17", "p-japan")
    assert not outcome.tell_moderator


@pytest.mark.parametrize(
    ("headers", "certain"),
    [
        ({"auto_submitted": "auto-generated (rejected)"}, True),
        ({"return_path": "<>"}, True),
        ({"from": "MAILER-DAEMON@mx.example"}, True),
        ({"x_autoreply": "yes"}, True),
        ({"precedence": "bulk"}, False),
        ({"precedence": "auto_reply"}, False),
        ({"x_auto_response_suppress": "OOF, AutoReply"}, False),
        ({"list_id": "<club.lists.example>"}, False),
        ({"list_unsubscribe": "<mailto:x@lists.example>"}, False),
        ({"subject": "Automatic reply: Re: [p40-17] Japan"}, False),
        ({"subject": "自動回覆: [p40-17]"}, False),
    ],
)
def test_signs_of_automatic_mail(headers: dict[str, str], certain: bool) -> None:
    """Where a person may have written it after all, the moderator is told; the sender never is."""
    outcome = decide(letter(GOOD_1, **headers))
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.tell_moderator) == ("automatic", not certain)


@pytest.mark.parametrize("headers", [{"auto_submitted": "no"}, {"precedence": "normal"}, {"return_path": f"<{JAPAN}>"}])
def test_signs_of_nothing(headers: dict[str, str]) -> None:
    assert isinstance(decide(letter(GOOD_1, **headers)), Accepted)


def test_m59_a_bounce_names_the_mail_and_the_recipient() -> None:
    raw = letter(
        "--b\nContent-Type: text/plain\n\nIt failed.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Original-Recipient: rfc822;{JAPAN}\nFinal-Recipient: rfc822; box17@mx.example\n"
        "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n"
        "--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <r9.japan.p40-17@pbem.example>\n"
        "Subject: report\n--b--\n",
        content_type='multipart/report; report-type=delivery-status; boundary="b"',
        **{"from": "MAILER-DAEMON@mx.example"},
    )
    outcome = decide(raw, recipient="bounces+p40-17.r9-japan@pbem.example", envelope_sender="")
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.bounce_tag) == ("bounce", "p40-17.r9-japan")
    assert outcome.bounce is not None
    assert outcome.bounce.original_message_id == "r9.japan.p40-17@pbem.example"
    assert outcome.bounce.failed[0].address == JAPAN
    assert outcome.bounce.failed[0].diagnostic == "smtp; 550 no such user"


def test_m59_an_unreadable_answer_to_a_return_path_still_names_the_mail() -> None:
    outcome = decide(letter("your mail failed"), recipient="bounces+p40-17.r9-japan@pbem.example")
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.bounce_tag, outcome.bounce) == ("bounce", "p40-17.r9-japan", None)


@pytest.mark.parametrize(
    "headers",
    [
        {"message_id": "<r9.japan.p40-17@pbem.example>", "auto_submitted": "auto-generated"},
        {"message_id": "<r9.japan.p40-17@pbem.example>"},
        {"from": f"Referee <{JAPAN_ADDRESS}>"},
        {"from": "Referee <Orders@PBEM.example>"},
    ],
)
def test_m61_loops(headers: dict[str, str]) -> None:
    outcome = decide(letter(DECOY, **headers), recipient=CHINA_ADDRESS)
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.player) == ("loop", "p-china")


def test_m73_an_answer_to_an_older_window() -> None:
    raw = letter(
        GOOD_1, in_reply_to="<r8.japan.p40-17@pbem.example>", subject="Re: [p40-17] Japan, round 2: combat move"
    )
    asked = decide(raw)
    assert isinstance(asked, Ask)
    assert (asked.reason, asked.answered, asked.reply_to) == ("older_window", ROUND_2, JAPAN)
    accepted = decide(raw, Club(MailPolicy(older_window="accept")))
    assert isinstance(accepted, Accepted)
    assert [notice.code for notice in accepted.notices] == ["older_window"]
    late = decide(raw, Club(windows=()))
    assert isinstance(late, Accepted)
    assert [notice.code for notice in late.notices] == ["older_window"]


@pytest.mark.parametrize(
    "headers",
    [
        {"in_reply_to": "<r9.japan.p40-17@pbem.example>"},
        {"in_reply_to": "<unknown@x.example>"},
        {"references": "<r8.japan.p40-17@pbem.example> <r9.japan.p40-17@pbem.example>"},
        {"in_reply_to": "<unknown@x.example>", "references": "<r9.japan.p40-17@pbem.example> <unknown@x.example>"},
    ],
)
def test_m73_answers_to_the_open_window(headers: dict[str, str]) -> None:
    assert decide(letter(GOOD_1, **headers)) == Accepted("p40-17", "p-japan", JAPAN)


def test_an_answer_to_a_mail_of_another_campaign() -> None:
    outcome = decide(letter(GOOD_1, in_reply_to="<r1.japan.s42-3@pbem.example>"))
    assert isinstance(outcome, Ask)
    assert outcome.reason == "other_campaign"


def test_m83_reply_to_all_is_mentioned() -> None:
    outcome = decide(letter(GOOD_1, cc=f"{CHINA}, Kim <{KIM}>, friend@elsewhere.example"))
    assert isinstance(outcome, Accepted)
    assert outcome.confirm_to == JAPAN
    assert [(notice.code, notice.detail) for notice in outcome.notices] == [("sent_to_others", "p-china, p-kim")]


@pytest.mark.parametrize(
    ("dkim", "accepted"),
    [
        (PASS, True),
        (None, False),
        (DkimResult(()), False),
        (DkimResult((Signature("evil.example", "pass", ""),)), False),
        (DkimResult((Signature("example", "pass", ""),)), False),
        (DkimResult((Signature("players.example", "fail", ""),)), False),
        (DkimResult((Signature("lists.example", "fail", ""), *PASS.signatures)), True),
    ],
)
def test_a_campaign_that_demands_dkim(dkim: DkimResult | None, accepted: bool) -> None:
    outcome = decide(letter(GOOD_1), Club(MailPolicy(require_dkim=True)), dkim=dkim)
    if accepted:
        assert isinstance(outcome, Accepted)
    else:
        assert isinstance(outcome, Ask)
        assert (outcome.reason, outcome.reply_to) == ("dkim_missing", JAPAN)


def test_a_broken_signature_is_mentioned_where_none_is_demanded() -> None:
    outcome = decide(letter(GOOD_1), dkim=DkimResult((Signature("players.example", "fail", ""),)))
    assert isinstance(outcome, Accepted)
    assert [notice.code for notice in outcome.notices] == ["dkim_failed"]


def test_a_replaced_address_tells_its_owner_only() -> None:
    outcome = decide(letter(GOOD_1), Club(revoked=True))
    assert isinstance(outcome, Refuse)
    assert (outcome.reason, outcome.reply_to) == ("revoked_address", JAPAN)
    stranger = decide(letter(GOOD_1, **{"from": "x@evil.example"}), Club(revoked=True))
    assert isinstance(stranger, Silent)


@pytest.mark.parametrize(
    "recipient",
    [
        "orders+p40-17.jp7k2x@pbem.example",
        "orders+p40-17.jp7k2@pbem.example",
        "orders+p40-18.jp7k2q@pbem.example",
    ],
)
def test_wrong_tokens_are_told_to_registered_senders_only(recipient: str) -> None:
    for rules in (MailPolicy(), MailPolicy(without_address="accept")):
        outcome = decide(letter(GOOD_1), Club(rules), recipient)
        assert isinstance(outcome, Refuse)
        assert (outcome.reason, outcome.reply_to) == ("no_secret_address", JAPAN)
    stranger = decide(letter(GOOD_1, **{"from": "x@evil.example"}), recipient=recipient)
    assert isinstance(stranger, Silent)


def test_the_address_of_a_player_who_left() -> None:
    outcome = decide(letter(GOOD_1), recipient="orders+p40-17.gone99@pbem.example")
    assert isinstance(outcome, Silent)
    assert (outcome.reason, outcome.tell_moderator) == ("unknown_address", True)


def test_addresses_are_read_back() -> None:
    token = new_token(lambda count: bytes(range(count)))
    address = secret_address(SCHEME, "p40-17", token)
    parsed = parse_secret_address(SCHEME, address.upper())
    assert parsed is not None
    assert (parsed.campaign, parsed.token) == ("p40-17", token)
    assert new_token() != new_token()
    assert parse_secret_address(scheme_for("other.example"), address) is None
    assert parse_bounce_address(SCHEME, bounce_address(SCHEME, "p40-17.r9-japan")) == "p40-17.r9-japan"
    assert parse_bounce_address(SCHEME, address) is None
    assert is_service_address(SCHEME, "Orders+x@PBEM.example")
    assert not is_service_address(SCHEME, "ann@pbem.example")
    with pytest.raises(ValueError, match="lower-case"):
        secret_address(SCHEME, "P40", token)
    with pytest.raises(ValueError, match="lower-case"):
        bounce_address(SCHEME, "a b")


def test_one_mailbox_at_a_provider() -> None:
    scheme = Scheme("club.example", frozenset(("club.example",)), "referee", "referee+bounce")
    address = secret_address(scheme, "p40-17", "jp7k2q")
    assert address == "referee+p40-17.jp7k2q@club.example"
    assert parse_secret_address(scheme, address) is not None
    assert parse_bounce_address(scheme, address) is None
    returned = bounce_address(scheme, "p40-17.r9")
    assert parse_bounce_address(scheme, returned) == "p40-17.r9"
    assert parse_secret_address(scheme, returned) is None


def test_subject_tags() -> None:
    assert subject_campaign("AW: Re: SV: [p40-17] Japan, round 3: combat move") == "p40-17"
    assert subject_campaign("my moves") is None
    outcome = decide(letter(GOOD_1, subject="Re: [s42-3] Germany"))
    assert isinstance(outcome, Accepted)
    assert [notice.code for notice in outcome.notices] == ["subject"]


def test_m47_localised_prefixes_change_nothing() -> None:
    raw = letter(GOOD_1, subject="AW: Re: SV: [p40-17] Japan, round 3: combat move")
    assert decide(raw) == Accepted("p40-17", "p-japan", JAPAN)
    assert order_lines(read(raw)) == [GOOD_1]
