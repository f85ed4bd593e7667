"""A part of a campaign with victory cards, played for real, and everything of it that anybody gets to see."""

from __future__ import annotations

import json
import socket
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import redis
from click.testing import CliRunner

from pbem.board.state import State, Window
from pbem.campaign.advance import waited_for
from pbem.campaign.config import Settings, wall_clock
from pbem.campaign.create import CampaignWanted, PlayerWanted
from pbem.campaign.load import load, rules_of
from pbem.campaign.referee import DECK_SEED, DICE_SEED, Referee
from pbem.cli import pbem
from pbem.dice.chain import Chain
from pbem.dice.deck import DECK_CHAIN_LENGTH
from pbem.games.s42.fov.table import DECKS
from pbem.log.event import EVERYTHING, Event
from pbem.log.export import export, prove
from pbem.log.store import SALT_KEY, SIGNING_KEY
from pbem.mail.catcher import MailCatcher
from pbem.report.words import Words
from pbem.testing.campaigns import campaign_from
from pbem.testing.leaks.artefacts import Artefact, Campaign, mails
from pbem.testing.leaks.search import Word
from pbem.testing.leaks.served import over_http, paths
from pbem.testing.leaks.words import bytes_word
from pbem.web.app import create_app
from tests.service.processes import Processes, processes, send, until
from workers.serve import mail_server
from workers.surroundings import build

CAMPAIGN = "hidden-42"
POWERS = ("ussr", "germany", "uk", "japan", "usa")
LANGUAGES = {"uk": "zh"}
POSITION: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "setup",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"infantry": 2, "tank": 9, "fighter": 1}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 2}}},
        "France": {"controller": "uk", "units": {"uk": {"tank": 2}}},
        "Northwestern Europe": {"controller": "germany", "units": {"germany": {"infantry": 2}}},
    },
    "powers": {
        "ussr": {"cards": ["entrenchment", "fog_of_war", "hidden_factory"]},
        "germany": {"cards": ["combined_arms", "rail_gun", "foreign_legion"], "ipc": 40},
        "uk": {"cards": ["signals_intelligence", "merchant_marine"]},
        "japan": {"cards": ["super_bombers", "military_support"]},
        "usa": {"cards": ["combined_bomber_offensive", "atomic_bomb"]},
    },
    "decks": {
        "weapons": {"draw": ["jet_fighter"]}, "tactics": {"draw": ["fortification"]},
        "fortune": {"draw": ["severe_weather"]},
    },
}  # fmt: skip
"""One card in each pile: whichever Germany draws, it can be played on the next turn, and its pile is then opened."""
HELD: Mapping[str, tuple[str, ...]] = {
    "ussr": ("entrenchment", "hidden_factory"), "germany": ("rail_gun", "foreign_legion"),
    "uk": ("signals_intelligence", "merchant_marine"), "japan": ("super_bombers", "military_support"),
    "usa": ("combined_bomber_offensive", "atomic_bomb"),
}  # fmt: skip
"""Cards that stay in the hand to the end, none of which anybody else holds or plays."""
STANDING = {
    "ussr": "if Karelia S.S.R. attacked by >= 90: play entrenchment: Karelia S.S.R.",
    "uk": "if India attacked by >= 90: play signals_intelligence: all but 1 unit India -> Burma",
    "usa": "play donation\nask me fighter_ace",
    "japan": "germany:\nplay heavy_tank: 1 tank Germany\njapan:\nplay air_supremacy: India",
}
"""Said at the beginning: some of it is refused, for it is not in the hand or not theirs to say."""
GERMANY = (
    "2 infantry, 9 tank Baltic States -> Karelia S.S.R.\n1 fighter Baltic States -> Karelia S.S.R.\n"
    "play combined_arms: Karelia S.S.R.\nplay rail_gun: 1 aa_gun Germany -> Norway\nrest default\nready"
)
PUBLIC: frozenset[str] = frozenset()


def player(power: str) -> PlayerWanted:
    return PlayerWanted(
        power, (power,), f"{power}@players.example", language=LANGUAGES.get(power, "en"), token=f"{power}7k2q9m"[:12]
    )


