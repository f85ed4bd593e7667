"""Compares what came of a case with what must come: every space, power, refusal, question and rule that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.audit.case_model import Case, Resolve, powers_with_ids, spaces_with_ids, task_force_with_ids
from pbem.board.state import State, Unit
from pbem.rules.order_model import Order, to_json
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted, Waiting

ReadLine = Callable[[str, str | None], tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came: the position, the events, the refused lines, and the window it stopped at."""

    rules: RuleSet
    state: State
    events: Sequence[Emitted]
    refused: Sequence[Any]
    waiting: Waiting | None
    order_of_pile: Callable[[str], list[str]] = lambda deck: []


def differences(case: Case, outcome: Outcome, resolve: Resolve, read: ReadLine) -> list[str]:
    """One sentence for each thing that differs; none if the case passes."""
    expect = case.expect
    found: list[str] = []
    if "refused" in expect:
        found.extend(_refusals(expect["refused"], outcome, read))
    for space, wanted in spaces_with_ids(expect.get("spaces") or {}, resolve).items():
        found.extend(_space(outcome, space, wanted))
    for power, wanted in powers_with_ids(expect.get("powers") or {}, resolve).items():
        found.extend(_power(outcome.state, power, wanted))
    for a, b, status in expect.get("relations") or ():
        now = outcome.state.relation(resolve("power", a), resolve("power", b))
        if now != status:
            found.append(f"{a} and {b}: {now}, not {status}")
    for asked in expect.get("asks") or ():
        found.extend(_asked(outcome.waiting, asked, resolve))
    cited = {rule for event in outcome.events for rule in event.rules} | {line.rule for line in outcome.refused}
    for rule in expect.get("rules") or ():
        either = rule if isinstance(rule, list) else [rule]
        if not cited.intersection(either):
            found.append(f"no event cites {' or '.join(either)}")
    if "winner" in expect and outcome.state.winner != expect["winner"]:
        found.append(f"winner: {outcome.state.winner}, not {expect['winner']}")
    if "decks" in expect:
        for deck, wanted in expect["decks"].items():
            found.extend(_deck(outcome, deck, wanted))
    if "task_forces" in expect:
        found.extend(_task_forces(outcome.state, [task_force_with_ids(g, resolve) for g in expect["task_forces"]]))
    return found


# -- refusals -------------------------------------------------------------------------------------------------------


def _refusals(expected: Sequence[Any], outcome: Outcome, read: ReadLine) -> list[str]:
    left = list(outcome.refused)
    found: list[str] = []
    for wanted in expected:
        lines = wanted["order"] if isinstance(wanted["order"], list) else [wanted["order"]]
        rules = wanted.get("rule")
        either = rules if isinstance(rules, list) else [rules] if rules else None
        matching = [line for line in left if any(_is_line(line, text, read) for text in lines)]
        if not matching:
            found.append(f"not refused: {' / '.join(lines)}")
            continue
        fitting = [line for line in matching if either is None or line.rule in either]
        if not fitting:
            found.append(f"{matching[0].line}: refused by {matching[0].rule}, not {' or '.join(either or ())}")
        for line in matching:
            left.remove(line)
    found.extend(f"refused: {line.line} ({line.rule}: {line.reason})" for line in left)
    return found


def _is_line(refused: Any, text: str, read: ReadLine) -> bool:
    if _squeezed(refused.line) == _squeezed(text):
        return True
    if refused.order is None:
        return False
    return any(to_json(order) == refused.order for order in read(text, refused.power))


def _squeezed(text: str) -> str:
    return "".join(text.lower().replace("noncombat:", "").split())


# -- spaces ---------------------------------------------------------------------------------------------------------


def _space(outcome: Outcome, space: str, wanted: Mapping[str, Any]) -> list[str]:
    state = outcome.state
    found: list[str] = []
    if "controller" in wanted and state.controller(space) != wanted["controller"]:
        found.append(f"{space}: controlled by {state.controller(space)}, not {wanted['controller']}")
    if "facilities" in wanted:
        held = state.spaces.get(space)
        now = dict(held.facilities) if held else {}
        want = {kind: value.get("damage", 0) for kind, value in wanted["facilities"].items()}
        if now != want:
            found.append(f"{space}: facilities {now}, not {want}")
    if "units" in wanted:
        here = [unit for unit in state.units_in(space) if unit.aboard is None]
        found.extend(f"{space}: {line}" for line in _units(state, here, wanted["units"]))
    return found


