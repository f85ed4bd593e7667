"""Writes the golden tapes: every event of the scripted turns of each game, as they come out now.

    python tools/make_golden.py [GAME...]

A tape that changes means that recorded campaigns would run differently: raise RULES_VERSION of the game, say in the
commit what changed for players, and write the tapes anew.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from pbem.demo.script import SCRIPTS
from pbem.testing.determinism import play_turn, start

FOLDER = Path(__file__).parent.parent / "tests" / "golden"


def main() -> None:
    """Write the tapes of the games named, else of all."""
    for game in sys.argv[1:] or sorted(SCRIPTS):
        script = SCRIPTS[game]()
        play = start(script, f"{game}-golden")
        lines = [json.dumps({"game": game, "rules_version": play.rules.version})]
        for _ in range(script.length):
            play, events = play_turn(play, script, game)
            rows = [[event.seq, event.type, event.payload, list(event.rules), event.readers] for event in events]
            lines.append(json.dumps(rows, ensure_ascii=False, separators=(",", ":")))
        path = FOLDER / f"{game}.jsonl.gz"
        with gzip.GzipFile(path, "wb", mtime=0) as out:
            out.write(("\n".join(lines) + "\n").encode())
        sys.stdout.write(f"{path.name}: {len(lines) - 1} turns\n")


if __name__ == "__main__":
    main()
