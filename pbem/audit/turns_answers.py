"""The recorded choices of both sides as answers to the rules' questions: losses, retreats, submarines, kamikazes.

It answers as a player would, with orders; whether an answer is legal is for the rules to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.audit.turns_record import Entry, Fought, Some, Turn
from pbem.board.state import State
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.respond import StandingResponder
from pbem.orders.write import write
from pbem.rules.battle.dice_steps import BOMBARDMENT
from pbem.rules.decisions import Decision
from pbem.rules.order_model import (
    AllowCargo,
    Casualties,
    Intercept,
    Kamikaze,
    Order,
    Pick,
    PressOn,
    Retreat,
    Scramble,
    Submerge,
)
from pbem.rules.tape import filed_line

Line = Mapping[str, Any]
_LOSSES = ("casualties", "aa_losses", "air_losses", "choose")
_WHICH = {"casualties": "losses", "aa_losses": "aa", "air_losses": "air", "choose": "shared"}


@dataclass(slots=True)
class RecordedAnswers:
    """A responder that says what the record says; where it says nothing, standing orders or the default hold."""

    turn: Turn
    names: Gazetteer
    standing: StandingResponder = field(default_factory=StandingResponder)

    def candidates(
        self, decision: Decision, state: State, standing: Sequence[Line], given: Sequence[Line]
    ) -> Iterator[tuple[str, Line]]:
        """The recorded answer first, then whatever stands."""
        for order in self._orders(decision, state):
            yield "player", filed_line(order, write(order, self.names))
        yield from self.standing.candidates(decision, state, standing, given)

    def _orders(self, decision: Decision, state: State) -> Iterator[Order]:
        if decision.kind == "kamikaze":
            yield from self._kamikazes()
            return
        if decision.kind == "allow_cargo":
            yield AllowCargo(self.turn.power)
            return
        if decision.kind == "scramble":
            yield from self._scrambles(decision, state)
            return
        battle = self._battle(decision, state)
        if battle is None:
            return
        if decision.kind in _LOSSES:
            yield from self._losses(decision, battle)
        elif decision.kind == "retreat":
            yield self._retreat(decision, battle)
        elif decision.kind in ("submerge", "withdraw"):
            yield self._submerging(decision, battle)
        elif decision.kind == "intercept":
            rising = [some for some in battle.defenders if some.owner in (None, decision.power)]
            yield Intercept(decision.space, tuple(Pick(s.kind, s.count) for s in rising if self._flies(s.kind)))

    def _flies(self, kind: str) -> bool:
        return self.names.units[kind] == "air"

    def _scrambles(self, decision: Decision, state: State) -> Iterator[Order]:
        """Aircraft that defended at sea and did not stand there came from the bases beside the zone."""
        for battle in self.turn.battles:
            if battle.kind != "sea":
                continue
            there = Counter(unit.kind for unit in state.units_in(battle.space) if unit.owner == decision.power)
            wanted = Counter({s.kind: s.count for s in battle.defenders if s.owner == decision.power})
            missing = {kind: n - there[kind] for kind, n in wanted.items() if self._flies(kind)}
            for base in decision.public.get("bases", ()):
                if battle.space not in base["zones"]:
                    continue
                picks = []
                for kind, count in base["units"].items():
                    taken = min(count, missing.get(kind, 0))
                    if taken > 0:
                        missing[kind] -= taken
                        picks.append(Pick(kind, taken))
                if picks:
                    yield Scramble(tuple(picks), base["space"], battle.space)

    def _battle(self, decision: Decision, state: State) -> Fought | None:
        raid = decision.kind in ("air_losses", "intercept", "bomb_targets") or str(
            decision.public.get("battle", "")
        ).startswith("raid")
        for battle in self.turn.battles:
            if battle.space == decision.space and (battle.kind == "raid") == raid:
                return battle
        return None

    def _kamikazes(self) -> Iterator[Order]:
        for zone in dict.fromkeys(strike.zone for strike in self.turn.strikes):
            yield Kamikaze(
                zone, tuple((s.count, Pick(s.kind, 1)) for s in self.turn.strikes if s.zone == zone)
            )  # fmt: skip

    # -- losses

    def _losses(self, decision: Decision, battle: Fought) -> Iterator[Order]:
        """The units named lost or damaged after the same roll, one name for each hit."""
        side = decision.public.get("side")
        victims = "defend" if decision.kind == "choose" else side
        if decision.kind == "aa_losses":
            victims = "attack"
        named = list(_after_roll(battle, decision, victims))
        if named:
            # One list for a bombardment and the round after it: names used up by the first are not used again.
            number = max(decision.round, 1)
            yield Casualties(decision.space, tuple(named), first=False, round=number, which=_WHICH[decision.kind])

    # -- retreats and submarines

    def _retreat(self, decision: Decision, battle: Fought) -> Order:
        for entry in battle.entries:
            ends = entry.what in ("retreat", "air_breaks_off") and entry.round == decision.round
            if ends and entry.side in (None, decision.public.get("side", "attack")):
                return Retreat(decision.space, entry.to)
        return PressOn(decision.space)

    def _submerging(self, decision: Decision, battle: Fought) -> Order:
        """Submarines that went under, or withdrew, between the last roll and this moment."""
        side = decision.public.get("side")
        fought = decision.public.get("rounds_fought", decision.round - 1)
        for entry in battle.entries:
            leaves = entry.what == "submerge" or (entry.what == "retreat" and self._withdraws(decision, entry))
            if leaves and entry.round == fought and entry.side in (None, side) and self._owns(decision, entry):
                return Submerge(decision.space, tuple(_pick(some) for some in entry.units) or "all", to=entry.to)
        return Submerge(decision.space, ())

    def _withdraws(self, decision: Decision, entry: Entry) -> bool:
        """Whether a retreat is one of submarines alone: a defender's always, an attacker's where they may go alone."""
        alone = decision.kind == "withdraw" and all(some.kind == "submarine" for some in entry.units)
        return entry.side == "defend" or alone

    def _owns(self, decision: Decision, entry: Entry) -> bool:
        return not entry.units or any(some.owner in (None, decision.power) for some in entry.units)


def _after_roll(battle: Fought, decision: Decision, victims: str | None) -> Iterator[Pick]:
    """Losses of a side between the roll in question and the next round, damage as damage."""
    began = decision.kind == "aa_losses" or decision.public.get("step") == BOMBARDMENT
    for entry in battle.entries:
        if entry.what not in ("lost", "damaged") or entry.side != victims:
            continue
        if entry.round != decision.round and not (began and entry.round <= 1):
            continue
        for some in entry.units:
            if decision.kind == "aa_losses" and entry.round > 0:
                continue
            yield from (_one(some, entry.what == "damaged") for _ in range(some.count))


def _one(some: Some, damage: bool) -> Pick:
    return Pick(some.kind, 1, some.owner, damage=damage)


def _pick(some: Some) -> Pick:
    return Pick(some.kind, some.count, some.owner)
