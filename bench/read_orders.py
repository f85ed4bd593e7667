"""How fast orders are read: ten lines of a usual mail, and a long one. Run: python bench/read_orders.py"""

from __future__ import annotations

import time

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders

TEN_LINES = """3 inf Kwangsi -> Yunnan
2 inf, 1 art and 1 tank Kiangsi -> Hunan
load 2 infantry Japan -> Sea Zone 6
1 transport SZ 6 -> SZ 19
unload 2 infantry Sea Zone 19 -> Formosa
1 bomber Kwangtung -> Kiangsi -> Kiangsu to bomb ic_minor
buy 3 inf, 1 art
place 3 inf Japan
retreat Hunan after round 1 to Kiangsi if odds < 40%
casualties Yunnan: tank first
"""


def main() -> None:
    """Print milliseconds of processor time."""
    names = gazetteer("p40", "2e")
    context = ReadContext("p40", "2e", powers=("japan",), phase="combat_move")
    read_orders(TEN_LINES, names, context)
    start = time.process_time()
    for _ in range(200):
        read_orders(TEN_LINES, names, context)
    print(f"10 lines: {(time.process_time() - start) * 5:.2f} ms")
    start = time.process_time()
    read_orders(TEN_LINES * 900, names, context)
    print(f"9,000 lines: {(time.process_time() - start) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
