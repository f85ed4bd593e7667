"""What only one reader is told: his orders in force, standing orders, hand, refused answers, and what is due from him.

Everything comes from the position and the events as that reader may see them; a moderator who plays sees no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pbem.board.state import SEALED_PHASES, State
from pbem.board.view import view
from pbem.campaign.asking import asking_lines
from pbem.report.card_model import HeldCard
from pbem.report.ledger import Seen
from pbem.report.model import Due, OrderLine, Private

HELD = ("hand", "table")
"""Places of cards that somebody holds: face down in the hand, or face up before him."""
NOT_A_PHASE = ("rest", "entropy")
"""Keys under which lines are filed that belong to no phase of the game; they come last."""


def private_of(
    state: State,
    powers: Sequence[str],
    due: Due | None,
    events: Sequence[Seen] = (),
    phases: Sequence[str] = (),
    example: Sequence[str] = (),
    hints: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType({}),
) -> Private:
    """The private part for the player of `powers`; `phases` is the order in which filed orders are shown.

    `hints` are when each card may be played, and an order that plays it.
    """
    own = view(state, frozenset(powers))
    return Private(
        powers=tuple(powers),
        mine=due is not None and any(power in due.powers for power in powers),
        example=tuple(example),
        in_force=_in_force(own, powers, phases),
        standing=tuple((power, tuple(line["text"] for line in own.standing.get(power, ()))) for power in powers),
        asks=tuple((power, asking_lines(own, power)) for power in powers),
        hand=_hand(own, powers, events, hints),
        refused=_refused(events, powers),
    )


def _in_force(
    state: State, powers: Sequence[str], phases: Sequence[str]
) -> tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]:
    rows = []
    for power in powers:
        start = f"{power}/"
        filed = {key[len(start) :]: lines for key, lines in state.orders.items() if key.startswith(start)}
        filed = {phase: lines for phase, lines in filed.items() if lines or phase not in SEALED_PHASES}
        ordered = [phase for phase in (*phases, *filed, *NOT_A_PHASE) if phase in filed]
        own = tuple(
            (phase, tuple(line["text"] for line in filed[phase])) for phase in dict.fromkeys(ordered)
        )  # fmt: skip
        if own:
            rows.append((power, own))
    return tuple(rows)


def _hand(
    state: State, powers: Sequence[str], events: Sequence[Seen], hints: Mapping[str, tuple[tuple[str, ...], str]]
) -> tuple[HeldCard, ...]:
    """The cards of all powers of the reader, by deck; what was drawn in what is told is new."""
    drawn = {event.payload["card"] for event in events if event.type == "card_drawn"}
    cards = [
        HeldCard(card.power, card.name, card.deck, card.ready, card.id in drawn, *hints.get(card.name, ((), "")))
        for card in state.cards.values()
        if card.power is not None and card.power in powers and card.name is not None and card.place in HELD
    ]
    decks = list(state.decks)
    return tuple(sorted(cards, key=lambda card: (powers.index(card.power), decks.index(card.deck))))


def _refused(events: Sequence[Seen], powers: Sequence[str]) -> tuple[OrderLine, ...]:
    return (*_refused_answers(events, powers), *_refused_sealed(events, powers))


def _refused_sealed(events: Sequence[Seen], powers: Sequence[str]) -> tuple[OrderLine, ...]:
    """Lines that nobody else ever sees, such as card plays: why they were not followed."""
    return tuple(
        OrderLine(
            event.payload["power"], "answers", row["text"], "refused", row["reason"], row["rule"], row.get("suggestion")
        )
        for event in events
        if event.type == "answers_weighed" and event.payload["power"] in powers
        for row in event.payload["refused"]
        if not row.get("idle")
    )


def _refused_answers(events: Sequence[Seen], powers: Sequence[str]) -> tuple[OrderLine, ...]:
    return tuple(
        OrderLine(
            event.payload["power"], "answers", event.payload["text"], "refused", event.payload.get("reason") or "",
            event.payload.get("rule"), event.payload.get("suggestion"),
        )
        for event in events
        if event.type == "answer_refused" and event.payload["power"] in powers
    )  # fmt: skip
