"""The judgement `odds` of a rule set: the attacker's chance in a battle as it stands, for conditions of orders.

numpy is loaded when it is first asked, so that rule sets can be composed without it.
"""

from __future__ import annotations

from pbem.board.state import State
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle.model import Battle
from pbem.rules.ruleset import RuleSet


def odds(rules: RuleSet, state: State, battle: Battle) -> int | None:
    """The attacker's chance to win in parts per million, halves up; None for battles whose odds are not worked out.

    The units still in the battle fight to the end with the default orders of loss. Before the first round the
    bombardment and AA fire to come are part of it; in mid-round units already hit no longer count.
    """
    from pbem.odds.calculate import attacker_ppm

    try:
        return attacker_ppm(rules, state, battle)
    except OddsUnknown:
        return None
