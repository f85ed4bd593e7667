"""Search the folder of a demonstration for hidden cards, sealed lines and secret addresses in the wrong hands.

    python tools/search_leaks.py OUT

OUT is what `pbem demo --out OUT` left. Everything in it is unpacked and read as its reader could: mails, PDF files,
pages and exports of the log. The exit code is 1 if anything was found, 2 if the folder holds no campaign.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from pbem.testing.leaks.folder import NoCampaign, look


def main(arguments: list[str]) -> int:
    """Search one folder and say what came of it."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    try:
        looked = look(Path(arguments[0]))
    except NoCampaign as problem:
        print(problem, file=sys.stderr)
        return 2
    for note in looked.skipped:
        print(f"not searched: {note}")
    size = sum(len(one.data) for one in looked.artefacts)
    print(f"{len(looked.artefacts)} artefacts, {size:,} bytes, {looked.words} words that somebody may not read")
    for reader, names in looked.secrets.items():
        print(f"hidden from {reader} at the end: {', '.join(names) or 'nothing that a name alone would tell'}")
    for leak in looked.leaks:
        print(f"LEAK  {leak}")
    kinds = Counter(leak.word.partition(" ")[0] for leak in looked.leaks)
    print("nothing was found" if not kinds else f"{len(looked.leaks)} leaks: {dict(kinds)}")
    return 1 if looked.leaks else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
