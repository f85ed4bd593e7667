"""The demonstration: all started for real, a campaign played by SMTP, and what came of it laid out in a folder."""

from __future__ import annotations

import email
import email.policy
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.board.state import State, Window
from pbem.campaign.advance import waited_for
from pbem.campaign.config import Settings, open_referee
from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.mails import player_of
from pbem.campaign.referee import Referee
from pbem.demo.hand import CardPlayer
from pbem.demo.players import DemoPlayer
from pbem.demo.script import NOTHING, Script
from pbem.games.catalog import load_board
from pbem.mail.catcher import folder_name
from pbem.report.words import Words

CAMPAIGN = "demo"
PATIENCE = 240.0
"""Seconds without any progress after which the demonstration gives up."""
Say = Callable[[str], None]


class DemoFailed(Exception):
    """The demonstration did not come to its end: the message says where it stood."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a demonstration left behind."""

    events: int
    rounds: int
    mails_sent: int
    mails_received: int
    pdfs: int
    refused: int
    seconds: float


def play(script: Script, out: Path, settings: Settings, say: Say) -> Played:
    """Play the script against running services; `settings` say where they are. The players' mail lands in out/mails."""
    began = time.monotonic()
    referee = open_referee(settings)
    mails = out / "mails"
    people = {
        player: DemoPlayer(
            player, f"{player}@players.example", powers, mails / folder_name(f"{player}@players.example"),
            script.languages.get(player, "en"),
        )
        for player, powers in script.seats.items()
    }  # fmt: skip
    create_campaign(
        referee,
        CampaignWanted(
            id=CAMPAIGN,
            game=script.game,
            edition=script.edition,
            variants=script.variants,
            options=script.options,
            title=script.title,
            players=tuple(
                PlayerWanted(person.id, person.powers, person.address, language=person.language)
                for person in people.values()
            ),
        ),
    )
    _play_turns(script, referee, people, settings, say)
    _wait_for_mail(referee, say)
    events = referee.store.head(CAMPAIGN).size
    pdfs = _lay_out(mails, out)
    received = len(list(mails.rglob("*.eml")))
    sent = sum(len(person.sent) for person in people.values())
    refused = _refused(referee)
    _keep_sent(people, out / "sent")
    return Played(events, script.rounds, sent, received, pdfs, refused, time.monotonic() - began)


def _play_turns(script: Script, referee: Referee, people: dict[str, DemoPlayer], settings: Settings, say: Say) -> None:
    told: set[tuple[str, str]] = set()
    hands = _card_players(script, people)
    killed = False
    defended = not script.first_defence
    moved = time.monotonic()
    seen = -1
    while True:
        state = load(referee, CAMPAIGN).play.now
        if state.size != seen:
            seen, moved = state.size, time.monotonic()
        if state.paused:
            raise DemoFailed("the campaign stopped for its moderator; see `pbem log show`")
        if state.round > script.rounds or state.winner:
            return
        if time.monotonic() - moved > PATIENCE:
            raise DemoFailed(f"nothing happened for {PATIENCE:.0f} s in round {state.round}, {state.power}")
        for window in state.windows.values():
            for power in waited_for(state, window):
                if (window.id, power) in told:
                    continue
                person = people[player_of(state, power) or power]
                if person.latest(window.opened_seq) is None:
                    continue
                text = _words(script, state, window, power, first=not person.sent)
                if power in hands:
                    text = _with_cards(hands[power], person.text(window.opened_seq), window, text)
                picks = not defended and _defends(window, power)
                if picks:
                    text = person.offered(window.opened_seq, script.first_defence) or text
                    say(f"{person.id} is attacked and picks from the lines in his mail: {text}")
                if script.kill_a_worker and window.kind == "decisions" and not killed and (defended or picks):
                    killed = True
                    say(f"worker process {kill_a_worker()} was killed while {window.id} is open")
                defended = defended or picks
                if person.answer(window.opened_seq, text, settings.smtp_host, settings.smtp_port):
                    told.add((window.id, power))
                    say(f"{person.id} answers {window.id}: {len(text.splitlines())} lines")
        time.sleep(0.15)


