"""The JSON API: campaigns, orders, receipts, events, any position, reports, the log. OpenAPI: /api/openapi.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, abort, current_app, request, stream_with_context
from flask.views import MethodView
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from pbem.board.evolve import fold
from pbem.board.state import State, state_to_json
from pbem.board.view import view
from pbem.campaign.advance import waited_for
from pbem.campaign.answer import Answer
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.log.event import Event
from pbem.log.export import export
from pbem.log.live import live
from pbem.log.store import NoSuchCampaign, Player
from pbem.web.described import BUNDLE, FORMS, NOTE, ORDERS_SENT, OWN, OWN_OR_PUBLIC
from pbem.web.intake import MOST_BYTES, SOURCE, Unreadable, handle_body, keep_body, line_json, read_only, text_of
from pbem.web.viewers import Looker, events_for, looker, token_of

blueprint = Blueprint("api", __name__, url_prefix="/api", description="Campaigns and their orders")


class CampaignSchema(Schema):
    """A campaign as everybody may see it."""

    id = fields.String(required=True)
    title = fields.String()
    game = fields.String()
    edition = fields.String()
    variants = fields.List(fields.String())
    round = fields.Integer()
    power = fields.String(allow_none=True)
    phase = fields.String(allow_none=True)
    events = fields.Integer(metadata={"description": "number of events in the log"})
    windows = fields.List(fields.Dict())
    winner = fields.String(allow_none=True)


class PageQuery(Schema):
    """Which events."""

    first = fields.Integer(load_default=0, validate=lambda n: n >= 0)
    limit = fields.Integer(load_default=200, validate=lambda n: 0 < n <= 1000)


class StateQuery(Schema):
    """Which position: after how many events."""

    at = fields.Integer(load_default=None, allow_none=True, validate=lambda n: n is None or n >= 0)


def referee() -> Referee:
    """The referee of this application."""
    known = current_app.config["REFEREE"]
    assert isinstance(known, Referee)
    return known


def loaded(campaign: str) -> Loaded:
    """The campaign, or 404."""
    try:
        return load(referee(), campaign)
    except NoSuchCampaign:
        abort(404, description=f"there is no campaign {campaign!r}")


def asking(campaign: str) -> Looker:
    """Who asks, or 401 for a token of somebody else."""
    loaded(campaign)
    found = looker(referee(), campaign, token_of(request))
    if found is None:
        abort(401, description="this token belongs to no player of this campaign")
    return found


def player_asking(campaign: str) -> Looker:
    """The player who asks, or 401."""
    found = asking(campaign)
    if found.player is None:
        abort(401, description="say who you are: Authorization: Bearer and the secret part of your reply address")
    return found


def player_of_token(campaign: str) -> Player:
    """The player whose token was sent, or 401; the campaign itself is not loaded for it."""
    token = token_of(request)
    if not token:
        abort(401, description="say who you are: Authorization: Bearer and the secret part of your reply address")
    player = referee().store.player_by_token(token)
    if player is None or player.campaign != campaign:
        abort(401, description="this token belongs to no player of this campaign")
    return player


@blueprint.route("/campaigns")
class Campaigns(MethodView):
    """All campaigns."""

    @blueprint.response(200, CampaignSchema(many=True))
    def get(self) -> list[dict[str, Any]]:
        """List campaigns."""
        return [summary(load(referee(), campaign)) for campaign in referee().store.campaigns()]


@blueprint.route("/campaigns/<campaign>")
class Campaign(MethodView):
    """One campaign."""

    @blueprint.response(200, CampaignSchema)
    def get(self, campaign: str) -> dict[str, Any]:
        """Where a campaign stands."""
        return summary(loaded(campaign))


def summary(known: Loaded) -> dict[str, Any]:
    """A campaign's public state in a few words."""
    state = known.play.now
    settings = known.settings
    return {
        "id": known.play.campaign, "title": settings.get("title", ""), "game": settings["game"],
        "edition": settings["edition"], "variants": settings["variants"], "round": state.round, "power": state.power,
        "phase": state.phase, "events": known.size, "winner": state.winner,
        "windows": [
            {"id": window.id, "kind": window.kind, "powers": list(window.powers), "phases": list(window.phases),
             "deadline": window.deadline, "waiting_for": list(waited_for(state, window))}
            for window in state.windows.values()
        ],
    }  # fmt: skip


