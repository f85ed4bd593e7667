"""Cards of the last phases: free units at mobilization, money and a weapon when income is collected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.state import State
from pbem.games.s42.fov import hands, plays
from pbem.games.s42.fov.plays import PLACED_FREE, Play, lay, tell
from pbem.games.s42.fov.subjects import subject_for
from pbem.games.s42.fov.table import CARDS, INC, MOB, WEAPONS
from pbem.games.s42.fov.weighing import Line, Weighing, lines_of, meant_for
from pbem.games.s42.fov.windows import conclude, sealed, turn_lines
from pbem.rules import marks, placement
from pbem.rules.decisions import Refusal, holds
from pbem.rules.order_model import Discard, DrawCard, PlayCard
from pbem.rules.placement import Site, Sites, held_since_start
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

Step = Callable[..., Any]
NO_PHASE = {MOB: "You have no mobilization while your capital is in enemy hands.",
            INC: "You collect no income while your capital is in enemy hands."}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card line whose time has come: the line, its order, and the copy it would use."""

    line: Line
    order: PlayCard
    copy: str


def wanted(game: Game, w: Weighing) -> list[Wanted]:
    """The lines of a phase that can be played now as far as the hand goes; others are refused (FOV-FD12, FOV-FD13)."""
    power = w.power
    rows = game.ask([sealed(f"cards:{w.moment}", power, "card", has_choice=False)])[f"cards:{w.moment}"]
    found: list[Wanted] = []
    for line in [*turn_lines(game.state, power), *lines_of(rows)]:
        order = line.order
        if not isinstance(order, PlayCard) or not meant_for(w.rules, order, w.moment):
            continue
        if not holds(order.when, subject_for(game.rules, game.state, power, order.space)):
            continue
        used = [one.copy for one in found]
        missing = hands.not_in_hand(game.state, power, order.card, used)
        if missing is not None:
            w.refuse(line, missing)
        elif game.rules.judge("capital_lost", game.state, power):
            rule = "FOV-F05.2" if order.card == "foreign_legion" else CARDS[order.card].rules[-1]
            w.refuse(line, Refusal(NO_PHASE[w.moment], "FOV-F11.2" if order.card == "eureka" else rule))
        else:
            copy = next(c for c in hands.ready_copies(game.state, power, order.card) if c not in used)
            found.append(Wanted(line, order, copy))
    return found


# -- mobilization -----------------------------------------------------------------------------------------------------


def mobilize(base: Step) -> Step:
    """Free units come before those that were bought (FOV-F06.2, FOV-R27)."""

    def step(game: Game, filed: Sequence[Filed]) -> None:
        power = game.state.power or ""
        w = Weighing(game.rules, game.state, power, MOB)
        for one in wanted(game, w):
            w.state = game.state
            refusal = FREE_UNITS[one.order.card](game, w, one)
            if refusal is not None:
                w.refuse(one.line, refusal)
        conclude(game, w)
        base(game, filed)

    return step


def _play(game: Game, w: Weighing, one: Wanted, space: str | None) -> Play:
    play = Play(one.order.card, w.power, one.copy, space)
    w.accept(one.line, one.order, play)
    lay(game, play, w.moment)
    return play


def _create(game: Game, play: Play, kind: str, space: str, rules: Sequence[str]) -> None:
    unit = [f"u{game.state.next_unit}", kind, {"marks": {marks.PLACED: True}}]
    created = {"space": space, "owner": play.power, "units": [unit], "why": "card"}
    game.emit("units_created", created, rules)