def _units(state: State, here: Sequence[Unit], wanted: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for power in dict.fromkeys((*wanted, *(unit.owner for unit in here))):
        kinds = wanted.get(power, {})
        own = [unit for unit in here if unit.owner == power]
        for kind in dict.fromkeys((*kinds, *(unit.kind for unit in own))):
            want = kinds.get(kind, 0)
            now = [unit for unit in own if unit.kind == kind]
            number = len(want) if isinstance(want, list) else want
            if len(now) != number:
                found.append(f"{power} has {len(now)} {kind}, not {number}")
            elif isinstance(want, list) and not _states_fit(state, now, want):
                found.append(f"{power}'s {kind}: {[_shown(state, unit) for unit in now]}, not {want}")
    return found


def _states_fit(state: State, units: Sequence[Unit], wanted: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each wanted state can be given a piece of its own that has everything the state names."""
    if not wanted:
        return True
    first, rest = wanted[0], wanted[1:]
    return any(
        _has_state(state, unit, first) and _states_fit(state, [u for u in units if u is not unit], rest)
        for unit in units
    )


def _has_state(state: State, unit: Unit, wanted: Mapping[str, Any]) -> bool:
    for name, value in wanted.items():
        if name == "cargo":
            if _units(state, list(state.cargo_of(unit.id)), value):
                return False
        elif name == "damage":
            if unit.damage != value:
                return False
        elif name == "moved":
            if isinstance(value, bool) and bool(unit.spent or unit.mark("moved")) != value:
                return False
            if not isinstance(value, bool) and unit.spent != value:
                return False
        elif bool(unit.mark(name)) != bool(value) or (isinstance(value, str) and unit.mark(name) != value):
            return False
    return True


def _shown(state: State, unit: Unit) -> dict[str, Any]:
    out: dict[str, Any] = {"damage": unit.damage} if unit.damage else {}
    cargo = [f"{piece.owner} {piece.kind}" for piece in state.cargo_of(unit.id)]
    return {**out, "cargo": cargo} if cargo else out


# -- powers, questions, task forces ---------------------------------------------------------------------------------


def _power(state: State, power: str, wanted: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, value in wanted.items():
        if name == "technologies":
            now: Any = sorted(state.technologies.get(power, ()))
            value = sorted(value)
        elif name == "cards":
            now = sorted(
                (card.name or "?", card.ready)
                for card in state.cards.values()
                if card.power == power and card.place in ("hand", "table")
            )
            value = sorted(
                (card, True) if isinstance(card, str) else (card["id"], card.get("ready", True)) for card in value
            )
        elif name == "pool":
            here = [unit for unit in state.units_in(f"pool:{power}") if unit.aboard is None]
            found.extend(f"pool of {power}: {line}" for line in _units(state, here, value))
            continue
        elif isinstance(value, Mapping):
            now = {key: state.counter(power, f"{name}_{key}") for key in value}
        else:
            now = state.counter(power, name)
        if now != value:
            found.append(f"{power}: {name} {now}, not {value}")
    return found


def _deck(outcome: Outcome, deck: str, wanted: Mapping[str, Any]) -> list[str]:
    """A deck: `draw` (top first), `draw_size`, `discard` in any order, or whatever else the board keeps of it."""
    held = outcome.state.decks.get(deck, {})
    found = []
    for key, value in wanted.items():
        now: Any = held.get(key)
        if key == "draw":
            now = outcome.order_of_pile(deck)
        elif key == "draw_size":
            now = held.get("left", 0)
        elif key == "discard":
            pile = [card for card in outcome.state.cards.values() if card.deck == deck and card.place == "discard"]
            now, value = sorted(card.name or "?" for card in pile), sorted(value)
        if now != value:
            found.append(f"deck {deck}: {key} is {now}, not {value}")
    return found


def _asked(waiting: Waiting | None, asked: Mapping[str, Any], resolve: Resolve) -> list[str]:
    power = resolve("power", asked["power"])
    if waiting is None:
        return [f"nothing is asked; {power} should be asked about {asked['decision']}"]
    asks = waiting.window.asks
    if any(ask["power"] == power and ask["kind"] == asked["decision"] for ask in asks):
        return []
    shown = ", ".join(f"{ask['power']}: {ask['kind']}" for ask in asks) or waiting.window.id
    return [f"asked is {shown}; not {power}: {asked['decision']}"]


def _task_forces(state: State, wanted: Sequence[Mapping[str, Any]]) -> list[str]:
    left = list(state.groups.values())
    found = []
    for force in wanted:
        for group in left:
            kinds: dict[str, int] = {}
            for unit_id in group.units:
                kind = state.units[unit_id].kind
                kinds[kind] = kinds.get(kind, 0) + 1
            same = (group.power, group.kind, group.space) == (force["power"], force["kind"], force["space"])
            if same and ("units" not in force or kinds == force["units"]):
                left.remove(group)
                break
        else:
            found.append(f"no task force {dict(force)}")
    found.extend(f"task force {group.kind} of {group.power} in {group.space}" for group in left)
    return found
