"""Who is lost: the owner's choice, the defenders' common choice, and what happens to the units hit.

Hits are chosen first (`losses_chosen`), then ships are damaged, then units are removed or wait behind the casualty
line until they have fired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.state import Unit
from pbem.rules.battle.citations import rule_for, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.dice_steps import AA_FIRE
from pbem.rules.battle.firing import Volley
from pbem.rules.battle.hits import DAMAGES, SINKS, Place, assign, places, targets, toughness
from pbem.rules.battle.loss_orders import dearest_order, default_order, domain_of, list_key, listed_order
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.naming import space_name
from pbem.rules.battle.plans import losses_planned, planned_order
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import BattlePlan, Casualties, Order
from pbem.rules.query import count_by_kind, is_air, is_ship
from pbem.rules.script import Game


@dataclass(frozen=True, slots=True)
class _Question:
    """What is chosen: the volley, the units that may be hit and their places."""

    game: Game
    battle: Battle
    volley: Volley
    units: tuple[Unit, ...]
    offered: tuple[Place, ...]
    known: list[list[str]] = field(default_factory=list)

    @property
    def side(self) -> str:
        return other_side(self.volley.side)

    @property
    def hits(self) -> int:
        return len(self.volley.hits)

    def preferred(self) -> list[Place]:
        """The default order of loss."""
        game = self.game
        return default_order(game.rules, game.state, self.battle, self.side, self.offered)

    def chosen_from(self) -> list[Place]:
        """What a silent attacker takes from defenders who do not agree: the dearest, or what the default order says."""
        if self.game.rules.parameters.get("silent_chooser", "dearest") == "default":
            return self.preferred()
        return dearest_order(self.game.rules, self.game.state, self.offered)

    def by_default(self) -> list[str]:
        """The unit ids that take the hits in the default order; worked out once."""
        if not self.known:
            self.known.append(self.settled(self.preferred()))
        return list(self.known[0])

    def settled(self, preferred: Sequence[Place]) -> list[str]:
        """The unit ids that take the hits when places are tried in this order, one id for each hit."""
        assigned = assign(self.game.rules, self.game.state, self.volley, preferred)
        return [place.unit for place, _ in assigned]


def take_losses(
    game: Game,
    battle: Battle,
    volley: Volley,
    *,
    at_once: bool,
    allowed: Callable[[Unit], bool] | None = None,
    kind: str = "casualties",
) -> None:
    """The side fired at takes the hits of a volley; units lost are removed `at_once` or go behind the line.

    `kind` is the decision's: `casualties`, or `air_losses` in the air battle of a raid.
    """
    if volley.hits and "hits_fall" in game.rules.steps:
        game.run("hits_fall", battle, volley, at_once)
    if not volley.hits:
        return
    units = tuple(targets(game.rules, game.state, battle, volley, allowed))
    question = _Question(game, battle, volley, units, tuple(places(game.rules, units)))
    ids, by = _choose(question, kind)
    if len({place.last for place in question.offered}) > 1:
        volley.topics += ("losses.last_spared",)
    apply_losses(game, battle, volley, ids, by, at_once=at_once)


def _choose(question: _Question, kind: str) -> tuple[list[str], str]:
    """The units that take the hits, and who said so: `forced`, a power, or `attacker` for want of agreement."""
    ids = question.by_default()
    if not ids or not _is_choice(question, ids):
        return ids, "forced"
    owners = list(dict.fromkeys(unit.owner for unit in question.units))
    if question.side == DEFEND and len(owners) > 1:
        return _common_choice(question, owners, kind)
    chooser = owners[0] if question.side == DEFEND else question.battle.attacker
    decision = _decision(question, chooser, kind, None)
    return _answer(question, question.game.ask([decision])[decision.key]), chooser


def _is_choice(question: _Question, ids: Sequence[str]) -> bool:
    """Whether another legal assignment would differ in more than which of several equal units is lost."""
    game, units = question.game, question.units
    if len(ids) == len(question.offered):
        return False
    likes = {
        (unit.kind, unit.owner, toughness(game.rules, unit) - unit.damage, unit.damage, _cargo_kinds(question, unit))
        for unit in units
    }
    if len(likes) > 1:
        return True
    if toughness(game.rules, units[0]) - units[0].damage > 1:
        return True
    return is_air(game.rules, units[0]) and len({(unit.spent, unit.mark("start")) for unit in units}) > 1


def _cargo_kinds(question: _Question, unit: Unit) -> tuple[str, ...]:
    if not is_ship(question.game.rules, unit):
        return ()
    return tuple(cargo.kind for cargo in question.game.state.cargo_of(unit.id))


def _answer(question: _Question, value: Mapping[str, Any]) -> list[str]:
    """Take in an answer: note the names used up of a consumed list, give the ids."""
    if value.get("list"):
        question.battle.used[value["list"]] = value["used"]
    return list(value["hits"])


def _decision(question: _Question, power: str, kind: str, speaker: str | None, *, silent: bool = False) -> Decision:
    """Who is lost: a list that is illegal is refused with its rule, and the next one applies (P40-11.3)."""
    battle, game, volley = question.battle, question.game, question.volley
    chooses = kind == "choose"

    def interpret(order: Order) -> Any:
        if isinstance(order, BattlePlan):
            planned = planned_order(game.rules, game.state, battle, order, question.preferred())
            return {"hits": question.settled(planned)}
        assert isinstance(order, Casualties)
        answer = _listed(question, order, question.chosen_from() if chooses else question.preferred(), speaker)
        if speaker is None or isinstance(answer, Refusal):
            return answer
        return {**answer, "or": _open_readings(question, order)}

    def default() -> Any:
        if silent:
            return {"silent": True}
        return {"hits": question.settled(question.chosen_from()) if chooses else question.by_default()}

    return Decision(
        key=f"{battle.id}:{battle.round}:{volley.step}:{kind}:{power}",
        power=power,
        kind=kind,
        interpret=interpret,
        default=default,
        space=battle.space,
        round=battle.round,
        rules=rules_for(
            game.rules,
            "losses.attacker_chooses" if chooses else "losses.owner_chooses",
            f"losses.default.{domain_of(game.rules.board, battle)}_{question.side}",
        ),
        public={
            "battle": battle.id,
            "step": volley.step,
            "side": ATTACK if chooses else question.side,
            "domain": domain_of(game.rules.board, battle),
            "hits": volley.by_category(),
            "units": count_by_kind(question.units),
            **_of_several(question),
        },
        subject=battle_subject(game, battle, power),
        about=lambda order: losses_planned(order, question.side) if isinstance(order, BattlePlan) else True,
    )


def _of_several(question: _Question) -> dict[str, Any]:
    """Whose the units are that may be hit, where several powers defend together: a list names the owner too."""
    owners = dict.fromkeys(unit.owner for unit in question.units)
    if len(owners) < 2:
        return {}
    return {"owners": {owner: count_by_kind([u for u in question.units if u.owner == owner]) for owner in owners}}


def _listed(
    question: _Question, order: Casualties, after: Sequence[Place], speaker: str | None
) -> dict[str, Any] | Refusal:
    """Who is hit by a player's list; without an owner it names the speaker's units, without a speaker anybody's."""
    game = question.game
    ordered, used = listed_order(
        game.rules, game.state, question.battle, order, question.offered, after, speaker, question.hits
    )
    refusal = _wrong_list(question, order, ordered)
    if refusal is not None:
        return refusal
    answer: dict[str, Any] = {"hits": question.settled(ordered)}
    return answer if order.first else answer | {"list": list_key(order), "used": used}


