"""The reducer: `evolve(state, event) -> state` over plain facts of the board. It contains no rule.

Every kind of event the board understands has one small function below, with the shape of its payload in its
docstring (docs/events.md is made from them). An old log therefore always replays, whatever is later fixed in the
rules. Events the reader may not open, and kinds that change nothing on the board, only advance `size`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Protocol

from pbem.board.state import (
    SEALED_PHASES,
    Card,
    Group,
    SpaceState,
    State,
    Unit,
    Window,
    orders_key,
    relation_key,
    without_lines,
)

Payload = Mapping[str, Any]


class Fact(Protocol):
    """What the reducer needs of an event."""

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def at(self) -> int: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


class Draft:
    """A private, mutable copy of a state on which handlers work; `fold` reuses one for many events."""

    __slots__ = tuple(item.name for item in fields(State))
    size: int

    def __init__(self, state: State, touched: Iterable[str] | None = None) -> None:
        copy = set(touched) if touched is not None else None
        for name in self.__slots__:
            value = getattr(state, name)
            if isinstance(value, Mapping) and (copy is None or name in copy):
                value = dict(value)
            setattr(self, name, value)

    def freeze(self) -> State:
        """The state as a value again."""
        return State(**{name: getattr(self, name) for name in self.__slots__})


Handler = Callable[[Any, Payload, Fact], None]
HANDLERS: dict[str, tuple[Handler, tuple[str, ...]]] = {}


def _on(event_type: str, *touches: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        HANDLERS[event_type] = (handler, touches)
        return handler

    return register


def evolve(state: State, event: Fact) -> State:
    """The state after one more event."""
    known = HANDLERS.get(event.type)
    if known is None:
        return replace(state, size=event.seq + 1)
    handler, touches = known
    draft = Draft(state, touches)
    handler(draft, event.payload, event)
    draft.size = event.seq + 1
    return draft.freeze()


def fold(state: State, events: Iterable[Fact]) -> State:
    """The state after many events: equal to repeated `evolve`, on one private copy."""
    draft = Draft(state)
    handlers = HANDLERS
    last = None
    for event in events:
        last = event
        known = handlers.get(event.type)
        if known is not None:
            known[0](draft, event.payload, event)
    if last is None:
        return state
    draft.size = last.seq + 1
    return draft.freeze()


def _marked(marks: tuple[tuple[str, Any], ...], changes: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    kept = dict(marks)
    for key, value in changes.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value
    return tuple(sorted(kept.items()))


def _set_unit(draft: Any, unit: Unit) -> None:
    draft.units[unit.id] = unit


# -- the campaign ---------------------------------------------------------------------------------------------------


@_on("campaign_created", "settings", "counters")
def _campaign_created(draft: Any, p: Payload, event: Fact) -> None:
    """{game, edition, variants, options, rules_version, seats: {player: [powers]}, log_key, dice, ...}: event 0."""
    draft.settings = dict(p)


@_on("board_set_up", "spaces", "relations", "counters", "marks")
def _board_set_up(draft: Any, p: Payload, event: Fact) -> None:
    """{spaces: {id: controller}, facilities: [[space, kind, damage]], relations: [[a, b, status]], counters, marks}.

    `counters` is {power: {name: n}}.
    """
    draft.spaces = {space: SpaceState(controller) for space, controller in p["spaces"].items()}
    for space, kind, damage in p.get("facilities", ()):
        held = draft.spaces[space]
        draft.spaces[space] = SpaceState(held.controller, (*held.facilities, (kind, damage)))
    for a, b, status in p.get("relations", ()):
        draft.relations[relation_key(a, b)] = status
    for power, counts in p.get("counters", {}).items():
        for name, count in counts.items():
            draft.counters[f"{power}/{name}"] = count
    draft.marks.update(p.get("marks", {}))


@_on("round_begun")
def _round_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{round}."""
    draft.round = p["round"]


@_on("segment_begun")
def _segment_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{segment, round, power}: a script starts; `power` is the first power of its seat."""
    draft.segment = p["segment"]
    draft.round = p["round"]
    draft.power = p["power"]
    draft.phase = None


@_on("segment_ended")
def _segment_ended(draft: Any, p: Payload, event: Fact) -> None:
    """{segment}."""
    draft.segment = None
    draft.phase = None


@_on("phase_begun")
def _phase_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phase}."""
    draft.power = p["power"]
    draft.phase = p["phase"]


@_on("game_won")
def _game_won(draft: Any, p: Payload, event: Fact) -> None:
    """{side, how}."""
    draft.winner = p["side"]


