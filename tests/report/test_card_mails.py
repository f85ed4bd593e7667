"""Mails of a game with victory cards: the own hand, what is known of the others', and every play with its proof."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from pbem.board.state import Card, State
from pbem.campaign.advance import advance
from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.games.catalog import rule_set
from pbem.games.s42.fov.table import CARDS
from pbem.log.checkpoint import Signer
from pbem.log.store import OutboxRow, open_store
from pbem.report.battles import BattleBook
from pbem.report.card_model import CardNews, HeldCard
from pbem.report.card_phrases import about_lines, card_lines, held_lines
from pbem.report.cards import CardBook
from pbem.report.examples import example_for
from pbem.report.ledger import Ledger
from pbem.report.model import Due, Private, die_of
from pbem.report.phrases import default_line
from pbem.report.render import Rendered, render
from pbem.report.words import Words
from tests.report.kit import NOON, events, roll

BOARD = rule_set("s42", variants=("fov",)).board
POWERS = ("ussr", "germany", "uk", "japan", "usa")
PEOPLE = tuple(
    PlayerWanted(power, (power,), f"{power}@players.example", language="zh" if power == "japan" else "en")
    for power in POWERS
)
ATTACK = """1 artillery, 3 infantry Karelia S.S.R. -> Belorussia
3 infantry, 1 tank, 1 artillery Caucasus -> Ukraine S.S.R.
play heavy_artillery: 1 artillery Ukraine S.S.R.
play atomic_bomb
rest default
research 0
ready"""


class Table:
    """A campaign of 1942 with cards: the Soviet Union attacks Ukraine, then Germany is asked."""

    def __init__(self, folder: Path) -> None:
        self.now = NOON
        store = open_store(f"sqlite:///{folder}/campaign.db")
        self.referee = Referee(store, Signer(store), lambda: self.now, "pbem.example", "https://pbem.example")
        create_campaign(self.referee, CampaignWanted("cards", "s42", None, ("fov",), players=PEOPLE, title="Cards"))
        self.number = 0

    def say(self, player: str, text: str) -> Rendered:
        """A mail of orders comes in; its answer."""
        self.number += 1
        self.now += 60_000
        submit(self.referee, Submission("cards", player, text, self.now, self.number))
        return self.read(self.mails()["answer", player])

    def mails(self) -> dict[tuple[str, str], OutboxRow]:
        """The mails queued since the last time, by kind and recipient."""
        store = self.referee.store
        rows = store.claim_outbox(self.now, lease=1, limit=100)
        for row in rows:
            store.mark_sent(row.id, row.claim, self.now)
        return {(row.kind, row.recipient): row for row in rows}

    def read(self, row: OutboxRow) -> Rendered:
        """A mail as it is sent."""
        return render(self.referee, row)

    def play_on(self) -> dict[tuple[str, str], Rendered]:
        """Play goes on as far as it can: the mails that this causes."""
        advance(self.referee, "cards")
        return {key: self.read(row) for key, row in self.mails().items()}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rendered]:
    """The first report, the answer to a card that is not held, the question to Germany, and the report of the turn."""
    table = Table(tmp_path_factory.mktemp("cards"))
    began = table.play_on()
    found = {f"first {power}": began["report", power] for power in POWERS}
    found["answer"] = table.say("ussr", ATTACK)
    found["question"] = table.play_on()["ask", "germany"]
    found["reply"] = table.say("germany", "play heavy_tank: 1 tank Ukraine S.S.R.\nready")
    found.update({f"turn {power}": mail for (_, power), mail in table.play_on().items()})
    assert load(table.referee, "cards").play.now.power == "germany"
    return found


def unwrapped(mail: Rendered) -> str:
    """A mail's text on one line."""
    return " ".join(mail.text.split())


def printed(mail: Rendered) -> str:
    """The words of the report that is attached."""
    (attached,) = mail.attachments
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(attached.data)).pages).split())


def test_the_own_hand_tells_what_each_card_does_when_and_how(told: dict[str, Rendered]) -> None:
    said = unwrapped(told["first ussr"])
    assert (
        "YOUR HAND --------- - Heavy Artillery (weapons) What it does: the artillery hits on 3 or less in all rounds, "
        "and each of its hits removes two infantry or one other unit. "
        "When: after your combat moves or when you are attacked. "
        "Write, for example: play heavy_artillery: 1 artillery West Russia"
    ) in said
    assert "重型坦克" in told["first japan"].text and "您的手牌" in told["first japan"].text
    assert "效果：潛艇或驅逐艦在第1輪擲兩顆骰子，只能命中水面軍艦。" in "".join(told["first japan"].text.split())


