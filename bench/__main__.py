"""`python -m bench [NAME...]`: run the measurements and print a line for each figure."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict

from bench import adjudicate, odds, pdf, posts, replay
from bench.figures import Figure

BENCHES: dict[str, Callable[[], list[Figure]]] = {
    "replay": replay.measure,
    "adjudicate": adjudicate.measure,
    "pdf": pdf.measure,
    "posts": posts.measure,
    "odds": odds.measure,
}


def main() -> None:
    """Run those named, else all; `--json` for programs."""
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")] or list(BENCHES)
    unknown = [name for name in wanted if name not in BENCHES]
    if unknown:
        sys.exit(f"there is no measurement {unknown[0]!r}; there are {', '.join(BENCHES)}")
    figures = [figure for name in wanted for figure in BENCHES[name]()]
    if "--json" in sys.argv:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
        return
    for figure in figures:
        print(figure.line())


if __name__ == "__main__":
    main()
