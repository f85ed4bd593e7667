"""Answers to the questions that come up in mid-phase, and the same things said in advance as standing orders.

An answer that the rules refuse counts as not given; nothing here judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.rules.order_values import ALL, Condition, Order, Pick


@dataclass(frozen=True, slots=True)
class Casualties(Order):
    """`casualties S: tank first` (every round) or `casualties S: carrier, fighter` (one name for each hit).

    `space` None holds for every battle; `first` tells a priority from a consumed list; `round` limits it to one
    battle round; `side` may be `attack` or `defend`, `domain` `land` or `sea`, for campaign-wide orders. `which` is
    `losses`, `aa` (aircraft lost to AA fire), `air` (air battle of a raid), `shared` (the attacker's choice
    between disagreeing defenders), `fog` or `heavy_artillery` (losses that a victory card asks for). `keep` names units
    to be lost last of all (`keep 1 fighter`), `last` kinds that come after every other.
    """

    type: ClassVar[str] = "casualties"
    space: str | None
    picks: tuple[Pick, ...]
    first: bool = True
    round: int | None = None
    which: str = "losses"
    side: str | None = None
    domain: str | None = None
    keep_land: int = 0
    when: Condition | None = None
    keep: tuple[Pick, ...] = ()
    last: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class RetreatPart(Order):
    """One part of a split retreat: `3 infantry to Karelia S.S.R.`, `1 carrier break off`, `landed re-embark`.

    `how` is None (to `to`), `break_off`, `re_embark`, `unload` (re-embarked units go ashore at `to`), `aboard`
    (they stay on their ships) or `evacuate` (by the ships in `via`, ashore at `to` or, with `to` None, aboard).
    """

    type: ClassVar[str] = "retreat_part"
    units: tuple[Pick, ...]
    to: str | None = None
    how: str | None = None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class Retreat(Order):
    """`retreat Hunan after round 1 to Kiangsi`; `parts` only where the rule set lets a side divide.

    `scope` narrows who goes: `overland`, `landed`, `air`, `overland_and_air`. `side` `attack` or `defend` narrows an
    order for every battle. `after_round` 0 means before the first round.
    """

    type: ClassVar[str] = "retreat"
    space: str | None
    to: str | None = None
    after_round: int | None = None
    parts: tuple[RetreatPart, ...] = ()
    scope: str | None = None
    when: Condition | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class PressOn(Order):
    """`press on Burma`: no retreat from that battle (space None: from none)."""

    type: ClassVar[str] = "press_on"
    space: str | None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Submerge(Order):
    """`submerge Sea Zone 6: all` / `none` (no units) / `1 submarine`; classic `withdraw` names `to`.

    `late` goes under only after the enemy's fire; `side` as in Retreat. `withdraws` without `to`: they leave for
    whatever zone is open.
    """

    type: ClassVar[str] = "submerge"
    space: str | None
    units: tuple[Pick, ...] | str = ALL
    after_round: int | None = None
    to: str | None = None
    when: Condition | None = None
    side: str | None = None
    late: bool = False
    withdraws: bool = False


@dataclass(frozen=True, slots=True)
class Scramble(Order):
    """`scramble 1 fighter Japan -> Sea Zone 6`; no units: `scramble none` (space and zone None: nowhere)."""

    type: ClassVar[str] = "scramble"
    units: tuple[Pick, ...]
    space: str | None = None
    zone: str | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Intercept(Order):
    """`intercept Germany: 1 fighter`; no units: none."""

    type: ClassVar[str] = "intercept"
    space: str | None
    units: tuple[Pick, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Kamikaze(Order):
    """`kamikaze Sea Zone 6: 2 on battleship, 1 on carrier`; no strikes: none.

    `prefer` and `most` say it by rule instead: targets in order of preference, at most so many strikes.
    """

    type: ClassVar[str] = "kamikaze"
    space: str | None
    strikes: tuple[tuple[int, Pick], ...] = ()
    when: Condition | None = None
    prefer: tuple[Pick, ...] = ()
    most: int | None = None


@dataclass(frozen=True, slots=True)
class SubmarineFire(Order):
    """`fire at transports Sea Zone 12: always | cargo | never`: submarines against passing transports."""

    type: ClassVar[str] = "submarine_fire"
    space: str | None
    when_to: str = "always"


@dataclass(frozen=True, slots=True)
class BombTargets(Order):
    """`bomb India: 2 bomber on ic_minor, 1 bomber on naval_base`: who bombs what (space None: in any raid)."""

    type: ClassVar[str] = "bomb_targets"
    space: str | None
    groups: tuple[tuple[Pick, str], ...]


@dataclass(frozen=True, slots=True)
class LandAircraft(Order):
    """`land 2 fighter Sea Zone 31 -> Wake Island`: where aircraft go whose deck or base is gone.

    `in_phase` is `land_cap` for aircraft that come back from patrol (Pacific 2001, phase 2).
    """

    type: ClassVar[str] = "land"
    units: tuple[Pick, ...]
    space: str
    to: str
    when: Condition | None = None
    in_phase: str | None = None


@dataclass(frozen=True, slots=True)
class LandingPreference(Order):
    """`land lost-carrier fighters: India, carrier`: landing places in order of preference, wherever the case arises.

    `group` is `stranded` (deck or base gone), `scrambled`, `interceptors`, `retreating`, or a kind of aircraft (its
    landings of the noncombat move). A place is a space, `carrier`, `island` or `nearest`.
    """

    type: ClassVar[str] = "landing_preference"
    group: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BattlePlan(Order):
    """`save air at all costs Ukraine S.S.R. from round 2`: the mail clubs' codes for a whole battle.

    `plan` is `save_air` (break off when the land units are gone), `save_air_at_all_costs` (when an aircraft could be
    the next loss), `take_at_all_costs` (aircraft before the last land unit), `kill_at_all_costs` (lose by
    attack strength, never break off) or `walk_in` (an undefended place).
    """

    type: ClassVar[str] = "battle_plan"
    plan: str
    space: str | None = None
    from_round: int | None = None


@dataclass(frozen=True, slots=True)
class Scorch(Order):
    """`scorch Karelia S.S.R.`: destroy what the enemy would capture, where the option allows it."""

    type: ClassVar[str] = "scorch"
    space: str | None
    scorches: bool = True


@dataclass(frozen=True, slots=True)
class Consent(Order):
    """`allow evacuation` / `refuse evacuation`, `allow fighter losses`: what allies may do with one's units.

    `to` is `evacuation` (own transports lift allied units) or `fighter_losses` (own fighters on allied carriers).
    """

    type: ClassVar[str] = "consent"
    to: str
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class LastResort(Order):
    """`last resort: join`: units whose only way out is land under attack join its defence, or stand.

    With a space (`last resort Ukraine S.S.R.: join`) for the battle there only.
    """

    type: ClassVar[str] = "last_resort"
    joins: bool = True
    space: str | None = None


@dataclass(frozen=True, slots=True)
class ControlMarker(Order):
    """`marker French Indo-China china`, `marker default australia`: whose marker goes on a captured space."""

    type: ClassVar[str] = "marker"
    space: str | None
    owner: str


@dataclass(frozen=True, slots=True)
class AllowCargo(Order):
    """`allow anzac cargo`: that power's units may board this power's transports."""

    type: ClassVar[str] = "allow_cargo"
    power: str
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class AskMe(Order):
    """`ask me`, `ask me casualties Yunnan`, `do not ask retreat`: stop and ask instead of defaulting."""

    type: ClassVar[str] = "ask_me"
    decision: str | None = None
    space: str | None = None
    ask: bool = True
