"""Phase 7: used weapons are turned down, the victory die is rolled, a card is drawn, a weapon is researched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import SEALED_PHASES, State
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.phases import first_discard, taken_this_turn
from pbem.games.s42.fov.table import CARDS, DRAW_PHASE, WEAPONS, deck_of_face
from pbem.games.s42.fov.weighing import STANDING, Line, Weighing, lines_of
from pbem.games.s42.fov.windows import sealed, turn_lines
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Discard, DrawCard, Research
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

VICTORY_DIE, NONE = "victory_die", "none"
RESEARCH_SUCCEEDS = 6


def draw_phase(game: Game) -> None:
    """The order of the phase (FOV-2.2.1, FOV-2.1.2): turn down, roll, limits, draw, research."""
    power = game.state.power or ""
    hands.turn_down(game, power)
    w = Weighing(game.rules, game.state, power, DRAW_PHASE)
    captured = has_captured(game.rules, game.state, power)
    if not captured:
        _refuse_rolls(w, turn_lines(game.state, power, DRAW_PHASE))
    elif _rolls(game, power):
        face = _victory_die(game, power)
        _draw_from(game, w, deck_of_face(face))
    w.spent += [line for phase in SEALED_PHASES for line in turn_lines(game.state, power, phase)]
    game.emit("answers_weighed", w.note(), ("FOV-6.1.8",), readers=(power,))


def has_captured(rules: RuleSet, state: State, power: str) -> bool:
    """Whether any territory left enemy control in this turn (FOV-2.2.2, FOV-R05)."""
    start = marks.taken("")
    spaces = [key[len(start) :] for key in state.marks if key.startswith(start)]
    taken = [space for space in spaces if taken_this_turn(rules, state, power, space)]
    if rules.parameter("draw_needs_foreign_land"):
        board = rules.board
        taken = [at for at in taken if state.controller(at) == power and board.spaces[at].original_owner != power]
    return bool(taken)


def _refuse_rolls(w: Weighing, lines: Sequence[Line]) -> None:
    for line in lines:
        if isinstance(line.order, DrawCard) and line.order.deck != NONE:
            w.refuse(line, Refusal("You captured nothing this turn, so you do not roll the victory die.", "FOV-2.2.2"))


def _lines(
    game: Game, key: str, kind: str, types: tuple[type, ...], public: dict[str, Any], *, waits: bool = True
) -> list[Line]:
    """Lines of these types; if there are none the player is asked (FOV-FD15, FOV-FD16).

    Whether play stops does not depend on the hand: any line for the question lets it go on.
    """
    power = game.state.power or ""
    own = [line for line in turn_lines(game.state, power, DRAW_PHASE) if isinstance(line.order, types)]
    standing = [row for row in game.state.standing.get(power, ()) if _is_type(row, types)]
    question = sealed(key, power, kind, waits=waits and not own and not standing, public=public)
    given = [line for line in lines_of(game.ask([question])[key]) if isinstance(line.order, types)]
    answers = [line for line in given if line.by != STANDING]
    return [*answers, *own, *(line for line in given if line.by == STANDING)]


def _is_type(row: Any, types: tuple[type, ...]) -> bool:
    return row["order"]["type"] in {kind.type for kind in types}  # type: ignore[attr-defined]


def _rolls(game: Game, power: str) -> bool:
    """Rolling is optional; silent: it is rolled, and nobody is asked who did not write `ask me draw` (FOV-2.2.3, FD14).

    So a draw takes one mail at most, but for a weapon that comes into a full hand (FOV-10.4).
    """
    lines = _lines(game, "draw:roll", "draw", (DrawCard,), {"what": "victory_die"}, waits=False)
    first = next((line.order for line in lines if isinstance(line.order, DrawCard)), None)
    return first is None or first.deck != NONE


def _victory_die(game: Game, power: str) -> int:
    row = {"unit": "victory_die", "kind": "victory_die", "owner": power}
    face = game.roll(1, power=power, step=VICTORY_DIE, dice=[row])[0]
    told = {"power": power, "face": face, "deck": deck_of_face(face)}
    game.emit("victory_die_rolled", told, ("FOV-2.2.1", "FOV-2.3.1", "FOV-1.7"))
    return face


def _draw_from(game: Game, w: Weighing, deck: str) -> None:
    """Limits first, then the card (FOV-3.1.2 to FOV-3.1.5, FOV-2.3.1); only weapons need research (FOV-2.4.5)."""
    power = w.power
    if not hands.can_draw(game.state, deck):
        game.emit("nothing_drawn", {"power": power, "deck": deck, "why": "empty"}, ("FOV-2.3.2", "FOV-R06"))
        return
    limit = hands.limit_reached(game.state, power, deck)
    if limit is None:
        _refuse_needless(game, w)
    elif not _make_room(game, w, deck, limit):
        game.emit("nothing_drawn", {"power": power, "deck": deck, "why": "forgone"}, ("FOV-3.1.5",))
        return
    copy, name = hands.draw(game, power, deck, ("FOV-2.3.1", "FOV-6.1.3"))
    w.state = game.state
    if deck == WEAPONS:
        _research(game, w, copy, name)


def _refuse_needless(game: Game, w: Weighing) -> None:
    """Nobody discards but for a full hand (FOV-3.2.3)."""
    for line in turn_lines(game.state, w.power, DRAW_PHASE):
        if isinstance(line.order, Discard):
            why = Refusal("Your hand is not full: nothing is discarded.", "FOV-3.2.3")
            w.refuse(line, why, by_chance=True)


def _make_room(game: Game, w: Weighing, deck: str, limit: str) -> bool:
    """Discard a card, of the full type if the type is full, and only then draw; or forgo it (FOV-FD15, FOV-R08)."""
    lines = _lines(game, "draw:discard", "discard", (Discard, DrawCard), {"deck": deck, "limit": limit})
    lines = [line for line in lines if isinstance(line.order, Discard) or _names_discards(line)]
    away = first_discard(w, lines, deck if limit == "type" else None)
    if away is None:
        return False
    hands.put_away(game, away, ("FOV-3.1.3" if limit == "type" else "FOV-3.1.2", "FOV-3.1.4", "FOV-6.1.4"))
    w.state = game.state
    return True


def _names_discards(line: Line) -> bool:
    return isinstance(line.order, DrawCard) and bool(line.order.discard)


def _research(game: Game, w: Weighing, copy: str, name: str) -> None:
    """One purchase of dice at 1 IPC each and one roll; a 6 keeps the weapon (FOV-2.4.1 to FOV-2.4.4, FOV-R07).

    The number is decided after seeing the card; silent: none, and the card is lost (FOV-FD16). Without its capital a
    power spends no money (FOV-R04, S42-6.3.2).
    """
    power = w.power
    money = 0 if game.rules.judge("capital_lost", game.state, power) else game.state.counter(power)
    lines = _lines(game, "draw:research", "research", (Research,), {"treasury": money})
    dice = min(_dice_wanted(lines, name), max(money, 0))
    shown: tuple[int, ...] = ()
    if dice:
        paid = {"power": power, "counter": "ipc", "by": -dice, "why": "research"}
        game.emit("counter_changed", paid, ("FOV-2.4.1", "FOV-2.4.3"))
        row = {"unit": copy, "kind": "research", "owner": power, "need": None}
        shown = game.roll(dice, power=power, step="research", dice=[row] * dice)
    kept = RESEARCH_SUCCEEDS in shown
    told = {"power": power, "card": copy, "dice": dice, "success": kept}
    game.emit("weapon_researched", told, ("FOV-2.4.1", "FOV-2.4.2", "FOV-2.4.3"))
    if not kept:
        hands.put_away(game, copy, ("FOV-2.4.2", "FOV-6.1.3"))


def _dice_wanted(lines: Sequence[Line], name: str) -> int:
    """What was said for this card counts before what was said for any (FOV-FD16)."""
    orders = [line.order for line in lines if isinstance(line.order, Research)]
    for order in orders:
        if order.technology == name:
            return order.dice
    return next((order.dice for order in orders if order.technology not in CARDS), 0)
