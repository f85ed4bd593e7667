"""Pacific 1940: who may go where. China's borders, Dutch and French land, closed countries, and powers at peace.

Only questions about a position are answered here; declarations and the events that follow from them are in `war`.
"""

from __future__ import annotations

from pbem.board.map import IMPASSABLE, Space
from pbem.board.state import State, Unit
from pbem.rules.decisions import Refusal
from pbem.rules.ruleset import RuleSet

JAPAN, USA, CHINA, UK, ANZAC, DUTCH, FRANCE, USSR = "japan", "usa", "china", "uk", "anzac", "dutch", "france", "ussr"
COMMONWEALTH = (UK, ANZAC)
"""The United Kingdom and ANZAC: in politics one party (P40-2.2.2)."""
WESTERN_ALLIES = (USA, UK, ANZAC)
PASSIVE = (DUTCH, FRANCE)
"""Allied nations that have land and no player (P40-1.1.3)."""
CHINA_ALSO_IN = ("kwangtung", "burma")
"""Where Chinese units may be besides their own country (P40-2.4.1)."""


# -- friends ----------------------------------------------------------------------------------------------------------


def at_war_with_japan(state: State, power: str) -> bool:
    """Whether an Allied power is at war with Japan."""
    return state.at_war(power, JAPAN)


def allies(rules: RuleSet, state: State, a: str, b: str) -> bool:
    """Whether two powers are allies now (P40-2.3.4, P40-2.3.5).

    UK and ANZAC are from the start; any two Allied powers once both are at war with Japan.
    """
    if a == b or (a in COMMONWEALTH and b in COMMONWEALTH):
        return True
    return rules.board.allied(a, b) and at_war_with_japan(state, a) and at_war_with_japan(state, b)


def friends_ground(rules: RuleSet, state: State, power: str, controller: str | None) -> bool:
    """Whether land of that controller is friendly to a power (P40-1.2.3).

    Dutch and French land is open to UK and ANZAC at any time and to the others once at war (P40-2.5.3, P40-2.5.4,
    P40-2.5.6).
    """
    if controller is None:
        return False
    if controller in PASSIVE:
        return power in COMMONWEALTH or (power in (USA, CHINA) and at_war_with_japan(state, power))
    return allies(rules, state, power, controller)


# -- enemies ----------------------------------------------------------------------------------------------------------