def _refused(referee: Referee) -> int:
    """Lines refused in the answers to their writers, and orders refused or lapsed when their time came."""
    later = sum(1 for event in referee.store.read(CAMPAIGN) if event.type in ("order_refused", "order_lapsed"))
    answers = (row for row in referee.store.outbox(CAMPAIGN, "sent", limit=100_000) if row.kind == "answer")
    lines = [line["status"] for row in answers for line in row.params.get("lines", ())]
    return later + sum(status in ("refused", "unreadable") for status in lines)


def _card_players(script: Script, people: dict[str, DemoPlayer]) -> dict[str, CardPlayer]:
    """A player of cards for each power, if the script has habits for them."""
    if script.habits is None:
        return {}
    board = load_board(script.game, script.edition)
    return {
        power: CardPlayer(power, script.habits, Words(board, person.language))
        for person in people.values()
        for power in person.powers
    }


def _with_cards(player: CardPlayer, mail: str, window: Window, text: str) -> str:
    """A text with what its writer says about cards, from what his mail tells."""
    if window.kind == "orders":
        return "\n".join([*player.with_turn(mail, text), text])
    return "\n".join([*player.answer(mail), text])


def _defends(window: Window, power: str) -> bool:
    """Whether a window asks a power in mid-battle as one that is attacked."""
    return any((ask["power"], ask.get("side")) == (power, "defend") for ask in window.asks)


def _words(script: Script, state: State, window: Window, power: str, *, first: bool) -> str:
    """The text of a player's mail for a window; standing orders go with his first one."""
    heading = "" if len(script.seats.get(player_of(state, power) or "", ())) < 2 else f"{power}:\n"
    if window.kind != "orders":
        words = script.mid_battle.get(power, "ready") if window.kind == "decisions" else "ready"
        return f"{heading}{words}"
    segment = window.id.partition(":")[0]
    if window.id.endswith(":rest"):
        return f"{heading}rest default\nready"
    lines = script.text(segment, state.round, power)
    if script.segments:
        return f"{lines or heading}\nready"
    lines = lines or NOTHING
    if power in script.standing and first:
        lines = f"{lines}\nSTANDING ORDERS\n{script.standing[power]}"
    return f"{heading}{lines}\nrest default\nready"


def kill_a_worker() -> int:
    """Kill one worker of this process tree as a crash would (SIGKILL); returns its process number."""
    for folder in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == os.getpid() and b"workers.serve" in words and b"worker" in words:
            os.kill(int(folder.name), signal.SIGKILL)
            return int(folder.name)
    raise DemoFailed("there is no worker to kill")


def _wait_for_mail(referee: Referee, say: Say) -> None:
    until = time.monotonic() + 150
    while time.monotonic() < until:
        left = referee.store.outbox(CAMPAIGN, "queued", limit=1000)
        if not left:
            return
        say(f"{len(left)} mail{' is' if len(left) == 1 else 's are'} still on the way")
        time.sleep(1.0)
    raise DemoFailed("mails are still waiting in the outbox")


def _lay_out(mails: Path, out: Path) -> int:
    """Copy every attached PDF to out/reports; returns how many."""
    folder = out / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(mails.rglob("*.eml")):
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        for part in mail.walk():
            if part.get_content_type() == "application/pdf":
                data = part.get_payload(decode=True)
                assert isinstance(data, bytes)
                count += 1
                (folder / f"{path.parent.name}-{count:03d}-{part.get_filename() or 'report.pdf'}").write_bytes(data)
    return count


def _keep_sent(people: dict[str, DemoPlayer], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for person in people.values():
        for number, mail in enumerate(person.sent):
            (folder / f"{person.id}-{number:02d}.eml").write_bytes(mail.as_bytes())


def fresh(out: Path) -> None:
    """An empty folder for what the demonstration leaves."""
    for name in ("mails", "reports", "sent", "log", "service"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
