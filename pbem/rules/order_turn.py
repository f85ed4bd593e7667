"""Orders for the phases of a turn, one class each: buying, moving, bombarding, placing, cards and oil.

Which of them a game knows is for its rule set to say; nothing here judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.rules.order_values import Condition, Order, Pick


@dataclass(frozen=True, slots=True)
class DeclareWar(Order):
    """`declare war on uk`: processed before any move of the phase, wherever the line stands."""

    type: ClassVar[str] = "declare_war"
    phase: ClassVar[str | None] = "combat_move"
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StayAtPeace(Order):
    """`stay at peace`: decline an entry into the war that the rules offer; `stays` False takes it back."""

    type: ClassVar[str] = "stay_at_peace"
    phase: ClassVar[str | None] = "collect_income"
    stays: bool = True


@dataclass(frozen=True, slots=True)
class Buy(Order):
    """`buy 2 infantry`; an upgrade names `ic_major` and its space (`upgrade Korea`); facilities may name one.

    `treasury` says whose money where a seat has several: an economy (`india`) or a power. `count` None: as many as
    the money allows.
    """

    type: ClassVar[str] = "buy"
    phase: ClassVar[str | None] = "purchase"
    item: str
    count: int | None = 1
    space: str | None = None
    upgrade: bool = False
    treasury: str | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """`repair India 2`, `repair Kiangsu ic_minor 4`; `points` None removes all damage, `space` None wherever needed.

    `facility` `industrial_complex` also means the complex that stands there, of either size.
    """

    type: ClassVar[str] = "repair"
    phase: ClassVar[str | None] = "purchase"
    space: str | None
    facility: str | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Research(Order):
    """`research 2`, `research 1 for heavy_bombers`; `in_phase` draw_card: dice for a weapon card just drawn."""

    type: ClassVar[str] = "research"
    dice: int
    technology: str | None = None
    in_phase: str = "research"


@dataclass(frozen=True, slots=True)
class Move(Order):
    """`2 inf 1 art Kiangsi -> Hunan`: units along a path of spaces, the first where they stand.

    `purpose` is None, `bomb`, `escort`, `attack`, `patrol`, `deploy`; `target` names a facility to bomb.
    A later phase is chosen by `in_phase` (`noncombat:` before the line).
    """

    type: ClassVar[str] = "move"
    units: tuple[Pick, ...]
    path: tuple[str, ...]
    purpose: str | None = None
    target: str | None = None
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Load(Order):
    """`load 2 infantry Japan -> Sea Zone 6`: units board transports (or destroyers, carriers) in a zone."""

    type: ClassVar[str] = "load"
    units: tuple[Pick, ...]
    space: str
    zone: str
    onto: Pick | None = None
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """`unload 2 infantry Sea Zone 19 -> Formosa`: cargo goes ashore, as an assault or in the noncombat move."""

    type: ClassVar[str] = "unload"
    units: tuple[Pick, ...]
    zone: str
    space: str
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class AttackHere(Order):
    """`attack Sea Zone 6`, `attack Sea Zone 12 with 1 cruiser`: fight enemies that need not be fought."""

    type: ClassVar[str] = "attack"
    phase: ClassVar[str | None] = "combat_move"
    space: str
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class IgnoreHere(Order):
    """`ignore Sea Zone 6`: leave alone enemies there that need not be fought; `units` narrows who does."""

    type: ClassVar[str] = "ignore"
    phase: ClassVar[str | None] = "combat_move"
    space: str
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Bombard(Order):
    """`bombard Norway with 1 cruiser from Sea Zone 6`; no units at all means `bombard Norway with nothing`.

    `space` None holds for every landing.
    """

    type: ClassVar[str] = "bombard"
    phase: ClassVar[str | None] = "combat_move"
    space: str | None
    zone: str | None
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign(Order):
    """`assign 2 fighter Malaya to sea`: aircraft over a landing join its sea part or its land part."""

    type: ClassVar[str] = "assign"
    phase: ClassVar[str | None] = "combat_move"
    units: tuple[Pick, ...]
    space: str
    part: str


@dataclass(frozen=True, slots=True)
class LandOnly(Order):
    """`land only if own battleship left >= 1`: the assault goes on if this holds after the sea battle."""

    type: ClassVar[str] = "land_only"
    phase: ClassVar[str | None] = "combat_move"
    space: str | None
    when: Condition


@dataclass(frozen=True, slots=True)
class BattleSequence(Order):
    """`order: SZ 37, Malaya, Hunan`: in which order the battles are fought, within the rules' own order."""

    type: ClassVar[str] = "battle_sequence"
    phase: ClassVar[str | None] = "combat_move"
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rocket(Order):
    """`rocket Germany -> United Kingdom`: an antiaircraft gun (`space` None: any in range) fires at a complex."""

    type: ClassVar[str] = "rocket"
    phase: ClassVar[str | None] = "combat_move"
    space: str | None
    target: str