@pytest.mark.parametrize("power", POWERS)
def test_html_and_pdf_hold_the_hand_too(told: dict[str, Rendered], power: str) -> None:
    head = "您的手牌" if power == "japan" else "Your hand"
    html = told[f"turn {power}"].html or ""
    assert head.lower() in html.lower()
    assert head.lower().replace(" ", "") in printed(told[f"turn {power}"]).lower().replace(" ", "")


def test_a_card_that_is_not_held_is_refused_to_its_sender_alone(told: dict[str, Rendered]) -> None:
    assert "You hold no Atomic Bomb." in unwrapped(told["answer"]) and "FOV-10.2" in told["answer"].text
    for mail in (told["question"], told["turn germany"], told["turn japan"]):
        assert "atomic" not in mail.text.lower() and "原子彈" not in mail.text


def test_an_answer_to_a_question_is_shown_to_be_in_force(told: dict[str, Rendered]) -> None:
    said = unwrapped(told["reply"])
    assert "COMPLETE ---------------------- Germany, answers: play heavy_tank: 1 tank Ukraine S.S.R." in said
    assert "play heavy_tank: 1 tank Ukraine S.S.R." in (told["reply"].html or "")


def test_who_is_asked_sees_the_battles_to_come(told: dict[str, Rendered]) -> None:
    said = unwrapped(told["question"])
    assert "BATTLES TO COME" in said
    assert (
        "- Ukraine S.S.R. (Germany): Soviet Union 3 infantry, 1 artillery, 1 tank against "
        "Germany 3 infantry, 1 artillery, 1 tank, 1 fighter" in said
    )
    assert "now:\n\n  play heavy_tank\n  ready\n" in told["question"].text
    assert "Soviet Union plays Heavy Artillery in Ukraine S.S.R. (Soviet Union 1 artillery)" in said


@pytest.mark.parametrize("reader", ["turn uk", "turn ussr"])
def test_a_play_is_told_with_place_effect_result_and_proof(told: dict[str, Rendered], reader: str) -> None:
    said = unwrapped(told[reader])
    assert "Card: Heavy Tank (Germany 1 tank): the tank hits on 4 or less in all rounds and takes two hits." in said
    assert "Germany 1 tank (Heavy Tank) at 4: " in said
    assert "Germany plays Heavy Tank in Ukraine S.S.R. (Germany 1 tank)" in said
    assert "Proof: everybody knew it as a starting card." in said
    assert "It did: its dice " in said


def test_others_see_numbers_only(told: dict[str, Rendered]) -> None:
    said = unwrapped(told["first uk"])
    assert "- Germany: 2 weapons cards (known: Heavy Tank, Powerful Torpedoes)" in said
    assert said.count("Heavy Tank") == 1


# -- the sentences ----------------------------------------------------------------------------------------------------


def news_of(facts: list[tuple[object, ...]]) -> tuple[CardNews, ...]:
    """What a book of cards makes of events."""
    book = CardBook(Ledger(BOARD, State()), State())
    for event in events(facts, 300):
        book.see(event)
    return book.news


def test_a_drawn_card_that_is_played_names_the_events_that_seal_and_open_it() -> None:
    drawn = {"card": "tactics-1-2", "deck": "tactics", "power": "uk", "place": "hand"}
    played = {
        "power": "uk", "card": "tactics-1-2", "name": "fortification", "deck": "tactics", "moment": "DEF",
        "space": "egypt", "units": [], "ids": [],
    }  # fmt: skip
    worked = {"power": "uk", "card": "tactics-1-2", "name": "fortification", "space": "egypt", "result": "halved",
              "rolled": 3, "counted": 1}  # fmt: skip
    moved = {"card": "tactics-1-2", "place": "discard", "power": None}
    opened = {"of": 267, "salt": "00", "payload": {"type": "card_identified", "payload": {"card": "tactics-1-2"}}}
    rows = news_of([
        ("card_drawn", drawn, ["FOV-2.3.1"]), ("card_played", played, ["FOV-T07.1"]), ("card_moved", moved),
        ("card_worked", worked, ["FOV-T07.2"]), ("secret_opened", opened),
    ])  # fmt: skip
    words = Words(BOARD)
    assert [row.kind for row in rows] == ["drawn", "played"]
    assert card_lines(rows[0], words) == ["United Kingdom draws a tactics card: no. 2 of pile 1"]
    assert card_lines(rows[1], words) == [
        "United Kingdom plays Fortification in Egypt",
        "What it does: only half of the attacker's hits in round 1 count, rounded down.",
        "It did: 1 of 3 hits counted.",
        "Proof: no. 2 of pile 1, drawn and sealed in event 267, opened in event 304.",
    ]
    assert rows[1].rules == ("FOV-T07.1", "FOV-T07.2")
    assert card_lines(rows[1], Words(BOARD, "zh"))[0] == "英國打出要塞（埃及）"


