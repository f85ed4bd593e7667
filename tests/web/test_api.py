"""The API and the pages, asked by a real HTTP client of a real application over a real SQLite store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pbem.campaign.advance import advance
from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.moderate import replace_player, rewind
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.checkpoint import Signer, verify_note
from pbem.log.export import verify
from pbem.log.store import Player, open_store
from pbem.testing.campaigns import everybody
from pbem.web.app import create_app

POWERS = ("japan", "usa", "china", "uk", "anzac")


class Clock:
    """A clock that goes on by itself a little with every look."""

    now = 1_785_000_000_000

    def __call__(self) -> int:
        self.now += 5
        return self.now


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    store = open_store(f"sqlite:///{tmp_path}/pbem.sqlite3")
    made = Referee(store, Signer(store), Clock(), "pbem.example", "https://pbem.example")
    people = tuple(PlayerWanted(p, (p,), f"{p}@players.example", token=f"token{p}") for p in POWERS)
    create_campaign(made, CampaignWanted("p40-1", "p40", "2e", players=people))
    advance(made, "p40-1")
    yield made
    store.close()


@pytest.fixture
def jobs() -> list[tuple[str, Any]]:
    return []


@pytest.fixture
def client(referee: Referee, jobs: list[tuple[str, Any]]) -> FlaskClient:
    return create_app(referee, lambda kind, what: jobs.append((kind, what)), hook_secret="hush").test_client()


def auth(power: str) -> dict[str, str]:
    return {"Authorization": f"Bearer token{power}"}


def test_everybody_sees_what_is_waited_for(client: FlaskClient) -> None:
    (row,) = client.get("/api/campaigns").get_json()
    assert row["id"] == "p40-1" and row["round"] == 1
    assert row["windows"][0]["waiting_for"] == ["japan"]


def test_orders_are_kept_before_202_and_judged_by_the_worker(
    client: FlaskClient, referee: Referee, jobs: list[tuple[str, Any]]
) -> None:
    sent = client.post(
        "/api/campaigns/p40-1/orders", data="3 inf Kwangsi -> Yunnan\n2 infx Siam -> Burma",
        headers={**auth("japan"), "Content-Type": "text/plain"},
    )  # fmt: skip
    assert sent.status_code == 202
    body = sent.get_json()
    assert [line["status"] for line in body["lines"]] == ["accepted", "unreadable"] or [
        line["status"] for line in body["lines"]
    ] == ["accepted", "refused"]
    row = referee.store.inbox_row(body["receipt"])
    assert row is not None and row.status == "unread"
    assert jobs == [("handle", body["receipt"])]


def test_with_prefer_wait_the_whole_answer_comes_back(client: FlaskClient) -> None:
    sent = client.post(
        "/api/campaigns/p40-1/orders", json={"orders": ["3 inf Kwangsi -> Yunnan", "9 tank Siam -> Shan State"]},
        headers={**auth("japan"), "Prefer": "wait"},
    )  # fmt: skip
    assert sent.status_code == 200, sent.get_json()
    result = sent.get_json()["result"]
    assert [line["status"] for line in result["lines"]] == ["accepted", "refused"]
    assert list(result["in_force"]["japan"]["combat_move"])[0].startswith("3 infantry Kwangsi")
    mine = client.get("/api/campaigns/p40-1/orders", headers=auth("japan")).get_json()
    assert list(mine["orders"]) == ["japan/combat_move"]
    receipt = client.get(f"/api/receipts/{sent.get_json()['receipt']}", headers=auth("japan")).get_json()
    assert receipt["state"] == "done"
    assert client.get(f"/api/receipts/{receipt['receipt']}", headers=auth("usa")).status_code == 404


def test_a_byte_order_mark_is_read_like_everywhere(client: FlaskClient) -> None:
    body = b"\xef\xbb\xbf" + json.dumps({"orders": ["3 inf Kwangsi -> Yunnan"]}).encode()
    sent = client.post(
        "/api/campaigns/p40-1/orders", data=body,
        headers={**auth("japan"), "Prefer": "wait", "Content-Type": "application/json"},
    )  # fmt: skip
    assert sent.get_json()["result"]["lines"][0]["status"] == "accepted"


def test_nobody_sees_the_orders_of_others(client: FlaskClient) -> None:
    client.post("/api/campaigns/p40-1/orders", data="3 inf Kwangsi -> Yunnan",
                headers={**auth("japan"), "Prefer": "wait", "Content-Type": "text/plain"})  # fmt: skip
    for headers in ({}, auth("china")):
        for path in ("events?limit=1000", "state", "log", ""):
            text = client.get(f"/api/campaigns/p40-1/{path}".rstrip("/"), headers=headers).get_data(as_text=True)
            assert "Yunnan ->" not in text and "Kwangsi ->" not in text, path
        assert "Kwangsi ->" not in client.get("/c/p40-1").get_data(as_text=True)
    own = client.get("/api/campaigns/p40-1/log", headers=auth("japan")).get_data(as_text=True)
    assert "Kwangsi -> Yunnan" in own


def test_bundle_and_checkpoint_verify(client: FlaskClient) -> None:
    bundle = client.get("/api/campaigns/p40-1/log").get_data().splitlines()
    assert verify(bundle).fault is None
    note = client.get("/api/campaigns/p40-1/checkpoint").get_data(as_text=True)
    key = client.get("/api/campaigns/p40-1/events?limit=1").get_json()["events"][0]["payload"]["log_key"]
    assert verify_note(note, key).size >= 3


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        ("/api/campaigns/nowhere", {}, 404),
        ("/api/campaigns/p40-1/orders", {}, 401),
        ("/api/campaigns/p40-1/orders", {"Authorization": "Bearer wrong"}, 401),
        ("/api/campaigns/p40-1/state?at=99999", {}, 404),
        ("/api/campaigns/p40-1/events?limit=x", {}, 422),
    ],
)
def test_mistakes_are_one_clear_sentence(client: FlaskClient, path: str, headers: dict[str, str], code: int) -> None:
    answer = client.get(path, headers=headers)
    assert answer.status_code == code
    assert len(answer.get_json()["message"]) > 8


def test_the_position_can_be_asked_at_any_event(client: FlaskClient) -> None:
    first = client.get("/api/campaigns/p40-1/state?at=1").get_json()
    assert first["at"] == 1 and first["state"]["units"] == []
    now = client.get("/api/campaigns/p40-1/state").get_json()
    assert len(now["state"]["units"]) > 100


def test_the_ready_link_does_nothing_until_the_button_is_pressed(client: FlaskClient, referee: Referee) -> None:
    page = client.get("/c/p40-1/ready/tokenjapan")
    assert page.status_code == 200 and "I am ready" in page.get_data(as_text=True)
    assert client.get("/api/campaigns/p40-1").get_json()["windows"][0]["waiting_for"] == ["japan"]
    assert "marked as ready" in client.post("/c/p40-1/ready/tokenjapan").get_data(as_text=True)
    assert client.get("/api/campaigns/p40-1").get_json()["windows"][0]["waiting_for"] == []
    assert client.get("/c/p40-1/ready/nobody").status_code == 404


def test_the_raw_mime_hook_needs_its_secret(client: FlaskClient, jobs: list[tuple[str, Any]]) -> None:
    mail = b"From: japan@players.example\r\nTo: x\r\nSubject: moves\r\n\r\n3 inf Kwangsi -> Yunnan\r\n"
    path = "/hooks/mime?recipient=orders%2Bp40-1.tokenjapan@pbem.example&sender=japan@players.example"
    assert client.post(path, data=mail).status_code == 403
    kept = client.post(path, data=mail, headers={"X-Pbem-Hook": "hush"})
    assert kept.status_code == 202 and jobs[-1][0] == "handle"


def test_openapi_names_every_path(client: FlaskClient) -> None:
    spec = client.get("/api/openapi.json").get_json()
    assert {"/api/campaigns/{campaign}/orders", "/api/campaigns/{campaign}/events"} <= set(spec["paths"])


def test_pages_show_the_map_and_who_is_waited_for(client: FlaskClient) -> None:
    assert "p40-1" in client.get("/").get_data(as_text=True)
    page = client.get("/c/p40-1").get_data(as_text=True)
    assert "<svg" in page and "Waits for Japan" in page


def test_the_page_tells_latest_events_in_words_and_what_each_power_has(client: FlaskClient) -> None:
    page = client.get("/c/p40-1").get_data(as_text=True)
    assert "window r1.japan:moves opened: japan for purchase, combat_move" in page
    assert "6 kamikaze" in page


def test_the_openapi_document_says_who_may_ask_and_what_to_send(client: FlaskClient) -> None:
    document = client.get("/api/openapi.json").get_json()
    (scheme,) = document["components"]["securitySchemes"]
    post = document["paths"]["/api/campaigns/{campaign}/orders"]["post"]
    assert post["security"] == [{scheme: []}]
    assert set(post["requestBody"]["content"]) == {"text/plain", "application/json"}
    assert {"Prefer", "Idempotency-Key"} <= {each["name"] for each in post["parameters"]}
    for media, content in post["requestBody"]["content"].items():
        body = content["example"] if isinstance(content["example"], str) else json.dumps(content["example"])
        sent = client.post("/api/campaigns/p40-1/orders", data=body, headers={**auth("japan"), "Content-Type": media})
        assert sent.status_code == 202
        assert {line["status"] for line in sent.get_json()["lines"]} == {"accepted"}
    for path, methods in document["paths"].items():
        for method in ("get", "post"):
            assert method not in methods or any(code.startswith("2") for code in methods[method]["responses"]), path


# -- discretion -------------------------------------------------------------------------------------------------------


def test_what_is_asked_with_a_token_is_stored_nowhere_on_the_way(client: FlaskClient) -> None:
    for path in ("state", "events", "log", "orders", "reports"):
        own = client.get(f"/api/campaigns/p40-1/{path}", headers=auth("japan"))
        assert own.headers["Cache-Control"] == "no-store" and "Authorization" in own.headers["Vary"], path
        assert "Authorization" in client.get(f"/api/campaigns/p40-1/{path}").headers["Vary"], path


def test_a_fault_of_ours_is_logged_without_words_and_addresses(
    referee: Referee, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The words of an exception may quote orders, the address of the ready page is a secret."""

    def broken(*arguments: object, **more: object) -> None:
        raise ValueError("fog_of_war in the hand of uk")

    monkeypatch.setattr("pbem.web.pages.submit", broken)
    answer = create_app(referee).test_client().post("/c/p40-1/ready/tokenjapan")
    assert answer.status_code == 500 and "fog_of_war" not in answer.text
    assert "ValueError at" in caplog.text and "pages.say_ready" in caplog.text
    assert "fog_of_war" not in caplog.text and "tokenjapan" not in caplog.text


