"""The orders document, for HTTP and for mail attachments, and the answer that lists what became of each line.

Strict: unknown fields, wrong types and wrong values are errors, keyed by the index of the order they belong to. Whether
the names exist in the game and the orders are legal is not checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate, validates_schema

from pbem.rules.order_model import Order, OrderFormatError, from_json, to_json
from schemas.loading import JsonRefused, load_json_bytes

MOST_ORDERS = 2_000
MOST_TEXT = 1_000_000
MOST_LINE = 4_000


@dataclass(frozen=True, slots=True)
class OrdersDocument:
    """What a document said: entries are orders of the model or lines of text; `text` is a whole text of orders."""

    orders: tuple[Order | str, ...] = ()
    text: str | None = None
    campaign: str | None = None
    power: str | None = None
    ready: bool | None = None


class OrderField(fields.Field[Order | str]):
    """One order: an object with `type`, as the order model writes it, or a line of text."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return to_json(value) if isinstance(value, Order) else value

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Order | str:
        if isinstance(value, str):
            if not value.strip():
                raise ValidationError("the line is empty")
            if len(value) > MOST_LINE:
                raise ValidationError(f"the line has {len(value)} characters; at most {MOST_LINE} are read")
            return value
        if not isinstance(value, dict):
            raise ValidationError('an order is an object with "type", or a line of text')
        try:
            return from_json(value)
        except OrderFormatError as error:
            raise ValidationError(str(error)) from None


class StrictBoolean(fields.Boolean):
    """`true` or `false` and nothing that only resembles them."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class OrdersDocumentSchema(Schema):
    """`{"campaign", "power", "orders": [...], "text", "ready"}`; `orders` or `text` must be there."""

    class Meta:
        unknown = RAISE

    campaign = fields.String(
        validate=validate.Regexp(r"\A[A-Za-z0-9_-]{1,64}\Z", error="a campaign's id has letters, digits, - and _"),
        metadata={"description": "the campaign these orders are for", "example": "p40-17"},
    )
    power = fields.String(
        validate=validate.Regexp(r"\A[a-z_]{1,32}\Z", error="a power goes by its id, like usa"),
        metadata={"description": "the power that speaks, where the sender plays several", "example": "japan"},
    )
    orders = fields.List(
        OrderField(required=True),
        validate=validate.Length(max=MOST_ORDERS, error=f"at most {MOST_ORDERS} orders are read"),
        metadata={
            "description": "orders as objects of the order model, or as lines of text",
            "example": ["3 infantry Kwangsi -> Yunnan", {"type": "buy", "item": "infantry", "count": 2}],
        },
    )
    text = fields.String(
        validate=validate.Length(max=MOST_TEXT, error=f"at most {MOST_TEXT} characters are read"),
        metadata={"description": "orders as they would be mailed", "example": "3 inf Kwangsi -> Yunnan\nready"},
    )
    ready = StrictBoolean(metadata={"description": "whether the window need not wait any longer"})

    @validates_schema
    def _has_orders(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if "orders" not in data and "text" not in data:
            raise ValidationError('"orders" or "text" is missing; an empty list means: no orders')

    @post_load
    def _document(self, data: Mapping[str, Any], **kwargs: Any) -> OrdersDocument:
        values = dict(data)
        return OrdersDocument(orders=tuple(values.pop("orders", ())), **values)


class LineResultSchema(Schema):
    """What became of one line, as the check answers it."""

    line = fields.Integer(required=True, metadata={"description": "counts from 1; 0 is the whole text"})
    text = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["accepted", "refused", "unreadable", "ignored"]))
    canonical = fields.String(required=True, metadata={"description": "the order as understood, or empty"})
    reason = fields.String(required=True, metadata={"description": "why it was not accepted, or empty"})
    rule = fields.String(required=True, metadata={"description": "the id of the rule that refuses it, or empty"})
    suggestions = fields.List(fields.String(), required=True)


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """One thing wrong with a document: where (`orders[2]`, `power`, empty for the whole), and a sentence."""

    where: str
    what: str


def read_orders_document(data: bytes) -> tuple[OrdersDocument | None, tuple[DocumentProblem, ...]]:
    """The document in some bytes, or what is wrong with it, each problem in one sentence. Never raises."""
    try:
        value = load_json_bytes(data)
    except JsonRefused as error:
        return None, (DocumentProblem("", str(error)),)
    if not isinstance(value, dict):
        return None, (DocumentProblem("", 'a document is an object like {"orders": [...]}'),)
    try:
        document = OrdersDocumentSchema().load(value)
    except ValidationError as error:
        return None, tuple(_problems(error.messages, ""))
    assert isinstance(document, OrdersDocument)
    return document, ()


def _problems(messages: Any, where: str) -> list[DocumentProblem]:
    if isinstance(messages, str):
        return [DocumentProblem("" if where == "_schema" else where, messages)]
    if isinstance(messages, list):
        return [problem for message in messages for problem in _problems(message, where)]
    found: list[DocumentProblem] = []
    for key, inner in messages.items():
        name = f"{where}[{key}]" if isinstance(key, int) else (f"{where}.{key}" if where else str(key))
        found += _problems(inner, name)
    return found
