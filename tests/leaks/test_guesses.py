"""Hashes and piles under attack: what is hashed without a secret is found out, what the log holds is not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.load import load
from pbem.games.s42.fov.table import DECKS, whole_deck
from pbem.log.event import Event, visible
from pbem.log.export import export
from pbem.testing.leaks.guesses import (
    Digests,
    Hidden,
    hidden,
    orders_of_piles,
    salted,
    salts_to_try,
    texts_about,
    unsalted,
)
from pbem.testing.leaks.words import hidden_cards, open_to_all, sealed_lines
from tests.games.s42.fov.table import NAME, Table

CARD = Hidden("tactics-1-3", "fog_of_war", "usa")
PUBLIC: frozenset[str] = frozenset()
HELD = ("entrenchment", "fog_of_war", "atomic_bomb")
WALK_IN = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "setup",
    "spaces": {"West Russia": {"controller": "ussr", "units": {}}},
    "powers": {"ussr": {"cards": ["entrenchment", "fog_of_war"]}, "usa": {"cards": ["atomic_bomb"]}},
    "decks": {deck: {"draw": [name for name in whole_deck(deck) if name not in HELD]} for deck in DECKS},
}  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Germany takes a territory and draws from a whole pile; a weapon it researches until it has it."""
    made = Table(tmp_path_factory.mktemp("draw"), WALK_IN)
    made.go()
    made.say("ussr", "if Karelia S.S.R. attacked by >= 90: play entrenchment: Karelia S.S.R.")
    made.say("germany", "1 infantry Belorussia -> West Russia\nresearch 40\nrest default\nready")
    while (window := made.go().window) is not None and not window.id.startswith("r2.uk"):
        for power in window.powers:
            made.say(power, "ready")
    return made


@pytest.mark.parametrize("form", range(8))
def test_a_hash_without_a_secret_is_found_out(form: int) -> None:
    published = [
        hashlib.sha256(b"fog_of_war").hexdigest().encode(),
        hashlib.md5(b"tactics-1-3:fog_of_war").hexdigest().encode(),
        base64.b64encode(hashlib.sha256(b'{"card":"tactics-1-3","name":"fog_of_war"}').digest()),
        hashlib.sha256(b'pbem/payload/v1\n{"card":"tactics-1-3","name":"fog_of_war"}').hexdigest()[:16].encode(),
        hashlib.sha1(b"c-1\nusa\nfog_of_war").hexdigest().upper().encode(),
        hmac.digest(b"c-1", b"fog_of_war", "sha256").hex().encode(),
        base64.urlsafe_b64encode(hashlib.blake2b(b"Fog Of War").digest()).rstrip(b"="),
        hashlib.sha3_256(b"tactics-1-3fog_of_war").hexdigest().encode(),
    ]
    digests = Digests()
    digests(b'{"commitment":"' + published[form] + b'"}')
    assert unsalted(digests, [CARD], "c-1", [b"c-1"])
    assert unsalted(digests, [Hidden("tactics-1-3", "scramble", "usa")], "c-1", [b"c-1"]) == []


def test_every_text_about_a_card_names_it() -> None:
    assert all(re.search(rb"fog.of.war", text, re.IGNORECASE) for text in texts_about(CARD, "c-1"))


def test_the_log_of_a_campaign_withstands(table: Table) -> None:
    """FOV-6.1.7: digests in everybody's exports, salts that a reader can think of; with the right ones all falls."""
    events = table.events()
    digests = Digests()
    for reader in (PUBLIC, frozenset(("germany",)), frozenset(("usa",))):
        digests(b"".join(export(table.referee.store, NAME, reader)))
        cards = hidden(events, reader)
        assert len(cards) == sum(card.power not in reader for card in hidden(events, PUBLIC))
        assert unsalted(digests, cards, NAME, [NAME.encode()]) == []
        assert salted(events, reader, salts_to_try(events, reader, NAME)) == []
    assert len(salted(events, PUBLIC, [event.salt for event in events])) == len(hidden(events, PUBLIC)) >= 3


def test_no_published_number_is_the_link_of_a_pile(table: Table) -> None:
    """FOV-6.1.7: the order of a pile follows from its own link only, whatever dice have shown."""
    events = table.events()
    decks = load(table.referee, NAME).decks(table.referee)
    (pile,) = [event.payload for event in events if event.type == "deck_changed" and "entropy" in event.payload["set"]]
    laid = pile["set"]
    truth = decks.pile(NAME, pile["deck"], laid["pile"], laid["cards"], laid["entropy"]).order
    secret = bytes.fromhex(decks.link(pile["deck"], laid["pile"]) or "")
    numbers = list(published(events))
    assert len(numbers) > 100 and secret not in numbers
    assert truth not in [order for _, _, order in orders_of_piles(events, numbers)]
    assert [order for _, _, order in orders_of_piles(events, [secret])] == [truth], "with the link it is known"


def published(events: list[Event]) -> Iterator[bytes]:
    """Every number of 32 bytes that the public can read, and what it hashes to: such a number may be a later link."""
    for event in visible(events, PUBLIC):
        text = str(event.header()) + ("" if event.closed else str(event.payload))
        for number in re.findall(r"\b[0-9a-f]{64}\b", text):
            link = bytes.fromhex(number)
            for _ in range(3):
                yield link
                link = hashlib.sha256(link).digest()


def test_what_is_hidden_and_what_is_not(table: Table) -> None:
    """A name is a secret where somebody else holds it and nothing names it; a line where nothing opened it."""
    events = table.events()
    assert {"entrenchment", "fog_of_war", "atomic_bomb"} <= set(hidden_cards(events, PUBLIC))
    assert set(hidden_cards(events, frozenset(("ussr",)))) & {"entrenchment", "fog_of_war"} == set()
    assert "entrenchment" in hidden_cards(events, frozenset(("germany", "usa")))
    (line,) = sealed_lines(events, PUBLIC)
    assert line.startswith("if Karelia S.S.R. attacked by >= 90") and not sealed_lines(events, frozenset(("ussr",)))
    passages = open_to_all(events)
    assert any(passage.startswith('"cards":["air_supremacy",') for passage in passages)


def test_a_card_that_was_shown_is_a_secret_no_more(tmp_path: Path) -> None:
    made = Table(tmp_path, {**WALK_IN, "powers": {"ussr": {"cards": ["entrenchment"]}, "usa": {"cards": []}}})
    made.go()
    before = made.events()
    assert "entrenchment" in hidden_cards(before, PUBLIC)
    card = next(event.payload["card"] for event in before if event.type == "card_identified" and event.sealed)
    shown = [*before, _public(before, "card_identified", {"card": card, "name": "entrenchment"})]
    assert "entrenchment" not in hidden_cards(shown, PUBLIC)


def _public(events: list[Event], kind: str, payload: dict[str, str]) -> Event:
    return Event(NAME, len(events), 1, kind, 0, "service", (), (), payload, "", None, bytes(16))
