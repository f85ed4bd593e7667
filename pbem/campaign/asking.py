"""Whether play stops to ask somebody: decided from what everybody may know, never from a hidden hand."""

from __future__ import annotations

from pbem.board.state import State
from pbem.orders.gazetteer import gazetteer
from pbem.orders.respond import wants_asking
from pbem.orders.write import write
from pbem.rules.decisions import Decision
from pbem.rules.order_model import AskMe


def must_ask(decision: Decision, public: State) -> bool:
    """The live policy: reaction windows open for everybody who plays, other decisions for those who said `ask me`.

    `public` is the public view. A power without a player is never waited for; where a decision `waits`, every other is.
    A power that said `react by standing orders` (setting `delegated`) is asked nothing in reaction windows either.
    """
    if decision.power not in players_powers(public):
        return False
    if decision.waits or wants_asking(public.marks.get(f"asking/{decision.power}", ()), decision):
        return True
    if not decision.reaction:
        return False
    if public.settings.get("reactions", "ask") != "ask":
        return False
    return decision.power not in public.marks.get("delegated", ())


def asked_only(decision: Decision, public: State) -> bool:
    """The policy of ruling cases: nothing stops but what somebody said `ask me` about."""
    return wants_asking(public.marks.get(f"asking/{decision.power}", ()), decision)


def asking_lines(state: State, power: str) -> tuple[str, ...]:
    """A power's `ask me` settings as the lines that would set them."""
    names = gazetteer(state.settings["game"], state.settings.get("edition"))
    return tuple(write(AskMe(decision, space), names) for decision, space in state.marks.get(f"asking/{power}", ()))


def players_powers(state: State) -> tuple[str, ...]:
    """Powers that somebody plays, by the campaign's settings and later replacements."""
    seats = state.settings.get("seats", {})
    return tuple(power for powers in seats.values() for power in powers)
