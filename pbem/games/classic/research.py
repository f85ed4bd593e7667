"""Phase 1, weapons development: dice are bought, sixes are breakthroughs, a second die names the weapon."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.classic.parameters import RESEARCH_PRICE, TECHNOLOGIES
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.order_model import NothingTo, Research
from pbem.rules.purchase import pay
from pbem.rules.script import Filed, Game

MOST_REROLLS = 200
"""So often a known weapon is rolled again; then the first missing one comes (fair dice never come so far)."""
DELAYED = "turn/delayed_weapons"
"""Mark of the turn: weapons won that work from its end on, where the option says so."""


def research(game: Game, filed: Sequence[Filed]) -> None:
    """All dice of the phase are announced, paid and rolled together (CLA-3.1 to CLA-3.3); silent, none (CLA-D01)."""
    power = game.state.power or ""
    dice = 0
    for line in filed:
        if isinstance(line.order, NothingTo):
            continue
        if not isinstance(line.order, Research):
            game.refuse(line, "research", refuse(game.rules, "research", "This cannot be done in this phase."))
            continue
        dice += _bought(game, line, line.order)
    if not dice:
        return
    faces = game.roll(dice, power=power, step="research")
    breakthroughs = sum(face == 6 for face in faces)
    told = {"power": power, "dice": dice, "breakthroughs": breakthroughs}
    game.emit("research_done", told, cites(game.rules, "research_dice"))
    if breakthroughs:
        _weapons(game, power, breakthroughs)


def _bought(game: Game, line: Filed, order: Research) -> int:
    """The dice of one line, paid for at once, or 0 where it is refused (CLA-3.1, CLA-3.2, CLA-3.5, CLA-4.5)."""
    rules, state = game.rules, game.state
    money = state.counter(line.power)
    if rules.judge("capital_lost", state, line.power):
        wrong = refuse(rules, "no_capital_buy", "Your capital is in enemy hands: you develop no weapons.")
    elif len(state.technologies.get(line.power, ())) == len(TECHNOLOGIES):
        wrong = refuse(rules, "weapon_again", "You have all six weapons; there is nothing left to develop.")
    elif order.technology is not None:
        wrong = refuse(rules, "weapon_table", "The dice name the weapon; nobody chooses it.", f"research {order.dice}")
    elif order.dice * RESEARCH_PRICE > money:
        most = money // RESEARCH_PRICE
        wrong = refuse(
            rules, "research",
            f"{order.dice} research dice cost {order.dice * RESEARCH_PRICE} IPC; the {money} that are there pay for "
            f"{most}.",
            f"research {most}" if most else None,
        )  # fmt: skip
    else:
        pay(game, line.power, order.dice * RESEARCH_PRICE, "research")
        return order.dice
    game.refuse(line, "research", wrong)
    return 0


def _weapons(game: Game, power: str, breakthroughs: int) -> None:
    """One more die for each breakthrough names a weapon; one that is known already is rolled again (CLA-3.4, 3.5)."""
    known = list(game.state.technologies.get(power, ()))
    due = min(breakthroughs, len(TECHNOLOGIES) - len(known))
    won: list[str] = []
    rerolls = 0
    while due:
        for face in game.roll(due, power=power, step="weapons"):
            weapon = TECHNOLOGIES[face - 1]
            if weapon in known and rerolls >= MOST_REROLLS:
                weapon = next(name for name in TECHNOLOGIES if name not in known)
            if weapon in known:
                rerolls += 1
                continue
            known.append(weapon)
            won.append(weapon)
            due -= 1
    game.emit("mark_set", {"key": marks.WEAPONS_WON, "value": won})
    if game.rules.parameter("tech_delay"):
        game.emit("mark_set", {"key": DELAYED, "value": won}, cites(game.rules, "weapon_table"))
    else:
        gain(game, power, won)


def gain(game: Game, power: str, weapons: Sequence[str]) -> None:
    """Weapons work from now on (CLA-3.6)."""
    for weapon in weapons:
        gained = {"power": power, "technology": weapon}
        game.emit("technology_gained", gained, cites(game.rules, "weapon_table", f"weapon:{weapon}"))


def delayed_weapons(game: Game) -> None:
    """At the end of the turn: weapons whose work was put off begin it (CLA-3.6, option `tech_delay`)."""
    gain(game, game.state.power or "", game.state.marks.get(DELAYED, ()))
