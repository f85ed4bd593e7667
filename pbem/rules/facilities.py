"""Figures of a facility where it stands: those that depend on the value of its territory are written as words.

A facts file may say `territory_ipc` or `2*territory_ipc` in place of a number; docs/facts.md lists the words.
"""

from __future__ import annotations

from pbem.rules.ruleset import RuleSet

TERRITORY_IPC = "territory_ipc"


def figure_there(rules: RuleSet, kind: str, name: str, space: str, default: int = 0) -> int:
    """A figure of a facility of that kind in a territory, such as `produces`; `default` where the table has none.

    Raises ValueError for words that are no figure: the facts are wrong then, not the player.
    """
    said = rules.board.units[kind].data.get(name)
    if said is None:
        return default
    if isinstance(said, int):
        return said
    factor, _, word = str(said).rpartition("*")
    if word != TERRITORY_IPC or not (factor or "1").isdigit():
        raise ValueError(f"{name} of {kind}: {said!r} is neither a number nor a multiple of {TERRITORY_IPC}")
    return int(factor or "1") * rules.board.spaces[space].ipc