@_on("paused")
def _paused(draft: Any, p: Payload, event: Fact) -> None:
    """{reason}: by the moderator."""
    draft.paused = True


@_on("resumed")
def _resumed(draft: Any, p: Payload, event: Fact) -> None:
    """{}: by the moderator."""
    draft.paused = False


@_on("player_replaced", "settings")
def _player_replaced(draft: Any, p: Payload, event: Fact) -> None:
    """{player, by, powers}: `by` plays these powers of `player` from now on."""
    seats = {player: [power for power in held if power not in p["powers"]]
             for player, held in draft.settings.get("seats", {}).items()}  # fmt: skip
    seats[p["by"]] = [*seats.get(p["by"], ()), *p["powers"]]
    draft.settings = {**draft.settings, "seats": {player: held for player, held in seats.items() if held}}


# -- pieces ---------------------------------------------------------------------------------------------------------


@_on("units_created", "units")
def _units_created(draft: Any, p: Payload, event: Fact) -> None:
    """{space, owner, units: [[id, kind, {aboard?, damage?, spent?, marks?}?]], why}."""
    for row in p["units"]:
        extra = row[2] if len(row) > 2 else {}
        unit = Unit(
            row[0],
            row[1],
            p["owner"],
            p["space"],
            extra.get("aboard"),
            extra.get("damage", 0),
            extra.get("spent", 0),
            tuple(sorted(extra.get("marks", {}).items())),
        )
        draft.units[unit.id] = unit
        number = int(unit.id[1:])
        if number >= draft.next_unit:
            draft.next_unit = number + 1


@_on("units_moved", "units")
def _units_moved(draft: Any, p: Payload, event: Fact) -> None:
    """{units, from, to, via?, spent?, marks?, phase?}: `spent` is added to the movement used; cargo goes along.

    Pieces that stood on a ship leave it, unless that ship moves in the same event.
    """
    to = p["to"]
    spent = p.get("spent", 0)
    marks = p.get("marks")
    moving = set(p["units"])
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        aboard = u.aboard if u.aboard in moving else None
        new_marks = _marked(u.marks, marks) if marks else u.marks
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, to, aboard, u.damage, u.spent + spent, new_marks)
    for u in [u for u in draft.units.values() if u.aboard in moving and u.id not in moving]:
        draft.units[u.id] = Unit(u.id, u.kind, u.owner, to, u.aboard, u.damage, u.spent, u.marks)


@_on("units_loaded", "units")
def _units_loaded(draft: Any, p: Payload, event: Fact) -> None:
    """{units, onto, from, zone, spent?, marks?}: pieces board the ship `onto`, which lies in `zone`."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = _marked(u.marks, p.get("marks", {}))
        draft.units[unit_id] = Unit(
            u.id, u.kind, u.owner, p["zone"], p["onto"], u.damage, u.spent + p.get("spent", 0), marks
        )


@_on("units_unloaded", "units")
def _units_unloaded(draft: Any, p: Payload, event: Fact) -> None:
    """{units, from, to, spent?, marks?}: cargo leaves its ship; `to` is a territory, or the same zone for aircraft."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = _marked(u.marks, p.get("marks", {}))
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, p["to"], None, u.damage, u.spent + p.get("spent", 0), marks)


@_on("units_removed", "units")
def _units_removed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, units, why, by?}: pieces leave the game for good."""
    for unit_id in p["units"]:
        del draft.units[unit_id]


@_on("units_damaged", "units")
def _units_damaged(draft: Any, p: Payload, event: Fact) -> None:
    """{space, damage: {id: hits taken}, why}: the new number, 0 for a repaired ship."""
    for unit_id, damage in p["damage"].items():
        u = draft.units[unit_id]
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, damage, u.spent, u.marks)


@_on("units_converted", "units")
def _units_converted(draft: Any, p: Payload, event: Fact) -> None:
    """{space, units, kind?, owner?, why}: pieces become another kind or change hands."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        kind, owner = p.get("kind", u.kind), p.get("owner", u.owner)
        draft.units[unit_id] = Unit(u.id, kind, owner, u.space, u.aboard, u.damage, u.spent, u.marks)


