"""The words of mails about mail: questions, refusals, notices. Plain text; what about the game is `pbem.report`'s.

A letter is made when it is sent, from its outbox row and its receiver. It shows nothing but what its receiver sent or
what is his own: no other secret address, nobody else's orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.campaign.referee import Referee
from pbem.log.store import OutboxRow, Player
from pbem.mail.addresses import Scheme, secret_address


@dataclass(frozen=True, slots=True)
class Letter:
    """A rendered mail without attachments."""

    subject: str
    text: str
    html: str | None = None
    attachments: tuple[Any, ...] = ()


def render_letter(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Letter:
    """The letter of a row whose kind is one of `desk_rows.KINDS`. KeyError for another kind."""
    subject, paragraphs = _WRITERS[row.kind](referee, row, player, scheme)
    return Letter(f"[{player.campaign}] {subject}", "\n\n".join(part for part in paragraphs if part) + "\n")


Written = tuple[str, list[str]]
Writer = Callable[[Referee, OutboxRow, Player, Scheme], Written]

_QUESTIONS: Mapping[str, str] = {
    "unknown_sender": "A mail came to your secret reply address from an address that is not registered ({detail}).",
    "dkim_missing": "A mail came in your name without the proof that this campaign asks for ({detail}).",
    "older_window": "Is your mail meant for now? As it stands, {detail}.",
    "other_campaign": "Your mail came to the address of this campaign, but {detail}.",
}


def _question(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Written:
    params = row.params
    why = _QUESTIONS.get(params["reason"], "{detail}").format(detail=params["detail"])
    seen = [f"    {line}" for line in params["seen"]] or ["    (nothing that looks like an order)"]
    if params["more"]:
        seen.append(f"    ... and {params['more']} more lines")
    ways = [f"    {line}    {meaning}" for line, meaning in params["choices"]]
    not_yours = ""
    if params["reason"] == "unknown_sender":
        not_yours = "If you did not write it, do nothing, and write `new address` to get a new secret address."
    return "please confirm your mail", [
        why,
        "Nothing of it counts yet. This is what was seen:",
        "\n".join(seen),
        "To confirm, answer this mail from your registered address with this line alone:",
        "\n".join(ways),
        "It counts from the moment your confirmation arrives. To change something, send the orders anew instead.",
        not_yours,
        *_notes(params),
    ]


def _refused(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Written:
    params = row.params
    problems = [" ".join(filter(None, problem)) for problem in params["problems"]]
    told = ["Nothing of your mail was taken; what was in force before is still in force.", *problems]
    if params["reason"] in ("no_secret_address", "revoked_address"):
        told += ["Your orders must go to your own secret address:", _own_addresses(referee, player, scheme)]
    return "your mail was not taken", [*told, *_notes(params)]


def _own_addresses(referee: Referee, player: Player, scheme: Scheme) -> str:
    """One line for each campaign of the person; all go to the address that is registered for them."""
    mine = [other for other in referee.store.players_by_address(player.address) if other.token]
    return "\n".join(f"    {other.campaign}: {secret_address(scheme, other.campaign, other.token)}" for other in mine)


def _leak(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Written:
    return "your reply address is known to others", [
        f"Somebody else of this campaign wrote to your secret reply address ({row.params['detail']}). The mail was "
        "kept for the moderator; nothing of it counts.",
        "Secret addresses become known when reports are forwarded. To get a new one, answer this mail with the line",
        "    new address",
        "The old one then stops to count.",
    ]


def _address_changed(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Written:
    return "your new reply address", [
        "From now on your orders go to this address; the one you used before counts no more:",
        f"    {secret_address(scheme, player.campaign, player.token)}",
        "Orders that are in force stay in force.",
    ]


_NOTICES: Mapping[str, str] = {
    "from_header": "A mail with several senders came to the address of {player} and is held ({detail}).",
    "other_player": "A mail to the address of {player} is held: {detail}.",
    "automatic": "An automatic mail came from {player} ({detail}). An absence may be worth setting.",
    "bounce": "Mail does not reach {player}: {detail}. His deadlines may need a look.",
    "loop": "A mail of ours came back to the address of {player} ({detail}).",
    "unknown_address": "A mail came to an address that counts no more ({detail}).",
    "failed": "A mail to the address of {player} could not be dealt with ({detail}) and is held.",
}


def _moderator(referee: Referee, row: OutboxRow, player: Player, scheme: Scheme) -> Written:
    params = row.params
    sentence = _NOTICES.get(params["what"], "{detail}")
    told = [sentence.format(player=params["player"], detail=params["detail"])]
    if params["what"] in ("from_header", "other_player", "failed"):
        told.append(f"It is mail {params['row']} of the inbox; you can let it count or drop it.")
    return "a note for the moderator", told


def _notes(params: Mapping[str, Any]) -> Sequence[str]:
    notes: list[str] = params.get("notes", [])
    return notes


_WRITERS: Mapping[str, Writer] = {
    "mail_question": _question,
    "mail_refused": _refused,
    "leak_notice": _leak,
    "address_changed": _address_changed,
    "moderator_notice": _moderator,
}