@blueprint.route("/campaigns/<campaign>/orders")
class Orders(MethodView):
    """A player's orders."""

    @blueprint.doc(**OWN)
    @blueprint.response(200)
    def get(self, campaign: str) -> dict[str, Any]:
        """Your own orders in force, as texts, and your standing orders."""
        viewer = player_asking(campaign)
        state = view(loaded(campaign).play.now, viewer.powers)
        return {
            "orders": {key: [line["text"] for line in lines] for key, lines in state.orders.items()},
            "standing": {power: [line["text"] for line in lines] for power, lines in state.standing.items()},
        }

    @blueprint.doc(**ORDERS_SENT)
    @blueprint.response(202)
    def post(self, campaign: str) -> tuple[dict[str, Any], int]:
        """Send orders: text/plain as you would mail them, or a JSON document.

        202 says that the bytes are kept, with the lines as they were read; the rules judge them at once in the
        background, and `receipt` names where the whole answer will be. With `Prefer: wait` the answer itself comes
        back with 200.
        """
        known = loaded(campaign)
        player = player_of_token(campaign)
        body = request.get_data(cache=False)
        if len(body) > MOST_BYTES:
            abort(413, description=f"{len(body)} bytes are too many; at most {MOST_BYTES} are taken")
        kept = keep_body(
            referee(), player, body, request.content_type or "text/plain",
            request.headers.get("Idempotency-Key", ""),
        )  # fmt: skip
        receipt: dict[str, Any] = {"receipt": kept.id, "fresh": kept.fresh, "answer": f"/api/receipts/{kept.id}"}
        if "wait" in request.headers.get("Prefer", ""):
            answer = handle_body(referee(), kept.id, mail_answer=False)
            _after_commit(("advance", campaign))
            return {**receipt, **_answer_json(answer)}, 200
        _after_commit(("handle", kept.id))
        return {**receipt, "lines": _quick_look(known, kept.id, player)}, 202


def _quick_look(known: Loaded, row_id: int, player: Player) -> list[dict[str, Any]]:
    """The lines as read; not judged by the rules yet."""
    row = referee().store.inbox_row(row_id)
    if row is None or row.raw is None:
        return []
    text = text_of(known, row)
    if isinstance(text, Unreadable):
        return [{"line": 0, "text": "", "status": "unreadable", "canonical": "", "reason": problem, "rule": "",
                 "suggestions": []} for problem in text.problems]  # fmt: skip
    state = known.play.now
    awaited = {power for window in state.windows.values() for power in window.powers}
    powers = players_of(state).get(player.id, ())
    return [line_json(result) for result in read_only(state, sorted(powers), text, awaited)]


def _answer_json(answer: Answer | Unreadable | None) -> dict[str, Any]:
    if isinstance(answer, Answer):
        return {"state": "done", "result": answer.to_json()}
    if isinstance(answer, Unreadable):
        return {"state": "refused", "problems": list(answer.problems)}
    return {"state": "done before"}


def _after_commit(job: tuple[str, Any]) -> None:
    """Tell the workers; whatever they miss the tick finds."""
    notify: Callable[[str, Any], None] = current_app.config["NOTIFY"]
    notify(*job)


@blueprint.route("/receipts/<int:number>")
class Receipt(MethodView):
    """What became of something that was sent."""

    @blueprint.doc(**OWN)
    @blueprint.response(200)
    def get(self, number: int) -> dict[str, Any]:
        """The state of a receipt, and the whole answer once there is one. Needs the token it was sent with."""
        row = referee().store.inbox_row(number)
        player = referee().store.player_by_token(token_of(request)) if token_of(request) else None
        if row is None or row.source != SOURCE or player is None or row.envelope.get("player") != player.id:
            abort(404, description=f"there is no receipt {number} of yours")
        if row.campaign != player.campaign:
            abort(404, description=f"there is no receipt {number} of yours")
        answer = next(
            (mail.params for mail in referee().store.outbox(row.campaign, limit=1000)
             if mail.kind == "answer" and mail.recipient == player.id
             and mail.message_id.startswith(f"<answer.{number}.")),
            None,
        )  # fmt: skip
        shown = {key: value for key, value in answer.items() if key != "reply"} if answer is not None else None
        return {"receipt": number, "state": row.status, "received_at": row.received_at, "sha256": row.sha256,
                "note": row.note, "result": shown}  # fmt: skip