@_on("units_marked", "units")
def _units_marked(draft: Any, p: Payload, event: Fact) -> None:
    """{units, set: {mark: value or null}}: rules write something down about pieces; null wipes it."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = _marked(u.marks, p["set"])
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, u.damage, u.spent, marks)


@_on("units_refreshed", "units")
def _units_refreshed(draft: Any, p: Payload, event: Fact) -> None:
    """{owners?, keep: [marks]}: movement used becomes 0 and all marks but `keep` are wiped, of all or some powers."""
    owners = p.get("owners")
    keep = set(p.get("keep", ()))
    for u in list(draft.units.values()):
        if (u.spent or u.marks) and (owners is None or u.owner in owners):
            marks = tuple(pair for pair in u.marks if pair[0] in keep)
            draft.units[u.id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, u.damage, 0, marks)


# -- spaces, powers -------------------------------------------------------------------------------------------------


@_on("control_changed", "spaces")
def _control_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, from, to, why}."""
    held = draft.spaces.get(p["space"], SpaceState(None))
    draft.spaces[p["space"]] = SpaceState(p["to"], held.facilities)


@_on("facility_changed", "spaces")
def _facility_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, kind, damage: n or null, becomes?, why}: built or damaged (n), gone (null), or turned into `becomes`."""
    held = draft.spaces.get(p["space"], SpaceState(None))
    kind, damage, becomes = p["kind"], p["damage"], p.get("becomes")
    rows = []
    found = False
    for name, old in held.facilities:
        if name != kind:
            rows.append((name, old))
            continue
        found = True
        if damage is not None:
            rows.append((becomes or name, damage))
    if not found and damage is not None:
        rows.append((becomes or kind, damage))
    draft.spaces[p["space"]] = SpaceState(held.controller, tuple(rows))


@_on("counter_changed", "counters")
def _counter_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, counter, by, why}: money (`ipc`), kamikaze tokens, oil, victory points..."""
    key = f"{p['power']}/{p['counter']}"
    draft.counters[key] = draft.counters.get(key, 0) + p["by"]


@_on("purchases_changed", "purchases")
def _purchases_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, items: {kind: by}, why}: bought and waiting (positive), or placed or returned (negative)."""
    for kind, by in p["items"].items():
        key = f"{p['power']}/{kind}"
        draft.purchases[key] = draft.purchases.get(key, 0) + by
        if not draft.purchases[key]:
            del draft.purchases[key]


@_on("relation_changed", "relations")
def _relation_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{a, b, to, why}."""
    draft.relations[relation_key(p["a"], p["b"])] = p["to"]


@_on("technology_gained", "technologies")
def _technology_gained(draft: Any, p: Payload, event: Fact) -> None:
    """{power, technology}."""
    draft.technologies[p["power"]] = (*draft.technologies.get(p["power"], ()), p["technology"])


@_on("mark_set", "marks")
def _mark_set(draft: Any, p: Payload, event: Fact) -> None:
    """{key, value}: rules write down a fact of the past that a later rule asks for; null wipes it."""
    if p["value"] is None:
        draft.marks.pop(p["key"], None)
    else:
        draft.marks[p["key"]] = p["value"]


@_on("group_formed", "groups")
def _group_formed(draft: Any, p: Payload, event: Fact) -> None:
    """{group, kind, power, space, units, data?}: also replaces a group of that id."""
    group = Group(p["group"], p["kind"], p["power"], p["space"], tuple(p["units"]), p.get("data", {}))
    draft.groups[group.id] = group


@_on("group_dissolved", "groups")
def _group_dissolved(draft: Any, p: Payload, event: Fact) -> None:
    """{group, why}."""
    draft.groups.pop(p["group"], None)


# -- dice and cards -------------------------------------------------------------------------------------------------


@_on("deck_changed", "decks")
def _deck_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{deck, set: {...}}: sizes of piles, number of the pile, links opened."""
    draft.decks[p["deck"]] = {**draft.decks.get(p["deck"], {}), **p["set"]}


@_on("card_drawn", "cards", "decks")
def _card_drawn(draft: Any, p: Payload, event: Fact) -> None:
    """{card, deck, power, place, name?, ready?, data?, from?}: a copy comes into play; its name is public where given.

    It is the top card of its deck's pile, unless `from` says otherwise.
    """
    draft.cards[p["card"]] = Card(
        p["card"], p["deck"], p["place"], p["power"], p.get("name"), p.get("ready", True), p.get("data", {})
    )
    deck = draft.decks.get(p["deck"])
    if deck is not None and deck.get("left") and p.get("from", "pile") == "pile":
        draft.decks[p["deck"]] = {**deck, "left": deck["left"] - 1}


@_on("card_identified", "cards")
def _card_identified(draft: Any, p: Payload, event: Fact) -> None:
    """{card, name}: sealed to the holder, or public when a card is played."""
    draft.cards[p["card"]] = replace(draft.cards[p["card"]], name=p["name"])


@_on("card_moved", "cards")
def _card_moved(draft: Any, p: Payload, event: Fact) -> None:
    """{card, place, power?, ready?, data?}."""
    card = draft.cards[p["card"]]
    draft.cards[p["card"]] = replace(
        card,
        place=p.get("place", card.place),
        power=p.get("power", card.power),
        ready=p.get("ready", card.ready),
        data=p.get("data", card.data),
    )


@_on("cards_shuffled", "cards")
def _cards_shuffled(draft: Any, p: Payload, event: Fact) -> None:
    """{deck, cards}: these copies leave play, to lie unknown in the deck's next pile."""
    for card in p["cards"]:
        del draft.cards[card]


