"""Addresses of ours: the players' secret reply addresses and the return paths that name what bounced.

`orders+<campaign>.<token>@host` says for which campaign and player; `bounces+<tag>@host` says which mail came back.
Campaign ids and tokens are lower case, because local parts lose their case on the way.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """How our addresses look. `host` is written into them; mail to any of `hosts` (lower case) is ours.

    A mailbox at a provider can serve too: with `orders="club"` and `bounces="club+bounce"` all addresses lead to
    `club@host`.
    """

    host: str
    hosts: frozenset[str]
    orders: str = "orders"
    bounces: str = "bounces"

    def __post_init__(self) -> None:
        if self.orders == self.bounces or self.host not in self.hosts:
            raise ValueError("orders and bounces need different names, and the main host must be one of the hosts")


def scheme_for(host: str) -> Scheme:
    """The usual scheme of a host of our own."""
    return Scheme(host, frozenset((host,)))


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


def secret_address(scheme: Scheme, campaign: str, token: str) -> str:
    """The reply address. Raises `ValueError` for an id or token that would not survive mail."""
    if not _CAMPAIGN.fullmatch(campaign) or not _TOKEN.fullmatch(token):
        raise ValueError("a campaign id or token in an address needs lower-case letters, digits and hyphens")
    return f"{scheme.orders}+{campaign}.{token}@{scheme.host}"


def parse_secret_address(scheme: Scheme, address: str) -> SecretAddress | None:
    """The parts of a reply address at one of our hosts, whatever its case; None for any other address."""
    detail = _detail(scheme, scheme.orders, address)
    if detail is None:
        return None
    campaign, dot, token = detail.rpartition(".")
    if not dot or not _CAMPAIGN.fullmatch(campaign) or not _TOKEN.fullmatch(token):
        return None
    return SecretAddress(campaign, token)


def bounce_address(scheme: Scheme, tag: str) -> str:
    """The envelope sender of one of our mails (VERP): a failed delivery comes back to it and names the mail."""
    if not _TAG.fullmatch(tag):
        raise ValueError("a bounce tag needs lower-case letters, digits and . = _ -")
    return f"{scheme.bounces}+{tag}@{scheme.host}"


def parse_bounce_address(scheme: Scheme, address: str) -> str | None:
    """The tag of a return path of ours; None for any other address."""
    detail = _detail(scheme, scheme.bounces, address)
    return detail if detail is not None and _TAG.fullmatch(detail) else None


def is_service_address(scheme: Scheme, address: str) -> bool:
    """Whether only this service writes from an address: mail from it is our own, come back."""
    local, _, domain = address.strip().lower().rpartition("@")
    names = (scheme.orders, scheme.bounces)
    return domain in scheme.hosts and any(local == name or local.startswith(f"{name}+") for name in names)


def _detail(scheme: Scheme, name: str, address: str) -> str | None:
    local, _, domain = address.strip().lower().rpartition("@")
    if domain not in scheme.hosts or not local.startswith(f"{name}+"):
        return None
    return local[len(name) + 1 :]