def hostile_territory(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a power may treat a territory as hostile: an enemy's, or Dutch, French or neutral land it may attack.

    Japan may attack French land at any time (P40-2.2.11), Dutch land while at war with UK and ANZAC (P40-2.2.9);
    Mongolia is hostile only under its option (P40-2.5.8).
    """
    printed = rules.board.spaces[space]
    if printed.is_sea or printed.kind == IMPASSABLE:
        return False
    controller = state.controller(space)
    if controller is None:
        return is_mongolia(printed) and mongolia_is_open(rules) and fights_somebody(rules, state, power)
    if power == JAPAN and controller == FRANCE:
        return True
    if power == JAPAN and controller == DUTCH:
        return all(state.at_war(JAPAN, other) for other in COMMONWEALTH)
    return state.at_war(power, controller)


def is_mongolia(printed: Space) -> bool:
    """Whether a space is one of the six neutral territories of Mongolia (P40-2.5.8)."""
    return printed.kind == "neutral"


def mongolia_is_open(rules: RuleSet) -> bool:
    """Whether the option to attack Mongolia is chosen (P40-2.5.8)."""
    return bool(rules.parameter("mongolia") == "attackable")


def fights_somebody(rules: RuleSet, state: State, power: str) -> bool:
    """Whether a power is at war with anybody."""
    return any(state.at_war(power, other) for other in rules.board.powers)


def may_attack(rules: RuleSet, state: State, power: str, space: str) -> Refusal | None:
    """Why a power may not attack a territory; None if it may.

    Peace (P40-2.2.6, P40-2.2.9, P40-2.3.1) and a guest of a power at peace with the attacker (P40-2.3.8) forbid it.
    """
    printed = rules.board.spaces[space]
    if not hostile_territory(rules, state, power, space):
        closed = _closed_country(rules, state, power, printed)
        if closed is not None:
            return closed
        if friends_ground(rules, state, power, state.controller(space)):
            return Refusal(
                f"{printed.name} is friendly; units move there in the noncombat move.", "P40-4.1.4",
                f"Write `noncombat:` before the line to move into {printed.name}.",
            )  # fmt: skip
        return _at_peace(rules, state, power, printed)
    for unit in state.units_in(space):
        bystander = unit.owner not in (power, "neutral") and not state.at_war(power, unit.owner)
        if bystander and not allies(rules, state, power, unit.owner):
            return Refusal(
                f"{printed.name} holds units of {_name(rules, unit.owner)}, with whom {_name(rules, power)} is at "
                "peace: it may not be attacked.",
                "P40-2.3.8",
            )
    return None


# -- entering ---------------------------------------------------------------------------------------------------------


def closed_to(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why a piece may not enter a space at all, neither as a friend nor fighting; None if it may.

    Closed countries (P40-2.5.1, P40-2.5.2, P40-2.5.8), China's borders (P40-2.4.1, P40-2.4.2), Chinese land for powers
    not at war with Japan (P40-2.2.12, P40-13-A18), and land of powers at peace (P40-2.3.1, P40-2.3.4).
    """
    printed = rules.board.spaces[space]
    closed = _closed_country(rules, state, power, printed) or _beyond_china(rules, unit, printed)
    if closed is not None or printed.is_sea:
        return closed
    if printed.original_owner == CHINA and power in WESTERN_ALLIES and not at_war_with_japan(state, power):
        return Refusal(
            f"{printed.name} is Chinese territory: entering it is an act of war against Japan, and "
            f"{_name(rules, power)} is not at war with Japan.",
            "P40-2.2.12",
            "Declare war on Japan first, if the rules allow it.",
        )
    if friends_ground(rules, state, power, state.controller(space)) or hostile_territory(rules, state, power, space):
        return None
    return _at_peace(rules, state, power, printed)


def _closed_country(rules: RuleSet, state: State, power: str, printed: Space) -> Refusal | None:
    if printed.kind == IMPASSABLE:
        if printed.original_owner == USSR:
            return Refusal(f"{printed.name} is Soviet: no unit may enter it or fly over it.", "P40-2.5.1")
        return Refusal(f"{printed.name} is impassable to everything.", "P40-2.5.2")
    neutral = is_mongolia(printed) and state.controller(printed.id) is None
    if neutral and not hostile_territory(rules, state, power, printed.id):
        return Refusal(f"{printed.name} is Mongolian and closed to all powers.", "P40-2.5.8")
    return None


def _beyond_china(rules: RuleSet, unit: Unit, printed: Space) -> Refusal | None:
    if unit.owner != CHINA or printed.original_owner == CHINA or printed.id in CHINA_ALSO_IN:
        return None
    if printed.is_sea and rules.board.units[unit.kind].domain == "land":
        return Refusal("Chinese units never board a transport.", "P40-2.4.2")
    return Refusal(
        f"Chinese units stay in China, Kwangtung and Burma; {printed.name} is outside.",
        "P40-2.4.1",
        "Choose a destination in China, Kwangtung or Burma.",
    )


def _at_peace(rules: RuleSet, state: State, power: str, printed: Space) -> Refusal:
    """Why peace keeps a power out of a territory: the sentence and the rule fit who is at peace with whom."""
    controller = state.controller(printed.id)
    owner = _name(rules, controller)
    if power == JAPAN and controller == DUTCH:
        return Refusal(
            f"{printed.name} is Dutch: Japan may attack it only while at war with the United Kingdom and ANZAC.",
            "P40-2.2.9",
            "Add the line `declare war on uk, anzac`.",
        )
    if USA in (power, controller) and JAPAN not in (power, controller):
        return Refusal(
            f"{printed.name} belongs to {owner}, which is no ally of {_name(rules, power)} before the United States "
            "are at war with Japan.",
            "P40-2.3.4",
        )
    if power == USA:
        return Refusal(
            f"The United States are at peace with Japan: they may not attack or enter {printed.name}.", "P40-2.2.6"
        )
    return Refusal(
        f"{printed.name} belongs to {owner}, with whom {_name(rules, power)} is at peace.",
        "P40-2.3.1",
        f"Declare war on {owner} at the start of your combat move." if state.phase != "noncombat_move" else None,
    )


# -- flying over and sailing ------------------------------------------------------------------------------------------


def fly_over(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why an aircraft may not pass over a space; None if it may (P40-4.3.1, P40-4.3.8).

    Japan and the Commonwealth may fly over each other's land in peace, not over Chinese land (P40-2.3.2,
    P40-13-B15); nobody
    crosses Soviet land (P40-2.5.1), the Himalayas (P40-2.5.2) or Mongolia (P40-2.5.9); Chinese aircraft stay in their
    area even in passing (P40-2.4.1).
    """
    printed = rules.board.spaces[space]
    if is_mongolia(printed) and state.controller(space) is None:
        return Refusal(f"Aircraft may not fly over {printed.name}, which is Mongolian.", "P40-2.5.9")
    refusal = closed_to(rules, state, power, unit, space)
    if refusal is None or refusal.rule != "P40-2.3.1":
        return refusal
    controller = state.controller(space)
    peaceful_pair = (power == JAPAN and controller in COMMONWEALTH) or (power in COMMONWEALTH and controller == JAPAN)
    return None if peaceful_pair else refusal


def may_end_anywhere(rules: RuleSet, state: State, power: str, unit: Unit, zone: str) -> Refusal | None:
    """No limit on where ships of powers at peace end their moves (P40-2.3.3)."""
    return None


def may_end_by_treaty(rules: RuleSet, state: State, power: str, unit: Unit, zone: str) -> Refusal | None:
    """Why a ship may not end its move in a zone while Japan and the United States are at peace (P40-2.3.9).

    American ships keep away from zones beside Japanese land, Japanese ships from zones within two of the Western
    United States and Alaska.
    """
    if state.at_war(USA, JAPAN) or power not in (USA, JAPAN) or rules.board.units[unit.kind].domain != "sea":
        return None
    board = rules.board
    name = board.spaces[zone].name
    if power == USA:
        beside = next((land for land in board.lands_beside(zone) if state.controller(land) == JAPAN), None)
        if beside is None:
            return None
        return Refusal(
            f"While at peace with Japan, American ships may not end their move in {name}: it lies beside "
            f"{board.spaces[beside].name}, which Japan holds.",
            "P40-2.3.9",
            "End the move in another zone.",
        )
    for home in ("western-united-states", "alaska"):
        if board.distance(home, zone, lambda space: board.spaces[space].is_sea, 2) is not None:
            return Refusal(
                f"While at peace with the United States, Japanese ships may not end their move in {name}: it lies "
                f"within two zones of {board.spaces[home].name}.",
                "P40-2.3.9",
                "End the move in another zone.",
            )
    return None


def _name(rules: RuleSet, power: str | None) -> str:
    known = rules.board.powers.get(power or "")
    return known.name if known is not None else "nobody"