@_on("answers_weighed", "standing", "orders")
def _answers_weighed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, moment, played, refused: [{text, reason, rule, suggestion}], spent, ordered}: sealed to its power.

    What its sealed lines came to at one moment; lines spent are in force no more: `spent` of its answers and standing
    orders, `ordered` of its orders for the turn.
    """
    power = p["power"]
    if p["spent"] and power in draft.standing:
        draft.standing[power] = without_lines(draft.standing[power], p["spent"])
    for phase in SEALED_PHASES if p["ordered"] else ():
        key = orders_key(power, phase)
        if key in draft.orders:
            left = without_lines(draft.orders[key], p["ordered"])
            if left:
                draft.orders[key] = left
            else:
                del draft.orders[key]


# -- windows, orders, answers ---------------------------------------------------------------------------------------


@_on("window_opened", "windows")
def _window_opened(draft: Any, p: Payload, event: Fact) -> None:
    """{window, kind, powers, phases?, asks?}: the deadline comes by `deadline_set`."""
    draft.windows[p["window"]] = Window(
        p["window"], p["kind"], tuple(p["powers"]), tuple(p.get("phases", ())), tuple(p.get("asks", ())),
        event.at, p.get("deadline"), opened_seq=event.seq,
    )  # fmt: skip


@_on("deadline_set", "windows")
def _deadline_set(draft: Any, p: Payload, event: Fact) -> None:
    """{window, deadline, why}: milliseconds UTC, or null for none."""
    window = draft.windows.get(p["window"])
    if window is not None:
        draft.windows[p["window"]] = replace(window, deadline=p["deadline"])


@_on("window_closed", "windows", "entropy", "orders")
def _window_closed(draft: Any, p: Payload, event: Fact) -> None:
    """{window, why, texts: {power: text}, entropy: {power: hex}, orders? | answers?}: the sealed is opened.

    `orders` is {power: {phase: lines}} for an orders window, `answers` {power: lines} for decisions. Dice may follow.
    """
    draft.windows.pop(p["window"], None)
    draft.entropy.update(p.get("entropy", {}))
    for power, phases in p.get("orders", {}).items():
        for phase, lines in phases.items():
            draft.orders[orders_key(power, phase)] = tuple(lines)


@_on("orders_received", "orders", "windows")
def _orders_received(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phases: {phase: [{text, order}]}, window?}: replaces the orders of each phase named."""
    for phase, lines in p["phases"].items():
        draft.orders[orders_key(p["power"], phase)] = tuple(lines)
    _answered(draft, p, event)


@_on("orders_spent", "orders")
def _orders_spent(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phases}: the orders of these phases were carried out and are in force no more."""
    for phase in p["phases"]:
        draft.orders.pop(orders_key(p["power"], phase), None)


@_on("decision_given", "windows")
def _decision_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, window, answers: [{text, order}]}: replaces that power's earlier answers in the window."""
    _answered(draft, p, event)


@_on("asking_set", "marks")
def _asking_set(draft: Any, p: Payload, event: Fact) -> None:
    """{power, asks: [[decision or null, space or null]]}: when play stops for that power instead of defaulting."""
    draft.marks[f"asking/{p['power']}"] = p["asks"]


@_on("ready_given", "windows")
def _ready_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, window, ready}: the window need (or need not) wait for that power."""
    window = draft.windows.get(p["window"])
    if window is not None:
        others = tuple(power for power in window.ready if power != p["power"])
        draft.windows[window.id] = replace(window, ready=(*others, p["power"]) if p["ready"] else others)


@_on("concession_said", "marks")
def _concession_said(draft: Any, p: Payload, event: Fact) -> None:
    """{power, conceding}: a power's player concedes the game, or takes it back."""
    if p["conceding"]:
        draft.marks[f"conceded/{p['power']}"] = True
    else:
        draft.marks.pop(f"conceded/{p['power']}", None)


