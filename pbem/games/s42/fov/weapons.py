"""What the weapon cards ask of a play in combat: guns, bombers, fighters, tanks and ships they are played on."""

from __future__ import annotations

from pbem.games.s42.fov.plays import LENT
from pbem.games.s42.fov.subjects import of_power, raided, raiding
from pbem.games.s42.fov.weighing import Targets, Weighing, checks, with_units
from pbem.rules import marks
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Pick, PlayCard
from pbem.rules.query import can, is_air, is_land
from pbem.rules.ruleset import RuleSet

COMPLEX = "industrial_complex"


def land_fight(w: Weighing, space: str | None) -> Battle | None:
    """The land battle in a space, if somebody defends there."""
    if space is None or w.rules.board.spaces[space].is_sea:
        return None
    battle = w.battle(space)
    return battle if battle is not None and battle.defenders else None


def any_fight(w: Weighing, space: str | None) -> Battle | None:
    """The battle in a space, on land or at sea, if somebody defends there."""
    battle = w.battle(space) if space is not None else None
    return battle if battle is not None and battle.defenders else None


def holds_complex(w: Weighing, power: str, space: str) -> bool:
    """Whether a power controls a territory with a complex."""
    held = w.state.spaces.get(space)
    return held is not None and held.controller == power and held.facility(COMPLEX) is not None


