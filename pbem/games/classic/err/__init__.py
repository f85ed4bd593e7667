"""Advanced retreats of Enhanced Realism on top of the classic game: a variant that adds, replaces and wraps steps.

Nothing in the base asks whether it is on; `compose` puts it together.
"""

from __future__ import annotations

from pbem.games.classic.err.composing import OPTIONS, compose

LINES = ("retreat_of_defenders", "evacuate", "last_resort", "bomb_targets", "intercept")
"""Kinds of lines that the base game has not and the variant brings, or answers itself (`pbem.rules.vocabulary`)."""

__all__ = ["LINES", "OPTIONS", "compose"]
