"""Advanced retreats of Enhanced Realism on top of the classic game: a variant that adds, replaces and wraps steps.

Nothing in the base asks whether it is on; `compose` puts it together.
"""

from __future__ import annotations

from pbem.games.classic.err.composing import OPTIONS, compose

__all__ = ["OPTIONS", "compose"]
