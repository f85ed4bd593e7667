"""Battles as they are told: rounds, steps, every die, hits, losses with who chose them, and the luck of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from pbem.report.ledger import Ledger, Seen
from pbem.report.model import ATTACK, DEFEND, Answer, BattleRound, BattleStory, Die, Loss, Luck, Step, die_of
from pbem.rules.battle.dice_steps import side_of_step

SAID_BY_THE_DICE = ("powerful_torpedoes",)
"""Cards that stay with their unit when their round is over: only dice that say so are theirs."""

LOSS_DECISIONS = frozenset(("casualties", "aa_losses", "air_losses", "choose", "fog_losses", "heavy_artillery_losses"))
"""Kinds of decisions that choose who is lost; they are told with the losses, not by themselves."""
DECISIONS = ""
"""The name under which decisions between the steps of a round stand."""
PURPOSE_LINES = 8
"""Lines of a dice purpose before an attempt: version, campaign, round, power, phase, space, battle round, step."""


@dataclass(slots=True)
class _OpenStep:
    name: str
    title: str
    side: str
    space: str | None
    dice: list[Die] = field(default_factory=list)
    hits: dict[str, int] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    wasted: int = 0
    source: str = ""
    link: int | None = None
    attempt: int = 1

    def close(self) -> Step:
        return Step(
            self.name, self.title, self.side, self.space, tuple(self.dice), tuple(self.hits.items()),
            tuple(self.losses), tuple(self.answers), tuple(dict.fromkeys(self.rules)), self.wasted, self.source,
            self.link, self.attempt,
        )  # fmt: skip

    @property
    def empty(self) -> bool:
        return not (self.dice or self.hits or self.losses or self.answers)


@dataclass(slots=True)
class _OpenBattle:
    id: str
    space: str
    kind: str
    attacker: str
    attackers: list[tuple[str, str, int]]
    defenders: list[tuple[str, str, int]]
    sides: dict[str, str]
    rules: list[str]
    rounds: list[tuple[int, list[_OpenStep]]] = field(default_factory=lambda: [(0, [])])
    chosen_by: dict[str, str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    lost: dict[str, int] = field(default_factory=lambda: {ATTACK: 0, DEFEND: 0})

    def step(self) -> _OpenStep:
        """The step under way, made if there is none."""
        steps = self.rounds[-1][1]
        if not steps:
            steps.append(_OpenStep("", "", "", self.space))
        return steps[-1]

    def step_named(self, name: str) -> _OpenStep:
        """The last step of that name in this round, made if there is none."""
        steps = self.rounds[-1][1]
        for step in reversed(steps):
            if step.name == name:
                return step
        made = _OpenStep(name, "", side_of_step(name) or "", self.space)
        steps.append(made)
        return made


class BattleBook:
    """Reads events in order and keeps the battles among them; rolls outside battles are kept beside them."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.battles: list[BattleStory] = []
        self.rolls: list[Step] = []
        self.luck: dict[str, list[Any]] = {}
        self._open: _OpenBattle | None = None

    @property
    def space(self) -> str | None:
        """Where a battle is being fought, if one is."""
        return self._open.space if self._open is not None else None

    def see(self, event: Seen) -> None:
        """Take in one event, before the ledger does."""
        reader = _READERS.get(event.type)
        if reader is not None:
            reader(self, event.payload, event)

    def close(self) -> None:
        """The events end: a battle under way is told as far as it went."""
        if self._open is not None:
            self._finish(None, ())

    def answer(self, answer: Answer, rules: Sequence[str] = ()) -> bool:
        """Take a decision into the battle under way, with the rules by which somebody leaves; False if it belongs to
        none."""
        battle = self._open
        if battle is None or answer.space not in (None, battle.space):
            return False
        if answer.kind in LOSS_DECISIONS:
            who = "attacker" if answer.kind == "choose" else answer.power
            battle.chosen_by[who] = answer.by
        elif not (answer.by == "default" and not answer.force and not answer.places and not says(answer.value)):
            step = battle.step_named(DECISIONS)
            step.answers.append(answer)
            step.rules.extend(rules if answer.leaving else ())
        return True

    # -- one reader for each kind of event

    def _begun(self, body: Mapping[str, Any], event: Seen) -> None:
        if self._open is not None:
            self._finish(None, ())
        rows = {side: [(owner, kind, 1) for _, kind, owner in body[side]] for side in ("attackers", "defenders")}
        sides = {row[0]: ATTACK for row in body["attackers"]} | {row[0]: DEFEND for row in body["defenders"]}
        self._open = _OpenBattle(
            body["battle"], body["space"], body["kind"], body.get("attacker", ""), rows["attackers"],
            rows["defenders"], sides, list(event.rules),
        )  # fmt: skip

    def _round(self, body: Mapping[str, Any], event: Seen) -> None:
        if self._open is not None:
            self._open.rounds.append((body["round"], []))

    def _step(self, body: Mapping[str, Any], event: Seen) -> None:
        if self._open is None:
            return
        name = body["step"]
        self._open.rounds[-1][1].append(
            _OpenStep(name, body.get("name", ""), side_of_step(name) or "", body["space"], rules=list(event.rules))
        )

    def _rolled(self, body: Mapping[str, Any], event: Seen) -> None:
        lines = str(body["purpose"]).split("\n")
        padded = [*lines, *[""] * PURPOSE_LINES]
        space, name = padded[5], padded[7]
        dice = [
            die_of(row, face, self._card_of(row))
            for row, face in zip([*body.get("dice", ()), *[{}] * len(body["faces"])], body["faces"], strict=False)
        ]
        battle = self._open
        if battle is not None and space in (battle.space, "-", ""):
            step = battle.step_named(name.partition("#")[0]) if name else battle.step()
            if not step.side and dice:
                step.side = battle.sides.get(dice[0].unit, "")
        else:
            step = _OpenStep(name, "", side_of_step(name) or "", None if space in ("-", "") else space)
        step.dice.extend(dice)
        step.source, step.link = str(body.get("source", "")), body.get("k")
        step.attempt = int(lines[PURPOSE_LINES]) if len(lines) > PURPOSE_LINES else 1
        if step.side:
            self._count(dice)
        if battle is None or space not in (battle.space, "-", ""):
            step.rules.extend(event.rules)
            self.rolls.append(step.close())

    def _card_of(self, row: Mapping[str, Any]) -> str:
        """The card that tells in a die: what the die says, else the card that its unit is under all battle long."""
        lasting = self.ledger.card.get(row.get("unit", ""), "")
        return str(row.get("card") or ("" if lasting in SAID_BY_THE_DICE else lasting))

    def _count(self, dice: Iterable[Die]) -> None:
        owned = [die for die in dice if die.owner and die.need is not None]
        for owner in dict.fromkeys(die.owner for die in owned):
            sums = self.luck.setdefault(owner, [0, 0, 0])
            for place, number in enumerate(score(die for die in owned if die.owner == owner)):
                sums[place] += number

    def _hits(self, body: Mapping[str, Any], event: Seen) -> None:
        if self._open is None:
            return
        step = self._open.step_named(body["step"]) if body.get("step") else self._open.step()
        step.side = body.get("side", step.side)
        step.hits = dict(body["hits"]) if isinstance(body["hits"], Mapping) else {"": body["hits"]}
        step.rules.extend(event.rules)

    def _chosen(self, body: Mapping[str, Any], event: Seen) -> None:
        battle = self._open
        if battle is None:
            return
        step = battle.step_named(body["step"]) if body.get("step") else battle.step()
        counts: dict[tuple[str, str, bool], int] = {}
        for unit, kind, owner, effect in body["losses"]:
            damaged = effect == "damaged"
            counts[(owner, kind, damaged)] = counts.get((owner, kind, damaged), 0) + 1
            if not damaged:
                battle.told.add(unit)
        said = str(body.get("by", ""))
        for (owner, kind, damaged), count in counts.items():
            by = {"forced": "", "default": "default"}.get(said, battle.chosen_by.get(said.split("+")[0], ""))
            step.losses.append(Loss(owner, kind, count, damaged, by, "attacker" if said == "attacker" else ""))
        step.wasted += body.get("wasted", 0)
        step.rules.extend(event.rules)

    def _removed(self, body: Mapping[str, Any], event: Seen) -> None:
        battle = self._open
        if battle is None or body.get("space") != battle.space:
            return
        cargo = set(body.get("cargo", ()))
        counts: dict[tuple[str, str, str], int] = {}
        for unit in body["units"]:
            kind, owner = self.ledger.kind.get(unit, ""), self.ledger.owner.get(unit, "")
            battle.lost[self._side(battle, unit, owner)] += self.ledger.worth(kind)
            if unit not in battle.told:
                plain = body.get("why") in ("casualty", "hit")
                why = "cargo" if unit in cargo else "" if plain else body.get("why", "")
                counts[(owner, kind, why)] = counts.get((owner, kind, why), 0) + 1
        if not counts:
            return
        step = battle.step_named(body["step"]) if body.get("step") else battle.step()
        for (owner, kind, why), count in counts.items():
            by = "" if why else battle.chosen_by.get(owner, "")
            step.losses.append(Loss(owner, kind, count, False, by, why))
        step.rules.extend(event.rules)

    def _damaged(self, body: Mapping[str, Any], event: Seen) -> None:
        battle = self._open
        if battle is None or body.get("space") != battle.space:
            return
        step = battle.step()
        if any(loss.damaged for loss in step.losses):
            return  # losses_chosen told it
        counts: dict[tuple[str, str], int] = {}
        for unit, damage in body["damage"].items():
            more = damage - self.ledger.damage.get(unit, 0)
            key = (self.ledger.owner.get(unit, ""), self.ledger.kind.get(unit, ""))
            if more > 0:
                counts[key] = counts.get(key, 0) + more
        for (owner, kind), count in counts.items():
            step.losses.append(Loss(owner, kind, count, True, battle.chosen_by.get(owner, "")))

    def _side(self, battle: _OpenBattle, unit: str, owner: str) -> str:
        if unit in battle.sides:
            return battle.sides[unit]
        return ATTACK if any(row[0] == owner for row in battle.attackers) else DEFEND

    def _ended(self, body: Mapping[str, Any], event: Seen) -> None:
        if self._open is not None:
            survivors = body.get("survivors", {})
            rows = survivors.items() if isinstance(survivors, Mapping) else (("", survivors),)
            left = [(row[2], row[1], 1) for _, units in rows for row in units]
            self._open.rules.extend(event.rules)
            self._finish(body.get("result"), left)

    def _finish(self, result: str | None, left: Iterable[tuple[str, str, int]]) -> None:
        battle = self._open
        assert battle is not None
        self._open = None
        sort = self.ledger.sorted_force
        rounds = tuple(
            BattleRound(number, tuple(step.close() for step in steps if not step.empty))
            for number, steps in battle.rounds
        )
        self.battles.append(
            BattleStory(
                battle.id,
                battle.space,
                battle.kind,
                battle.attacker,
                sort(battle.attackers),
                sort(battle.defenders),
                tuple(one for one in rounds if one.steps),
                result,
                sort(left),
                (_luck(ATTACK, rounds, battle), _luck(DEFEND, rounds, battle)),
                tuple(dict.fromkeys(battle.rules)),
            )  # fmt: skip
        )


