"""Reads recorded turns of other programs in the form of docs/turns.md, names and all, into values.

Names are read through the gazetteer that reads players' orders. A key that is missing says nothing; what cannot be
read is a TurnError with the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.audit.turns_record import (
    NEUTRAL,
    UPGRADE,
    Die,
    Entry,
    Fought,
    Income,
    Moved,
    Some,
    Standing,
    Strike,
    Table,
    Turn,
    TurnError,
)
from pbem.games.catalog import UnknownGame, load_board
from pbem.orders.gazetteer import Gazetteer, gazetteer

_COUNTED = re.compile(r"(?P<kind>.+?)\s*\[(?P<what>hits|damage)\s+(?P<number>\d+)\]")


def game_of(record: Mapping[str, Any], board: Mapping[str, Any] | None = None) -> tuple[str, str]:
    """(game, edition) of a record; TurnError where neither the record nor its board says which game it is."""
    mark = str(record.get("ruleset") or "").lower()
    said = " ".join(str(part.get(key) or "") for part in (record, board or {}) for key in ("edition", "game")).lower()
    said = f"{mark} {said}"
    if "classic" in said or mark.startswith("cla"):
        return "classic", "3e" if "3e" in mark or "3rd" in said else "2e"
    if "s42" in mark or "1942" in said:
        return "s42", ""
    if mark == "p40-card":
        return "p40", "card"
    if "p40" in mark or "1940" in said:
        return "p40", "2e" if "2e" in mark or "2nd" in said else "1e"
    if "p01" in mark or "pacific" in said:
        return "p01", ""
    raise TurnError(f"ruleset {record.get('ruleset')!r}, game {record.get('game')!r}: which game is this?")


class Reader:
    """Reads records of one game. Make one with `Reader(game, edition)`; UnknownGame becomes TurnError."""

    def __init__(self, game: str, edition: str) -> None:
        try:
            self.names: Gazetteer = gazetteer(game, edition or None)
            self.board = load_board(game, edition or None)
        except UnknownGame as error:
            raise TurnError(str(error)) from None
        self.game, self.edition = game, edition
        self._known: dict[tuple[str, str], str] = {}

    # -- names

    def name(self, sort: str, said: Any) -> str:
        """The id of a name; TurnError for one that this game does not have."""
        key = (sort, str(said))
        if key not in self._known:
            found = self.names.lookup(sort, str(said))
            if len(found) == 1:
                self._known[key] = found[0]
            elif self.names.known(sort, str(said)):
                self._known[key] = str(said)
            else:
                near = ", ".join(self.names.near(sort, str(said)))
                raise TurnError(f"there is no {sort} {said!r}" + (f"; near: {near}" if near else ""))
        return self._known[key]

    def space(self, said: Any) -> str:
        """The id of a space."""
        return self.name("space", said)

    def power(self, said: Any) -> str | None:
        """The id of a power; None for nobody, `neutral` for owners that are no powers of this game."""
        if said is None:
            return None
        if str(said).lower() in ("neutral", "null", "none", "nobody", ""):
            return NEUTRAL
        return self.name("power", said)

    def controller(self, said: Any) -> str | None:
        """Who controls a space: a power or nobody."""
        power = self.power(said)
        return None if power == NEUTRAL else power

    def some(self, row: Any, count: int = 1) -> Some:
        """`{unit, count, owner}`, or a name with `[hits 1]` or `[damage 2]` behind it."""
        said = row if isinstance(row, str) else str(row.get("unit", row.get("kind", "")))
        owner = None if isinstance(row, str) else row.get("owner")
        number = count if isinstance(row, str) else int(row.get("count", 1))
        counted = _COUNTED.fullmatch(said.strip())
        damage = int(counted["number"]) if counted else 0
        named = counted["kind"] if counted else said
        kind = UPGRADE if named == "factory_upgrade" else self.name("unit", named)
        return Some(kind, number, self.power(owner), damage)

    def units(self, rows: Any) -> tuple[Some, ...]:
        """A list of units, or a mapping of name and count."""
        if isinstance(rows, Mapping):
            return tuple(self.some(name, int(count)) for name, count in rows.items())
        return tuple(self.some(row) for row in rows or ())

    # -- boards

    def table(self, rows: Mapping[str, Any]) -> Table:
        """A whole board, or the spaces that changed."""
        return {self.space(name): self.standing(row) for name, row in rows.items()}

    def standing(self, row: Mapping[str, Any]) -> Standing:
        """What stands in one space."""
        units: dict[tuple[str, str, int], int] = {}
        facilities: dict[str, int] = {}
        for owner_name, kinds in (row.get("units") or {}).items():
            owner = self.power(owner_name) or NEUTRAL
            for some in self.units(kinds):
                if some.kind == UPGRADE or self.board.units[some.kind].domain == "facility":
                    facilities["ic_major" if some.kind == UPGRADE else some.kind] = some.damage
                elif some.count:
                    key = (owner, some.kind, some.damage)
                    units[key] = units.get(key, 0) + some.count
        return Standing(self.controller(row.get("owner")), units, facilities)

    # -- a turn

    def turn(self, record: Mapping[str, Any]) -> Turn:
        """A whole record. Raises TurnError naming the part that cannot be read."""
        power = self.power(record.get("power"))
        if power is None:
            raise TurnError("the record does not name its power")
        money = record.get("remaining_after_purchase") or {}
        changes = record.get("board_after_changes")
        controls = record.get("control_changes")
        return Turn(
            game=self.game,
            edition=self.edition,
            round=int(record.get("round") or 1),
            power=power,
            money_before=_whole(record.get("pus_before")),
            money_bought=_whole(money.get("PUs")),
            tokens=_whole(money.get("SuicideAttackTokens")),
            money_after={self.name("power", name): int(sum_) for name, sum_ in (record.get("pus_after") or {}).items()},
            **self._politics([*(record.get("politics") or ()), *_of_triggers(record)], power),
            purchases=self.units(record.get("purchases")),
            repairs=tuple(self._repairs(record.get("repairs") or ())),
            moves=tuple(self._move(index, row) for index, row in enumerate(record.get("moves") or (), 1)),
            takes=tuple(
                (self.space(row["space"]), self.controller(row.get("from")), self.power(row.get("by")) or power)
                for row in record.get("takes") or ()
            ),
            strikes=tuple(self._strike(row) for row in record.get("kamikaze") or ()),
            battles=tuple(self._battle(row, power) for row in record.get("battles") or ()),
            placements=tuple(
                (some, self.space(row.get("at", row.get("to", row.get("space")))))
                for row in record.get("placements") or ()
                for some in self.units(row.get("units") or [row])
            ),
            income=self._income(record.get("income") or {}, record.get("triggers") or (), power),
            changes=None if changes is None else self.table(changes),
            control_changes=None if controls is None else tuple(
                (self.space(row["space"]), self.controller(row.get("before")), self.controller(row.get("after")))
                for row in controls
            ),
            paid=tuple(
                (self.name("power", row["power"]), int(row["pus"]))
                for row in record.get("triggers") or ()
                if row.get("pus") and row.get("power")
            ),
            stream=tuple(
                (str(row.get("for", "")), tuple(int(face) for face in row["faces"]))
                for row in record.get("dice_stream") or ()
                if row.get("faces")
            ),
            divergences=tuple(str(text) for text in record.get("known_divergences") or ()),
        )  # fmt: skip

    def _politics(self, rows: Sequence[Mapping[str, Any]], power: str) -> dict[str, tuple[tuple[str, str], ...]]:
        """Who went to war with whom, the declaring power first."""
        wars: list[tuple[str, str]] = []
        peace: list[tuple[str, str]] = []
        for row in rows:
            by = self.power(row.get("power")) or power
            for effect in row.get("effects") or ():
                if not effect.get("ok", True):
                    continue
                said = _RELATION.search(str(effect.get("what", "")))
                if said is None or said["to"].lower() not in ("war", "unprovoked"):
                    continue
                a, b = self.power(said["a"]) or NEUTRAL, self.power(said["b"]) or NEUTRAL
                if NEUTRAL in (a, b):
                    continue
                wars.append((b, a) if b == by else (a, b))
                if said["was"].lower() not in ("war", "unprovoked"):
                    peace.append(wars[-1])
        return {"wars": tuple(wars), "was_peace": tuple(peace)}

    def _repairs(self, rows: Iterable[Any]) -> Iterable[tuple[str, str | None, int]]:
        """(space, facility, points), from whatever words the record has for them."""
        for row in rows:
            space = row.get("space", row.get("at", row.get("in")))
            points = row.get("points", row.get("repaired", row.get("damage", row.get("count", 1))))
            if space is not None:
                unit = row.get("unit", row.get("facility"))
                yield self.space(space), None if unit is None else self.some(str(unit)).kind, int(points)

    def _move(self, index: int, row: Mapping[str, Any]) -> Moved:
        path = (row["from"], *(row.get("via") or ()), row["to"])
        phase = str(row.get("phase") or "combat_move")
        if phase not in ("combat_move", "noncombat_move"):
            phase = "noncombat_move" if "non" in phase else "combat_move"
        return Moved(
            number=int(row.get("n", index)),
            phase=phase,
            units=self.units(row.get("units")),
            path=tuple(self.space(name) for name in path),
            load=bool(row.get("load")),
            unload=bool(row.get("unload")),
        )

    def _strike(self, row: Mapping[str, Any]) -> Strike:
        zone = row.get("zone", row.get("space", row.get("at")))
        target = row.get("target", row.get("unit", row.get("on")))
        faces = row.get("faces", row.get("rolls")) or [die["face"] for die in row.get("dice") or ()]
        count = row.get("count", row.get("tokens", row.get("attacks"))) or len(faces) or 1
        return Strike(self.space(zone), self.some(target).kind, int(count), tuple(int(face) for face in faces))

    def _income(self, row: Mapping[str, Any], triggers: Sequence[Mapping[str, Any]], power: str) -> Income:
        """Objectives are listed with the income or, some of them, only among the triggers that paid the power."""
        listed = row.get("objectives")
        named = {entry.get("name") for entry in listed or ()}
        objectives = [
            int(entry.get("pus", 0))
            for entry in (*(listed or ()), *(t for t in triggers if t.get("pus") and t.get("name") not in named))
            if self.power(entry.get("power") or power) == power
        ]
        return Income(
            collected=_whole(row.get("collected")),
            objectives=None if listed is None else tuple(objectives),
            convoy_lost=_whole(row.get("convoy_lost")),
            convoy_rolls=tuple(
                (self.space(entry["zone"]), tuple(int(face) for face in entry.get("rolls") or ()))
                for entry in row.get("convoy_rolls") or ()
            ),
        )

    # -- battles

    def _battle(self, row: Mapping[str, Any], power: str) -> Fought:
        space = self.space(row["space"])
        said = str(row.get("kind") or "").lower()
        sea = self.board.spaces[space].is_sea
        kind = "raid" if _RAID.search(said) else "sea" if sea else "land"
        attacker = self.power(row.get("attacker")) or power
        survivors = row.get("survivors")
        return Fought(
            space=space,
            kind=kind,
            attacker=attacker,
            winner=self.power(row.get("winner")),
            survivors=None if survivors is None else self.units(survivors),
            attackers=None if row.get("attack_units") is None else self.units(row["attack_units"]),
            defenders=tuple(
                Some(some.kind, some.count, some.owner or self.power(group.get("power")), some.damage)
                for group in row.get("defenders") or ()
                for some in self.units(group.get("units"))
            ),
            entries=tuple(self._timeline(row.get("timeline") or (), attacker, kind)),
        )

    def _timeline(self, rows: Sequence[Mapping[str, Any]], attacker: str, kind: str) -> Iterable[Entry]:
        current = 0
        for row in rows:
            what = str(row.get("t") or row.get("type") or "")
            units = self.units(row.get("units"))
            side = None if row.get("by") is None else "attack" if self.power(row["by"]) == attacker else "defend"
            if what == "roll":
                current = int(row.get("battle_round") or max(current, 1))
                ships = units and all(self.board.units[some.kind].domain == "sea" for some in units)
                if kind == "land" and ships:
                    what = "bombard"
            to = row.get("to")
            for owner in dict.fromkeys(some.owner for some in units) or (None,):
                if what not in ("lost", "damaged", "retreat", "submerge"):
                    owner = None
                own = tuple(some for some in units if owner is None or some.owner == owner)
                its = side if owner is None else "attack" if owner == attacker else "defend"
                yield Entry(
                    what=what,
                    round=current,
                    side=its,
                    units=own,
                    dice=self._dice(row, units, its),
                    hits=_whole(row.get("hits")),
                    to=None if to is None else self.space(to),
                    surplus=bool(row.get("no_target_left")),
                )
                if owner is None:
                    break

    def _dice(self, row: Mapping[str, Any], units: Sequence[Some], side: str | None) -> tuple[Die, ...]:
        """The dice, weakest roller first, each with the kind that stands at its place when units are so ordered."""
        dice = [_die(die) for die in row.get("dice") or ()]
        table = self.board.units
        kinds = [some.kind for some in units for _ in range(some.count)]

        def strength(kind: str) -> tuple[int, int]:
            return (table[kind].attack if side != "defend" else table[kind].defense, table[kind].rank)

        armed = sorted((kind for kind in kinds if strength(kind)[0] > 0), key=strength)
        return tuple(
            Die(face, need, armed[index] if index < len(armed) else (kinds[0] if kinds else ""))
            for index, (need, face) in enumerate(dice)
        )


_RELATION = re.compile(
    r"Relationship for (?P<a>\w+) and (?P<b>\w+) from (?P<was>[\w ]+?) to (?P<to>\w+)", re.IGNORECASE
)
_RAID = re.compile(r"raid|bombing|sbr|strategic")


def _of_triggers(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Changes of relations that the other program made by itself, as if the acting power had declared them."""
    names = [str(row.get("name", "")) for row in record.get("triggers") or ()]
    return [{"effects": [{"what": name} for name in names]}]


def _die(said: Any) -> tuple[int, int]:
    """(highest face that hits, face) of `{face, needs}` or `[face, needs]`."""
    if isinstance(said, Mapping):
        return int(said.get("needs") or 0), int(said["face"])
    face, need = said
    return int(need), int(face)


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)
