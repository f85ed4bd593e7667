"""A few pages for people: what is played here, one campaign with its map and log, and the button that says `ready`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, request

from pbem.audit.telling import Teller
from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.board.view import public_view
from pbem.campaign.advance import waited_for
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import players_of
from pbem.campaign.naming import powers_in_words
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.event import visible
from pbem.log.live import live
from pbem.log.store import NoSuchCampaign, Player

pages = Blueprint("pages", __name__, template_folder="../../templates/web")


def _referee() -> Referee:
    known = current_app.config["REFEREE"]
    assert isinstance(known, Referee)
    return known


def _loaded(campaign: str) -> Loaded:
    try:
        return load(_referee(), campaign)
    except NoSuchCampaign:
        abort(404, f"there is no campaign {campaign!r}")


@pages.get("/")
def home() -> str:
    """Every campaign with whom it waits for."""
    rows = [_row(load(_referee(), campaign)) for campaign in _referee().store.campaigns()]
    return render_template("home.html", campaigns=rows)


@pages.get("/c/<campaign>")
def campaign_page(campaign: str) -> str:
    """One campaign as everybody may see it: map, money, what it waits for, the latest events."""
    known = _loaded(campaign)
    return render_template(
        "campaign.html", campaign=_row(known), map=_map(known), powers=_powers(known), events=_latest(known)
    )


LATEST = 120
"""How many events back the page of a campaign tells."""
HOUSEKEEPING = frozenset((
    "mark_set", "units_marked", "units_refreshed", "orders_spent", "phase_ended", "segment_ended", "step_begun",
))  # fmt: skip
"""What the rules note down for themselves and no reader misses; the log has it."""


def _latest(known: Loaded) -> list[dict[str, Any]]:
    """The latest public events in words, the newest first."""
    seen = visible(_referee().store.read(known.play.campaign), frozenset())
    events = [event for event in live(seen) if event.readable]
    before, told = events[:-LATEST], events[-LATEST:]
    settings = known.settings
    teller = Teller(settings["game"], settings["edition"], fold(State(), before), texts=False, rules=False)
    rows = [(event, teller.lines(event)) for event in told]
    return [
        {"seq": event.seq, "lines": lines, "rules": event.rules}
        for event, lines in reversed(rows)
        if event.type not in HOUSEKEEPING
    ]


def _powers(known: Loaded) -> list[dict[str, Any]]:
    """Each power with its player, money, everything else it counts, what waits off the map, and how many cards."""
    state = public_view(known.play.now)
    board = known.play.rules.board
    players = players_of(state)
    rows: list[dict[str, Any]] = []
    for power in board.powers.values():
        if not power.playable:
            continue
        counters = state.counters_of(power.id)
        pools = Counter(unit.kind for unit in state.units_in(f"pool:{power.id}"))
        places = Counter(card.place for card in state.cards.values() if card.power == power.id)
        cards, used = places["hand"] + places["table"], places["table"]
        more = [f"{value} {name.replace('_', ' ')}" for name, value in sorted(counters.items()) if name != "ipc"]
        more += [f"{count} {kind.replace('_', ' ')} off the map" for kind, count in pools.items()]
        if cards:
            lie = f", {used} of them face up" if used else ""
            more.append(f"{cards} card{'s' if cards > 1 else ''} in hand{lie}")
        rows.append({
            "name": power.name, "ipc": state.counter(power.id), "more": more,
            "player": next((who for who, seats in players.items() if power.id in seats), ""),
            "spaces": sum(1 for held in state.spaces.values() if held.controller == power.id),
            "units": sum(1 for unit in state.units.values() if unit.owner == power.id and unit.space in board.spaces),
        })  # fmt: skip
    return rows


def _map(known: Loaded) -> str:
    """The board now, drawn as vectors."""
    from pbem.report.map.draw import draw
    from pbem.report.map.view import MapView
    from pbem.report.positions import space_views

    board = known.play.rules.board
    state = public_view(known.play.now)
    spaces = space_views(board, state, (), ())
    return draw(MapView(board=board.id, spaces=spaces, language="en", title=known.settings.get("title", "")))


def _row(known: Loaded) -> dict[str, Any]:
    state, board = known.play.now, known.play.rules.board
    window = next(iter(state.windows.values()), None)
    waiting_for = waited_for(state, window) if window is not None else ()
    return {
        "id": known.play.campaign, "title": known.settings.get("title", ""), "round": state.round,
        "power": powers_in_words(board, (state.power,)) if state.power else "", "winner": state.winner,
        "events": known.size, "phases": [phase.replace("_", " ") for phase in window.phases] if window else [],
        "paused": state.paused, "waiting_for": powers_in_words(board, waiting_for),
    }  # fmt: skip


# -- the ready button -----------------------------------------------------------------------------------------------


def _player(campaign: str, token: str) -> Player:
    player = _referee().store.player_by_token(token)
    if player is None or player.campaign != campaign:
        abort(404, "this link belongs to no player of this campaign")
    return player


@pages.get("/c/<campaign>/ready/<token>")
def ready_page(campaign: str, token: str) -> Response:
    """A page with one button: opening the link alone does nothing, for mail scanners open links."""
    player = _player(campaign, token)
    row = _row(_loaded(campaign))
    page = render_template("ready.html", campaign=row, player=player, said=None, action=request.path)
    return Response(page, headers={"Cache-Control": "no-store"})


@pages.post("/c/<campaign>/ready/<token>")
def say_ready(campaign: str, token: str) -> Response:
    """`ready`, as if it had been mailed."""
    player = _player(campaign, token)
    referee = _referee()
    now = referee.clock()
    number = f"ready-{now}"
    answer = submit(
        referee,
        Submission(campaign=campaign, player=player.id, text="ready", received_at=now, number=number),
        mail_answer=False,
    )
    current_app.config["NOTIFY"]("advance", campaign)
    page = render_template("ready.html", campaign=_row(_loaded(campaign)), player=player, said=answer, action="")
    return Response(page, headers={"Cache-Control": "no-store"})
