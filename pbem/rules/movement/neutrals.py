"""Neutral land that may be entered for money, in games that have it: the toll, and who owns the land from then on.

The judgement `neutral_ground` tells which spaces are such land now; without it there is none. Parameters:
`neutral_toll` (IPC for each) and `neutral_overflight` (`violate`: flying over takes the land like entering it; `pay`:
it costs the toll once a turn and changes nothing).
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch


def toll_paid(space: str) -> str:
    """Mark of the turn: the toll for entering or passing this neutral was paid in it."""
    return f"turn/toll/{space}"


def is_neutral_ground(sketch: Sketch, space: str) -> bool:
    """Whether a space is neutral land now that may be entered for money (CLA-5.5.1)."""
    if "neutral_ground" not in sketch.rules.judgements:
        return False
    return bool(sketch.rules.judge("neutral_ground", sketch.state, space))


def neutral_ground(sketch: Sketch, spaces: Iterable[str]) -> list[str]:
    """Those of some spaces that are neutral land, each once, in order; none outside the combat move."""
    if sketch.phase != COMBAT:
        return []
    return [space for space in dict.fromkeys(spaces) if is_neutral_ground(sketch, space)]


def neutral_stops(sketch: Sketch, space: str) -> Refusal:
    """Whoever enters a neutral territory by land stops there (CLA-5.3.5, CLA-5.5.3)."""
    name = sketch.name(space)
    return refuse(
        sketch.rules,
        "neutral_stops",
        f"{name} is neutral: a land unit that enters it must stop there.",
        f"End the move in {name}.",
    )


def pay_toll(
    sketch: Sketch, spaces: Iterable[str], *, by_air: bool = False, topic: str = "neutral_entered"
) -> Refusal | None:
    """Pay for every neutral territory that is entered, at once and each only once; refuse it without the money.

    CLA-5.5.1, CLA-5.5.4, CLA-5.5.6; nothing to pay is no refusal.
    """
    new = [space for space in neutral_ground(sketch, spaces) if toll_paid(space) not in sketch.state.marks]
    if not new:
        return None
    price = int(sketch.rules.parameter("neutral_toll")) * len(new)
    money = sketch.state.counter(sketch.power)
    if price > money:
        names = ", ".join(sketch.name(space) for space in new)
        return refuse(
            sketch.rules,
            "neutral_toll_air" if by_air else "neutral_toll",
            f"Entering {names} costs {price} IPC, and {money} are left.",
            "Go round it.",
        )
    if price:
        paid = {"power": sketch.power, "counter": "ipc", "by": -price, "why": "neutral"}
        sketch.do("counter_changed", paid, cites(sketch.rules, "neutral_overflight" if by_air else topic))
    for space in new:
        sketch.do("mark_set", {"key": toll_paid(space), "value": True})
    return None


def violate(sketch: Sketch, path: Iterable[str]) -> None:
    """Neutral land that aircraft fly over becomes the power's, although nothing stands in it (CLA-5.5.4)."""
    if sketch.rules.parameters.get("neutral_overflight") == "violate":
        for space in neutral_ground(sketch, path):
            sketch.capture(space, ())
