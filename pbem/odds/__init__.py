"""Exact distributions of battles: no sampling, the figures of the rule set that plays.

A battle is a Markov chain whose states are what is left of both sides. `side` says what can be left of one side and
what it throws, `aiming` who takes which hits, `program` what each step of a battle means here, `opening` and `chain`
work out the distribution, `outcome` is what comes of it. Values, AA shots, bombarding ships and orders of loss are
asked of the rule set's own judgements and parameters, so editions and variants need nothing here, unless they bring
steps of their own (`program.MEANINGS`, the parameter `odds_steps`).

Both sides choose losses by their list or the default order and nobody retreats. The distribution is exact apart from
the rounding of floating point; `amounts` also gives the exact fractions.
"""

from __future__ import annotations

from pbem.odds.outcome import Odds, OddsUnknown

__all__ = ["Odds", "OddsUnknown"]