def _open_readings(question: _Question, order: Casualties) -> list[dict[str, Any]]:
    """What a list can mean among several defenders if it names kinds and leaves open whose: anybody's.

    Of equal kinds those that the default order takes first, or those of each owner.
    """
    state, preferred = question.game.state, question.preferred()
    kinds = list(dict.fromkeys((state.units[place.unit].kind, place.effect) for place in preferred))

    def of_owner_first(owner: str) -> list[Place]:
        def key(place: Place) -> tuple[int, bool]:
            unit = state.units[place.unit]
            return kinds.index((unit.kind, place.effect)), unit.owner != owner

        return sorted(preferred, key=key)

    owners = dict.fromkeys(unit.owner for unit in question.units)
    found: list[dict[str, Any]] = []
    for after in (preferred, *(of_owner_first(owner) for owner in owners)):
        reading = _listed(question, order, after, None)
        if isinstance(reading, dict) and reading not in found:
            found.append(reading)
    return found


def _wrong_list(question: _Question, order: Casualties, ordered: Sequence[Place]) -> Refusal | None:
    """Refuse a list that puts a transport before a unit which must be lost first (P40-6.8.3)."""
    game = question.game
    if not order.picks or not ordered or not ordered[0].last:
        return None
    first = game.state.units[ordered[0].unit]
    if not any(not place.last for place in ordered) or first.kind != order.picks[0].kind:
        return None
    named = game.rules.board.units[first.kind].plural.lower()
    return Refusal(
        f"In {space_name(game.rules, question.battle.space)} {named} may be lost only when no other unit is left "
        "that can take the hit.",
        rule_for(game.rules, "losses.transports_last"),
        "Name the other ships first.",
    )