@dataclass
class Played:
    """The running service after the play, and what was collected on the way."""

    settings: Settings
    referee: Referee
    folder: Path
    catcher: MailCatcher
    running: Processes
    port: int
    sent: int = 0
    queues: dict[bytes, int] = field(default_factory=dict)
    """What Redis held, with the number of events there were."""
    drawn: str = ""
    """The card that Germany drew and played or lost."""
    _state: State = field(default_factory=State)

    # -- playing

    def mail(self, power: str, text: str) -> None:
        """A player's mail by SMTP."""
        self.sent += 1
        wanted = player(power)
        message = EmailMessage()
        message["From"], message["Subject"] = wanted.address, "orders"
        message["To"] = address = f"orders+{CAMPAIGN}.{wanted.token}@pbem.example"
        message["Message-ID"] = f"<{power}.{self.sent}@players.example>"
        message.set_content(text)
        send(self.port, message.as_bytes().replace(b"\n", b"\r\n"), wanted.address, address)

    def play(self) -> None:
        """Germany takes Karelia and draws, the United Kingdom attacks; others hold their cards."""
        for power, text in STANDING.items():
            self.mail(power, text)
        until(lambda: len(self.types("asking_set")) == 1, "the wish to be asked")
        self.answer("germany", "r2.germany:moves", GERMANY)
        self.answer("ussr", "r2.germany:cards:defence:uk", "play fog_of_war: Karelia S.S.R.\nready")
        self.answer("germany", "r2.germany:draw:research", "research 0\nready", or_else="r2.uk:moves")
        copy = next(event.payload["card"] for event in self.types("card_drawn") if "from" not in event.payload)
        self.drawn = next(row.payload["name"] for row in self.types("card_identified") if row.payload["card"] == copy)
        self.answer("uk", "r2.uk:moves", "2 tank France -> Northwestern Europe\nrest default\nready")
        words = f"play {self.drawn}: Northwestern Europe\nready" if self.drawn != "jet_fighter" else "ready"
        self.answer("germany", "r2.uk:cards:defence:germany", words)
        until(lambda: "r2.japan:moves" in self.state.windows, "the next turn")
        until(lambda: not self.referee.store.outbox(CAMPAIGN, "queued"), "all mails sent", 120)

    def answer(self, power: str, window: str, text: str, or_else: str = "") -> None:
        """Answer a window as soon as it is open and its mail is there; `or_else`: unless that one opens."""

        def look() -> Window | str | None:
            self.queues.setdefault(self.dump(), self.referee.store.head(CAMPAIGN).size)
            windows = self.state.windows
            return "none" if or_else in windows else windows.get(window)

        found = until(look, window)
        if isinstance(found, Window):
            assert power in waited_for(self.state, found)
            self.mail(power, text)
            until(lambda: power not in waited_for(self.state, found) or window not in self.state.windows, "the answer")

    @property
    def state(self) -> State:
        """The position; it is folded again only where something was added, for the processes need the machine."""
        size = self.referee.store.head(CAMPAIGN).size
        if size != self._state.size:
            self._state = load(self.referee, CAMPAIGN).play.now
        return self._state

    @property
    def events(self) -> list[Event]:
        return list(self.referee.store.read(CAMPAIGN))

    def types(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.type == kind]

    def dump(self) -> bytes:
        """Everything that Redis holds now."""
        assert self.settings.redis is not None
        connection = redis.Redis.from_url(self.settings.redis)
        return b"\n".join(key + b" " + (connection.dump(key) or b"") for key in connection.scan_iter())

    # -- what came of it

    @property
    def campaign(self) -> Campaign:
        store = self.referee.store
        names = [SALT_KEY, SIGNING_KEY, DICE_SEED.format(number=0), *(DECK_SEED.format(deck=deck) for deck in DECKS)]
        keys = [bytes_word(f"key {name}", store.key(CAMPAIGN, name)) for name in names]
        opened = {
            (event.payload["deck"], event.payload["set"]["opened"])
            for event in self.types("deck_changed")
            if "link" in event.payload["set"]
        }
        for deck in DECKS:
            chain = Chain(store.key(CAMPAIGN, DECK_SEED.format(deck=deck)), DECK_CHAIN_LENGTH)
            keys += [
                bytes_word(f"link {number} of {deck}", chain.link(number))
                for number in range(1, 6)
                if not any(one == deck and place >= number for one, place in opened)
            ]
        board = rules_of(self.state).board
        tokens = {one.id: one.token for one in store.players(CAMPAIGN)}
        return Campaign(self.events, [Words(board, "en"), Words(board, "zh")], tokens, keys)

    def address(self, name: str) -> str:
        """Where somebody gets his mail."""
        found = self.referee.store.player(CAMPAIGN, name)
        assert found is not None
        return found.address

    def readers(self) -> Iterator[tuple[str, frozenset[str], str]]:
        """(name, powers, token) of everybody: the players, the moderator, who plays nothing, and the public."""
        for one in self.referee.store.players(CAMPAIGN):
            yield one.id, frozenset((one.id,)) if one.id in POWERS else PUBLIC, one.token
        yield "public", PUBLIC, ""

    def mailed(self) -> list[Artefact]:
        """Every mail as it arrived."""
        size = self.referee.store.head(CAMPAIGN).size
        found: list[Artefact] = []
        for one in self.referee.store.players(CAMPAIGN):
            powers = frozenset((one.id,)) if one.id in POWERS else PUBLIC
            raws = ((f"{one.id}/{path.name}", path.read_bytes()) for path in self.catcher.messages(one.address))
            found += mails(raws, powers, one.id, size)
        return found

    def served(self) -> list[Artefact]:
        """Every page and every endpoint, with everybody's credentials, over HTTP."""
        fetch = over_http(f"http://127.0.0.1:{self.settings.http_port}")
        app = create_app(self.referee)
        size = self.referee.store.head(CAMPAIGN).size
        rows = self.referee.store.outbox(CAMPAIGN, limit=1000)
        found: list[Artefact] = []
        for name, powers, token in self.readers():
            own = {row.kind: row.id for row in reversed(rows) if row.recipient == name}
            other = next(row.id for row in rows if row.kind == "report" and row.recipient != name)
            values: dict[str, list[object]] = {
                "campaign": [CAMPAIGN], "number": [*own.values(), other, 9999],
                "form": ["txt", "html", "pdf"], "token": [token] if token else [],
            }  # fmt: skip
            moments = [f"/api/campaigns/{CAMPAIGN}/state?at={at}" for at in range(110, size, 40)]
            pages = [f"/api/campaigns/{CAMPAIGN}/events?limit=1000&first={first}" for first in (0, size // 2)]
            owner = name if token else None
            for path in [*paths(app, values), *moments, *pages]:
                head, body = fetch(path, token)
                found.append(Artefact(f"{name} GET {path}", body, powers, size, owner))
                found.append(Artefact(f"{name} GET {path} headers", head, powers, size, owner))
        return found

    def exported(self) -> list[Artefact]:
        """The log as a file for everybody, and the proofs of its sealed events."""
        store, size = self.referee.store, self.referee.store.head(CAMPAIGN).size
        sealed = [event.seq for event in self.events if event.sealed]
        self.referee.signer.sign(CAMPAIGN, self.referee.clock())
        found: list[Artefact] = []
        for name, powers, _ in self.readers():
            proofs = b"".join(prove(store, CAMPAIGN, seq, powers) for seq in sealed)
            lines = b"".join(export(store, CAMPAIGN, powers))
            found.append(Artefact(f"{name} export", lines, powers, size))
            found.append(Artefact(f"{name} proofs", proofs, powers, size))
        return found

    def commanded(self) -> list[Artefact]:
        """What the operator's commands print for a player's eyes."""
        database = ["--database", self.settings.database, "--campaign", CAMPAIGN]
        cards = [str(event.seq) for event in self.types("card_identified") if event.sealed]
        found: list[Artefact] = []
        for name, powers, _ in self.readers():
            eyes = [word for power in powers or ("nobody",) for word in ("--power", power)]
            asked = [["log", "show"], ["log", "show", "--json"], ["replay"], ["replay", "--json"]]
            for words in (*asked, *(["explain", seq] for seq in cards)):
                said = CliRunner().invoke(pbem, [*words, *eyes, *database])
                found.append(Artefact(f"{name} pbem {' '.join(words)}", said.output.encode(), powers, len(self.events)))
        return found

    def logged(self) -> list[Artefact]:
        """What the processes wrote to their logs, and what lay in Redis while they worked."""
        last = self.referee.store.head(CAMPAIGN).size
        logs = [Artefact("logs of the processes", self.running.log.read_bytes(), PUBLIC, last)]
        return logs + [
            Artefact(f"redis {place}", data, PUBLIC, size) for place, (data, size) in enumerate(self.queues.items())
        ]

    def complete(self) -> tuple[bytes, bytes]:
        """What the moderator gets from the operator, the log with everything in it; and the whole database."""
        with sqlite3.connect(self.folder / "campaign.sqlite3") as connection:
            return b"".join(export(self.referee.store, CAMPAIGN, EVERYTHING)), connection.serialize()

    def held(self) -> dict[str, list[Word]]:
        """The cards in every hand as words, by power."""
        from pbem.testing.leaks.words import card_word

        words = self.campaign.words
        return {power: [card_word(name, words) for name in names] for power, names in HELD.items()}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def played(redis_url: str, folder: Path) -> Iterator[Played]:
    """The campaign played: SMTP in and out, Redis, a worker, the tick and the web server in processes of their own."""
    with MailCatcher(folder / "caught", wall_clock) as catcher:
        port = free_port()
        settings = Settings(
            database=f"sqlite:///{folder}/campaign.sqlite3", redis=redis_url, host="pbem.example",
            url=f"http://127.0.0.1:{port}", relay_host="127.0.0.1", relay_port=catcher.port, relay_tls="none",
            check_dkim=False, smtp_port=0, http_port=port, tick_seconds=1.0,
        )  # fmt: skip
        here = build(settings)
        wanted = CampaignWanted(
            CAMPAIGN, "s42", None, ("fov",), {"interceptors": True}, tuple(map(player, POWERS)),
            moderator=PlayerWanted("mod", (), "mod@club.example", token="md7k2q9m4xa"),
        )  # fmt: skip
        campaign_from(here.referee, wanted, POSITION)
        with mail_server(here) as server, processes(settings, folder / "log") as running:
            for kind in ("worker", "tick", "web"):
                running.start(kind)
            made = Played(settings, here.referee, folder, catcher, running, server.port)
            made.play()
            yield made
        here.referee.store.close()


def rows(lines: bytes) -> list[dict[str, Any]]:
    """The lines of a bundle."""
    return [json.loads(line) for line in lines.splitlines()]
