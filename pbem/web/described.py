"""What the OpenAPI document says beyond what code tells by itself: who may ask, what to send, what comes back."""

from __future__ import annotations

from typing import Any

TOKEN = "replyAddress"
"""Name of the security scheme: the secret part of a player's reply address."""
OWN: dict[str, Any] = {"security": [{TOKEN: []}]}
OWN_OR_PUBLIC: dict[str, Any] = {"security": [{}, {TOKEN: []}]}
ORDERS_SENT: dict[str, Any] = {
    **OWN,
    "requestBody": {
        "required": True,
        "content": {
            "text/plain": {"schema": {"type": "string"}, "example": "3 infantry Kwangsi -> Yunnan\nready"},
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "orders": {
                            "type": "array",
                            "description": "lines as in a mail, or objects as `pbem orders check --json` prints them",
                            "items": {"anyOf": [{"type": "string"}, {"type": "object"}]},
                        },
                        "ready": {"type": "boolean"},
                    },
                    "required": ["orders"],
                },
                "example": {"orders": ["3 infantry Kwangsi -> Yunnan"], "ready": True},
            },
        },
    },
    "parameters": [
        {"in": "header", "name": "Prefer", "schema": {"type": "string", "enum": ["wait"]},
         "description": "wait for the answer itself"},
        {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string"},
         "description": "the same key and the same bytes are taken once"},
    ],
}  # fmt: skip
FORMS: dict[str, Any] = {
    **OWN,
    "responses": {
        200: {"description": "the report", "content": {"text/plain": {}, "text/html": {}, "application/pdf": {}}}
    },
}
BUNDLE: dict[str, Any] = {
    **OWN_OR_PUBLIC,
    "responses": {200: {"description": "the bundle", "content": {"application/jsonl": {}}}},
}
NOTE: dict[str, Any] = {"responses": {200: {"description": "the signed note", "content": {"text/plain": {}}}}}
API_DESCRIPTION: dict[str, Any] = {
    "info": {
        "description": "A referee for Axis & Allies campaigns. What everybody may know needs no token. A player shows "
        "the secret part of his reply address (`orders+CAMPAIGN.SECRET@...`) as bearer token. Times are milliseconds "
        "since 1970 UTC. Errors are `{code, message}`."
    },
    "components": {"securitySchemes": {TOKEN: {"type": "http", "scheme": "bearer"}}},
}
"""What the OpenAPI document says of the whole."""
