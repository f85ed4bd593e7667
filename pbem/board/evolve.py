"""The reducer: `evolve(state, event) -> state` over plain facts of the board. It contains no rule.

Every kind of event the board understands has one small function in `pbem.board.facts`. An old log therefore always
replays, whatever is later fixed in the rules. Events the reader may not open, and kinds that change nothing on the
board (`INFORMATION`), only advance `size`. docs/events.md is made from both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.board import facts
from pbem.board.draft import HANDLERS, Draft, Fact
from pbem.board.state import State

__all__ = ["HANDLERS", "INFORMATION", "Draft", "Fact", "evolve", "facts", "fold"]


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


INFORMATION = {
    "dice_rolled": "{purpose, entropy, count, faces, source, dice: [{unit, kind, owner, need}], chain?...}",
    "decisions_taken": "{decisions: [{key, power, kind, space?, round?, by, value, odds?}]}",
    "answer_refused": "{key, power, text, reason, rule, suggestion, partly?}: sealed to that power; as if not given",
    "order_refused": "{power, phase, text, order, reason, rule, suggestion}",
    "order_lapsed": "{power, phase, text, order, reason, rule, suggestion}: legal when checked, impossible now",
    "order_accepted": "{power, phase, text, note?}",
    "phase_ended": "{power, phase}",
    "battle_begun": "{battle, space, kind, attackers, defenders}",
    "battle_round_begun": "{battle, space, round}",
    "research_done": "{power, dice, breakthroughs}",
    "rocket_fired": "{power, unit, from, space, rolled, paid}",
    "raid_paid": "{battle, space, power, treasury?, rolled, paid}: what a raid cost in money",
    "step_begun": "{battle, space, round, step, name}",
    "fire_skipped": "{battle, space, round, step, side}: nobody of that side has a target now",
    "hits_scored": "{battle, space, round, step, side, hits: {category: n}}",
    "losses_chosen": "{battle, space, round, step, side, by, losses: [[unit, kind, owner, what]], wasted?}",
    "bombardment_barred": "{battle, space, zone, ships}: ships that do not bombard, for the rules cited",
    "aircraft_broke_off": "{battle, space, units}",
    "scramble_held_back": "{power, unit, space, zone, limit}",
    "cards_dealt": "{cards: {power: [names]}, piles: {deck: size}}: what everybody starts with",
    "card_played": "{power, card, name, deck, moment, space, units: [[owner, kind, n]], ids: [unit], ...}",
    "card_worked": "{power, card, name, space, result, ...}: what a card did when its time came",
    "victory_die_rolled": "{power, face, deck}",
    "nothing_drawn": "{power, deck, why}: no card is left, or the draw was forgone",
    "weapon_researched": "{power, card, dice, success}",
    "battle_ended": "{battle, space, result, rounds, survivors}",
    "income_collected": "{power, territories, convoy_loss, objectives: [[id, ipc]], total}",
    "convoys_disrupted": "{power, zones: [[zone, raw loss]], loss}",
    "recruits_granted": "{power, territories, road, infantry}: China's infantry of this turn",
    "initiative_won": "{part, dice: {power: face}, winner, order}: who acts first in a phase of the turn",
    "ruling_noted": "{text, ...}",
    "correction_requested": "{reason, facts: [{type, payload}]}: becomes `correction_made` at the next boundary",
    "dispute_opened": "{text, player, about?}",
    "dispute_ruled": "{text, about}: the moderator's answer, about event `about`; rules in the header",
    "press_sent": "{text, from}",
    "mail_noted": "{text}",
    "rules_version_changed": "{version}",
    "dice_chain_committed": "{chain, start, length}: the chain that follows when the present one is used up",
    "checkpoint_noted": "{note}",
    "player_conceded": "{power}",
    "secret_opened": "{of, payload, salt}: sealed event `of` is readable by all from now on",
    "rewound": "{to, reason?}: events `to` up to this one are void",
    "restored": "{lost_from, lost_size, lost_root}: a restore from backup lost events",
    "payload_erased": "{of}: the payload of event `of` is gone for good",
    "sealed": "a sealed event as those see it who may not read it",
}
"""Kinds that tell something and change nothing on the board, with their payloads."""
