"""Questions about retreats in words: which units may go where, and which lines would say so.

What a question shows (`options`) is turned into one line for each kind of unit, the same in mail, HTML and PDF, and
into candidates for the examples of how to answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.board.map import Board
from pbem.report.model import Answer
from pbem.report.words import Words

KINDS = ("last_resort", "consent", "break_off", "withdraw", "aim", "land")
"""Questions that `answers` knows, beside retreats with options."""
Row = Mapping[str, Any]
Way = Mapping[str, Any]


def option_lines(options: Sequence[Row], here: str | None, words: Words) -> list[str]:
    """One line for each kind of unit: how many there are, and every way that is open to them."""
    return [words.say("ask.detail", name=_who(row, words), value=_ways(row, here, words)) for row in options]


def places(spaces: Sequence[str], here: str | None, words: Words) -> str:
    """Where somebody may go; the place of the battle itself stands for breaking off."""
    board = words.board.spaces
    named = (words.space(space) if space in board else words.known(f"value.{space}", space) for space in spaces)
    said = (words.say("way.break_off") if space == here else name for space, name in zip(spaces, named, strict=True))
    return words.joined(said)


def _who(row: Row, words: Words) -> str:
    units = words.units(str(row["kind"]), int(row["count"]))
    sort = words.known(f"sort.{row.get('sort')}", "")
    return words.say("in_brackets", what=units, more=sort) if sort else units


def _ways(row: Row, here: str | None, words: Words) -> str:
    ways: Sequence[Way] = row.get("to", ())
    said: list[str] = []
    for how in ("land", "sea", "fly"):
        places = [str(way["space"]) for way in ways if way["how"] == how]
        if how == "fly" and here in places:
            said.append(words.say("way.air_stops"))
        elif places:
            said.append(words.say(f"way.{how}", places=words.joined(words.space(place) for place in places)))
    said += _by_ship(ways, words)
    if any(way["how"] == "break_off" for way in ways):
        said.append(words.say("way.break_off"))
    return words.apart(said) if said else words.say("way.none")


def _by_ship(ways: Sequence[Way], words: Words) -> Iterator[str]:
    """Aboard in each zone, with the places that are left where they are counted, and ashore from there at once."""
    zones = dict.fromkeys(str(way.get("via") or way["space"]) for way in ways if way["how"] == "aboard")
    for zone in zones:
        ships = {way["ship"]: way["room"] for way in ways if way.get("via") == zone and "room" in way}
        aboard = words.say("way.aboard", zone=words.space(zone))
        if ships:
            room = words.many(sum(ships.values()), "places")
            aboard = words.say("in_brackets", what=aboard, more=room)
        yield aboard
    ashore = dict.fromkeys(str(way["space"]) for way in ways if way["how"] == "ashore")
    if ashore:
        yield words.say("way.ashore", places=words.joined(words.space(place) for place in ashore))


# -- what was decided -------------------------------------------------------------------------------------------------


def leaving(value: Any) -> dict[tuple[str, str], list[str]]:
    """Of the answer to such a question: the ids of the units by how they go and to where."""
    groups: dict[tuple[str, str], list[str]] = {}
    for unit, how, to, *_ in value.get("goes", ()) if isinstance(value, Mapping) else ():
        groups.setdefault((how, to), []).append(unit)
    return groups


def told(answer: Answer, words: Words) -> str:
    """What was decided: `2 infantry to Russia; 1 fighter by air to Caucasus`, or that nobody leaves."""
    said = []
    for force, how, to in answer.leaving:
        units = words.force(force, answer.power)
        if how == "fly" and to == answer.space:
            way = words.say("way.air_stops")
        elif how == "break_off":
            way = words.say("way.break_off")
        else:
            way = words.say(f"way.{how}", places=words.space(to), zone=words.space(to))
        said.append(words.say("way.who", units=units, way=way))
    return words.apart(said) if said else words.say("way.nobody")


# -- lines that would answer ------------------------------------------------------------------------------------------


def answers(ask: Mapping[str, Any], board: Board) -> Iterator[str]:
    """Lines that may answer a question about leaving a battle, the plainest first, staying among the first four."""
    where = board.spaces[str(ask["space"])].name if ask.get("space") in board.spaces else ""
    kind, options = ask.get("kind"), ask.get("options", ())
    if kind == "last_resort":
        yield f"last resort {where}: join"
        yield f"last resort {where}: stand"
    elif kind == "consent":
        about = {"fighter_losses": "fighter losses"}.get(str(ask.get("about")), str(ask.get("about")))
        yield f"allow {about}"
        yield f"refuse {about}"
    elif kind == "break_off":
        for row in options:
            yield f"{_count(board, row['kind'], row['count'])} break off {where}"
        yield f"press on {where}"
    elif kind == "aim":
        names = {"ground": "ground units", "air": "aircraft", "ships": "ships"}
        for target in ask.get("targets", ()):
            yield f"aim {where}: all artillery at {names[target]}"
    elif kind == "land":
        aircraft = ask.get("units")
        counts = aircraft if isinstance(aircraft, Mapping) else {}
        for to in ask.get("to", ()):
            for unit, count in counts.items():
                yield f"land {_count(board, unit, count)} {where} -> {board.spaces[to].name}"
    elif kind == "withdraw":
        zones = [space for space in ask.get("to", ()) if space in board.spaces and space != ask.get("space")]
        leaving = [f"withdraw 1 submarine {where} -> {board.spaces[zone].name}" for zone in zones]
        yield from leaving[:1]
        if ask.get("space") in ask.get("to", ()):
            yield f"withdraw 1 submarine {where}: break off"
        if "submerge" in ask.get("to", ()):
            yield f"submerge {where}: all"
        yield "my submarines: stand"
        yield from leaving[1:]
    elif kind == "retreat":
        leaving = list(_leaving(where, options, board))
        yield from leaving[:3]
        yield f"press on {where}"
        yield from leaving[3:]


def _leaving(where: str, options: Sequence[Row], board: Board) -> Iterator[str]:
    """All to one place, by ship, in parts, breaking off."""
    ways = [way for row in options for way in row.get("to", ())]
    places = list(dict.fromkeys(way["space"] for way in ways if way["how"] in ("land", "sea")))
    name = {space: board.spaces[space].name for way in ways for space in (way["space"], way.get("via")) if space}
    if places:
        yield f"retreat {where} to {name[places[0]]}"
    if any(way["how"] == "break_off" for way in ways):
        yield f"break off {where}"
    yield from _by_ships(where, options, places, name, board)
    if len(places) > 1:
        parts = _split(options, places, name, board)
        yield f"retreat {where}: {parts}" if parts else f"retreat {where} to {name[places[1]]}"
    by_ship = any(way["how"] in ("aboard", "ashore") for way in ways)
    flying = [(row, way) for row in options for way in row.get("to", ()) if way["how"] == "fly" and not by_ship]
    for row, way in flying:
        if way["space"] not in places and name[way["space"]] != where and not places:
            yield f"retreat {where}: {_count(board, row['kind'], row['count'])} to {name[way['space']]}"
    if not places and any(way["how"] == "fly" and name[way["space"]] == where for way in ways):
        yield f"retreat {where}"


def _by_ships(
    where: str, options: Sequence[Row], places: Sequence[str], name: Mapping[str, str], board: Board
) -> Iterator[str]:
    """Landed units go back aboard, defenders are evacuated, ashore at once where that is open."""
    rows = [(row, way) for row in options for way in row.get("to", ()) if way["how"] in ("aboard", "ashore")]
    if any(row.get("sort") == "landed" for row, _ in rows):
        ashore = next((way["space"] for _, way in rows if way["how"] == "ashore"), None)
        then = f"unload all {name[ashore]}" if ashore else "rest aboard"
        both = f"retreat {where}: overland to {name[places[0]]}, landed re-embark" if places else f"re-embark {where}"
        yield f"{both}, {then}"
        return
    for how in ("ashore", "aboard"):
        found = next(((row, way) for row, way in rows if way["how"] == how), None)
        if found is not None:
            row, way = found
            units = _count(board, row["kind"], min(int(row["count"]), int(way.get("room", 1))))
            to = f"to {name[way['space']]}" if how == "ashore" else "aboard"
            yield f"evacuate {where} via {name[way['via']]} {to}: {units}"


def _split(options: Sequence[Row], places: Sequence[str], name: Mapping[str, str], board: Board) -> str:
    """Units of the kinds that may choose, some to one place and the rest to another."""
    free = [row for row in options if {way["space"] for way in row.get("to", ())} >= set(places[:2])]
    if len(free) > 1:
        return f"{_count(board, free[0]['kind'], free[0]['count'])} to {name[places[0]]}, rest to {name[places[1]]}"
    if free and int(free[0]["count"]) > 1:
        return f"{_count(board, free[0]['kind'], 1)} to {name[places[0]]}, rest to {name[places[1]]}"
    return ""


def _count(board: Board, kind: str, count: int) -> str:
    unit = board.units[kind]
    return f"{count} {(unit.name if count == 1 else unit.plural).lower()}"
