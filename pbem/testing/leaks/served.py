"""Every page and every endpoint of the web side, asked with somebody's credentials or none.

The addresses come from the application's own map, so that nothing new is forgotten: an address with a part that is not
known here is an error.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from flask import Flask

Fetch = Callable[[str, str], tuple[bytes, bytes]]
"""(path, token or empty) to the answer: its status with its headers, and its body."""
NOT_OURS = ("static",)
"""Endpoints of Flask itself that serve nothing here."""


class UnknownAddress(LookupError):
    """The web side has grown an address that this file does not know how to fill in."""


def paths(app: Flask, values: Mapping[str, Sequence[object]]) -> Iterator[str]:
    """Every address that can be asked with GET, its parts filled in with all these values."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in NOT_OURS:
            continue
        missing = rule.arguments - set(values)
        if missing:
            raise UnknownAddress(f"{rule.rule}: what is {', '.join(sorted(missing))}?")
        names = sorted(rule.arguments)
        for chosen in product(*(values[name] for name in names)):
            yield adapter.build(rule.endpoint, dict(zip(names, chosen, strict=True)))


def over_http(base: str) -> Fetch:
    """A client of a running server."""

    def fetch(path: str, token: str) -> tuple[bytes, bytes]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(base + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return _whole(answer.status, answer.headers.items(), answer.read())
        except urllib.error.HTTPError as error:
            return _whole(error.code, error.headers.items(), error.read())

    return fetch


def in_process(app: Flask) -> Fetch:
    """The same without a server."""

    def fetch(path: str, token: str) -> tuple[bytes, bytes]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = app.test_client().get(path, headers=headers)
        return _whole(answer.status_code, answer.headers.items(), answer.data)

    return fetch


def _whole(status: int, headers: Iterable[tuple[str, str]], body: bytes) -> tuple[bytes, bytes]:
    lines = [f"{name}: {value}" for name, value in headers]
    return "\n".join([str(status), *lines]).encode(), body
