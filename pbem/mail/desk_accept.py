"""Mails whose sender is known: orders go to the campaign, commands are obeyed, and what is in doubt is asked.

Text and attachment are never added up. `confirm N` takes a mail that was asked about, as if it had come with this one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from pbem.campaign.create import new_token
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.campaign.timing import window_for
from pbem.log.store import InboxRow, Player
from pbem.mail.addresses import Scheme, parse_secret_address
from pbem.mail.authenticate import Accepted
from pbem.mail.desk_bounces import clear_unreachable
from pbem.mail.desk_directory import StoreDirectory
from pbem.mail.desk_help import guide_for, without_help
from pbem.mail.desk_json import Speaker, document_of, document_text, pasted_document, says_the_same
from pbem.mail.desk_outcome import Arrival, Handled, choices, finish, place_of, seen
from pbem.mail.desk_read import (
    Confirmation,
    confirmation,
    notes_about,
    order_test,
    overtaken_note,
    own_lines,
    read_row,
    wants_new_address,
    without_commands,
)
from pbem.mail.desk_rows import address_changed, question, refusal, reply_to_mail
from pbem.mail.values import Problem, ReadMail
from pbem.orders.gazetteer import gazetteer

Reply = dict[str, Any]


def accepted(referee: Referee, arrival: Arrival, outcome: Accepted, scheme: Scheme) -> Handled:
    row, mail = arrival.row, arrival.mail
    player = referee.store.player(outcome.campaign, outcome.player)
    assert player is not None, "authentication knows only players who are there"
    clear_unreachable(referee, player)
    reply = reply_to_mail(mail, row, place_of(referee, outcome.campaign, outcome.player, outcome.confirm_to))
    notes = [*notes_about(mail, outcome), *overtaken_note(referee, row, mail)]
    bad = [problem for problem in mail.problems if problem.severity == "refuse"]
    if bad:
        return _bad(referee, row, outcome, bad, reply, notes)
    confirmed = confirmation(mail)
    if confirmed is not None:
        return _confirmed(referee, arrival, outcome, confirmed, scheme, reply, notes)
    if wants_new_address(mail):
        return _new_address(referee, row, player, reply)
    text = text_to_take(referee, mail, outcome)
    if isinstance(text, Doubt):
        letter = question(
            referee,
            outcome.campaign,
            outcome.player,
            row,
            reason=text.reason,
            detail=text.detail,
            seen=seen(mail),
            choices=choices(mail, row),
            reply=reply,
            notes=notes,
        )
        why = f"ask:{text.reason} {text.detail}"
        return finish(referee, row, "held", why, [letter], outcome.campaign, outcome.player)
    if not isinstance(text, str):
        return _bad(referee, row, outcome, text, reply, notes)
    asked = _is_asked(load(referee, outcome.campaign), outcome.player)
    notes += guide_for(text, order_test(referee, outcome.campaign), player.language, asked=asked)
    return _submitted(referee, row, outcome.campaign, outcome.player, without_help(text), reply, notes)


def _is_asked(loaded: Loaded, player: str) -> bool:
    """Whether an open question awaits this player's answer."""
    state = loaded.play.now
    return any(window_for(state, power, orders=False) is not None for power in players_of(state).get(player, ()))


def _bad(
    referee: Referee, row: InboxRow, outcome: Accepted, problems: list[Problem], reply: Reply, notes: list[str]
) -> Handled:
    campaign, player = outcome.campaign, outcome.player
    letter = refusal(
        referee, campaign, player, row, reason=problems[0].code, problems=problems, reply=reply, notes=notes
    )
    return finish(referee, row, "refused", f"refuse:{problems[0].code}", [letter], campaign, player)


