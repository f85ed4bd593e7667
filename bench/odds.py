"""Odds of great battles, in one run with the npm package `aacalc2` where it can be had and the rules are the same.

Set AACALC2 to a folder that has it in node_modules to spare the installation.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.figures import Figure, best_of
from pbem.games.catalog import rule_set
from pbem.odds.calculate import odds_of
from pbem.odds.setting import Setting, Some, make_battle

RUNS = 15
SHORT = {
    "infantry": "inf", "artillery": "art", "tank": "arm", "fighter": "fig", "bomber": "bom", "submarine": "sub",
    "destroyer": "des", "cruiser": "cru", "carrier": "acc", "battleship": "bat",
}  # fmt: skip
"""Their names of units."""
BATTLES: dict[str, tuple[str, bool, dict[str, int], dict[str, int]]] = {
    "odds, 45 against 51 land units": (
        "35 ms", False, {"infantry": 20, "artillery": 10, "tank": 15}, {"infantry": 40, "artillery": 6, "tank": 5},
    ),
    "odds, 17 against 12 at sea": (
        "13 ms", True, {"destroyer": 4, "cruiser": 3, "fighter": 6, "carrier": 2, "battleship": 2},
        {"destroyer": 3, "cruiser": 2, "fighter": 4, "carrier": 2, "battleship": 1},
    ),
    "odds, 17 against 12 at sea with submarines": (
        "", True, {"submarine": 3, "destroyer": 3, "cruiser": 2, "fighter": 5, "carrier": 2, "battleship": 2},
        {"submarine": 2, "destroyer": 2, "cruiser": 1, "fighter": 4, "carrier": 2, "battleship": 1},
    ),
}  # fmt: skip
SCRIPT = """
import { multiwaveExternal } from 'aacalc2';
const [input, runs] = JSON.parse(process.argv[2]);
let best = Infinity, output;
for (let run = 0; run < runs; run++) {
  const began = performance.now();
  output = multiwaveExternal(structuredClone(input));
  best = Math.min(best, performance.now() - began);
}
console.log(JSON.stringify({ ms: best, survives: output.attack.survives[0] }));
"""


def measure() -> list[Figure]:
    """Milliseconds of each battle under the rules of 1942, best of several runs."""
    rules = rule_set("s42")
    figures = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = _package(Path(temporary))
        for name, (aim, sea, attack, defend) in BATTLES.items():
            lots = [[Some(kind, count) for kind, count in force.items()] for force in (attack, defend)]
            state, battle = make_battle(rules, Setting(lots[0], lots[1], sea=sea))
            found = odds_of(rules, state, battle)
            ours = 1000 * best_of(RUNS, lambda state=state, battle=battle: odds_of(rules, state, battle))  # type: ignore[misc]
            theirs = _theirs(folder, rules.parameter("loss_orders"), sea, attack, defend)
            peer = "aacalc2" if theirs else ""
            if theirs and abs(theirs["survives"] - found.attacker_wins) > 1e-6:
                peer = f"aacalc2 (whose chance is {theirs['survives']:.6f}, ours {found.attacker_wins:.6f})"
            said = f"as aacalc2, {aim} elsewhere" if aim else ""
            figures.append(Figure(name, ours, "ms", peer, theirs["ms"] if theirs else None, said))
        if folder is None:
            print("aacalc2 cannot be installed here (npm install aacalc2): no comparison", file=sys.stderr)
    return figures


def _package(temporary: Path) -> Path | None:
    """A folder whose node_modules has the package; None without it."""
    given = os.environ.get("AACALC2")
    if given:
        return Path(given)
    if shutil.which("npm") is None or shutil.which("node") is None:
        return None
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "aacalc2"]
    try:
        done = subprocess.run(command, cwd=temporary, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return None
    return temporary if done.returncode == 0 else None


def _theirs(
    folder: Path | None, orders: Any, sea: bool, attack: dict[str, int], defend: dict[str, int]
) -> dict[str, float] | None:
    if folder is None:
        return None
    domain = "sea" if sea else "land"

    def side(force: dict[str, int], order: str) -> dict[str, Any]:
        kinds = dict.fromkeys(word.partition("/")[0] for word in orders[f"{domain}_{order}"] if "/" not in word)
        return {
            "units": {SHORT[kind]: count for kind, count in force.items()},
            "ool": [SHORT[kind] for kind in kinds if kind in SHORT],
            "takes": 0,
            "aaLast": False,
        }

    wave = {
        "attack": side(attack, "attack"), "defense": side(defend, "defend"), "att_submerge": False,
        "def_submerge": False, "att_dest_last": False, "def_dest_last": False, "is_crash_fighters": False,
        "rounds": 100, "retreat_threshold": 0,
    }  # fmt: skip
    asked = {
        "wave_info": [wave], "debug": False, "prune_threshold": 1e-12, "report_prune_threshold": 1e-12,
        "is_naval": sea, "in_progress": False, "num_runs": 1, "verbose_level": 0, "diceMode": "standard",
        "sortMode": "unit_count",
    }  # fmt: skip
    script = folder / "measure.mjs"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        ["node", script.name, json.dumps([asked, RUNS])], cwd=folder, capture_output=True, timeout=300, check=False
    )
    if done.returncode:
        print(done.stderr.decode(errors="replace").strip()[-300:], file=sys.stderr)
        return None
    found: dict[str, float] = json.loads(done.stdout)
    return found