@checks("rail_gun")
def rail_gun(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own gun in friendly land beside a land battle of the holder's land units (FOV-W01.1, FOV-W01.6, FOV-W01.7)."""
    battle = land_fight(w, space)
    own = [unit for unit in of_power(w.state, battle, w.power) if is_land(w.rules, unit)] if battle is not None else []
    if space is None or battle is None or not own:
        where = w.name(space) if space is not None else "there"
        return Refusal(f"No land unit of yours will fight a land battle in {where}.", "FOV-W01.7")
    beside = w.rules.board.lands_beside(space) if len(order.path) < 2 else (order.path[0],)
    guns = [
        unit
        for at in beside
        if w.rules.board.adjacent(at, space) and w.rules.judge("friendly_territory", w.state, w.power, at)
        for unit in w.state.units_in(at)
        if unit.owner == w.power and unit.aboard is None and can(w.rules, unit, "anti_air")
    ]
    order = with_units(order, (Pick("aa_gun", 1),))
    found = w.pick(order.units, guns, f"in friendly territory beside {w.name(space)}", "FOV-W01.1")
    return found if isinstance(found, Refusal) else Targets(space, found)


@checks("rocket_strike")
def rocket_strike(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own gun and an enemy complex at most two spaces away (FOV-W02.1, FOV-W02.5)."""
    held = w.state.spaces.get(space or "")
    enemy = held is not None and held.controller is not None and w.state.at_war(w.power, held.controller)
    if space is None or held is None or not enemy or held.facility(COMPLEX) is None:
        return Refusal(f"{w.name(space or '')} holds no enemy complex.", "FOV-W02.1")
    starts = (order.path[0],) if len(order.path) > 1 else tuple(w.rules.board.spaces)
    guns = [
        unit
        for unit in w.state.units.values()
        if unit.space in starts
        and unit.owner == w.power
        and unit.aboard is None
        and can(w.rules, unit, "anti_air")
        and w.rules.judge("friendly_territory", w.state, w.power, unit.space)
        and w.rules.board.path(unit.space, space, lambda at: open_ground(w.rules, at), 2) is not None
    ]
    order = with_units(order, (Pick("aa_gun", 1),))
    found = w.pick(order.units, guns, f"within two spaces of {w.name(space)}, in friendly territory", "FOV-W02.1")
    return found if isinstance(found, Refusal) else Targets(space, found)


def open_ground(rules: RuleSet, space: str) -> bool:
    """Whether a distance may be counted through a space: not through neutral or impassable ones."""
    printed = rules.board.spaces[space]
    return printed.is_sea or printed.kind not in ("neutral", "impassable")


def lent(w: Weighing, order: PlayCard, space: str) -> Refusal | None:
    """Weapon cards have no effect on lent bombers (FOV-T04.6, FOV-R20)."""
    there = [unit for unit in w.state.units_in(space) if unit.owner == w.power and unit.mark(LENT)]
    for pick in order.units:
        if pick.owner not in (None, w.power) and any(unit.mark(LENT) == pick.owner for unit in there):
            return Refusal("No weapon card affects bombers that a partner has lent you.", "FOV-T04.6")
    return None


@checks("atomic_bomb")
def atomic_bomb(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own bomber that is ordered to raid (FOV-W03.1)."""
    if space is None:
        return Refusal("Say which bomber: `play atomic_bomb: 1 bomber SPACE`.", "FOV-W03.1")
    barred = lent(w, order, space)
    if barred is not None:
        return barred
    bombers = [unit for unit in raiding(w.state, space) if unit.owner == w.power and not unit.mark(LENT)]
    order = with_units(order, (Pick("bomber", 1),))
    found = w.pick(order.units, bombers, f"in a raid on {w.name(space)}", "FOV-W03.1")
    return found if isinstance(found, Refusal) else Targets(space, found)


@checks("super_bombers")
def super_bombers(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """One or two own bombers in the same battle or the same raid, attacking (FOV-W04.1, FOV-W04.5)."""
    if space is None:
        return Refusal("Say which bombers: `play super_bombers: 2 bomber SPACE`.", "FOV-W04.1")
    barred = lent(w, order, space)
    if barred is not None:
        return barred
    raid = [unit for unit in raiding(w.state, space) if unit.owner == w.power]
    battle = any_fight(w, space)
    fight = of_power(w.state, battle, w.power) if battle is not None else []
    order = with_units(order, (Pick("bomber", min(2, max(len(raid), 1))),))
    where = f"attacking in one battle or raid in {w.name(space)}"
    why = Refusal(f"There is no bomber of yours {where}.", "FOV-W04.1")
    for group in (raid, fight):
        bombers = [unit for unit in group if can(w.rules, unit, "strategic_bombing") and not unit.mark(LENT)]
        if bombers:
            found = w.pick(order.units, bombers, where, "FOV-W04.1", most=2)
            if not isinstance(found, Refusal):
                return Targets(space, found)
            why = found
    return why


@checks("jet_fighter")
def jet_fighter(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own fighter that defends on land or intercepts a raid, never at sea (FOV-W05.1, FOV-W05.3, FOV-R37)."""
    if space is None or w.rules.board.spaces[space].is_sea:
        return Refusal("Jet Fighter works over land only, not at sea.", "FOV-W05.3")
    order = with_units(order, (Pick("fighter", 1),))
    battle = land_fight(w, space)
    if "intercepting" in order.words or (battle is None and intercepted(w, space)):
        fighters = [unit for unit in w.state.units_in(space) if unit.owner == w.power and unit.mark(marks.INTERCEPTED)]
        found = w.pick(order.units, fighters, f"intercepting the raid on {w.name(space)}", "FOV-W05.1")
        return found if isinstance(found, Refusal) else Targets(space, found)
    own = of_power(w.state, battle, w.power) if battle is not None else []
    fighters = [unit for unit in own if can(w.rules, unit, "carrier_capable")]
    found = w.pick(order.units, fighters, f"defending in a land battle in {w.name(space)}", "FOV-W05.1")
    return found if isinstance(found, Refusal) else Targets(space, found)


def intercepted(w: Weighing, space: str) -> bool:
    """Whether a raid there may be intercepted (S42-5.4.6)."""
    return raided(w.rules, w.state, space) and "intercept" not in w.rules.parameters["lines_not_here"]


@checks("radar_fire_control")
def radar_fire_control(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own gun under attack from the air, or an own complex under a raid (FOV-W07.1)."""
    if space is None or w.rules.board.spaces[space].is_sea:
        return Refusal("Radar Fire Control is played on a gun or a complex.", "FOV-W07.1")
    raid = raided(w.rules, w.state, space)
    order = with_units(order, (Pick(COMPLEX if raid and holds_complex(w, w.power, space) else "aa_gun", 1),))
    if order.units[0].kind == COMPLEX:
        if not holds_complex(w, w.power, space) or not raid:
            return Refusal(f"{w.name(space)} holds no complex of yours that is raided.", "FOV-W07.1")
        return Targets(space, facility=space)
    battle = w.battle(space)
    attackers = battle.units(w.state, ATTACK) if battle is not None else ()
    if not any(is_air(w.rules, unit) or unit.mark(marks.DROPPED) for unit in attackers):
        return Refusal(f"Nothing attacks {w.name(space)} from the air.", "FOV-W07.1")
    guns = [
        unit
        for unit in w.state.units_in(space)
        if unit.owner == w.power and unit.aboard is None and can(w.rules, unit, "anti_air")
    ]
    found = w.pick(order.units, guns, f"in {w.name(space)}", "FOV-W07.1")
    return found if isinstance(found, Refusal) else Targets(space, found)


@checks("heavy_artillery")
def heavy_artillery(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own artillery in a land battle, attacking or defending (FOV-W08.1)."""
    return _one_of(w, with_units(order, (Pick("artillery", 1),)), space, "artillery", "FOV-W08.1", "FOV-W08.1")


@checks("heavy_tank")
def heavy_tank(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own tank in a land battle, attacking or defending (FOV-W09.1, FOV-W09.4)."""
    return _one_of(w, with_units(order, (Pick("tank", 1),)), space, "tank", "FOV-W09.1", "FOV-W09.4")


def _one_of(w: Weighing, order: PlayCard, space: str | None, kind: str, rule: str, at_sea: str) -> Targets | Refusal:
    if space is not None and w.rules.board.spaces[space].is_sea:
        return Refusal("That card works in land battles only.", at_sea)
    battle = land_fight(w, space)
    if space is None or battle is None:
        return Refusal(f"There is no land battle in {w.name(space or '')}.", rule)
    own = [unit for unit in of_power(w.state, battle, w.power) if unit.kind == kind]
    found = w.pick(order.units, own, f"in the battle in {w.name(space)}", rule)
    return found if isinstance(found, Refusal) else Targets(space, found)


@checks("powerful_torpedoes")
def powerful_torpedoes(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own submarine or destroyer in a sea battle: one ship in all (FOV-W10.1, FOV-R18)."""
    if space is None or not w.rules.board.spaces[space].is_sea:
        return Refusal("Powerful Torpedoes are played in a sea battle.", "FOV-W10.1")
    battle = any_fight(w, space)
    if battle is None:
        return Refusal(f"There is no sea battle in {w.name(space)}.", "FOV-W10.1")
    own = [unit for unit in of_power(w.state, battle, w.power) if unit.kind in ("submarine", "destroyer")]
    kinds = dict.fromkeys(unit.kind for unit in sorted(own, key=lambda unit: unit.kind != "submarine"))
    order = with_units(order, (Pick(next(iter(kinds), "submarine"), 1),))
    each = bool(w.rules.parameter("torpedoes_one_of_each"))
    where = f"(a submarine or destroyer) in the battle in {w.name(space)}"
    found = w.pick(order.units, own, where, "FOV-W10.1", most=2 if each else 1)
    if isinstance(found, Refusal):
        return found
    if len({w.state.units[unit_id].kind for unit_id in found}) < len(found):
        return Refusal("Powerful Torpedoes take one submarine and one destroyer at most.", "FOV-R18")
    return Targets(space, found)


def defends(w: Weighing, battle: Battle | None) -> bool:
    """Whether the weighing power has defending units in a battle."""
    return battle is not None and any(unit.owner == w.power for unit in battle.units(w.state, DEFEND))
