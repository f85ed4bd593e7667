"""After the dice of a fire step are seen and before losses are chosen: Fighter Ace, Fog of War, Fortification.

And how a Heavy Artillery's hits fall: two infantry, or one other unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import Unit
from pbem.games.s42.fov import hands, plays
from pbem.games.s42.fov.fire import HEAVY, under_battle_cards
from pbem.games.s42.fov.plays import Play, lay, tell
from pbem.games.s42.fov.table import FORTUNE, ROLL
from pbem.games.s42.fov.weighing import Line, Weighing, meant_for
from pbem.games.s42.fov.windows import asked, conclude, sealed
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.dice_steps import (
    ATTACKERS_FIRE,
    ATTACKING_SUBMARINES,
    DEFENDERS_FIRE,
    DEFENDING_SUBMARINES,
)
from pbem.rules.battle.firing import AIR, OTHER, SUBMARINE, SURFACE, Volley, category_of
from pbem.rules.battle.hits import SINKS, places
from pbem.rules.battle.loss_orders import default_order, domain_of, listed_order
from pbem.rules.battle.losses import apply_losses
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.naming import is_meant
from pbem.rules.decisions import Decision, Refusal, holds
from pbem.rules.order_model import Casualties, Order, PlayCard
from pbem.rules.query import can, count_by_kind
from pbem.rules.script import Game

FIRE_STEPS = (ATTACKING_SUBMARINES, DEFENDING_SUBMARINES, ATTACKERS_FIRE, DEFENDERS_FIRE)
"""Fire steps of battles: guns, bombardment, rail gun and raids are none of them (FOV-F02.4)."""


def dice_seen(game: Game, battle: Battle, volley: Volley) -> None:
    """A miss may become a hit, then a miss may cost a unit, then hits may be halved."""
    fighter_aces(game, battle, volley)
    if volley.step in FIRE_STEPS:
        fog_of_war(game, battle, volley)
        fortification(game, battle, volley)


def missed(volley: Volley) -> list[str]:
    """Units none of whose dice hit, in the order of their first die."""
    hit = {unit_id for unit_id, _ in volley.hits}
    return list(dict.fromkeys(shot.unit for shot, face in volley.shots if face > shot.need and shot.unit not in hit))


def first_missing_die(volley: Volley) -> str | None:
    """The unit of the first die that counts and misses; of a super bomber's dice only the better one counts.

    What an ace made a hit is no miss.
    """
    none_hit = missed(volley)
    by_dice = {shot.unit for shot, face in volley.shots if face <= shot.need}
    for shot, face in volley.shots:
        if face > shot.need and (shot.unit in none_hit or (shot.unit in by_dice and not shot.best)):
            return shot.unit
    return None


# -- fighter ace ------------------------------------------------------------------------------------------------------


def fighter_aces(game: Game, battle: Battle, volley: Volley) -> None:
    """A fighter's miss becomes its hit, if a power of its side holds and plays the card (FOV-F01.1, FOV-FD04, FOV-R10).

    Whether play stops for it depends on the misses and on how many fortune cards lie face down, not on the hand
    (FOV-6.1.6).
    """
    taken_up = under_battle_cards(game.rules, game.state, battle, volley.side)
    open_to = [
        unit_id
        for unit_id in missed(volley)
        if can(game.rules, game.state.units[unit_id], "carrier_capable")
        and not plays.under_card(game.state.units[unit_id])
        and unit_id not in taken_up
    ]
    if not open_to:
        return
    owner = game.state.units[open_to[0]].owner
    for power in game.board.powers:
        if not game.rules.judge("allies", game.state, owner, power):
            continue
        if not hands.unused(game.state, power, FORTUNE):
            continue
        own_only = bool(game.rules.parameter("fighter_ace_own_only"))
        able = [uid for uid in open_to if not own_only or game.state.units[uid].owner == power]
        if able:
            taken = _ace(game, battle, volley, power, able)
            open_to = [unit_id for unit_id in open_to if unit_id not in taken]


def _ace(game: Game, battle: Battle, volley: Volley, power: str, able: Sequence[str]) -> list[str]:
    question = sealed(
        f"{battle.id}:{battle.round}:{volley.step}:fighter_ace:{power}", power, "fighter_ace",
        space=battle.space, round=battle.round,
        public={"battle": battle.id, "step": volley.step, "missed": len(able)},
    )  # fmt: skip
    lines = [line for line in asked(game, question) if _about(game, battle, "fighter_ace", power, line)]
    w = Weighing(game.rules, game.state, power, ROLL)
    for unit_id in able:
        line = next((one for one in lines if not any(one is used for used in w.spent)), None)
        if line is None:
            break
        copies = [c for c in hands.ready_copies(w.state, power, "fighter_ace") if c not in [p.copy for p in w.played]]
        if not copies:
            break
        w.accept(line, line.order, Play("fighter_ace", power, copies[0], battle.space, (unit_id,)))
    if not w.played:
        return []
    conclude(game, w)
    for play in w.played:
        lay(game, play, ROLL, {"battle": battle.id, "step": volley.step, "round": battle.round})
        unit = game.state.units[play.units[0]]
        volley.hits.append((unit.id, category_of(game.rules, unit)))
        tell(game, play, "hit", ("FOV-F01.1", "FOV-F01.2"), {"battle": battle.id})
    return [play.units[0] for play in w.played]


def _about(game: Game, battle: Battle, card: str, power: str, line: Line) -> bool:
    order = line.order
    if not isinstance(order, PlayCard) or order.card != card or not meant_for(game.rules, order, ROLL):
        return False
    if order.space not in (None, battle.space) or order.number not in (None, battle.round):
        return False
    return holds(order.when, battle_subject(game, battle, power))


# -- fog of war -------------------------------------------------------------------------------------------------------


def fog_of_war(game: Game, battle: Battle, volley: Volley) -> None:
    """The first die of an enemy that misses costs its owner another unit (FOV-F02.1, FOV-F02.2, FOV-R25).

    With the option `fog_as_reaction` nobody announces the card: it is played when such a die was seen.
    """
    missing = first_missing_die(volley)
    if missing is None:
        return
    foes = other_side(volley.side)
    done = battle.notes.setdefault("fog_done", [])
    for play in plays.in_force(game.state, "fog_of_war", battle.space):
        side = DEFEND if play.power != battle.attacker else ATTACK
        if side == foes and play.copy not in done:
            done.append(play.copy)
            _fog_falls(game, battle, volley, play, missing)
    if game.rules.parameter("fog_as_reaction"):
        present = {unit.owner for unit in battle.units(game.state, foes)}
        for power in (one for one in game.board.powers if one in present and hands.unused(game.state, one, FORTUNE)):
            _fog_rises(game, battle, volley, power, missing)


def _fog_rises(game: Game, battle: Battle, volley: Volley, power: str, missing: str) -> None:
    """The card as a reaction: whether play stops for it depends on the miss, not on the hand (FOV-6.1.6, FOV-R25)."""
    question = sealed(
        f"{battle.id}:{battle.round}:{volley.step}:fog_of_war:{power}", power, "fog_of_war",
        space=battle.space, round=battle.round, public={"battle": battle.id, "step": volley.step},
    )  # fmt: skip
    w = Weighing(game.rules, game.state, power, ROLL)
    for line in (one for one in asked(game, question) if _about(game, battle, "fog_of_war", power, one)):
        played = [play.copy for play in w.played]
        copy = next((c for c in hands.ready_copies(w.state, power, "fog_of_war") if c not in played), None)
        if copy is not None:
            w.accept(line, line.order, Play("fog_of_war", power, copy, battle.space))
    if not w.played:
        return
    conclude(game, w)
    for play in w.played:
        lay(game, play, ROLL, {"battle": battle.id, "step": volley.step, "round": battle.round})
        battle.notes["fog_done"].append(play.copy)
        _fog_falls(game, battle, volley, play, missing)


def _fog_falls(game: Game, battle: Battle, volley: Volley, play: Play, missing: str) -> None:
    """The owner of the die loses another unit; without one nothing happens (FOV-F02.2, FOV-F02.3)."""
    unit = game.state.units[missing]
    others = [
        other
        for other in battle.unhurt(game.state, volley.side)
        if other.owner == unit.owner and other.id != unit.id
    ]  # fmt: skip
    if others:
        _lost_in_fog(game, battle, volley, play, others)
    else:
        tell(game, play, "nothing", ("FOV-F02.3",), {"battle": battle.id})


def _lost_in_fog(game: Game, battle: Battle, volley: Volley, play: Play, others: Sequence[Unit]) -> None:
    """One hit on a unit of the owner's choice, transports last; it waits behind the line (FOV-F02.2, FOV-FD05)."""
    offered = places(game.rules, others)
    preferred = default_order(game.rules, game.state, battle, volley.side, offered)
    preferred = [p for p in preferred if not p.last] + [p for p in preferred if p.last]
    owner = others[0].owner

    def interpret(order: Order) -> Any:
        assert isinstance(order, Casualties)
        ordered, _ = listed_order(game.rules, game.state, battle, order, offered, preferred, None, 1)
        return next((place.unit for place in ordered if not place.last), ordered[0].unit)

    decision = Decision(
        key=f"{battle.id}:{battle.round}:{volley.step}:fog:{play.copy}:{owner}",
        power=owner,
        kind="fog_losses",
        interpret=interpret,
        default=lambda: preferred[0].unit,
        space=battle.space,
        round=battle.round,
        rules=("FOV-F02.2", "FOV-FD05"),
        public={
            "battle": battle.id, "side": volley.side, "domain": domain_of(game.board, battle), "hits": 1,
            "units": count_by_kind(others),
        },
        subject=battle_subject(game, battle, owner),
        has_choice=len({(unit.kind, unit.damage) for unit in others}) > 1,
    )  # fmt: skip
    lost = game.ask([decision])[decision.key]
    tell(game, play, "loss", ("FOV-F02.1", "FOV-F02.2"), {"battle": battle.id})
    hit = Volley(other_side(volley.side), volley.step, [("fog", OTHER)], topics=("card.fog_of_war",))
    apply_losses(game, battle, hit, [lost], owner, at_once=False)
    if lost in battle.behind:
        battle.notes.setdefault("fog", []).append(lost)