def _luck(side: str, rounds: Iterable[BattleRound], battle: _OpenBattle) -> Luck:
    steps = [score(step.dice) for one in rounds for step in one.steps if step.side == side]
    dice, hits, expected = (sum(numbers) for numbers in zip(*steps, strict=True)) if steps else (0, 0, 0)
    return Luck(side, int(dice), int(hits), expected, battle.lost[side])


def score(batch: Iterable[Die]) -> tuple[int, int, Fraction | int]:
    """Dice of a batch, their hits, and the sixths of a hit they owed; where the better of two counts they are one."""
    dice = [die for die in batch if die.need is not None]
    plain = [die for die in dice if not die.best]
    count, hits = len(plain), sum(die.hit for die in plain)
    expected: Fraction | int = sum(die.owed for die in plain)
    together: dict[str, list[Die]] = {}
    for die in dice:
        if die.best:
            together.setdefault(die.unit, []).append(die)
    for some in together.values():
        missing = prod((Fraction(6 - die.owed, 6) for die in some), start=Fraction(1))
        count, hits, expected = count + 1, hits + any(die.hit for die in some), expected + 6 * (1 - missing)
    return count, hits, expected


def says(value: Any) -> bool:
    """Whether a default says something: not none, not an empty list, not a map of such."""
    if isinstance(value, Mapping):
        return any(says(item) for item in value.values())
    return bool(value)


_READERS = {
    "battle_begun": BattleBook._begun,
    "battle_round_begun": BattleBook._round,
    "step_begun": BattleBook._step,
    "dice_rolled": BattleBook._rolled,
    "hits_scored": BattleBook._hits,
    "losses_chosen": BattleBook._chosen,
    "units_removed": BattleBook._removed,
    "units_damaged": BattleBook._damaged,
    "battle_ended": BattleBook._ended,
}