def test_who_takes_over_sees_with_his_powers_at_once(client: FlaskClient, referee: Referee) -> None:
    """In the midst of a turn too; who played before sees nothing any more."""
    body = {"orders": ["3 inf Kwangsi -> Yunnan"]}
    sent = client.post("/api/campaigns/p40-1/orders", json=body, headers={**auth("japan"), "Prefer": "wait"})
    assert sent.get_json()["result"]["lines"][0]["status"] == "accepted"
    newcomer = Player(id="late", campaign="p40-1", name="late", address="late@players.example", token="", language="en",
                      time_zone="UTC")  # fmt: skip
    replace_player(referee, "p40-1", "japan", newcomer)
    fresh = referee.store.player("p40-1", "late")
    assert fresh is not None
    now = client.get("/api/campaigns/p40-1/orders", headers={"Authorization": f"Bearer {fresh.token}"}).get_json()
    assert now["orders"] == {"japan/combat_move": ["3 infantry Kwangsi -> Yunnan"]}
    assert client.get("/api/campaigns/p40-1/orders", headers=auth("japan")).status_code == 401


def test_the_page_stands_after_a_turn_was_taken_back(referee: Referee, client: FlaskClient) -> None:
    """What a rewind took back is neither told nor folded: pieces made in it are not there twice."""
    for again in (False, True):
        orders = "buy 3 infantry\n1 infantry Shantung -> Anhwe\nplace 3 infantry Japan\nrest default\nready"
        submit(referee, Submission("p40-1", "japan", orders, referee.clock(), f"n{referee.clock()}"), mail_answer=False)
        while load(referee, "p40-1").play.now.power != "usa":
            state = advance(referee, "p40-1") and load(referee, "p40-1").play.now
            for window in state.windows.values() if state.power != "usa" else ():
                for power in window.powers:
                    ready = Submission("p40-1", power, "rest default\nready", referee.clock(), f"n{referee.clock()}")
                    submit(referee, ready, mail_answer=False)
        assert client.get("/c/p40-1").status_code == 200
        if not again:
            rewind(referee, "p40-1", "r1.japan", "once more")
            advance(referee, "p40-1")
    page = client.get("/c/p40-1").get_data(as_text=True)
    assert page.count("new: japan 1 infantry in Japan") == 3


def test_a_power_with_two_treasuries_has_the_money_of_both(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/p01.sqlite3")
    made = Referee(store, Signer(store), Clock(), "pbem.example", "https://pbem.example")
    create_campaign(made, CampaignWanted("p01-1", "p01", players=everybody(("japan", "uk", "china", "usa"))))
    page = create_app(made).test_client().get("/c/p01-1").get_data(as_text=True)
    row = page.split("<td>United Kingdom")[1].split("</tr>")[0]
    assert '<td class="n">47</td>' in row and "15 ipc india" in row
    store.close()
