"""The campaign itself: its settings and set-up, rounds and turns, pauses, its end."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pbem.board.draft import HANDLERS, Fact, Payload, on
from pbem.board.state import SpaceState, State, relation_key


@on("campaign_created", "settings", "counters")
def _campaign_created(draft: Any, p: Payload, event: Fact) -> None:
    """{game, edition, variants, options, rules_version, seats: {player: [powers]}, log_key, dice, ...}: event 0."""
    draft.settings = dict(p)


@on("board_set_up", "spaces", "relations", "counters", "marks")
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


@on("round_begun")
def _round_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{round}."""
    draft.round = p["round"]


@on("segment_begun")
def _segment_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{segment, round, power}: a script starts; `power` is the first power of its seat."""
    draft.segment = p["segment"]
    draft.round = p["round"]
    draft.power = p["power"]
    draft.phase = None


@on("segment_ended")
def _segment_ended(draft: Any, p: Payload, event: Fact) -> None:
    """{segment}."""
    draft.segment = None
    draft.phase = None


@on("phase_begun")
def _phase_begun(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phase}."""
    draft.power = p["power"]
    draft.phase = p["phase"]


@on("game_won")
def _game_won(draft: Any, p: Payload, event: Fact) -> None:
    """{side, how}."""
    draft.winner = p["side"]


@on("paused")
def _paused(draft: Any, p: Payload, event: Fact) -> None:
    """{reason}: by the moderator."""
    draft.paused = True


@on("resumed")
def _resumed(draft: Any, p: Payload, event: Fact) -> None:
    """{}: by the moderator."""
    draft.paused = False


@on("player_replaced", "settings")
def _player_replaced(draft: Any, p: Payload, event: Fact) -> None:
    """{player, by, powers}: `by` plays these powers of `player` from now on."""
    seats = {player: [power for power in held if power not in p["powers"]]
             for player, held in draft.settings.get("seats", {}).items()}  # fmt: skip
    seats[p["by"]] = [*seats.get(p["by"], ()), *p["powers"]]
    draft.settings = {**draft.settings, "seats": {player: held for player, held in seats.items() if held}}


@on("correction_made", *(item.name for item in fields(State)))
def _correction_made(draft: Any, p: Payload, event: Fact) -> None:
    """{reason, facts: [{type, payload}]}: a moderator's ruling changes the board by facts like those above."""
    for fact in p["facts"]:
        HANDLERS[fact["type"]][0](draft, fact["payload"], event)
