"""Pacific 1940: declarations of war, the entry of the United States, and what attacks do to relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.p40.territory import CHINA, COMMONWEALTH, DUTCH, FRANCE, JAPAN, USA, WESTERN_ALLIES, at_war_with_japan
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import DeclareWar, StayAtPeace
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

AXIS_FOES = (USA, CHINA, *COMMONWEALTH)
USA_MAY_ENTER_ROUND = 3
"""The round whose American income phase brings the United States into the war, or lets them choose (P40-2.2.7)."""


# -- declarations -----------------------------------------------------------------------------------------------------


def declare_war(game: Game, filed: Sequence[Filed]) -> None:
    """Declarations at the very start of the combat move, wherever their lines stand (P40-2.2.3, P40-4.1.1, P40-DP-01).

    Zones that hold warships of both sides are hostile from that moment (P40-2.3.6).
    """
    for line in filed:
        if not isinstance(line.order, DeclareWar):
            continue
        refusal = _may_declare(game.rules, game.state, line.power, line.order.powers)
        if refusal is not None:
            game.refuse(line, "combat_move", refusal)
        else:
            go_to_war(game, line.power, line.order.powers, ("P40-2.2.3", *_declaration_rules(line.power)))


def _declaration_rules(power: str) -> tuple[str, ...]:
    if power == JAPAN:
        return ("P40-2.2.4",)
    return ("P40-2.2.6",) if power == USA else ("P40-2.2.5",)


def _may_declare(rules: RuleSet, state: State, power: str, upon: Sequence[str]) -> Refusal | None:
    """Why a power may not declare war on these; None if it may (P40-2.2.4 to P40-2.2.7, P40-2.2.13, P40-2.2.15)."""
    names = rules.board.powers
    if power == CHINA:
        return Refusal("China makes no declarations: it is at war with Japan only.", "P40-2.2.15")
    for other in upon:
        if power == JAPAN and other in (DUTCH, FRANCE):
            return Refusal(
                f"{names[other].name} land is attacked without a declaration on its owner; Dutch land needs war with "
                "the United Kingdom and ANZAC.",
                "P40-2.2.9" if other == DUTCH else "P40-2.2.11",
            )
        if other not in (AXIS_FOES if power == JAPAN else (JAPAN,)):
            said = names[other].name if other in names else other
            return Refusal(f"{names[power].name} cannot declare war on {said}.", "P40-2.2.4")
    if all(state.at_war(power, other) for other in upon):
        return Refusal("You are already at war with them; war is permanent.", "P40-2.2.13", "Leave the line out.")
    if power == USA and not usa_may_declare(state):
        return Refusal(
            "The United States may not declare war on Japan: Japan has declared war neither on them nor, unprovoked, "
            "on the United Kingdom and ANZAC, and their third turn's income phase is not over.",
            "P40-2.2.6",
        )
    return None


def usa_may_declare(state: State) -> bool:
    """Whether the United States may declare war in this combat move (P40-2.2.6, P40-2.2.7, P40-2.2.8)."""
    provoked = any(power in state.marks.get(marks.unprovoked(JAPAN), ()) for power in COMMONWEALTH)
    return provoked or state.round > USA_MAY_ENTER_ROUND


def go_to_war(game: Game, power: str, upon: Sequence[str], rules: tuple[str, ...]) -> None:
    """War between a power and others: UK and ANZAC act and suffer as one party (P40-2.2.2); war lasts (P40-2.2.13).

    What later rules ask (who declared, who was not provoked) is written down before the relations change.
    """
    before = game.state
    foes = as_parties(upon)
    for key, value in marks_of_declaration(game.rules, before.marks, power, tuple(upon)).items():
        if before.marks.get(key) != value:
            game.emit("mark_set", {"key": key, "value": value})
    declared = list(dict.fromkeys((*before.marks.get(marks.declared_war(power), ()), *upon)))
    game.emit("mark_set", {"key": marks.declared_war(power), "value": declared})
    as_one = ("P40-2.2.2",) if power in COMMONWEALTH or any(foe in COMMONWEALTH for foe in foes) else ()
    _at_war(game, as_parties((power,)), foes, (*rules, *as_one), "declaration")
    if power == JAPAN:
        _mobilize_usa(game, before)


def _at_war(game: Game, side: Sequence[str], foes: Sequence[str], rules: tuple[str, ...], why: str) -> None:
    for one in side:
        for foe in foes:
            if not game.state.at_war(one, foe):
                game.emit("relation_changed", {"a": one, "b": foe, "to": "war", "why": why}, rules)


def as_parties(powers: Sequence[str]) -> tuple[str, ...]:
    """The powers named, with ANZAC beside the United Kingdom and the other way round (P40-2.2.2)."""
    named = list(powers)
    if any(power in COMMONWEALTH for power in powers):
        named.extend(power for power in COMMONWEALTH if power not in powers)
    return tuple(named)


def marks_of_declaration(rules: RuleSet, past: Mapping[str, Any], power: str, upon: tuple[str, ...]) -> dict[str, Any]:
    """What is kept for ever of a declaration: upon whom, and whether it was unprovoked (P40-2.2.6).

    Unprovoked is what Japan declares upon a party that has not declared war on Japan itself.
    """
    kept = {marks.has_declared(power): list(dict.fromkeys((*past.get(marks.has_declared(power), ()), *upon)))}
    if power == JAPAN:
        calm = [foe for foe in upon if not any(past.get(marks.has_declared(one)) for one in as_parties((foe,)))]
        calm = [foe for foe in calm if foe in WESTERN_ALLIES]
        if calm:
            kept[marks.unprovoked(JAPAN)] = list(dict.fromkeys((*past.get(marks.unprovoked(JAPAN), ()), *calm)))
    return kept


def _mobilize_usa(game: Game, before: State) -> None:
    """Money for the United States at Japan's first unprovoked declaration of rounds 1 to 3, once (P40-2.2.14)."""
    bonus = game.rules.parameter("us_mobilization_bonus")
    key = marks.unprovoked(JAPAN)
    if not bonus or before.marks.get(key) or not game.state.marks.get(key) or game.state.round > USA_MAY_ENTER_ROUND:
        return
    game.emit("counter_changed", {"power": USA, "counter": "ipc", "by": bonus, "why": "mobilization"}, ("P40-2.2.14",))