@dataclass(frozen=True, slots=True)
class Drop(Order):
    """`drop 1 infantry Germany -> Karelia S.S.R. with 1 bomber from Germany to Finland-Norway`: units go by air.

    The bombers (`by`) fly from `start` (None: where the units stand) to those, along `path`, and on to `end` (None:
    they stay over the place of the drop).
    """

    type: ClassVar[str] = "drop"
    units: tuple[Pick, ...]
    path: tuple[str, ...]
    by: tuple[Pick, ...]
    start: str | None = None
    end: str | None = None
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Place(Order):
    """`place 2 infantry Japan`, `place ic_minor Korea`, `place 1 fighter Sea Zone 6` (onto a carrier there)."""

    type: ClassVar[str] = "place"
    phase: ClassVar[str | None] = "mobilize"
    units: tuple[Pick, ...]
    space: str


@dataclass(frozen=True, slots=True)
class Refund(Order):
    """`refund infantry, artillery`: which items go back to the bank first when room is short."""

    type: ClassVar[str] = "refund"
    phase: ClassVar[str | None] = "mobilize"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormTaskForce(Order):
    """`form carrier task force Sea Zone 36: 1 carrier from pool, 2 destroyer`.

    `kind` is `carrier`, `bombardment`, `amphibious` or `eastern` (the Eastern Operation, whose zone the
    rules give).
    """

    type: ClassVar[str] = "form_task_force"
    phase: ClassVar[str | None] = "fuel_task_forces"
    kind: str
    zone: str | None
    units: tuple[Pick, ...]
    cargo: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class CombatAirPatrol(Order):
    """`cap 1 fighter Guam -> Sea Zone 25`: put aircraft on patrol."""

    type: ClassVar[str] = "cap"
    units: tuple[Pick, ...]
    space: str
    zone: str
    in_phase: str = "noncombat_move"
    when: Condition | None = None


NO_CARD = "none"


@dataclass(frozen=True, slots=True)
class PlayCard(Order):
    """`play heavy_tank: 1 tank Karelia S.S.R.`: a card with its objects, and a condition in standing orders.

    With `NO_CARD` for the card it answers a question about cards: none, whatever the standing orders say.

    `words` holds `with_move`, `late`, `intercepting`, `first_miss`, `always`; `path` stands instead of `space` where
    the card moves its units; `number` is a battle round; `power` a partner; `more` holds further units, each group with
    its path.
    """

    type: ClassVar[str] = "play"
    card: str
    space: str | None = None
    units: tuple[Pick, ...] = ()
    words: tuple[str, ...] = ()
    number: int | None = None
    path: tuple[str, ...] = ()
    power: str | None = None
    more: tuple[tuple[tuple[Pick, ...], tuple[str, ...]], ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class DrawCard(Order):
    """`roll victory die` (`deck` `victory_die`), `do not roll victory die` (`none`), `draw tactics`: the draw phase."""

    type: ClassVar[str] = "draw"
    phase: ClassVar[str | None] = "draw_card"
    deck: str
    discard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SplitConvoys(Order):
    """`convoy india 6, australia 6`: how shared convoy income is divided; `ratio` makes the shares a proportion."""

    type: ClassVar[str] = "convoy_split"
    phase: ClassVar[str | None] = "collect_income"
    shares: tuple[tuple[str, int], ...]
    ratio: bool = False


@dataclass(frozen=True, slots=True)
class Discard(Order):
    """`discard force_majeure, donation`: which cards go when a hand is full, the first legal one first."""

    type: ClassVar[str] = "discard"
    phase: ClassVar[str | None] = "draw_card"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommitPatrol(Order):
    """`commit all fighter Sea Zone 30 -> Sea Zone 29`: aircraft on patrol next door join a battle."""

    type: ClassVar[str] = "commit"
    units: tuple[Pick, ...]
    zone: str
    to: str
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class CarrierWing(Order):
    """`carrier fighters ride` / `carrier fighters land`: where they go when their task force breaks down."""

    type: ClassVar[str] = "carrier_wing"
    phase: ClassVar[str | None] = "noncombat_move"
    rides: bool = True


@dataclass(frozen=True, slots=True)
class Refit(Order):
    """`refit 1 destroyer Sea Zone 9`: where ships of a broken-down task force are placed (no units: all)."""

    type: ClassVar[str] = "refit"
    phase: ClassVar[str | None] = "mobilize"
    zone: str
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class GiveOil(Order):
    """`oil uk 1`: oil markers handed to a partner."""

    type: ClassVar[str] = "give_oil"
    phase: ClassVar[str | None] = "collect_income"
    power: str
    amount: int
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class PayEconomy(Order):
    """`pay economy` / `do not pay economy`: oil for the economy."""

    type: ClassVar[str] = "pay_economy"
    phase: ClassVar[str | None] = "collect_income"
    pays: bool = True


@dataclass(frozen=True, slots=True)
class FirstSeat(Order):
    """`first japan`: the winner of the initiative names who acts first."""

    type: ClassVar[str] = "first_seat"
    power: str
    when: Condition | None = None
