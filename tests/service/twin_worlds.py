"""The same campaign twice, with other cards in some hands: all secrets, clocks and dice are the same in both.

What a reader is given in one world must be what he is given in the other, to the byte. So that hashes do not hide a
difference, nor make one, a sealed event is committed to by its salt alone here; that a real commitment gives nothing
away is tested with the real one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.advance import advance
from pbem.campaign.create import CampaignWanted, PlayerWanted
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.dice import deck
from pbem.games.s42.fov.table import CARDS
from pbem.log.checkpoint import Signer
from pbem.log.commitment import commitment
from pbem.log.export import export, prove
from pbem.log.store import OutboxRow, open_store
from pbem.mail.compose import Composed
from pbem.mail.deliver import Outlet, deliver_due
from pbem.mail.desk import handle, keep
from pbem.mail.desk_directory import scheme_of
from pbem.mail.send import Delivered
from pbem.mail.values import Envelope
from pbem.report import render
from pbem.testing.campaigns import campaign_from
from pbem.testing.clock import SetClock
from pbem.testing.leaks.served import in_process, paths
from pbem.web.app import create_app
from tests.games.s42.fov.table import POWERS, same_chance

CAMPAIGN = "twins"
BEGIN = 1_785_000_000_000
POSITION: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "setup",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"tank": 9, "fighter": 1}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1, "fighter": 5}}},
        "France": {"controller": "uk", "units": {"uk": {"tank": 2}}},
        "Northwestern Europe": {"controller": "germany", "units": {}},
    },
    "decks": {
        "weapons": {"draw": ["jet_fighter", "rocket_strike", "heavy_tank", "rail_gun"]},
        "tactics": {"draw": ["scramble", "fortification", "air_supremacy", "airborne_assault"]},
        "fortune": {"draw": ["donation", "eureka", "force_majeure", "spoils_of_war"]},
    },
}  # fmt: skip
Hands = Mapping[str, tuple[str, ...]]


def token(player: str) -> str:
    return f"{player}7k2q9m4x"[:12]


@dataclass
class World:
    """One of the worlds: played by mails at the desk, its mails rendered, its pages asked for."""

    referee: Referee
    clock: SetClock
    hands: Hands
    probers: Sequence[str]
    observers: Sequence[str]
    never: Collection[str]
    """Cards that a prober may hold in this world or another: he must not play them by asking."""
    sent: int = 0
    given: dict[str, bytes] = field(default_factory=dict)
    """All that was given to anybody: `READER what`."""

    def mail(self, player: str, text: str) -> None:
        """A player's mail, handled at the desk."""
        self.sent += 1
        self.clock.now += 60_000
        message = EmailMessage()
        message["From"], message["Subject"] = f"{player}@players.example", "orders"
        message["To"] = address = f"orders+{CAMPAIGN}.{token(player)}@pbem.example"
        message["Message-ID"] = f"<{player}.{self.sent}@players.example>"
        message.set_content(text)
        envelope = Envelope(f"{player}@players.example", (address,), "192.0.2.7", self.referee.clock())
        for row in keep(self.referee, message.as_bytes(), envelope, "smtp"):
            handle(self.referee, row)

    def held(self, power: str) -> list[str]:
        """What a power holds now."""
        cards = load(self.referee, CAMPAIGN).play.now.cards.values()
        return [card.name or "" for card in cards if card.power == power and card.place == "hand"]

    # -- play

    def play(self, until: str) -> None:
        """Turns in which nobody plays a card: conditions never come true, questions are answered with nothing."""
        advance(self.referee, CAMPAIGN)
        for power in self.hands:
            own = self.held(power)
            lines = [f"play {name} if Karelia S.S.R. attacked by >= 90" for name in own]
            self.mail(power, "\n".join(lines))
        self.mail("ussr", "ask me card\nask me fighter_ace")
        self.mail("uk", "ask me hidden_factory")
        self.probe()
        for _ in range(40):
            window = advance(self.referee, CAMPAIGN).window
            self.collect_answers()
            if window is None or window.id.startswith(until):
                break
            for power in window.powers:
                asked = {ask["kind"] for ask in window.asks if ask["power"] == power}
                if power in self.probers and window.kind != "orders":
                    self.probe()
                self.mail(power, TURNS.get(window.id) or ("research 9\nready" if "research" in asked else QUIET))

    def probe(self) -> None:
        """Everything that a curious player can write to learn of other hands, by mail and over HTTP."""
        for power in self.probers:
            strange = [name for name in CARDS if name not in self.never]
            lines = [PROBES[kind].format(card) for card in strange for kind in PROBES]
            lines += [line for other in POWERS if other != power for line in (f"{other}:", *FOR_OTHERS)]
            self.mail(power, "\n".join(lines))
            said = [
                line for card in strange for line in (f"play {card}: India", f"discard {card}", f"research 3 {card}")
            ]
            answer = create_app(self.referee).test_client().post(
                f"/api/campaigns/{CAMPAIGN}/orders", json={"orders": said},
                headers={"Authorization": f"Bearer {token(power)}", "Prefer": "wait"},
            )  # fmt: skip
            self.given[f"{power} answer {len(self.given)}"] = answer.data

    # -- what comes of it

    def collect_answers(self) -> None:
        """Mails that are due now; of those that no observer gets only the envelope is made."""

        def sent(mail: Composed) -> Delivered:
            player = mail.recipient.partition("@")[0]
            self.given[f"{player} mail {mail.message_id}"] = mail.raw
            self.given[f"public bounce {mail.message_id}"] = mail.sender.encode()
            return Delivered("taken")

        def rendered(referee: Referee, row: OutboxRow) -> Any:
            if row.recipient in self.observers:
                return render.render(referee, row)
            referee.signer.sign(CAMPAIGN, referee.clock())
            return render.Rendered("not looked at", "", None)

        outlet = Outlet(scheme_of(self.referee), sent, rendered)
        while deliver_due(self.referee, outlet):
            continue

    def collect(self) -> None:
        """Pages, logs and proofs for everybody, and what can be counted from outside."""
        app = create_app(self.referee)
        fetch = in_process(app)
        store = self.referee.store
        rows = store.outbox(CAMPAIGN, limit=1000)
        size = store.head(CAMPAIGN).size
        for reader in (*POWERS, "mod", "public"):
            credential = "" if reader == "public" else token(reader)
            own = {row.kind: row.id for row in rows if row.recipient == reader}
            values: dict[str, list[object]] = {
                "campaign": [CAMPAIGN], "number": [*own.values(), 1, 99], "form": ["txt", "html", "pdf"],
                "token": [credential] if credential else [],
            }  # fmt: skip
            moments = [f"/api/campaigns/{CAMPAIGN}/state?at={at}" for at in range(90, size, 17)]
            for path in [*paths(app, values), *moments, f"/api/campaigns/{CAMPAIGN}/events?limit=1000"]:
                head, body = fetch(path, credential)
                self.given[f"{reader} GET {path}"] = head + b"\n\n" + body
            powers = frozenset((reader,)) if reader in POWERS else frozenset[str]()
            self.given[f"{reader} export"] = b"".join(export(store, CAMPAIGN, powers))
            self.given[f"{reader} proofs"] = b"".join(prove(store, CAMPAIGN, seq, powers) for seq in range(0, size, 7))
        counted = [(row.id, row.kind, row.recipient, row.message_id, row.cause, row.attempts) for row in rows]
        self.given["public outbox"] = repr(sorted(counted)).encode()

    def of(self, reader: str) -> dict[str, bytes]:
        """What one reader was given."""
        return {name: data for name, data in self.given.items() if name.startswith(f"{reader} ")}


