"""What a task force may consist of, and how many a seat may form in a turn. Counts only; no ship is looked at."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.p01.parameters import UK
from pbem.games.p01.wwm.forces import AMPHIBIOUS, BOMBARDMENT, CARRIER
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.ruleset import RuleSet

MOST_SHIPS = 6
MOST_OF_A_KIND = 3
MOST_IN_ALL = 4
MOST_BRITISH = 1

Ships = Mapping[str, int]
NAMES = {CARRIER: "carrier", BOMBARDMENT: "bombardment", AMPHIBIOUS: "amphibious"}


def composition_refusal(rules: RuleSet, kind: str, ships: Ships, *, kido: bool = False) -> Refusal | None:
    """Why ships cannot be a task force of a kind; None if they can. Checked when it is formed only (WWM-8.13).

    Cargo and fighters do not count (WWM-8.2). `kido` frees from the escort (WWM-8.12).
    """
    if ships.get("submarine"):
        return refuse(rules, "no_submarines", "Submarines never belong to a task force.", "Leave them out.")
    if sum(ships.values()) > MOST_SHIPS:
        return refuse(rules, "six_ships", f"A task force has at most {MOST_SHIPS} ships; these are "
                      f"{sum(ships.values())}.")  # fmt: skip
    tests = {CARRIER: _carrier, BOMBARDMENT: _bombardment, AMPHIBIOUS: _amphibious}
    wrong = tests[kind](ships, kido)
    if wrong is None:
        return None
    topic, reason = wrong
    return refuse(rules, topic, f"A {NAMES[kind]} task force {reason}.")


Wrong = tuple[str, str] | None


def _carrier(ships: Ships, kido: bool) -> Wrong:
    """A destroyer or battleship and a carrier (WWM-8.3), no transport (WWM-8.4), one battleship (WWM-8.5)."""
    if ships.get("transport"):
        return "carrier_no_transport", "has no transport"
    if ships.get("battleship", 0) > 1:
        return "carrier_one_battleship", "has at most one battleship"
    if not ships.get("carrier"):
        return "carrier_escort", "has a carrier"
    if not kido and not ships.get("destroyer") and not ships.get("battleship"):
        return "carrier_escort", "has at least one destroyer or battleship"
    return None


def _bombardment(ships: Ships, kido: bool) -> Wrong:
    """No carrier (WWM-8.6), one transport at most and a battleship or destroyer (WWM-8.7)."""
    if ships.get("carrier"):
        return "bombard_no_carrier", "has no carrier"
    if ships.get("transport", 0) > 1:
        return "bombard_one_transport", "has at most one transport"
    if not ships.get("battleship") and not ships.get("destroyer"):
        return "bombard_one_transport", "has at least one battleship or destroyer"
    return None


def _amphibious(ships: Ships, kido: bool) -> Wrong:
    """A transport and something else (WWM-8.8), no battleship (WWM-8.9), one carrier (WWM-8.10)."""
    if ships.get("battleship"):
        return "amphibious_no_battleship", "has no battleship"
    if ships.get("carrier", 0) > 1:
        return "amphibious_one_carrier", "has at most one carrier"
    if not ships.get("transport"):
        return "amphibious_escort", "has at least one transport"
    if ships["transport"] == sum(ships.values()):
        return "amphibious_escort", "has at least one ship that is no transport"
    return None


def limits_refusal(rules: RuleSet, power: str, kind: str, formed: Mapping[str, int]) -> Refusal | None:
    """Why a seat may form no more of a kind in this turn: three of a kind, four in all, Britain one (WWM-8.11).

    `formed` counts those of this turn by kind; Kido Butai is not among them (WWM-8.12).
    """
    total = sum(formed.values())
    if power == UK and total >= MOST_BRITISH:
        return refuse(rules, "force_limits", "Britain forms at most one task force in a turn, whatever oil it holds.")
    if total >= MOST_IN_ALL:
        return refuse(rules, "force_limits", f"At most {MOST_IN_ALL} task forces are formed in a turn.")
    if formed.get(kind, 0) >= MOST_OF_A_KIND:
        return refuse(rules, "force_limits", f"At most {MOST_OF_A_KIND} task forces of one kind are formed in a turn.")
    return None