def test_dice_of_units_under_a_card_are_what_it_did() -> None:
    played = {
        "power": "germany", "card": "weapons-0-4", "name": "heavy_tank", "deck": "weapons", "moment": "ATT",
        "space": "egypt", "units": [["germany", "tank", 1]], "ids": ["u7"],
    }  # fmt: skip
    dice = [("u7", "tank", "germany", 4, 4), ("u8", "tank", "germany", 3, 4)]
    (row,) = news_of([
        ("card_played", played), roll("attackers_fire", "egypt", 1, dice), roll("attackers_fire", "egypt", 2, dice[:1]),
    ])  # fmt: skip
    assert [result.dice for result in row.results] == [((True, 4), (True, 4))]
    assert card_lines(row, Words(BOARD))[2] == "It did: its dice [4] [4]."


def test_an_exact_die_of_a_card_hits_with_its_number_only() -> None:
    """A rail gun where the campaign wants an exact 2 (FOV-R14)."""
    assert [die_of({"need": 2, "exact": True}, face).hit for face in (1, 2, 3)] == [False, True, False]


def test_a_die_that_was_seen_before_the_card_is_not_its_doing() -> None:
    played = {
        "power": "uk", "card": "fortune-1-1", "name": "fighter_ace", "deck": "fortune", "moment": "ROLL",
        "space": "egypt", "units": [["uk", "fighter", 1]], "ids": ["u7"],
    }  # fmt: skip
    worked = {"power": "uk", "card": "fortune-1-1", "name": "fighter_ace", "space": "egypt", "result": "hit"}
    later = roll("attackers_fire", "egypt", 2, [("u7", "fighter", "uk", 3, 6)])
    (row,) = news_of([("card_played", played), ("card_worked", worked), later])
    assert card_lines(row, Words(BOARD))[2] == "It did: a miss became a hit."


def test_a_unit_that_a_card_gives_is_told_with_it() -> None:
    played = {
        "power": "usa", "card": "fortune-1-3", "name": "foreign_legion", "deck": "fortune", "moment": "MOB",
        "space": "sinkiang", "units": [], "ids": [],
    }  # fmt: skip
    made = {"space": "sinkiang", "owner": "usa", "units": [["u900", "infantry", {}]], "why": "card"}
    (row,) = news_of([("card_played", played), ("units_created", made)])
    assert card_lines(row, Words(BOARD))[2] == "It did: United States 1 infantry in Sinkiang."


def test_a_used_weapon_and_a_new_card_say_so() -> None:
    used = HeldCard("germany", "heavy_tank", "weapons", False, moments=("ATT", "DEF"), order="play heavy_tank")
    new = HeldCard("japan", "long_range_fighters", "weapons", True, True, ("MOVE",), "play long_range_fighters")
    both = Private(powers=("germany", "japan"))
    words = Words(BOARD)
    assert held_lines(used, both, words)[0] == (
        "Germany: Heavy Tank (weapons, used: ready again after your next draw phase)"
    )
    assert held_lines(new, Private(powers=("japan",)), words)[0] == "Long-Range Fighters (weapons, new)"


def test_the_question_about_research_names_the_card_to_its_holder_only() -> None:
    ask = {"power": "germany", "kind": "research", "treasury": 39}
    new = HeldCard("germany", "jet_fighter", "weapons", True, True)
    words = Words(BOARD)
    assert about_lines(ask, Private(powers=("germany",), hand=(new,)), words) == [
        "You drew Jet Fighter: the fighter rolls two dice in every round and both may hit. Each die costs 1 IPC of "
        "your 39. One 6 is enough to keep the card; without a 6 it is discarded."
    ]
    assert about_lines(ask, Private(powers=("japan",), hand=(new,)), words) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("card", sorted(CARDS))
def test_every_card_is_explained_in_both_languages(card: str, language: str) -> None:
    words = Words(BOARD, language)
    assert words.card_effect(card) != words.card(card)
    if language == "en":
        assert words.card(card) == CARDS[card].name
    assert all(words.known(f"card_when.{moment}", "") for moment in CARDS[card].moments)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ({"kind": "card", "moment": "defence"}, ("play scramble", "play heavy_tank", "ready")),
        ({"kind": "card", "moment": "attack"}, ("play heavy_tank", "ready")),
        ({"kind": "fighter_ace"}, ("play fighter_ace", "ready")),
    ],
)
def test_only_cards_whose_moment_it_is_are_offered(ask: dict[str, str], said: tuple[str, ...]) -> None:
    names = {"scramble": "tactics", "donation": "fortune", "heavy_tank": "weapons", "fighter_ace": "fortune"}
    cards = {
        f"{deck}-1-{place}": Card(f"{deck}-1-{place}", deck, "hand", "germany", name, True, {})
        for place, (name, deck) in enumerate(names.items())
    }
    due = Due("w", "reactions", ("germany",), (), ({"power": "germany", **ask},), None, ("germany",))
    moments = {name: CARDS[name].moments for name in names}
    state = replace(State(), cards=cards)
    assert example_for(state, BOARD, ("germany",), due, lambda lines: True, moments) == said