# -- the American third turn ----------------------------------------------------------------------------------


def usa_enters_by_itself(game: Game, filed: Sequence[Filed]) -> None:
    """The card: still at peace in its third income phase, the USA go to war after the land's income (P40-2.2.7)."""
    _refuse_staying(game, filed, lambda: "By this rule set the United States go to war in this phase by themselves.")
    if _usa_third_turn(game.state):
        go_to_war(game, USA, (JAPAN,), ("P40-2.2.7",))


def usa_may_enter(game: Game, filed: Sequence[Filed]) -> None:
    """The errata: the USA may declare war as their third income phase begins; they do if silent (P40-2.2.7, P40-DP-02).

    Ships that then share a zone with enemies face it on Japan's next turn (P40-9.6, P40-13-B20).
    """
    if not _usa_third_turn(game.state):
        _refuse_staying(game, filed, lambda: "There is no war to decline in this phase.")
        return
    last = [line.order.stays for line in filed if isinstance(line.order, StayAtPeace)]
    if not (last and last[-1]):
        go_to_war(game, USA, (JAPAN,), ("P40-2.2.7",))


def nothing_more(game: Game, filed: Sequence[Filed]) -> None:
    """A moment of the income phase at which nothing happens in this edition."""


def _usa_third_turn(state: State) -> bool:
    return state.power == USA and state.round == USA_MAY_ENTER_ROUND and not at_war_with_japan(state, USA)


def _refuse_staying(game: Game, filed: Sequence[Filed], why: Any) -> None:
    for line in filed:
        if isinstance(line.order, StayAtPeace):
            game.refuse(line, "collect_income", Refusal(why(), "P40-2.2.7", "Leave the line out."))


# -- attacks that have consequences -----------------------------------------------------------------------------------


def attacks_ordered(game: Game) -> None:
    """When all combat moves are made: Japan's attacks on Dutch and French land are noted, with what follows."""
    if game.state.power != JAPAN:
        return
    for space in game.board.spaces:
        if game.state.controller(space) in (DUTCH, FRANCE) and _entered(game.rules, game.state, space):
            note_attack(game, space)


def _entered(rules: RuleSet, state: State, space: str) -> bool:
    return any(
        unit.owner == JAPAN and rules.board.units[unit.kind].domain == "land"
        and (unit.mark(marks.LANDING) == space or (unit.space == space and unit.aboard is None))
        for unit in state.units.values()
    )  # fmt: skip


def note_attack(game: Game, space: str) -> None:
    """Japan attacks or takes a territory: what later rules ask about it is kept, and Dutch land may mean war with all.

    French Indo-China counts for P40-2.6.6; by the card an attack on Dutch land brings all Allied powers into the war
    at once (P40-2.2.10).
    """
    kept = game.state.marks.get(marks.has_attacked(JAPAN), ())
    if space not in kept:
        game.emit("mark_set", {"key": marks.has_attacked(JAPAN), "value": [*kept, space]})
    if game.board.spaces[space].original_owner == DUTCH and game.state.controller(space) == DUTCH:
        game.run("dutch_attacked")


def all_allies_enter(game: Game) -> None:
    """The card: whoever attacks the Dutch is at war with every Allied power (P40-2.2.10)."""
    _at_war(game, (JAPAN,), AXIS_FOES, ("P40-2.2.10",), "attack on Dutch territory")


def nobody_enters(game: Game) -> None:
    """The errata: an attack on Dutch land brings in nobody by itself (P40-2.2.10)."""