def _foreign_legion(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """A free infantry in land held since the turn began; it needs no complex and no capacity (FOV-F05.1, FOV-F05.2)."""
    space = one.order.space or ""
    if space not in game.board.spaces or game.board.spaces[space].is_sea:
        return Refusal("Say where: `play foreign_legion: TERRITORY`.", "FOV-F05.1")
    if not held_since_start(game.state, w.power, space):
        taken = game.state.controller(space) == w.power
        why = "was taken in this turn" if taken else "is not yours"
        return Refusal(f"{w.name(space)} {why}; the infantry goes where you ruled since your turn began.",
                       "FOV-F05.2" if taken else "FOV-F05.1")  # fmt: skip
    _create(game, _play(game, w, one, space), "infantry", space, ("FOV-F05.1",))
    return None


def _military_support(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """Artillery, gun or tank by a die, placed under the normal rules, lost without room (FOV-F06.1, FOV-F06.2)."""
    space = one.order.space or ""
    found = _room(game, w.power, "infantry", space)
    if not isinstance(found, Site):
        reason = found.reason if found is not None else "Say where: `play military_support: TERRITORY`."
        return Refusal(reason, "FOV-F06.1")
    play = _play(game, w, one, space)
    row = {"unit": play.copy, "kind": play.card, "owner": w.power}
    face = game.roll(1, power=w.power, step="military_support", space=space, dice=[row])[0]
    kind = ("artillery", "aa_gun", "tank")[(face - 1) // 2]
    _use_capacity(game, found)
    _create(game, play, kind, space, ("FOV-F06.1", "FOV-F06.2", "S42-8.1.3"))
    return None


def _merchant_marine(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """A free transport beside an own complex with room (FOV-F07.1)."""
    space = one.order.space or ""
    found = _room(game, w.power, "transport", space)
    if not isinstance(found, Site):
        reason = found.reason if found is not None else "Say where: `play merchant_marine: SEA ZONE`."
        return Refusal(reason, "FOV-F07.1")
    play = _play(game, w, one, space)
    _use_capacity(game, found)
    _create(game, play, "transport", space, ("FOV-F07.1",))
    return None


def _spoils_of_war(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """A free tank where an enemy tank was destroyed and the land was taken (FOV-F08.1, FOV-F08.2, FOV-R31)."""
    space = one.order.space or ""
    if space not in game.board.spaces or game.board.spaces[space].is_sea:
        return Refusal("Say where: `play spoils_of_war: TERRITORY`.", "FOV-F08.1")
    if not taken_this_turn(game.rules, game.state, w.power, space):
        return Refusal(f"You took {w.name(space)} not in this turn.", "FOV-F08.1")
    if not game.state.marks.get(plays.tank_lost(space)):
        return Refusal(f"No enemy tank was destroyed in {w.name(space)} this turn.", "FOV-F08.2")
    _create(game, _play(game, w, one, space), "tank", space, ("FOV-F08.1",))
    return None


FREE_UNITS: dict[str, Callable[[Game, Weighing, Wanted], Refusal | None]] = {
    "foreign_legion": _foreign_legion,
    "military_support": _military_support,
    "merchant_marine": _merchant_marine,
    "spoils_of_war": _spoils_of_war,
}


def taken_this_turn(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a territory left enemy control in this turn, liberations included (FOV-2.2.2, FOV-R31)."""
    before = state.marks.get(marks.taken(space))
    if not before or not state.at_war(power, before):
        return False
    now = state.controller(space)
    return now is not None and not state.at_war(power, now)


def _room(game: Game, power: str, kind: str, space: str) -> Site | Refusal | None:
    """How a free unit may be placed there with the capacity that is left; None for no space of the board."""
    if space not in game.board.spaces:
        return None
    where: Sites = game.rules.judge("sites", game.state, power)
    found: Site | Refusal = game.rules.judge("site", game.state, power, where, kind, space)
    return found


def _use_capacity(game: Game, site: Site) -> None:
    used = [*game.state.marks.get(PLACED_FREE, ()), list(site.complexes)]
    game.emit("mark_set", {"key": PLACED_FREE, "value": used})


def sites(rules: RuleSet, state: State, power: str) -> Sites:
    """What the complexes can still place: units that cards placed there count (FOV-F06.2, FOV-R27)."""
    where = placement.sites(rules, state, power)
    where.used += [list(complexes) for complexes in state.marks.get(PLACED_FREE, ())]
    return where


# -- income -----------------------------------------------------------------------------------------------------------


def collect_income(base: Step) -> Step:
    """Donation and Eureka in the collect-income phase (FOV-F04.1, FOV-F11.1)."""

    def step(game: Game, filed: Sequence[Filed]) -> None:
        base(game, filed)
        power = game.state.power or ""
        w = Weighing(game.rules, game.state, power, INC)
        for one in wanted(game, w):
            w.state = game.state
            refusal = _donation(game, w, one) if one.order.card == "donation" else _eureka(game, w, one)
            if refusal is not None:
                w.refuse(one.line, refusal)
        conclude(game, w)

    return step


def _donation(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """The higher of two dice goes to the treasury (FOV-F04.1, FOV-F04.2)."""
    play = _play(game, w, one, None)
    row = {"unit": play.copy, "kind": play.card, "owner": w.power}
    most = max(game.roll(2, power=w.power, step="donation", dice=[row, row]))
    game.emit("counter_changed", {"power": w.power, "counter": "ipc", "by": most, "why": "donation"}, ("FOV-F04.1",))
    tell(game, play, "money", ("FOV-F04.1",), {"amount": most})
    return None


def _eureka(game: Game, w: Weighing, one: Wanted) -> Refusal | None:
    """A weapon that needs no research; the limits of the hand hold (FOV-F11.1, FOV-F11.3, FOV-3.1.6).

    If they forbid the draw and no legal discard is ordered, or no weapon is left, Eureka stays in the hand.
    """
    if not hands.can_draw(game.state, WEAPONS):
        return Refusal("No weapon card is left anywhere.", "FOV-F11.3")
    limit = hands.limit_reached(game.state, w.power, WEAPONS, leaving=1)
    away: str | None = None
    if limit is not None:
        away = first_discard(w, discard_lines(game, w.power, INC), WEAPONS if limit == "type" else None, (one.copy,))
        if away is None:
            named = any(row["order"]["type"] in ("discard", "draw") for row in w.refused)
            refusal = Refusal("You hold five weapons: say which weapon card you discard.", "FOV-F11.3",
                              "play eureka; discard CARD")  # fmt: skip
            if named:
                w.refuse(one.line, refusal, lapsed=True)
                return None
            return refusal
    _play(game, w, one, None)
    if away is not None:
        hands.put_away(game, away, ("FOV-3.1.3" if limit == "type" else "FOV-3.1.2", "FOV-3.1.4", "FOV-3.1.6"))
    hands.draw(game, w.power, WEAPONS, ("FOV-F11.1", "FOV-4.4.1"))
    return None


# -- discards ---------------------------------------------------------------------------------------------------------


def discard_lines(game: Game, power: str, moment: str) -> list[Line]:
    """What a power says about cards to discard, for this turn and standing."""
    key = f"discards:{moment}"
    rows = game.ask([sealed(key, power, "discard", has_choice=False)])[key]
    return [*turn_lines(game.state, power, "draw_card"), *lines_of(rows)]


def first_discard(w: Weighing, lines: Sequence[Line], deck: str | None, kept: Sequence[str] = ()) -> str | None:
    """The first card named that may go: of the deck that is full, or any (FOV-3.1.2, FOV-3.1.3, FOV-R08).

    Lines that name no legal card are refused; `kept` are copies that leave the hand otherwise.
    """
    for line in lines:
        order = line.order
        names = order.cards if isinstance(order, Discard) else order.discard if isinstance(order, DrawCard) else ()
        held = [card for card in hands.cards_of(w.state, w.power) if card.id not in kept]
        for name in names:
            copy = next((c for c in held if c.name == name and deck in (None, c.deck)), None)
            if copy is not None:
                w.spend(line)
                return copy.id
        if names and any(card.name in names for card in held):
            w.refuse(line, Refusal(f"Your hand is full of {deck} cards: one of these must go.", "FOV-3.1.3"),
                     by_chance=True)  # fmt: skip
        elif names:
            w.refuse(line, hands.not_in_hand(w.state, w.power, names[0]) or Refusal("Not in your hand.", "FOV-10.2"))
    return None