def event_json(event: Event) -> dict[str, Any]:
    """An event as the asker may see it: the header always, the payload where it is readable."""
    return {**event.header(), "payload": dict(event.payload) if event.readable else None}


@blueprint.route("/campaigns/<campaign>/events")
class Events(MethodView):
    """The log."""

    @blueprint.doc(**OWN_OR_PUBLIC)
    @blueprint.arguments(PageQuery, location="query")
    @blueprint.response(200)
    def get(self, query: Mapping[str, int], campaign: str) -> dict[str, Any]:
        """Events as you may see them: sealed ones without a token show their header only."""
        viewer = asking(campaign)
        first, limit = query["first"], query["limit"]
        found = events_for(referee(), campaign, viewer, first, first + limit)
        return {"first": first, "events": [event_json(event) for event in found]}


@blueprint.route("/campaigns/<campaign>/state")
class StateAt(MethodView):
    """The position."""

    @blueprint.doc(**OWN_OR_PUBLIC)
    @blueprint.arguments(StateQuery, location="query")
    @blueprint.response(200)
    def get(self, query: Mapping[str, int | None], campaign: str) -> dict[str, Any]:
        """The position after `at` events (default: now), as you may see it."""
        viewer = asking(campaign)
        at = query["at"]
        events = events_for(referee(), campaign, viewer)
        if at is not None and at > len(events):
            abort(404, description=f"the log has {len(events)} events; there is no position after {at}")
        known = live(events, at)
        state = view(fold(State(), [event for event in known if event.readable]), viewer.powers)
        return {"at": len(events) if at is None else at, "state": state_to_json(state)}


@blueprint.route("/campaigns/<campaign>/checkpoint")
class Checkpoint(MethodView):
    """The signed head."""

    @blueprint.doc(**NOTE)
    def get(self, campaign: str) -> Response:
        """A C2SP checkpoint of everything stored now, as a signed note."""
        loaded(campaign)
        note = referee().signer.sign(campaign, referee().clock())
        return Response(note, mimetype="text/plain")


@blueprint.route("/campaigns/<campaign>/log")
class Log(MethodView):
    """The whole log as one file."""

    @blueprint.doc(**BUNDLE)
    def get(self, campaign: str) -> Response:
        """Your bundle: every header, the payloads you may read, checkpoints (docs/log-format.md)."""
        viewer = asking(campaign)
        lines = export(referee().store, campaign, viewer.powers)
        return Response(
            stream_with_context(lines),
            mimetype="application/jsonl",
            headers={"Content-Disposition": f"attachment; filename={campaign}.jsonl"},
        )


@blueprint.route("/campaigns/<campaign>/reports")
class Reports(MethodView):
    """Turn reports."""

    @blueprint.doc(**OWN)
    @blueprint.response(200)
    def get(self, campaign: str) -> list[dict[str, Any]]:
        """Your reports and questions, newest first."""
        viewer = player_asking(campaign)
        assert viewer.player is not None
        return [
            {"report": row.id, "cause": row.cause, "state": row.state, "sent_at": row.sent_at}
            for row in referee().store.outbox(campaign, limit=1000)
            if row.kind in ("report", "ask") and row.recipient == viewer.player.id
        ]


@blueprint.route("/campaigns/<campaign>/reports/<int:number>.<form>")
class ReportFile(MethodView):
    """One report in one form."""

    @blueprint.doc(**FORMS)
    def get(self, campaign: str, number: int, form: str) -> Response:
        """The report as txt, html or pdf, rendered from the log."""
        from pbem.report.render import render

        viewer = player_asking(campaign)
        row = referee().store.outbox_row(number)
        assert viewer.player is not None
        if row is None or (row.campaign, row.recipient) != (campaign, viewer.player.id):
            abort(404, description=f"there is no report {number} of yours")
        rendered = render(referee(), row)
        if form == "txt":
            return Response(rendered.text, mimetype="text/plain")
        if form == "html" and rendered.html is not None:
            return Response(rendered.html, mimetype="text/html")
        for attached in rendered.attachments:
            if form == "pdf" and attached.filename.endswith(".pdf"):
                return Response(attached.data, mimetype=attached.content_type)
        return abort(404, description="a report is there as .txt, .html and .pdf")