def without_fog(battle: Battle) -> list[str]:
    """Take units lost in the fog out from behind the line, for who fires or is removed with the round's casualties."""
    ids = [unit_id for unit_id in battle.notes.get("fog", ()) if unit_id in battle.behind]
    for unit_id in ids:
        battle.behind.remove(unit_id)
    return ids


# -- fortification ----------------------------------------------------------------------------------------------------


def fortification(game: Game, battle: Battle, volley: Volley) -> None:
    """In round 1 half of the attacker's hits count, rounded down over the round (FOV-T07.2, FOV-T07.3)."""
    found = plays.in_force(game.state, "fortification", battle.space)
    if volley.side != ATTACK or battle.round != 1 or not found or not volley.hits:
        return
    counts = battle.notes.setdefault("fortified", {"rolled": 0, "kept": 0})
    counts["rolled"] += len(volley.hits)
    allowed = max(0, counts["rolled"] // 2 - counts["kept"])
    counts["kept"] += min(allowed, len(volley.hits))
    before = len(volley.hits)
    volley.hits = _that_count(game, battle, volley, allowed)
    volley.topics += ("card.fortification",)
    told = {"battle": battle.id, "rolled": before, "counted": len(volley.hits)}
    tell(game, found[0], "halved", ("FOV-T07.2", "FOV-T07.3"), told)


CLASSES = (HEAVY, OTHER, AIR, SUBMARINE, SURFACE)
"""Hits from the least restricted class on (FOV-T07.4)."""


def _that_count(game: Game, battle: Battle, volley: Volley, allowed: int) -> list[tuple[str, str]]:
    """Which hits count: the attacker says it where classes differ, else unrestricted ones first (FOV-T07.4)."""
    default = sorted(volley.hits, key=lambda hit: CLASSES.index(hit[1]))
    if allowed == 0 or allowed >= len(default) or len({category for _, category in default}) == 1:
        return default[:allowed]

    def interpret(order: Order) -> Any:
        assert isinstance(order, Casualties)
        state = game.state

        def place(hit: tuple[str, str]) -> int:
            unit = state.units[hit[0]]
            named = (i for i, pick in enumerate(order.picks) if is_meant(game.rules, state, pick, unit))
            return next(named, len(order.picks))

        return [list(hit) for hit in sorted(default, key=place)[:allowed]]

    decision = Decision(
        key=f"{battle.id}:{battle.round}:{volley.step}:halved:{battle.attacker}",
        power=battle.attacker,
        kind="halved_hits",
        interpret=interpret,
        default=lambda: [list(hit) for hit in default[:allowed]],
        space=battle.space,
        round=battle.round,
        rules=("FOV-T07.4",),
        public={"battle": battle.id, "side": ATTACK, "hits": volley.by_category(), "count": allowed},
        subject=battle_subject(game, battle, battle.attacker),
    )
    return [(row[0], row[1]) for row in game.ask([decision])[decision.key]]


# -- heavy artillery --------------------------------------------------------------------------------------------------


def hits_fall(game: Game, battle: Battle, volley: Volley, at_once: bool) -> None:
    """Each hit of a Heavy Artillery takes two infantry or one other unit; the other hits fall as ever (FOV-W08.2)."""
    heavy = [hit for hit in volley.hits if hit[1] == HEAVY]
    volley.hits = [hit for hit in volley.hits if hit[1] != HEAVY]
    for place, (gun, _) in enumerate(heavy):
        _heavy_hit(game, battle, volley, gun, place, at_once)


def _heavy_hit(game: Game, battle: Battle, volley: Volley, gun: str, place: int, at_once: bool) -> None:
    side = other_side(volley.side)
    units = [unit for unit in battle.unhurt(game.state, side) if not can(game.rules, unit, "never_casualty")]
    if not units:
        return
    offered = places(game.rules, units)
    ordered = default_order(game.rules, game.state, battle, side, offered)
    infantry = [p.unit for p in ordered if game.state.units[p.unit].kind == "infantry"]
    others = [p for p in ordered if game.state.units[p.unit].kind != "infantry"]
    if not others:
        ids, by = infantry[:2], "forced"
    elif len(infantry) < 2:
        ids, by = [others[0].unit], "forced"
        if len({game.state.units[p.unit].kind for p in others}) > 1:
            ids, by = _chosen(game, battle, volley, units, infantry, others, place)
    else:
        ids, by = _chosen(game, battle, volley, units, infantry, others, place)
    hit = Volley(volley.side, volley.step, [(gun, OTHER)] * len(ids), topics=("card.heavy_artillery",))
    apply_losses(game, battle, hit, ids, by, at_once=at_once)


def _chosen(
    game: Game, battle: Battle, volley: Volley, units: Sequence[Unit], infantry: Sequence[str], others: Sequence[Any],
    place: int,
) -> tuple[list[str], str]:  # fmt: skip
    """Two infantry or one other unit: by default what costs less, if equal the single unit (FOV-W08.3, FOV-W08.5).

    With exactly one infantry only another unit will do (FOV-R17); a heavy tank takes one hit of it (FOV-W09.4).
    """
    table = game.board.units
    side = other_side(volley.side)

    def cost(found: Any) -> int:
        return (table[game.state.units[found.unit].kind].cost or 0) if found.effect == SINKS else 0

    cheapest = min(others, key=cost)
    infantry_cost = 2 * (table["infantry"].cost or 0)
    two = list(infantry[:2]) if len(infantry) >= 2 else []
    default = two if two and infantry_cost < cost(cheapest) else [cheapest.unit]
    owners = list(dict.fromkeys(unit.owner for unit in units))
    power = owners[0] if side == DEFEND else battle.attacker

    def interpret(order: Order) -> Any:
        assert isinstance(order, Casualties)
        for pick in order.picks:
            if pick.kind == "infantry" and two:
                return two
            for found in others:
                if is_meant(game.rules, game.state, pick, game.state.units[found.unit]):
                    return [found.unit]
        return Refusal("Name infantry (two are lost) or another unit that is there.", "FOV-W08.3")

    decision = Decision(
        key=f"{battle.id}:{battle.round}:{volley.step}:heavy:{place}:{power}",
        power=power,
        kind="heavy_artillery_losses",
        interpret=interpret,
        default=lambda: default,
        space=battle.space,
        round=battle.round,
        rules=("FOV-W08.2", "FOV-W08.3", "FOV-W08.5", "FOV-FD06"),
        public={
            "battle": battle.id, "side": side, "domain": "land", "hits": 1, "units": count_by_kind(units),
        },
        subject=battle_subject(game, battle, power),
    )  # fmt: skip
    return list(game.ask([decision])[decision.key]), power