@_on("standing_orders_given", "standing")
def _standing_orders_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, orders: [{text, order}]}: replaces all standing orders of that power; sealed to it."""
    draft.standing[p["power"]] = tuple(p["orders"])


def _answered(draft: Any, p: Payload, event: Fact) -> None:
    window = draft.windows.get(p.get("window"))
    if window is not None:
        answered = window.answered if p["power"] in window.answered else (*window.answered, p["power"])
        draft.windows[window.id] = replace(window, answered=answered, heard_at=event.at)


@_on("correction_made", *(item.name for item in fields(State)))
def _correction_made(draft: Any, p: Payload, event: Fact) -> None:
    """{reason, facts: [{type, payload}]}: a moderator's ruling changes the board by facts like those above."""
    for fact in p["facts"]:
        HANDLERS[fact["type"]][0](draft, fact["payload"], event)


INFORMATION = (
    "dice_rolled",          # {purpose, entropy, count, faces, source, dice: [{unit, kind, owner, need}], chain?...}
    "decisions_taken",      # {decisions: [{key, power, kind, space?, round?, by, value, odds?}]}
    "answer_refused",       # {key, power, text, reason, rule, suggestion}: sealed to that power; counts as not given
    "order_refused",        # {power, phase, text, order, reason, rule, suggestion}
    "order_lapsed",         # {power, phase, text, order, reason, rule, suggestion}: legal when checked, impossible now
    "order_accepted",       # {power, phase, text, note?}
    "phase_ended",          # {power, phase}
    "battle_begun",         # {battle, space, kind, attackers, defenders}
    "battle_round_begun",   # {battle, space, round}
    "research_done",        # {power, dice, breakthroughs}
    "rocket_fired",         # {power, unit, from, space, rolled, paid}
    "raid_paid",            # {battle, space, power, rolled, paid}: bombs that cost the holder money
    "step_begun",           # {battle, space, round, step, name}
    "fire_skipped",         # {battle, space, round, step, side}: nobody of that side has a target now
    "hits_scored",          # {battle, space, round, step, side, hits: {category: n}}
    "losses_chosen",        # {battle, space, round, step, side, by, losses: [[unit, kind, owner, what]], wasted?}
    "bombardment_barred",   # {battle, space, zone, ships}: ships that do not bombard, for the rules cited
    "losses_chosen",        # {battle, space, round, step, side, losses: [[unit, kind, owner, effect]], by, wasted?}
    "aircraft_broke_off",   # {battle, space, units}
    "bombardment_barred",   # {battle, space, zone, ships}
    "scramble_held_back",   # {power, unit, space, zone, limit}
    "cards_dealt",          # {cards: {power: [names]}, piles: {deck: size}}: what everybody starts with
    "card_played",          # {power, card, name, deck, moment, space, units: [[owner, kind, n]], ids: [unit], ...}
    "card_worked",          # {power, card, name, space, result, ...}: what a card did when its time came
    "victory_die_rolled",   # {power, face, deck}
    "nothing_drawn",        # {power, deck, why}: no card is left, or the draw was forgone
    "weapon_researched",    # {power, card, dice, success}
    "battle_ended",         # {battle, space, result, rounds, survivors}
    "income_collected",     # {power, territories, convoy_loss, objectives: [[id, ipc]], total}
    "convoys_disrupted",    # {power, zones: [[zone, raw loss]], loss}
    "recruits_granted",     # {power, territories, road, infantry}: China's infantry of this turn
    "raid_paid",            # {battle, space, power, treasury, rolled, paid}: what a raid cost in money
    "initiative_won",       # {part, dice: {power: face}, winner, order}: who acts first in a phase of the turn
    "ruling_noted",         # {text, ...}
    "correction_requested", # {reason, facts: [{type, payload}]}: becomes `correction_made` at the next boundary
    "dispute_opened",       # {text, player, about?}
    "dispute_ruled",        # {text, about}: the moderator's answer, about event `about`; rules in the header
    "press_sent",           # {text, from}
    "mail_noted",           # {text}
    "rules_version_changed",  # {version}
    "dice_chain_committed", # {chain, start, length}: the chain that follows when the present one is used up
    "checkpoint_noted",     # {note}
    "player_conceded",      # {power}
    "secret_opened",        # {of, payload, salt}: sealed event `of` is readable by all from now on
    "rewound",              # {to, reason?}: events `to` up to this one are void
    "restored",             # {lost_from, lost_size, lost_root}: a restore from backup lost events
    "payload_erased",       # {of}: the payload of event `of` is gone for good
    "sealed",               # a sealed event as those see it who may not read it
)  # fmt: skip
"""Kinds of events that tell a story without changing the board (or are handled by the log, as rewinds are)."""