# -- several powers defend ------------------------------------------------------------------------------------------


def _common_choice(question: _Question, owners: Sequence[str], kind: str) -> tuple[list[str], str]:
    """Losses agreed by all defenders; without agreement the attacker chooses (P40-6.12.3, P40-DP-22).

    Equal answers, or a single one, are an agreement; so are lists that name kinds and can be read alike. When nobody
    answers, the rule set says whether the default order holds or the attacker chooses (`silent_defenders`).
    """
    game, battle = question.game, question.battle
    asked = [_decision(question, power, kind, power, silent=True) for power in owners]
    answers = game.ask(asked)
    spoken = [(decision.power, answers[decision.key]) for decision in asked if "hits" in answers[decision.key]]
    agreed = _agreed([value for _, value in spoken])
    if agreed:
        for value in agreed:
            _answer(question, value)
        return list(agreed[0]["hits"]), "+".join(power for power, _ in spoken)
    if not spoken and game.rules.parameters.get("silent_defenders", "default") == "default":
        return question.by_default(), "default"
    decision = _decision(question, battle.attacker, "choose", None)
    return _answer(question, game.ask([decision])[decision.key]), "attacker"


def _agreed(spoken: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """For each list the reading that it shares with all others; empty if there is none, or no list."""
    if len({_hit(value) for value in spoken}) == 1:
        return list(spoken)
    readings = [{_hit(reading): reading for reading in (*value.get("or", ()), value)} for value in spoken]
    for hit in readings[0] if readings else ():
        if all(hit in those for those in readings):
            return [those[hit] for those in readings]
    return []


def _hit(reading: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(reading["hits"]))


# -- what becomes of the units hit ----------------------------------------------------------------------------------


def apply_losses(game: Game, battle: Battle, volley: Volley, ids: Sequence[str], by: str, *, at_once: bool) -> None:
    """Damage, remove or set aside the units that take the hits, and record whose hit took whom.

    A unit named twice takes two hits. Damaged ships keep fighting (P40-6.8.4).
    """
    state = game.state
    side = other_side(volley.side)
    rows: list[list[str]] = []
    damage: dict[str, int] = {}
    lost: list[str] = []
    counts = Counter(ids)
    for unit_id in dict.fromkeys(ids):
        unit = state.units[unit_id]
        enough = toughness(game.rules, unit)
        total = unit.damage + counts[unit_id]
        rows += [[unit_id, unit.kind, unit.owner, DAMAGES]] * (min(total, enough - 1) - unit.damage)
        if total >= enough:
            rows.append([unit_id, unit.kind, unit.owner, SINKS])
            lost.append(unit_id)
        else:
            damage[unit_id] = total
    wasted = len(volley.hits) - len(ids)
    game.emit(
        "losses_chosen",
        {
            "battle": battle.id,
            "space": battle.space,
            "round": battle.round,
            "step": volley.step,
            "side": side,
            "losses": rows,
            "by": by,
            **({"wasted": wasted} if wasted else {}),
        },
        (*_loss_rules(game, by, wasted), *rules_for(game.rules, *_loss_topics(volley))),
    )
    if damage:
        hit = {"space": battle.space, "damage": damage, "why": "hit", "battle": battle.id}
        game.emit("units_damaged", hit, rules_for(game.rules, "losses.damage"))
    if not lost:
        return
    battle.lost[side] += [(unit_id, state.units[unit_id].kind) for unit_id in lost]
    if at_once:
        remove_lost(game, battle, lost, volley.step)
    else:
        battle.behind += lost


def _loss_topics(volley: Volley) -> list[str]:
    """What else told in a choice of losses: transports were spared, guns in a territory fired."""
    topics = [topic for topic in volley.topics if topic.startswith("losses.")]
    return [*topics, "aa.lost"] if volley.step == AA_FIRE else topics


def _loss_rules(game: Game, by: str, wasted: int) -> tuple[str, ...]:
    topics = {"forced": "losses.forced", "attacker": "losses.attacker_chooses"}
    topic = topics.get(by, "losses.agreed" if "+" in by else "losses.owner_chooses")
    more = rules_for(game.rules, "losses.wasted") if wasted else ()
    return tuple(dict.fromkeys((*rules_for(game.rules, topic), *more)))


def remove_behind(game: Game, battle: Battle, step: str, side: str | None = None) -> None:
    """Remove the units behind the casualty line, of one side or of both (P40-6.4.5)."""
    ids = [unit_id for unit_id in battle.behind if side is None or battle.side_of(unit_id) == side]
    if ids:
        remove_lost(game, battle, ids, step)


def remove_lost(game: Game, battle: Battle, ids: Sequence[str], step: str, why: str = "casualty") -> None:
    """Take units off the board and out of the battle, ships with what cannot leave them (P40-6.8.6)."""
    topic = f"losses.{why}" if why != "casualty" else "losses.struck" if step == "remove_struck" else "losses.removed"
    remove_units(
        game,
        battle.space,
        ids,
        why,
        rules_for(game.rules, topic),
        airborne=(*battle.attackers, *battle.defenders),
        more={"battle": battle.id, "round": battle.round, "step": step},
    )
    battle.leave(ids)


def remove_units(
    game: Game,
    space: str,
    ids: Iterable[str],
    why: str,
    rules: tuple[str, ...],
    *,
    airborne: Iterable[str] = (),
    more: Mapping[str, Any] | None = None,
) -> None:
    """Remove units; cargo of ships goes down with them, except aircraft that are in the air (`airborne`).

    A transport sinks with its cargo, a carrier with guest aircraft aboard (P40-6.8.6, P40-4.6.8).
    """
    state = game.state
    gone = list(ids)
    flying = set(airborne) - set(gone)
    escaped: list[str] = []
    drowned: list[str] = []
    for unit_id in gone:
        if not is_ship(game.rules, state.units[unit_id]):
            continue
        for cargo in state.cargo_of(unit_id):
            if cargo.id in gone:
                continue
            in_air = cargo.id in flying and is_air(game.rules, cargo)
            (escaped if in_air else drowned).append(cargo.id)
    if escaped:
        game.emit("units_unloaded", {"units": escaped, "from": space, "to": space, "why": "airborne"})
    rows = [[unit_id, state.units[unit_id].kind, state.units[unit_id].owner] for unit_id in (*gone, *drowned)]
    game.emit(
        "units_removed",
        {
            "space": space,
            "units": [*gone, *drowned],
            "why": why,
            "lost": rows,
            **({"cargo": drowned} if drowned else {}),
            **(more or {}),
        },
        (*rules, *(rules_for(game.rules, "losses.cargo") if drowned else ())),
    )
