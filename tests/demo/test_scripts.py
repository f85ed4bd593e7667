"""The scripts of the demonstrations: their lines can be read, and the bulk of them is carried out whatever the dice."""

from __future__ import annotations

import pytest

from pbem.demo.script import SCRIPTS
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.testing.determinism import play_turn, start

SLIPS = 3
"""Lines of a script at most that are to show what happens to a line that cannot be read."""


@pytest.mark.parametrize("game", sorted(game for game in SCRIPTS if SCRIPTS[game]().turns))
def test_what_the_players_of_a_script_mean_can_be_read(game: str) -> None:
    script = SCRIPTS[game]()
    names = gazetteer(script.game, script.edition)
    lines = []
    for (_, power), text in script.turns.items():
        context = ReadContext(script.game, script.edition, script.variants, powers=(power,), phase="combat_move")
        lines += [result for result in read_orders(text, names, context) if result.reason != "heading"]
    assert len(lines) > 100
    assert sum(line.order is None for line in lines) <= SLIPS


@pytest.mark.parametrize("dice", ["one", "two", "three"])
def test_most_orders_of_1942_fit_whatever_the_dice(dice: str) -> None:
    """Cards that everybody starts with are played by orders for the turn and by standing orders."""
    script = SCRIPTS["s42"]()
    play = start(script, f"s42-{dice}")
    refused, played = 0, []
    for _ in range(script.length):
        play, events = play_turn(play, script, dice)
        refused += sum(event.type in ("order_refused", "order_lapsed") for event in events)
        played += [event.payload["name"] for event in events if event.type == "card_played"]
    orders = sum(len(text.splitlines()) for text in script.turns.values())
    assert refused < orders * 0.1
    assert {"powerful_torpedoes", "long_range_fighters"} <= set(played)
    assert play.now.round == script.rounds