def _submitted(
    referee: Referee,
    row: InboxRow,
    campaign: str,
    player: str,
    text: str,
    reply: Reply,
    notes: list[str],
    confirms: tuple[int, ...] = (),
) -> Handled:
    answer = submit(
        referee,
        Submission(
            campaign=campaign,
            player=player,
            text=text,
            received_at=row.received_at,
            number=row.id,
            inbox_id=row.id,
            notes=tuple(notes),
            reply=reply,
            also_done=confirms,
        ),
    )
    return Handled(row.id, "done", "answered", campaign, player, answer)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the desk cannot tell what the player means, so that he must confirm."""

    reason: str
    detail: str


def text_to_take(
    referee: Referee, mail: ReadMail, outcome: Accepted, which: Literal["text", "attachment"] | None = None
) -> str | Doubt | list[Problem]:
    """The lines that count: of the text, of a document pasted in its place, or of the one attached.

    If text and attachment both hold orders they must say the same, else the player chooses (`which`). The two are
    never added up.
    """
    speaker = _speaker(load(referee, outcome.campaign), outcome.player)
    lines = without_commands(mail.orders_text)
    pasted = pasted_document(lines)
    text: str | list[Problem] = document_text(pasted, speaker) if pasted is not None else lines
    data = document_of(mail)
    attached = document_text(data, speaker) if data is not None and mail.orders_source != "text" else None
    if which == "text" or (attached is None and not mail.json_attachments):
        return text
    if which is None:
        doubts = [problem for problem in mail.problems if problem.severity == "ask"]
        both = mail.orders_source == "ask" and isinstance(text, str) and isinstance(attached, str)
        if both and says_the_same(str(text), str(attached), speaker):
            return text
        if any(problem.code == "several_documents" for problem in doubts):
            return doubts
        if doubts:
            return Doubt(doubts[0].code, f"{doubts[0].text} {doubts[0].suggestion}".strip())
    return attached if attached is not None else text


def _speaker(loaded: Loaded, player: str) -> Speaker:
    rules = loaded.play.rules
    edition = rules.edition or None
    powers = tuple(players_of(loaded.play.now).get(player, ()))
    return Speaker(loaded.play.campaign, rules.game, edition, powers, gazetteer(rules.game, edition))


# -- commands to the desk ---------------------------------------------------------------------------------------------


def _confirmed(
    referee: Referee,
    arrival: Arrival,
    outcome: Accepted,
    confirmed: Confirmation,
    scheme: Scheme,
    reply: Reply,
    notes: list[str],
) -> Handled:
    """`confirm N`: the mail that was asked about counts now, as if it had come with this one."""
    row = arrival.row
    held = referee.store.inbox_row(confirmed.row)
    if held is None or not _may_confirm(referee, held, outcome, scheme) or held.raw is None:
        problem = Problem(
            "nothing_to_confirm",
            "refuse",
            f"There is no mail {confirmed.row} of yours that waits to be confirmed.",
            "Send the orders themselves.",
        )
        return _bad(referee, row, outcome, [problem], reply, notes)
    mail = read_row(referee, held)
    which = confirmed.which or (None if mail.orders_source == "ask" else "text")
    if mail.orders_source == "attachment":
        which = "attachment"
    text = text_to_take(referee, mail, outcome, which)
    if isinstance(text, Doubt):
        text = [Problem(text.reason, "refuse", text.detail, f"Write `confirm {held.id} text` or `... attachment`.")]
    if not isinstance(text, str):
        return _bad(referee, row, outcome, text, reply, notes)
    rest = own_lines(without_commands(arrival.mail.orders_text))
    said = [f"You confirmed mail {held.id}; its lines are taken as if they had come now."]
    if rest:
        said.append(f"A mail that confirms another holds no orders of its own; not read: {'; '.join(rest)}")
    return _submitted(referee, row, outcome.campaign, outcome.player, text, reply, [*said, *notes], confirms=(held.id,))


def _may_confirm(referee: Referee, held: InboxRow, outcome: Accepted, scheme: Scheme) -> bool:
    if held.status != "held" or not held.note.startswith("ask:") or held.campaign != outcome.campaign:
        return False
    secret = parse_secret_address(scheme, held.envelope["recipient"])
    if secret is None:
        return False
    secrets = StoreDirectory(referee).secrets(outcome.campaign)
    return any(known.token == secret.token and known.player == outcome.player for known in secrets)


def _new_address(referee: Referee, row: InboxRow, player: Player, reply: Reply) -> Handled:
    """`new address`: the old secret address stops to count, the new one is the Reply-To of the answer."""
    replace_token(referee, player)
    letter = address_changed(referee, player.campaign, player.id, row, reply)
    return finish(referee, row, "done", "a new secret address", [letter], player.campaign, player.id)


def replace_token(referee: Referee, player: Player) -> Player:
    """Give a player a new secret address. The old one is kept to tell him so when he uses it."""
    revoked = [*player.settings.get("revoked", ()), player.token]
    changed = replace(player, token=new_token(), settings={**player.settings, "revoked": revoked[-20:]})
    referee.store.put_player(changed)
    return changed


# -- what a moderator does with held mails ----------------------------------------------------------------------------


def release(referee: Referee, row_id: int, scheme: Scheme) -> Handled:
    """Let a held mail count, with the time at which it came. Raises LookupError if no such mail is held."""
    row = referee.store.inbox_row(row_id)
    secret = parse_secret_address(scheme, row.envelope["recipient"]) if row is not None else None
    if row is None or row.status != "held" or row.raw is None or secret is None or row.campaign is None:
        raise LookupError(f"no mail {row_id} with a secret address is held")
    known = StoreDirectory(referee).secrets(row.campaign)
    player = next((each.player for each in known if each.token == secret.token), None)
    if player is None:
        raise LookupError(f"the owner of the address of mail {row_id} has left")
    mail = read_row(referee, row)
    outcome = Accepted(row.campaign, player, "")
    text = text_to_take(referee, mail, outcome)
    if not isinstance(text, str):
        raise LookupError(f"mail {row_id} holds no orders that can be taken as they are")
    notes = ["The moderator let this mail count.", *notes_about(mail, outcome)]
    return _submitted(referee, row, row.campaign, player, text, reply_to_mail(mail, row), notes)


def drop(referee: Referee, row_id: int, why: str) -> None:
    """Finish a held mail without effect and without an answer. Raises InboxTaken if it is not held."""
    referee.store.finish_inbox(row_id, "refused", f"dropped: {why}"[:200])
