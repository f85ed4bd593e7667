"""Checks recorded turns of other programs: replays each with its orders, dice and choices, and compares what comes.

The records' form is that of docs/turns.md. Where a record lists a divergence from the rules the referee has the last
word: the refusal names the rule, and the rest of the turn is compared as far as it still makes sense.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbem.audit.turns_answers import RecordedAnswers
from pbem.audit.turns_compare import Replayed, differences, without_moves
from pbem.audit.turns_dice import TurnDice
from pbem.audit.turns_divergences import Divergences
from pbem.audit.turns_orders import Line, lines_of
from pbem.audit.turns_position import Guess, given, guesses
from pbem.audit.turns_read import Reader, game_of
from pbem.audit.turns_readings import readings, reread
from pbem.audit.turns_record import Table, Turn, TurnError
from pbem.board.evolve import fold
from pbem.board.map import Board
from pbem.board.state import State
from pbem.campaign.play import begin, run_on
from pbem.games.catalog import UnknownGame, rule_set
from pbem.orders.write import write
from pbem.rules.order_model import DeclareWar, to_json
from pbem.rules.position import position
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted, ScriptFault, filed_line


@dataclass(frozen=True, slots=True)
class RefusedOrder:
    """A recorded order that the rules refuse. `known` where the record lists it as a divergence."""

    order: str
    move: int | None
    rule: str | None
    reason: str
    known: bool = False

    def __str__(self) -> str:
        number = f"move {self.move}: " if self.move is not None else ""
        return f"{number}{self.order} ({self.rule or 'no rule'}: {self.reason})"

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "order": self.order, "move": self.move, "rule": self.rule, "reason": self.reason, "known": self.known,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What became of one recorded turn.

    `refused` lists every recorded order that was refused; those of a listed divergence do not fail the turn if they
    name a rule. `differences` fail it; `known` are differences that a listed divergence explains; `notes` say how the
    record was read where it leaves something open.
    """

    file: str
    refused: tuple[RefusedOrder, ...]
    differences: tuple[str, ...]
    known: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    events: tuple[Emitted, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything came out as recorded, other than where the referee has the last word."""
        return not self.differences and all(line.known and line.rule for line in self.refused)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON: {file, passed, refused, differences, known_differences, notes}."""
        return {
            "file": self.file, "passed": self.passed, "refused": [line.to_json() for line in self.refused],
            "differences": list(self.differences), "known_differences": list(self.known),
            "notes": list(self.notes),
        }  # fmt: skip


# -- files ------------------------------------------------------------------------------------------------------------


def check_path(path: str | Path) -> list[TurnResult]:
    """Check a turn, a folder of turns with its board.json, or a file with a whole game; a result for every turn."""
    return list(_check_path(Path(path)))


def _check_path(path: Path) -> Iterator[TurnResult]:
    if not path.is_dir():
        yield from _check_file(path)
        return
    files = sorted(file for file in path.glob("*.json") if file.name != BOARD_FILE)
    folders = sorted(folder for folder in path.iterdir() if folder.is_dir() and any(folder.rglob("*.json")))
    if not files and not folders:
        yield _unreadable(str(path), "there is no recorded turn (*.json) in this folder")
    for file in files:
        yield from _check_file(file)
    for folder in folders:
        yield from _check_path(folder)


BOARD_FILE = "board.json"


def _check_file(path: Path) -> Iterator[TurnResult]:
    try:
        record = _read(path)
        if "turns" in record:
            yield from check_game(record, str(path))
            return
        boards = _read(path.with_name(BOARD_FILE)) if path.with_name(BOARD_FILE).exists() else {}
    except TurnError as error:
        yield _unreadable(str(path), str(error))
        return
    yield _check(record, boards, list(_beside(path)), str(path))


def _beside(path: Path) -> Iterator[Mapping[str, Any]]:
    """The records in the folder of a record, itself included; files that are none do not matter here."""
    for other in sorted(path.parent.glob("*.json")):
        if other.name != BOARD_FILE:
            try:
                yield _read(other)
            except TurnError:
                continue


def check_game(game: Mapping[str, Any], file: str = "") -> Iterator[TurnResult]:
    """Check all turns of one game, each from its recorded board: {setup, pus_at_start, after, turns: [records]}."""
    records = [{**{key: game[key] for key in ("ruleset", "game", "edition") if key in game}, **row}
               for row in game["turns"]]  # fmt: skip
    for index, record in enumerate(records, 1):
        yield _check(record, game, records, f"{file}#{record.get('seq', index)}")


def _read(path: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TurnError(f"{path} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise TurnError(f"{path} is no JSON: {error}") from None
    if not isinstance(value, Mapping):
        raise TurnError(f"{path}: a recorded turn is an object, not a {type(value).__name__}")
    return value


def _unreadable(file: str, why: str) -> TurnResult:
    return TurnResult(file, (), (why,))


# -- one turn ---------------------------------------------------------------------------------------------------------


def check_turn(
    record: Mapping[str, Any],
    board_before: Mapping[str, Any],
    *,
    earlier: Sequence[Mapping[str, Any]] = (),
    money: Mapping[str, int] | None = None,
    board_after: Mapping[str, Any] | None = None,
    file: str = "",
) -> TurnResult:
    """Replay one record from the board before it: {space: {units, owner}}, all in the record's own names.

    `earlier` are the records of the turns before it, for what rules remember; `money` is what each power has before
    the turn; `board_after` the whole board after it, where `board_after_changes` is missing. What cannot be read is a
    difference, never an exception.
    """
    boards: dict[str, Any] = {"setup": board_before}
    if board_after is not None:
        boards["after"] = {_key(record): board_after}
    if money is not None:
        boards["pus_at_start"] = money
    return _check(record, boards, [*earlier, record], file)


def _check(
    record: Mapping[str, Any], boards: Mapping[str, Any], records: Sequence[Mapping[str, Any]], file: str
) -> TurnResult:
    try:
        game, edition = game_of(record, boards)
        reader = Reader(game, edition)
        rules = rule_set(game, edition)
        turn = reader.turn(record)
        earlier = [reader.turn(other) for other in _earlier(record, records)]
        before = reader.table(_board_before(record, boards, records))
        after = _board_after(record, boards)
        expected = _expected(before, turn, None if after is None else reader.table(after))
        money = _money_before(turn, earlier, reader, boards)
    except (TurnError, UnknownGame) as error:
        return _unreadable(file, str(error))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return _unreadable(file, f"this record cannot be read: {type(error).__name__}: {error}")
    except ModuleNotFoundError:
        return _unreadable(file, f"the rules of {game} are not part of this service yet")
    try:
        return _best(rules, reader, turn, before, expected, money, earlier, file)
    except Exception as fault:  # a fault of the service in one turn must not hide the answers about the others
        return _unreadable(file, f"the referee failed on this turn: {type(fault).__name__}: {fault}")


def _best(
    rules: RuleSet,
    reader: Reader,
    turn: Turn,
    before: Table,
    expected: Table,
    money: Mapping[str, int],
    earlier: Sequence[Turn],
    file: str,
) -> TurnResult:
    """The turn as written; if it does not pass so, the first other reading or past under which it does."""
    first = replay(rules, reader, turn, before, expected, money, earlier, Guess(), file)
    if first.passed:
        return first
    told = first_in_game(rules.board, turn)
    for guess in (Guess(), Guess(last_first=True), *(() if told else guesses(rules.board, turn, before, earlier))):
        read = turn
        for _ in range(MOST_READINGS):
            other = replay(rules, reader, read, before, expected, money, earlier, guess, file)
            if other.passed:
                return replace(other, notes=tuple(_notes(rules.board, turn, read, guess)))
            again = reread(rules.board, read, {line.move for line in other.refused if line.move and not line.known})
            if again == read:
                break
            read = again
    return first


MOST_READINGS = 12
"""How often refused moves of a turn are read in another way before the first answer stands."""


def _notes(board: Board, turn: Turn, read: Turn, guess: Guess) -> Iterator[str]:
    """How a record was read beyond its words."""
    yield from readings(turn, read)
    for a, b in guess.wars:
        yield f"{board.powers[a].name} and {board.powers[b].name} were at war before the turn"
    for by, upon in guess.declared:
        yield f"{board.powers[by].name} had declared war on {', '.join(board.powers[foe].name for foe in upon)}"


def _key(record: Mapping[str, Any]) -> str:
    return f"r{record.get('round')}.{record.get('power')}"


def _place(record: Mapping[str, Any]) -> int:
    return int(record.get("seq") or 0)


def _earlier(record: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The records of turns before this one, in order; those of other games in the folder do not count."""
    if not record.get("seq"):
        before = list(records)
        return before[: next((i for i, other in enumerate(before) if other is record), len(before))]
    same = [r for r in records if r.get("ruleset") == record.get("ruleset") and r.get("power")]
    return sorted((r for r in same if 0 < _place(r) < _place(record)), key=_place)


def _board_before(
    record: Mapping[str, Any], boards: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    if "board_before" in record:
        return dict(record["board_before"])
    after: Mapping[str, Any] = boards.get("after") or {}
    keys = list(after)
    if _key(record) in keys:
        place = keys.index(_key(record))
        if place > 0:
            return dict(after[keys[place - 1]])
    elif keys and record.get("seq"):
        place = _place(record) - 1
        if 0 < place <= len(keys):
            return dict(after[keys[place - 1]])
    if "setup" not in boards:
        raise TurnError(f"the board before the turn is missing: no {BOARD_FILE} beside it, no board_before in it")
    board = dict(boards["setup"])
    if not keys:
        for other in _earlier(record, records):
            board.update(other.get("board_after_changes") or {})
    return board


def _board_after(record: Mapping[str, Any], boards: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found = (boards.get("after") or {}).get(_key(record))
    return found if isinstance(found, Mapping) else None


def first_in_game(board: Board, turn: Turn) -> bool:
    """Whether a turn is the first of its game: nothing happened before it."""
    playing = [power for power in board.powers.values() if power.playable]
    return turn.round == 1 and turn.power == min(playing, key=lambda power: power.order).id


def _expected(before: Table, turn: Turn, after: Table | None) -> Table:
    if turn.changes is not None:
        return {**before, **turn.changes}
    if after is None:
        raise TurnError("the record has neither board_after_changes nor the board after the turn")
    return after


def _money_before(turn: Turn, earlier: Sequence[Turn], reader: Reader, boards: Mapping[str, Any]) -> dict[str, int]:
    """What each power has: its own as recorded, others' after the turn before, at the start, or as after this turn."""
    money = dict(turn.money_after)
    for power, ipc in turn.paid:
        if power != turn.power and power in money:
            money[power] -= ipc
    first = first_in_game(reader.board, turn)
    for name, ipc in (boards.get("pus_at_start") or {}).items():
        if first or reader.name("power", name) not in money:
            money[reader.name("power", name)] = int(ipc)
    if earlier:
        money.update(earlier[-1].money_after)
    if turn.money_before is not None:
        money[turn.power] = turn.money_before
    return money


def replay(
    rules: RuleSet,
    reader: Reader,
    turn: Turn,
    before: Table,
    expected: Table,
    money: Mapping[str, int],
    earlier: Sequence[Turn],
    guess: Guess,
    file: str,
) -> TurnResult:
    """Play one turn with its recorded orders, dice and choices, and compare.

    `guess` is what happened before it beyond what its records say.
    """
    names = reader.names
    try:
        facts = position(rules, given(rules.board, turn, before, money, earlier, guess))
    except (KeyError, ValueError) as error:
        return _unreadable(file, f"the position cannot be set up: {error}")
    start = begin("recorded", rules, facts)
    lines = lines_of(rules.board, turn, before)
    filed = [(line, filed_line(line.order, write(line.order, names))) for line in lines]
    phases: dict[str, list[Mapping[str, Any]]] = {}
    for line, row in filed:
        phases.setdefault(line.phase, []).append(row)
    dice = TurnDice(rules.board, turn)
    told = run_on(
        start.with_facts([("orders_received", {"power": turn.power, "phases": phases})], 0),
        dice,
        RecordedAnswers(turn, names),
        now=0,
        may_close=lambda window: True,
    )
    if told.outcome is not None and told.outcome.difference is not None:
        raise ScriptFault(str(told.outcome.difference))
    known = Divergences(rules.board, turn)
    after = fold(start.now, told.events)
    refused = list(_refused(told.events, filed, known, after))
    undone = [moved for moved in turn.moves if any(r.known and r.rule and r.move == moved.number for r in refused)]
    played = Replayed(rules, turn, start.now, after, told.events, dice)
    found = differences(played, without_moves(rules.board, turn, before, expected, undone), undone)
    failing = [diff for diff in found if not known.explains(diff, undone)]
    return TurnResult(
        file=file,
        refused=tuple(refused),
        differences=tuple(map(str, failing)),
        known=tuple(str(diff) for diff in found if diff not in failing),
        events=told.events,
    )


def _refused(
    events: Sequence[Emitted], filed: Sequence[tuple[Line, Mapping[str, Any]]], known: Divergences, after: State
) -> Iterator[RefusedOrder]:
    """Refused and lapsed lines of the record; lines that it only implies do not count."""
    left = list(filed)
    for event in events:
        if event.type not in ("order_refused", "order_lapsed"):
            continue
        body = event.payload
        found = next((pair for pair in left if to_json(pair[0].order) == body["order"]), None)
        if found is None:
            continue
        left.remove(found)
        line = found[0]
        if isinstance(line.order, DeclareWar) and all(after.at_war(body["power"], foe) for foe in line.order.powers):
            continue  # the war came by itself in the same turn
        if not line.implied:
            yield RefusedOrder(body["text"], line.move, body["rule"], body["reason"], known.of_move(line.move))
