"""Reads lines that order nothing or speak about the orders: ready, add, cancel, ask me, and battle notes."""

from __future__ import annotations

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.names import GENERIC_PHASE
from pbem.orders.read_units import group, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    AddOnly,
    AskMe,
    BattleNote,
    CancelPhase,
    Concede,
    NothingTo,
    Order,
    Pick,
    Ready,
    RestDefault,
    Same,
)

# What can be asked, by the id that `ask me` takes, and the words for it.
DECISIONS: dict[str, str] = {
    "casualties": "casualties", "aa_losses": "aa_losses", "air_losses": "air_losses", "retreat": "retreat",
    "submerge": "submerge", "scramble": "scramble", "intercept": "intercept", "kamikaze": "kamikaze",
    "bombard": "bombard", "land": "decision_land", "bomb_targets": "decision_bombs", "choose": "choose",
    "submarine_fire": "decision_sub_fire", "card": "decision_card", "refund": "refund", "draw": "draw",
    "discard": "discard", "scorch": "scorch", "research": "research", "place": "place", "commit": "commit",
    "allow_cargo": "cargo", "withdraw": "withdraw", "break_off": "break_off", "last_resort": "last_resort",
    "consent": "decision_consent", "aim": "aim",
}  # fmt: skip

_WHOLE_LINES: dict[str, Order] = {
    "ready": Ready(True),
    "not_ready": Ready(False),
    "rest_default": RestDefault(),
    "add": AddOnly(),
    "same": Same(),
    "concede": Concede(True),
    "not_concede": Concede(False),
}


def whole_line(cursor: Cursor) -> list[Order] | None:
    """A line that is one of the fixed phrases and nothing else; None if it is not."""
    start = cursor.at
    word = cursor.word(*_WHOLE_LINES)
    if word is not None:
        while cursor.is_kind(Kind.DOT, Kind.COLON) or cursor.shown() == "!":
            cursor.at += 1
        if cursor.end():
            return [_WHOLE_LINES[word]]
        if word == "add":
            raise Refusal("`add` stands alone on the first line; the orders that are added follow below it", deep=99)
    cursor.at = start
    return None


ONLY_PHASES = (
    "`cancel` takes back what is ordered for a whole phase: `cancel purchase`, `cancel combat move`, "
    "`cancel noncombat move`, `cancel placement`, `cancel standing`; new lines for a phase replace its old ones"
)


def cancel(cursor: Cursor) -> list[Order]:
    """`cancel combat_move`, `cancel standing orders`, `cancel all` is refused: say which phase."""
    found = cursor.find("phase")
    if found is None:
        slip = cursor.unknown("phase", "a phase, or `standing`")
        raise slip if slip.suggestions or cursor.end() else Refusal(ONLY_PHASES, deep=cursor.at)
    cursor.at += found.length
    return [CancelPhase(GENERIC_PHASE.get(found.ids[0], found.ids[0]))]


def nothing(cursor: Cursor) -> list[Order] | None:
    """`nothing`, `no combat moves`, `none` under a heading: an empty phase on purpose; None if it is something else."""
    start = cursor.at
    said = cursor.word("none")
    if said is None:
        token = cursor.peek()
        if token is not None and token.key == "no":
            cursor.at += 1
            said = "no"
    if said is not None:
        cursor.word("to")
        found = cursor.find("phase")
        if found is not None:
            cursor.at += found.length
        elif said == "no":
            cursor.at = start
            return None
        phase = found.ids[0] if found is not None else cursor.phase
        if phase is not None and phase != "standing":
            return [NothingTo(phase)]
    cursor.at = start
    return None


def ask(cursor: Cursor, asks: bool) -> list[Order]:
    """`ask me`, `ask me casualties Yunnan`, `do not ask me retreat`."""
    decision = None
    word = cursor.word(*DECISIONS.values())
    if word is not None:
        decision = next(name for name, keyword in DECISIONS.items() if keyword == word)
    elif (card := cursor.find("card")) is not None and len(card.ids) == 1:
        cursor.at += card.length
        decision = card.ids[0]
    cursor.word("in")
    return [AskMe(decision, cursor.named("space"), asks)]


def battle_header(cursor: Cursor) -> list[Order] | None:
    """`#1 - W Eur (10 INF, AA)`, `Attack #2--Germany`; None if it is something else."""
    start = cursor.at
    cursor.word("attack")
    if cursor.take(Kind.HASH) is None:
        cursor.at = start
        return None
    number = cursor.take(Kind.NUMBER)
    if number is None:
        cursor.at = start
        return None
    cursor.take(Kind.DASH, Kind.COLON)
    space = cursor.space("the battle's space")
    defending: tuple[Pick, ...] = ()
    if cursor.take(Kind.OPEN):
        defending = some_group(cursor)
        if cursor.take(Kind.CLOSE) is None:
            raise Refusal("a closing parenthesis is missing", deep=cursor.at)
    return [BattleNote(int(number.text), space, defending=defending)]


def battle_note(cursor: Cursor) -> list[Order] | None:
    """`Attacker: 21 inf`, `Total UK v. Germany --- 8 INF v. 10 INF`, `Attacker captures while losing only 6 inf`."""
    first = cursor.peek()
    if first is None or first.key not in ("attacker", "attackers", "defender", "defenders", "total"):
        return None
    cursor.at += 1
    attacks = first.key.startswith("attacker")
    if first.key == "total":
        return [_total(cursor)]
    if cursor.take(Kind.COLON, Kind.DASH):
        units = some_group(cursor)
        return [BattleNote(attacking=units) if attacks else BattleNote(defending=units)]
    winner = "attacker" if attacks else "defender"
    verb = cursor.peek()
    if verb is None or verb.key not in ("captures", "wins", "holds", "takes"):
        return None
    cursor.at += 1
    while (token := cursor.peek()) is not None and token.key in ("while", "losing", "only", "and", "loses", "with"):
        cursor.at += 1
    return [BattleNote(winner=winner, captured=verb.key in ("captures", "takes"), lost=group(cursor))]


def _total(cursor: Cursor) -> BattleNote:
    attacker = cursor.named("power")
    _versus(cursor)
    defender = cursor.named("power")
    cursor.take(Kind.DASH, Kind.COLON)
    attacking = some_group(cursor)
    _versus(cursor)
    defending = some_group(cursor)
    return BattleNote(None, None, attacker, defender, attacking, defending)


def _versus(cursor: Cursor) -> None:
    token = cursor.peek()
    if token is None or token.key not in ("v", "vs", "versus", "against"):
        raise Refusal(f'"v." is expected before "{cursor.shown()}"', deep=cursor.at)
    cursor.at += 1
