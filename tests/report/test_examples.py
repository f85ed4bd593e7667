"""Examples of how to answer: only lines that somebody tried, from the reader's own position."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.evolve import fold
from pbem.report.examples import ALTERNATIVES, TRIES, border_moves, example_for
from pbem.report.model import Due
from pbem.report.tell import due_of
from tests.report.kit import board, events, start


def due(phases: Sequence[str] = ("purchase", "combat_move"), **ask: object) -> Due:
    """A window that waits for Japan: for orders, or for an answer where something is asked."""
    asks = ({"power": "japan", **ask},) if ask else ()
    return Due("w", "decisions" if ask else "orders", ("japan",), tuple(phases), asks, None, ("japan",))


def test_an_attack_over_a_border_comes_first() -> None:
    lines = example_for(start(), board(), ("japan",), due(), lambda lines: True)
    assert lines[0] == "buy 1 infantry" and lines[-1] == "ready"
    move = lines[1]
    begin, end = move.split(" ", 2)[2].split(" -> ")
    ids = {space.name: space.id for space in board().spaces.values()}
    assert board().adjacent(ids[begin], ids[end])
    assert start().at_war("japan", start().controller(ids[end]) or "")


def test_an_attack_on_nobody_comes_before_one_on_many() -> None:
    first, *others = border_moves(start(), board(), "japan", hostile=True)
    names = {space.name: space.id for space in board().spaces.values()}
    foes = [len(tuple(start().units_in(names[move.split(" -> ")[1]]))) for move in (first, *others)]
    assert foes[0] == 0 < max(foes)
    assert all(int(move.split()[0]) <= max(2, 2 * count) for move, count in zip((first, *others), foes, strict=True))


def test_a_power_without_enemies_beside_it_moves_within_its_own() -> None:
    waiting = Due("w", "orders", ("usa",), ("purchase", "combat_move"), (), None, ("usa",))
    lines = example_for(start(), board(), ("usa",), waiting, lambda lines: True)
    assert lines[1].startswith("noncombat: ") and " -> " in lines[1]
    only_ships = example_for(start(), board(), ("usa",), waiting, lambda lines: "Sea Zone" in lines[-2])
    begin, end = only_ships[-2].removeprefix("noncombat: ").split(" ", 2)[2].split(" -> ")
    ids = {space.name: space.id for space in board().spaces.values()}
    assert board().adjacent(ids[begin], ids[end])


def test_what_would_be_refused_is_never_shown() -> None:
    tried: list[list[str]] = []

    def accepted(lines: Sequence[str]) -> bool:
        tried.append(list(lines))
        return list(lines) == ["ready"]

    assert example_for(start(), board(), ("japan",), due(), accepted) == ("ready",)
    assert 1 < len(tried) <= TRIES
    assert example_for(start(), board(), ("japan",), due(), lambda lines: False) == ()


def test_nothing_due_needs_no_example() -> None:
    assert example_for(start(), board(), ("usa",), due(), lambda lines: True) == ()
    assert example_for(start(), board(), ("japan",), None, lambda lines: True) == ()


def test_a_player_of_two_powers_gets_a_heading() -> None:
    waiting = Due("w", "orders", ("uk",), ("purchase", "combat_move"), (), None, ("uk",))
    assert example_for(start(), board(), ("uk", "anzac"), waiting, lambda lines: True)[0] == "uk:"


def test_the_rest_of_the_turn_moves_within_own_land() -> None:
    lines = example_for(start(), board(), ("japan",), due(phases=("noncombat_move", "mobilize")), lambda lines: True)
    assert lines[0] in set(border_moves(start(), board(), "japan", hostile=False))


def test_a_question_shows_a_few_lines_each_of_which_would_do() -> None:
    asked = due((), kind="retreat", space="hunan", to=["kiangsi", "kwangsi"])
    assert example_for(start(), board(), ("japan",), asked, lambda lines: True) == (
        "retreat Hunan to Kiangsi", "retreat Hunan to Kwangsi", "press on Hunan",
    )  # fmt: skip
    many = due((), kind="casualties", space="hunan",
               units={"infantry": 1, "artillery": 1, "tank": 1, "fighter": 1, "bomber": 1})  # fmt: skip
    assert len(example_for(start(), board(), ("japan",), many, lambda lines: True)) == ALTERNATIVES


def test_unit_ids_in_a_question_become_kinds() -> None:
    state = start()
    unit = next(iter(state.units.values()))
    opened = events(
        [("window_opened", {"window": "w", "kind": "decisions", "powers": ["japan"],
                            "asks": [{"key": "k", "power": "japan", "kind": "land", "units": [unit.id]}]})],
        state.size,
    )  # fmt: skip
    told = due_of(fold(state, opened), "w")
    assert told is not None and told.asks[0]["units"] == {unit.kind: 1}
