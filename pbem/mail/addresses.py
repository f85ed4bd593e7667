"""Addresses of ours: the players' secret reply addresses and the return paths that name what bounced.

`orders+<campaign>.<token>@host` says for which campaign and player; `bounces+<tag>@host` says which mail came back.
Campaign ids and tokens are lower case, because local parts lose their case on the way.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass

ORDERS = "orders"
BOUNCES = "bounces"
SERVICE_LOCAL_PARTS = frozenset((ORDERS, BOUNCES))
"""Local parts, before any `+`, that only this service writes from."""

_CAMPAIGN = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
_TOKEN = re.compile(r"[a-z0-9]{6,64}")
_TAG = re.compile(r"[a-z0-9][a-z0-9.=_-]{0,60}")


@dataclass(frozen=True, slots=True)
class SecretAddress:
    """What a well-formed reply address says. It proves nothing until its token has been compared."""

    campaign: str
    token: str


def new_token(randomness: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """A token of 16 letters and digits with 80 bits of randomness."""
    return base64.b32encode(randomness(10)).decode("ascii").lower()


def secret_address(campaign: str, token: str, host: str) -> str:
    """The reply address. Raises `ValueError` for an id or token that would not survive mail."""
    if not _CAMPAIGN.fullmatch(campaign) or not _TOKEN.fullmatch(token):
        raise ValueError("a campaign id or token in an address needs lower-case letters, digits and hyphens")
    return f"{ORDERS}+{campaign}.{token}@{host}"


def parse_secret_address(address: str, hosts: Collection[str]) -> SecretAddress | None:
    """The parts of a reply address at one of our hosts, whatever its case; None for any other address."""
    detail = _detail(address, ORDERS, hosts)
    if detail is None:
        return None
    campaign, dot, token = detail.rpartition(".")
    if not dot or not _CAMPAIGN.fullmatch(campaign) or not _TOKEN.fullmatch(token):
        return None
    return SecretAddress(campaign, token)


def bounce_address(tag: str, host: str) -> str:
    """The envelope sender of one of our mails (VERP): a failed delivery comes back to it and names the mail."""
    if not _TAG.fullmatch(tag):
        raise ValueError("a bounce tag needs lower-case letters, digits and . = _ -")
    return f"{BOUNCES}+{tag}@{host}"


def parse_bounce_address(address: str, hosts: Collection[str]) -> str | None:
    """The tag of a return path of ours; None for any other address."""
    detail = _detail(address, BOUNCES, hosts)
    return detail if detail is not None and _TAG.fullmatch(detail) else None


def is_service_address(
    address: str, hosts: Collection[str], local_parts: Collection[str] = SERVICE_LOCAL_PARTS
) -> bool:
    """Whether only this service writes from an address: mail from it is our own, come back."""
    local, _, domain = address.lower().rpartition("@")
    return domain in hosts and local.split("+")[0] in local_parts


def _detail(address: str, name: str, hosts: Collection[str]) -> str | None:
    local, _, domain = address.strip().lower().rpartition("@")
    base, plus, detail = local.partition("+")
    return detail if domain in hosts and base == name and plus else None
