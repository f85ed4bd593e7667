"""The Flask application, made from a referee and a way to tell the workers."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify, request
from flask_smorest import Api
from werkzeug.exceptions import HTTPException

from pbem.campaign.faults import fault_text
from pbem.campaign.referee import Referee
from pbem.mail.desk import keep
from pbem.mail.values import Envelope
from pbem.web.api import blueprint
from pbem.web.described import API_DESCRIPTION
from pbem.web.pages import pages

Notify = Callable[[str, Any], None]


class _Discreet(Flask):
    """Flask that logs a fault of ours without its words and its address: either may hold what is secret."""

    def log_exception(self, exc_info: Any) -> None:
        """Where it happened and what kind of fault it was; which page, by its name."""
        self.logger.error("%s %s: %s", request.method, request.endpoint, fault_text(exc_info[1]))


def create_app(referee: Referee, notify: Notify = lambda kind, what: None, *, hook_secret: str = "") -> Flask:
    """The application. `notify(kind, what)` queues a job after a commit: ("handle", row) or ("advance", campaign).

    `hook_secret` opens the raw-MIME hook to a mail provider; empty keeps it closed.
    """
    app = _Discreet("pbem.web")
    app.config.update(
        REFEREE=referee,
        NOTIFY=notify,
        HOOK_SECRET=hook_secret,
        MAX_CONTENT_LENGTH=2_000_000,
        API_TITLE="pbem",
        API_VERSION="v1",
        OPENAPI_VERSION="3.0.3",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS=API_DESCRIPTION,
    )
    api = Api(app)
    api.register_blueprint(blueprint)
    app.register_blueprint(pages)
    app.add_url_rule("/healthz", view_func=_health)
    app.add_url_rule("/hooks/mime", view_func=_mime_hook, methods=["POST"], defaults={"app": app})
    app.register_error_handler(HTTPException, _plain_error)
    app.after_request(_careful)
    return app


def _health() -> Response:
    return jsonify({"status": "ok"})


def _mime_hook(app: Flask) -> tuple[Response, int]:
    """A provider posts a raw mail: `?recipient=...&sender=...`, header X-Pbem-Hook with the shared secret."""
    secret = app.config["HOOK_SECRET"]
    given = request.headers.get("X-Pbem-Hook", "")
    if not secret or not hmac.compare_digest(secret.encode(), given.encode()):
        return jsonify({"message": "the hook is closed, or its secret is wrong"}), 403
    recipients = tuple(request.args.getlist("recipient"))
    if not recipients:
        return jsonify({"message": "say for whom: ?recipient=orders+CAMPAIGN.TOKEN@HOST"}), 422
    referee: Referee = app.config["REFEREE"]
    envelope = Envelope(
        sender=request.args.get("sender", ""),
        recipients=recipients,
        peer=request.remote_addr or "",
        received_at_ms=referee.clock(),
    )
    rows = keep(referee, request.get_data(cache=False), envelope, "hook")
    for row in rows:
        app.config["NOTIFY"]("handle", row)
    return jsonify({"kept": rows}), 202


def _plain_error(error: HTTPException) -> tuple[Response, int]:
    """Every mistake of a client as one clear JSON sentence."""
    body: dict[str, Any] = {"message": error.description or error.name, "code": error.code}
    data = getattr(error, "data", None)
    if isinstance(data, dict):
        body["message"] = data.get("message", body["message"])
        if data.get("messages"):
            body["errors"] = data["messages"]
    return jsonify(body), error.code or 500


def _careful(response: Response) -> Response:
    """Nothing is framed, sniffed or fetched from elsewhere; pages with a token are not passed on as referrer.

    What was asked with a token is kept by nobody on the way, nor shown to who asks without it.
    """
    response.vary.add("Authorization")
    if "Authorization" in request.headers:
        response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault(
        "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'"
    )
    return response
