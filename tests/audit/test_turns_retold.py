"""Whatever the referee plays, told in the form of a record, passes the check: orders, dice and choices are enough."""

import pytest

from pbem.audit.turns import check_game
from tests.audit.retold import retold_game


@pytest.mark.parametrize(("game", "edition"), [("p40", "2e"), ("p40", "1e"), ("s42", ""), ("classic", "2e")])
@pytest.mark.parametrize("seed", [1, 3])
def test_a_random_game_passes_when_retold(game: str, edition: str, seed: int) -> None:
    told = retold_game(game, edition, seed, turns=20)
    failed = {
        result.file: [*map(str, result.refused), *result.differences]
        for result in check_game(told)
        if not result.passed
    }
    assert failed == {}
