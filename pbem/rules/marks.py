"""What rules write down about pieces and about the turn, and under which names: the contract between chapters.

Movement leaves these marks, battles read them, noncombat movement and placement read what both left. Marks of pieces
are wiped when their owner's turn ends (`units_refreshed`), marks of the turn when the turn ends.
"""

from __future__ import annotations

# -- marks of a piece (`Unit.marks`) ----------------------------------------------------------------------------------

START = "start"
"""Space where the piece stood when this turn began; set with its first move, load or launch."""
FROM = "from"
"""The last space it came from: where it may retreat to."""
VIA = "via"
"""List of spaces it passed in this turn, start and end excluded (escort of transports, canals, base zones)."""
MOVED = "moved"
"""The phase in which it moved, boarded or left a ship (`combat_move` or `noncombat_move`)."""
JOB = "job"
"""`raid` or `escort` for aircraft sent to bomb; absent for all other pieces."""
TARGET = "target"
"""Facility kind a raider was told to bomb, if he was."""
FLIGHT = "flight"
"""Number of the line that sent an aircraft where it is, kept where guns fire at aircraft that pass over together."""
LANDING = "landing"
"""Territory that this cargo will storm once its sea zone is free; the piece stays aboard until then."""
LOADED = "loaded"
"""The phase in which this cargo boarded; absent for cargo of an earlier turn."""
UNLOADED_TO = "unloaded_to"
"""Territory into which this transport has unloaded in this turn: it neither moves nor loads again."""
FOUGHT = "fought"
"""True once the piece took part in a battle or raid of this turn."""
SUBMERGED = "submerged"
"""True while a submarine lies submerged (till the end of the turn)."""
RETREATED = "retreated"
"""True for pieces that retreated this turn: cargo may not land."""
SCRAMBLED_FROM = "scrambled_from"
"""Base territory of an aircraft that scrambled; it lands when the noncombat move begins."""
INTERCEPTED = "intercepted"
"""True for a fighter that rose against a raid: it fights nowhere else this turn."""
STRANDED = "stranded"
"""True for a defending aircraft whose deck or territory is gone: it lands when the noncombat move begins."""
TASK = "task"
"""`attack`: a piece told to attack enemies in its zone that need not be fought; `quiet`: one that stays out of battles
there (a submarine in a hostile zone, P40-4.4.6; aircraft whose carrier sailed, P40-4.5.1); absent: nothing was said."""
DECK = "deck"
"""Ship from which an aircraft took off in this turn."""
CAP = "cap"
"""Territory a fighter on combat air patrol was launched from."""
PLACED = "placed"
"""True for a piece that was mobilized in this turn."""
CAPTURED = "captured"
"""True for an AA gun that changed hands in this turn: it neither moves nor fires."""

TOUGH = "tough"
"""How many hits more than its table says this piece takes before it is lost."""
AIM = "aim"
"""The highest face that hits when this gun fires at aircraft, in place of its table's."""
DROPPED = "dropped"
"""Territory from which this land unit came by air: guns fire at it as at an aircraft."""
SINGLED_OUT = "singled_out"
"""True for a raider at which facilities fire dice of its own."""

# -- marks of the turn (`State.marks`) --------------------------------------------------------------------------------


WEAPONS_WON = "turn/weapons"
"""Technologies that the active power won in this turn, in order."""


def taken(space: str) -> str:
    """Who controlled a space when the turn began, set when its control changes in the turn."""
    return f"turn/taken/{space}"


HOSTILE_AT_START = "turn/hostile_zones"
"""Sea zones that were hostile to the active power when its turn began (and before declarations of war)."""


def intent(zone: str) -> str:
    """`attack` or `ignore`: what was ordered about enemies there that need not be fought."""
    return f"turn/intent/{zone}"


def bombarders(territory: str) -> str:
    """List of ship ids told to bombard a territory; absent: all that may; an empty list: none."""
    return f"turn/bombard/{territory}"


def land_only(territory: str | None) -> str:
    """Condition (JSON of a `Condition`) on which an assault goes on after its sea battle; of all assaults for None."""
    return f"turn/land_only/{territory or '*'}"


COMBAT_PART = "turn/combat_part"
"""Number of the combat that is being moved for and fought, where a turn has several; absent where it has one."""
BATTLE_SEQUENCE = "turn/battle_sequence"
"""Spaces in the order in which the active power wants its battles fought."""
MOVE_SEQUENCE = "turn/move_sequence"
"""Spaces where combat moves end, in the order of the lines: the order of battles where none was named (P40-DP-14)."""


def sea_battle(zone: str) -> str:
    """True once a sea battle took place in a zone in this turn: no ship there may bombard.

    Where a turn has several combats, the number of the last one in which it did.
    """
    return f"turn/sea_battle/{zone}"


def facility_aim(territory: str) -> str:
    """The highest face that hits when a territory's facilities fire at raiders, in place of their table's."""
    return f"turn/facility_aim/{territory}"


def kamikaze_used(zone: str) -> str:
    """True once a kamikaze token was used in a zone in this turn."""
    return f"turn/kamikaze/{zone}"


def declared_war(power: str) -> str:
    """List of powers upon whom `power` declared war in this turn."""
    return f"turn/declared/{power}"


def meant_for(item: str) -> str:
    """List of spaces for which items of a kind were bought (`buy ic_minor Korea`, `upgrade Korea`)."""
    return f"turn/meant/{item}"


TURN_PREFIX = "turn/"
"""Every key that starts so is wiped when the turn ends."""

# -- marks of the campaign (`State.marks`), which outlast turns -----------------------------------------------------

BEGINS_AT = "begins_at"
"""{round, power, phase}: where play starts when it does not start at the beginning (ruling cases, recorded turns)."""
KAMIKAZE_UNLOCKED = "kamikaze/unlocked"
"""{segment, space}: the capture that allows kamikaze strikes; not yet usable in that same segment (P40-5.1.2)."""


def has_declared(power: str) -> str:
    """List of powers upon whom `power` ever declared war."""
    return f"politics/declared/{power}"


def unprovoked(power: str) -> str:
    """List of powers upon whom `power` declared war without having been provoked."""
    return f"politics/unprovoked/{power}"


def has_attacked(power: str) -> str:
    """List of the territories `power` ever attacked or entered that a later rule asks about."""
    return f"politics/attacked/{power}"


def paid_once(objective: str) -> str:
    """True once an objective that pays only once was paid."""
    return f"objective/paid/{objective}"


def victory_since(side: str) -> str:
    """{power, round}: in whose turn the condition for a side's victory became true; absent while it does not hold."""
    return f"victory/{side}"


def conceded(power: str) -> str:
    """True while that power's player concedes the game."""
    return f"conceded/{power}"