def test_dice_that_a_card_for_the_whole_battle_raises_are_what_it_did() -> None:
    played = {
        "power": "ussr", "card": "tactics-1-1", "name": "entrenchment", "deck": "tactics", "moment": "DEF",
        "space": "egypt", "units": [], "ids": [],
    }  # fmt: skip
    kind, fire = roll("defenders_fire", "egypt", 1, [(f"u{n}", "infantry", "ussr", 3, n) for n in (3, 4)])
    for row in fire["dice"]:
        row["card"] = "entrenchment"
    elsewhere = {**fire, "purpose": fire["purpose"].replace("egypt", "libya")}
    (row,) = news_of([("card_played", played), (kind, fire), (kind, elsewhere)])
    assert card_lines(row, Words(BOARD))[2] == "It did: its dice [3] 4."


def test_the_damage_of_a_raid_is_told_with_the_card_that_changed_it() -> None:
    played = {
        "power": "germany", "card": "tactics-1-1", "name": "hidden_factory", "deck": "tactics", "moment": "DEF",
        "space": "germany", "units": [], "ids": [],
    }  # fmt: skip
    bombed = {"space": "germany", "kind": "industrial_complex", "damage": 6, "before": 4, "why": "bombed", "rolled": 2}
    (row,) = news_of([("card_played", played), ("facility_changed", bombed, ["S42-5.3.5", "FOV-T09.1"])])
    assert card_lines(row, Words(BOARD))[2] == "It did: 2 damage."
    assert "FOV-T09.1" in row.rules


def test_each_question_has_its_example_and_ready_ends_them() -> None:
    """Cards do not crowd out what else is asked."""
    asks = tuple({"power": "germany", "kind": kind, "space": "germany"} for kind in ("card", "intercept"))
    due = Due("w", "reactions", ("germany",), (), asks, None, ("germany",))
    names = [name for name in CARDS if CARDS[name].moments == ("DEF",)]
    cards = {name: Card(name, CARDS[name].deck, "hand", "germany", name, True, {}) for name in names}
    state = replace(State(), cards=cards)
    found = example_for(state, BOARD, ("germany",), due, lambda lines: True)
    assert "intercept Germany: 1 fighter" in found and found[-1] == "ready" and len(found) == 5


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (("research",), "Without an answer no die is bought and the card is lost."),
        (("discard",), "Without an answer nothing is discarded and nothing is drawn."),
        (("card",), "Your standing orders about cards are followed with and without an answer; play none plays no card "
                    "whatever they say."),
        (("retreat",), "Without an answer your standing orders decide, and where there is none the default of the "
                       "rules."),
    ],
)  # fmt: skip
def test_the_question_says_what_silence_means(kinds: tuple[str, ...], said: str) -> None:
    due = Due("w", "decisions", ("uk",), (), tuple({"power": "uk", "kind": kind} for kind in kinds), None, ("uk",))
    assert default_line(due, Private(powers=("uk",), mine=True), Words(BOARD)) == said


def test_torpedoes_are_told_with_the_dice_of_their_round_only() -> None:
    """FOV-W10.2: the submarine stays under the card, but its later dice are plain; a heavy tank's are not."""
    ledger = Ledger(BOARD, State())
    ledger.card |= {"u1": "powerful_torpedoes", "u2": "heavy_tank"}
    book = BattleBook(ledger)
    battle = {"battle": "sea:sz-7", "space": "sz-7", "kind": "sea", "attacker": "germany", "defenders": [],
              "attackers": [["u1", "submarine", "germany"]]}  # fmt: skip
    rows = [("u1", "submarine", "germany", 2, 2), ("u2", "tank", "germany", 4, 1)]
    told: list[tuple[str, dict[str, object]]] = [("battle_begun", dict(battle))]
    for number in (1, 2):
        kind, fire = roll("attackers_fire", "sz-7", number, rows)
        if number == 1:
            fire["dice"][0]["card"] = "powerful_torpedoes"
        step = {**battle, "round": number, "step": "attackers_fire", "name": "Attackers fire"}
        told += [("round_begun", {**battle, "round": number}), ("step_begun", step), (kind, fire)]
    for event in events(told, 1):
        book.see(event)
    book.close()
    (story,) = book.battles
    cards = [[die.card for die in step.dice] for one in story.rounds for step in one.steps]
    assert cards == [["powerful_torpedoes", "heavy_tank"], ["", "heavy_tank"]]