QUIET = "rest default\nready"
PROBES = {"play": "play {}: Karelia S.S.R.", "late": "always play {}"}
FOR_OTHERS = tuple(f"play {card}: Karelia S.S.R." for card in CARDS)
"""Written under the heading of a power that is not the writer's."""
TURNS = {
    "r2.germany:moves": "9 tank Baltic States -> Karelia S.S.R.\n1 fighter Baltic States -> Karelia S.S.R.\n"
    "draw none\nrest default\nready",
    "r2.uk:moves": "1 tank France -> Northwestern Europe\nrest default\nready",
}


def world(
    folder: Path,
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    *,
    probers: Sequence[str],
    observers: Sequence[str],
    never: Collection[str] = (),
    bottom_up: bool = False,
    until: str = "r2.usa",
    language: Callable[[str], str] = lambda player: "zh" if player == "usa" else "en",
) -> World:
    """Play one world. With `bottom_up` every pile lies the other way round, so that other cards are drawn."""
    same_chance(monkeypatch, "twins")
    monkeypatch.setattr("pbem.campaign.create.new_signing_key", lambda: bytes(range(32)))
    monkeypatch.setattr("pbem.log.codec.commitment", _by_salt_alone)
    plain = deck.shuffled
    monkeypatch.setattr(
        deck, "shuffled", lambda key, cards: plain(key, cards)[::-1] if bottom_up else plain(key, cards)
    )
    render._records.clear()
    folder.mkdir(parents=True)
    clock = SetClock(BEGIN)
    store = open_store(f"sqlite:///{folder}/twins.sqlite3")
    referee = Referee(store, Signer(store), clock, host="pbem.example", url="https://pbem.example")
    players = tuple(
        PlayerWanted(power, (power,), f"{power}@players.example", language=language(power), token=token(power))
        for power in POWERS
    )
    wanted = CampaignWanted(
        CAMPAIGN, "s42", None, ("fov",), {"interceptors": True}, players,
        moderator=PlayerWanted("mod", (), "mod@players.example", token=token("mod")),
    )  # fmt: skip
    held = {power: {"cards": list(cards)} for power, cards in hands.items()}
    campaign_from(referee, wanted, {**POSITION, "powers": held})
    made = World(referee, clock, hands, probers, observers, never)
    made.play(until)
    made.collect()
    monkeypatch.undo()
    return made


def _by_salt_alone(salt: bytes, payload: bytes) -> str:
    """A commitment that is the same whatever a sealed event holds."""
    sealed = payload.startswith(b'{"actor":') and b'"readers":' in payload
    return commitment(salt, b"sealed" if sealed else payload)
