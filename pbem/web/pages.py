"""A few pages for people: what is played here, one campaign with its map and log, and the button that says `ready`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, request

from pbem.board.view import public_view
from pbem.campaign.advance import waited_for
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.event import visible
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
    state = public_view(known.play.now)
    events = [event for event in visible(_referee().store.read(campaign), frozenset()) if event.readable]
    told = [
        {"seq": event.seq, "type": event.type.replace("_", " "), "rules": event.rules, "text": _told(event.payload)}
        for event in events[-60:]
    ]
    powers = [
        {"id": power.id, "name": power.name, "ipc": state.counter(power.id),
         "player": next((who for who, seats in players_of(state).items() if power.id in seats), "")}
        for power in known.play.rules.board.powers.values()
        if power.playable
    ]  # fmt: skip
    return render_template(
        "campaign.html", campaign=_row(known), map=_map(known), powers=powers, events=list(reversed(told))
    )


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
    state = known.play.now
    window = next(iter(state.windows.values()), None)
    return {
        "id": known.play.campaign, "title": known.settings.get("title", ""), "game": known.settings["game"],
        "edition": known.settings["edition"], "round": state.round, "power": state.power, "winner": state.winner,
        "events": known.size, "window": window, "paused": state.paused,
        "waiting_for": waited_for(state, window) if window is not None else (),
    }  # fmt: skip


def _told(payload: Any) -> str:
    text = ", ".join(f"{key}: {value}" for key, value in payload.items() if not isinstance(value, dict | list))
    return text[:200]


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
