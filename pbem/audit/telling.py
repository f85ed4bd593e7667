"""Events as lines of text, for a terminal or a page: what happened, every die, and each rule with its words once.

It follows the position so that units have names; it judges nothing and leaves the layout of reports to pbem.report.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pbem.board.evolve import evolve
from pbem.board.state import State
from pbem.games.catalog import load_board
from pbem.rules.tape import TapeEvent
from pbem.rules.texts import rule

Told = TapeEvent
"""What is needed of an event, stored or not."""


class Teller:
    """Tells events one after the other. `state` is the position before the first of them.

    `rules`: name the rules behind each event; `texts`: and print each in full when it is first named.
    """

    def __init__(
        self, game: str, edition: str | None, state: State | None = None, *, texts: bool = True, rules: bool = True
    ) -> None:
        self.board = load_board(game, edition)
        self.state = state if state is not None else State()
        self.texts = texts
        self.rules = rules
        self._cited: set[str] = set()

    def lines(self, event: Told) -> list[str]:
        """The lines of one event; the position moves on."""
        told = self._told(event)
        self.state = evolve(self.state, event)
        cited = f"  [{', '.join(event.rules)}]" if event.rules and self.rules else ""
        out = [told[0] + cited, *told[1:]]
        return [*out, *(f"    {text}" for text in self.new_rules(event.rules))] if self.texts else out

    def new_rules(self, cited: Sequence[str]) -> list[str]:
        """The words of each rule that is cited for the first time."""
        out = []
        for rule_id in cited:
            if rule_id not in self._cited:
                self._cited.add(rule_id)
                found = rule(rule_id)
                if found is not None:
                    out.append(f"{rule_id} {found.title}: {found.text}" if found.text else f"{rule_id} {found.title}")
        return out

    def space(self, space_id: str | None) -> str:
        """The printed name of a space."""
        if space_id is None:
            return "nowhere"
        known = self.board.spaces.get(space_id)
        return known.name if known is not None else space_id

    def units(self, ids: Iterable[str]) -> str:
        """Pieces by owner and kind: `japan 3 infantry, 1 tank`."""
        counts: dict[tuple[str, str], int] = {}
        for unit_id in ids:
            unit = self.state.units.get(unit_id)
            key = (unit.owner, unit.kind) if unit is not None else ("", unit_id)
            counts[key] = counts.get(key, 0) + 1
        parts: list[str] = []
        last = ""
        for (owner, kind), count in counts.items():
            parts.append(f"{owner + ' ' if owner != last else ''}{count} {kind}")
            last = owner
        return ", ".join(parts) or "nothing"

    def _told(self, event: Told) -> list[str]:
        tell = TELLERS.get(event.type)
        if event.type == "sealed":
            return ["(sealed)"]
        try:
            return tell(self, event.payload) if tell is not None else [_plainly(event)]
        except (KeyError, TypeError, IndexError, AttributeError):
            return [_plainly(event)]


def _plainly(event: Told) -> str:
    try:
        body = json.dumps(dict(event.payload), ensure_ascii=False)
    except LookupError as withheld:
        body = f"({withheld})"
    return f"{event.type} {body}"


# -- one function for each kind of event that has more to say than its payload ----------------------------------------

Body = Mapping[str, Any]
Tell = Callable[[Teller, Body], list[str]]


def dice_lines(dice: Sequence[Mapping[str, Any]], faces: Sequence[int]) -> list[str]:
    """Every die: its unit, the highest face that hits, what it showed and whether it hit; equal units together."""
    rows: dict[tuple[str, Any], list[str]] = {}
    for index, face in enumerate(faces):
        die = dice[index] if index < len(dice) else {}
        need = die.get("need")
        name = " ".join(str(die[key]) for key in ("owner", "kind") if die.get(key)) or "die"
        unit = f"{die['unit']} " if die.get("unit") else ""
        hit = "" if need is None else " HIT" if face <= need else " miss"
        rows.setdefault((name, need), []).append(f"{unit}{face}{hit}")
    return [f"    {name}{_needs(need)}: {', '.join(shown)}" for (name, need), shown in rows.items()]


def _needs(need: Any) -> str:
    return "" if need is None else ", hits on 1" if need == 1 else f", hits on {need} or less"


def _dice(teller: Teller, p: Body) -> list[str]:
    purpose = p["purpose"].split("\n")
    what = f"{purpose[7]}{' again, attempt ' + purpose[8] if len(purpose) > 8 else ''}"
    where = "" if purpose[5] == "-" else f" in {teller.space(purpose[5])}"
    battle_round = "" if purpose[6] == "0" else f", round {purpose[6]}"
    source = "" if p.get("source") in ("chain", None) else f" ({p['source']} dice)"
    return [
        f"dice: {purpose[3]} {what}{where}{battle_round}: {' '.join(map(str, p['faces']))}{source}",
        *dice_lines(p.get("dice", ()), p["faces"]),
    ]


def _moved(teller: Teller, p: Body) -> list[str]:
    path = [p["from"], *[space for space in p.get("via", ()) if space not in (p["from"], p["to"])], p["to"]]
    return [f"{teller.units(p['units'])}: {' -> '.join(teller.space(space) for space in path)}"]


def _created(teller: Teller, p: Body) -> list[str]:
    counts: dict[str, int] = {}
    for row in p["units"]:
        counts[row[1]] = counts.get(row[1], 0) + 1
    shown = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return [f"new: {p['owner']} {shown} in {teller.space(p['space'])} ({p.get('why', '')})"]


def _decided(teller: Teller, p: Body) -> list[str]:
    lines = ["decided:"]
    for row in p["decisions"]:
        where = f" {teller.space(row['space'])}" if row.get("space") else ""
        battle_round = f" round {row['round']}" if row.get("round") else ""
        value = json.dumps(row["value"], ensure_ascii=False)
        lines.append(f"    {row['power']} {row['kind']}{where}{battle_round}: {value} (by {row['by']})")
    return lines


def _refused(what: str) -> Tell:
    def tell(teller: Teller, p: Body) -> list[str]:
        lines = [f"{what}: {p['power']}: {p['text']}", f"    {p['reason']}"]
        return [*lines, f"    perhaps: {p['suggestion']}"] if p.get("suggestion") else lines

    return tell


def _closed(teller: Teller, p: Body) -> list[str]:
    lines = [f"window {p['window']} closed: {p['why']}"]
    for power, text in p.get("texts", {}).items():
        lines.extend(f"    {power}: {line}" for line in text.splitlines())
    return lines


def _hits(teller: Teller, p: Body) -> list[str]:
    hits = ", ".join(f"{count} on {kind}" for kind, count in p["hits"].items() if count) or "none"
    side = {"attack": "attackers", "defend": "defenders"}.get(p["side"], p["side"])
    return [f"hits of the {side}: {hits}"]


def _removed(teller: Teller, p: Body) -> list[str]:
    return [f"lost: {teller.units(p['units'])} in {teller.space(p['space'])} ({p['why']})"]


def _losses(teller: Teller, p: Body) -> list[str]:
    rows = [f"{owner} {kind} {unit} {what}" for unit, kind, owner, what in p["losses"]]
    wasted = f"; {p['wasted']} hits find nothing" if p.get("wasted") else ""
    return [f"hits are taken by {', '.join(rows) or 'nothing'}{wasted} (chosen by {p['by']})"]


def _damaged(teller: Teller, p: Body) -> list[str]:
    rows = [f"{teller.units([unit])} has taken {hits}" for unit, hits in p["damage"].items()]
    return [f"damage in {teller.space(p['space'])}: {'; '.join(rows)}"]


def _counter(teller: Teller, p: Body) -> list[str]:
    now = teller.state.counter(p["power"], p["counter"]) + p["by"]
    return [f"{p['power']}: {p['counter']} {p['by']:+d}, now {now} ({p.get('why', '')})"]


def _facility(teller: Teller, p: Body) -> list[str]:
    state = "gone" if p["damage"] is None else f"damage {p['damage']}"
    becomes = f" becomes {p['becomes']}," if p.get("becomes") else ""
    return [f"{p['kind']} in {teller.space(p['space'])}:{becomes} {state} ({p.get('why', '')})"]


def _opened(teller: Teller, p: Body) -> list[str]:
    asks = [
        f"    {ask['power']}: {ask['kind']}{' ' + teller.space(ask['space']) if ask.get('space') else ''}"
        for ask in p.get("asks", ())
    ]
    phases = f" for {', '.join(p['phases'])}" if p.get("phases") else ""
    return [f"window {p['window']} opened: {', '.join(p['powers'])}{phases}", *asks]


def _income(teller: Teller, p: Body) -> list[str]:
    rows = [f"    objective {row[0]}: {row[1]}" for row in p.get("objectives", ())]
    lost = f", convoys lose {p['convoy_loss']}" if p.get("convoy_loss") else ""
    return [f"income of {p['power']}: territories {p.get('territories', 0)}{lost}, total {p['total']}", *rows]


def _filed(teller: Teller, p: Body) -> list[str]:
    lines = [f"orders of {p['power']} came in"]
    for phase, rows in p["phases"].items():
        lines.extend(f"    {phase}: {row['text']}" for row in rows)
    return lines


def _given(key: str, what: str) -> Tell:
    def tell(teller: Teller, p: Body) -> list[str]:
        return [f"{what} of {p['power']}", *(f"    {row['text']}" for row in p[key])]

    return tell


def _units(pattern: str) -> Tell:
    """A pattern with {units} (by owner and kind) and members of the payload, spaces among them by name."""

    def tell(teller: Teller, p: Body) -> list[str]:
        shown = {key: _shown(teller, key, value) for key, value in p.items()}
        if "units" in p:
            shown["units"] = teller.units(p["units"])
        return [pattern.format_map(shown)]

    return tell


def _card_drawn(teller: Teller, p: Body) -> list[str]:
    if p["power"] is None:
        return [f"{p['card']} is set aside: it was drawn before the rewind"]
    return [f"{p['power']} draws {p['card']}"]


def _deadline(teller: Teller, p: Body) -> list[str]:
    if p.get("deadline") is None:
        return [f"window {p['window']} has no deadline any more ({p.get('why', '')})"]
    until = datetime.fromtimestamp(p["deadline"] / 1000, UTC)
    return [f"window {p['window']} is open until {until:%Y-%m-%d %H:%M} UTC ({p.get('why', '')})"]


def _purchases(teller: Teller, p: Body) -> list[str]:
    rows = ", ".join(f"{count:+d} {kind}" for kind, count in p["items"].items())
    return [f"{p['power']}: units waiting to be placed: {rows} ({p.get('why', '')})"]


def _cards_dealt(teller: Teller, p: Body) -> list[str]:
    hands = "; ".join(f"{power}: {', '.join(names)}" for power, names in p["cards"].items())
    piles = ", ".join(f"{size} {deck}" for deck, size in p["piles"].items())
    return [f"starting cards: {hands}; in the draw piles: {piles}"]


def _card_played(teller: Teller, p: Body) -> list[str]:
    where = f" in {teller.space(p['space'])}" if p.get("space") else ""
    on = f", on {teller.units(p['ids'])}" if p.get("ids") else ""
    return [f"{p['power']} plays {p['name']} ({p['card']}){where}{on}"]


def _card_worked(teller: Teller, p: Body) -> list[str]:
    where = f" in {teller.space(p['space'])}" if p.get("space") else ""
    known = ("power", "card", "name", "space", "result", "battle")
    more = "".join(f", {key} {value}" for key, value in p.items() if key not in known)
    return [f"{p['name']} of {p['power']}{where}: {p['result']}{more}"]


def _card_moved(teller: Teller, p: Body) -> list[str]:
    state = "" if p.get("ready") is None else ", ready" if p["ready"] else ", used"
    return [f"card {p['card']}: {p['place']}{state}"]


def _deck(teller: Teller, p: Body) -> list[str]:
    changed = p["set"]
    if "link" in changed:
        return [f"{p['deck']}: the link of pile {changed['opened']} is opened: {changed['link']}"]
    return [f"{p['deck']}: pile {changed['pile']} of {len(changed['cards'])} cards"]


def _weighed(teller: Teller, p: Body) -> list[str]:
    rows = [f"    refused: {row['text']}: {row['reason']} {row['rule']}" for row in p["refused"]]
    return [f"card orders of {p['power']} are weighed ({p['moment']})", *rows]


def _secret(teller: Teller, p: Body) -> list[str]:
    inner = p["payload"]
    return [f"event {p['of']} is opened: {inner['type']} {json.dumps(inner['payload'], ensure_ascii=False)}"]


def _shown(teller: Teller, key: str, value: Any) -> Any:
    if key in ("space", "from", "to", "zone") and isinstance(value, str):
        return teller.space(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value


TELLERS: Mapping[str, Tell] = {
    "segment_begun": _units("== {segment}: round {round}, {power}"),
    "segment_ended": _units("== {segment} ends"),
    "round_begun": _units("== round {round}"),
    "phase_begun": _units("-- {power}: {phase}"),
    "phase_ended": _units("-- {power}: {phase} is over"),
    "battle_begun": _units("battle in {space}: {kind}"),
    "battle_round_begun": _units("round {round} in {space}"),
    "step_begun": _units("step {name}"),
    "battle_ended": _units("battle in {space} is over: {result}"),
    "units_loaded": _units("{units} board {onto} in {zone}"),
    "units_unloaded": _units("{units} leave the ship in {from} for {to}"),
    "units_marked": _units("noted of {units}: {set}"),
    "mark_set": _units("noted: {key} = {value}"),
    "orders_spent": _units("orders of {power} for {phases} are carried out"),
    "units_converted": _units("{units} change in {space} ({why})"),
    "control_changed": _units("{space}: now {to}'s, was {from}'s ({why})"),
    "relation_changed": _units("{a} and {b}: {to} ({why})"),
    "game_won": _units("the game is won by {side}: {how}"),
    "paused": _units("paused: {reason}"),
    "resumed": _units("resumed"),
    "correction_made": _units("corrected: {reason}"),
    "technology_gained": _units("{power} has {technology}"),
    "units_moved": _moved,
    "units_created": _created,
    "units_removed": _removed,
    "units_damaged": _damaged,
    "dice_rolled": _dice,
    "decisions_taken": _decided,
    "order_refused": _refused("refused"),
    "order_lapsed": _refused("lapsed"),
    "answer_refused": _refused("answer refused"),
    "hits_scored": _hits,
    "losses_chosen": _losses,
    "counter_changed": _counter,
    "facility_changed": _facility,
    "window_opened": _opened,
    "window_closed": _closed,
    "income_collected": _income,
    "deadline_set": _deadline,
    "purchases_changed": _purchases,
    "orders_received": _filed,
    "standing_orders_given": _given("orders", "standing orders"),
    "decision_given": _given("answers", "answers"),
    "card_drawn": _card_drawn,
    "card_identified": _units("card {card} is {name}"),
    "cards_dealt": _cards_dealt,
    "card_played": _card_played,
    "card_worked": _card_worked,
    "card_moved": _card_moved,
    "deck_changed": _deck,
    "victory_die_rolled": _units("{power} rolls {face} with the victory die: {deck}"),
    "weapon_researched": _units("{power} researches {card} with {dice} dice, success: {success}"),
    "nothing_drawn": _units("{power} draws nothing from {deck}: {why}"),
    "answers_weighed": _weighed,
    "secret_opened": _secret,
}
