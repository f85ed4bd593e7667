"""`pbem campaign new | list | show`: starting campaigns from options or a file, and looking at them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    campaign_option,
    chosen,
    database_option,
    echo_json,
    json_option,
    listed,
    moment,
    now,
    open_referee,
    progress,
    read_document,
)
from pbem.cli.lazy import Usage
from pbem.cli.wanted import campaign_wanted, mapping, position_of, texts

if TYPE_CHECKING:
    from pbem.campaign.load import Loaded
    from pbem.campaign.referee import Referee


@click.group(no_args_is_help=True)
def campaign() -> None:
    """Start, list and show campaigns."""


# -- new --------------------------------------------------------------------------------------------------------------


@campaign.command()
@click.argument("name", metavar="ID", required=False)
@click.option(
    "--from",
    "document",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take everything from a JSON or YAML file; options given beside it win.",
)
@click.option("--game", help="p40, s42, classic or p01.")
@click.option("--edition", help="Which printing, e.g. card, 1e or 2e for p40. Default: the game's first.")
@click.option("--variant", "variants", multiple=True, help="A variant on top: fov, err or wwm.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A named option of the rules.")
@click.option("--title", help="What the campaign is called in mails. Default: the game's name.")
@click.option(
    "--player",
    "players",
    multiple=True,
    nargs=2,
    metavar="POWER[,POWER] ADDRESS",
    help="Who plays what, and his mail address (several times).",
)
@click.option("--others", metavar="ADDRESS", help="One player for all powers not named with --player.")
@click.option("--moderator", metavar="ADDRESS", help="Somebody who may rule, correct and pause; may be left out.")
@click.option("--orders-hours", type=click.IntRange(min=0), help="Hours for orders; 0 for no deadline. Default: 72.")
@click.option(
    "--decision-hours", type=click.IntRange(min=0), help="Hours for questions in mid-turn; 0 for none. Default: 48."
)
@click.option(
    "--closing",
    type=click.Choice(["ready", "at_once"]),
    help="When a window closes early: when all have said `ready` (default), or as soon as orders are in.",
)
@click.option(
    "--reactions",
    type=click.Choice(["ask", "standing"]),
    help="Whether scrambles and the like are asked for (default) or left to standing orders.",
)
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Begin with the position of this ruling case (docs/cases.md) in place of the published set-up.",
)
@click.option("--require-dkim", is_flag=True, default=None, help="Take only mails signed by the sender's domain.")
@database_option
@json_option
def new(
    name: str | None,
    document: Path | None,
    variants: tuple[str, ...],
    options: tuple[str, ...],
    players: tuple[tuple[str, str], ...],
    others: str | None,
    moderator: str | None,
    position: Path | None,
    database: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Start a campaign: its id, its game and who plays.

    \b
    Example:
      pbem campaign new p40-17 --game p40 --edition 2e \\
          --player japan anna@example.org --player usa,china ben@example.org --others cleo@example.org
      pbem campaign new --from campaign.yaml

    \b
    The same as a file (JSON works too):
      id: p40-17
      game: p40
      edition: 2e
      players:
        - {id: anna, powers: [japan], address: anna@example.org, language: zh, time_zone: Asia/Taipei}
        - {id: ben, powers: [usa, china, uk, anzac], address: ben@example.org}
      moderator: {id: cleo, address: cleo@example.org}
      orders_hours: 72

    A variant there is `variants: [err]`, an option `options: {NAME: VALUE}`.
    """
    from pbem.campaign.advance import advance
    from pbem.campaign.create import create_campaign

    wanted = dict(mapping(read_document(document), str(document))) if document is not None else {}
    if name is not None:
        wanted["id"] = name
    wanted.update({key: value for key, value in given.items() if value is not None})
    if variants:
        wanted["variants"] = list(variants)
    if options:
        wanted["options"] = {**wanted.get("options", {}), **dict(_option(text) for text in options)}
    if players:
        wanted["players"] = [_player_row(powers, address) for powers, address in players]
    if moderator is not None:
        wanted["moderator"] = {"id": "moderator", "address": moderator}
    for needed, how in (("id", "as argument"), ("game", "with --game")):
        if not wanted.get(needed):
            raise Usage(f"pbem campaign new: the {needed} is missing; give it {how}, or a file with --from")
    if others is not None:
        wanted["players"] = [*wanted.get("players", []), *_others(wanted, others)]
    asked = campaign_wanted(wanted, document.name if document is not None else "the options")
    start = None if position is None else position_of(position, asked)
    referee = open_referee(database, create=True)
    made = create_campaign(referee, asked, start)
    advance(referee, made)
    if as_json:
        echo_json(describe(referee, made))
        return
    click.echo(f"Campaign {made} has begun; its first window is open and the first mails are queued.")
    _print(describe(referee, made))


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise Usage(f"pbem campaign new: --option {text!r} is not NAME=VALUE, like interceptors=true")
    if value.startswith("{"):
        try:
            return name, json.loads(value)
        except json.JSONDecodeError:
            right = f'{name}={{"germany": {{"ipc": 3}}}}'
            raise Usage(f"pbem campaign new: --option {name}: {value!r} is no JSON object, like {right}") from None
    plain: dict[str, Any] = {"true": True, "yes": True, "false": False, "no": False, "none": None}
    if value.lower() in plain:
        return name, plain[value.lower()]
    return name, int(value) if value.lstrip("-").isdigit() else value


def _player_row(powers: str, address: str) -> dict[str, Any]:
    names = texts(powers, "--player")
    if not names or "@" in powers:
        raise Usage(f"pbem campaign new: --player takes powers and an address, like --player japan,china {address}")
    return {"id": names[0], "powers": names, "address": address}


def _others(wanted: Mapping[str, Any], address: str) -> list[dict[str, Any]]:
    """One more player for the powers that nobody has yet."""
    from pbem.games.catalog import load_board

    edition = wanted.get("edition")
    board = load_board(str(wanted["game"]), None if edition is None else str(edition))
    taken = {power for row in wanted.get("players", []) for power in texts(row.get("powers", []), "powers")}
    left = [power.id for power in board.powers.values() if power.playable and power.id not in taken]
    return [{"id": left[0] if taken else "all", "powers": left, "address": address}] if left else []


# -- list and show ----------------------------------------------------------------------------------------------------


@campaign.command("list")
@database_option
@json_option
def list_(database: str, as_json: bool) -> None:
    """List all campaigns with what they wait for.

    \b
    Example: pbem campaign list
    """
    referee = open_referee(database)
    names = referee.store.campaigns()
    rows = []
    with progress("campaigns", len(names), least=20) as done:
        for index, name in enumerate(names):
            rows.append(_described(referee, name))
            done(index + 1)
    if as_json:
        echo_json(rows)
        return
    if not rows:
        click.echo("No campaigns yet. `pbem campaign new --help` shows how to start one.")
    for row in rows:
        if "error" in row:
            click.echo(f"{row['campaign']:<20} cannot be opened: {row['error']}")
            continue
        rules = " ".join(filter(None, (row["game"], row["edition"], *row["variants"])))
        click.echo(f"{row['campaign']:<20} {rules:<12} round {row['round']:<3} {_waiting(row)}")


def _described(referee: Referee, name: str) -> dict[str, Any]:
    """One campaign of the list; one that this service cannot open (other rules, say) must not hide the others."""
    from pbem.cli.mistakes import mistake_in

    try:
        return describe(referee, name)
    except Exception as error:
        told = mistake_in(error)
        if told is None:
            raise
        return {"campaign": name, "error": told}


@campaign.command()
@campaign_option
@click.argument("name", metavar="[ID]", required=False)
@click.option("--addresses", is_flag=True, help="Also the players' secret reply addresses. Whoever has one can order.")
@database_option
@json_option
def show(campaign: str | None, name: str | None, addresses: bool, database: str, as_json: bool) -> None:
    """Show a campaign: rules, players, what it waits for, size and head of its log.

    \b
    Example: pbem campaign show p40-17
    """
    referee = open_referee(database)
    row = describe(referee, chosen(referee.store, name or campaign), addresses=addresses)
    if as_json:
        echo_json(row)
    else:
        _print(row)


def describe(referee: Referee, name: str, *, addresses: bool = False) -> dict[str, Any]:
    """A campaign as plain JSON for the operator; secret addresses only where asked for."""
    from pbem.campaign.advance import waited_for
    from pbem.campaign.load import load
    from pbem.campaign.mails import players_of

    loaded: Loaded = load(referee, name)
    state, settings = loaded.play.now, loaded.settings
    head = referee.store.head(name)
    people = {player.id: player for player in referee.store.players(name)}
    seats = players_of(state)
    windows = [
        {
            "window": window.id,
            "kind": window.kind,
            "phases": list(window.phases),
            "powers": list(window.powers),
            "waits_for": list(waited_for(state, window)),
            "deadline": window.deadline,
        }
        for window in state.windows.values()
    ]
    rows = []
    for player in dict.fromkeys((*seats, *people)):
        known = people.get(player)
        row: dict[str, Any] = {"id": player, "powers": list(seats.get(player, ()))}
        if known is not None:
            row |= {"address": known.address, "language": known.language, "time_zone": known.time_zone}
            if addresses:
                row["reply_address"] = _reply_address(referee, name, known.token)
        row["moderator"] = player == settings.get("moderator")
        rows.append(row)
    return {
        "campaign": name,
        "title": settings["title"],
        "game": settings["game"],
        "edition": settings["edition"],
        "variants": settings["variants"],
        "options": settings["options"],
        "rules_version": settings["rules_version"],
        "round": state.round,
        "power": state.power,
        "phase": state.phase,
        "paused": state.paused,
        "winner": state.winner,
        "windows": windows,
        "players": rows,
        "size": head.size,
        "root": head.root.hex(),
        "log_key": settings["log_key"],
    }


def _reply_address(referee: Referee, name: str, token: str) -> str:
    from pbem.mail.addresses import secret_address
    from pbem.mail.desk_directory import scheme_of

    return secret_address(scheme_of(referee), name, token)


def _waiting(row: Mapping[str, Any]) -> str:
    if row["winner"]:
        return f"won by {row['winner']}"
    if row["paused"]:
        return "paused by its moderator"
    if not row["windows"]:
        return "waits for the next tick"
    window = row["windows"][0]
    until = window["deadline"]
    left = "" if until is None else f" until {moment(until)}" + (" (over)" if until < now() else "")
    return f"waits for {listed(window['waits_for'] or window['powers'])} ({window['window']}){left}"


def _print(row: Mapping[str, Any]) -> None:
    click.echo(f"campaign   {row['campaign']}: {row['title']}")
    rules = " ".join(filter(None, (row["game"], row["edition"], *row["variants"])))
    options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
    click.echo(f"rules      {rules}, version {row['rules_version']}" + (f"; {options}" if options else ""))
    click.echo(f"now        round {row['round']}, {row['power'] or 'nobody'}, {row['phase'] or 'between phases'}")
    click.echo(f"           {_waiting(row)}")
    for player in row["players"]:
        role = listed(player["powers"]) or "no power"
        also = ", moderator" if player["moderator"] else ""
        click.echo(f"player     {player['id']}: {role}{also} <{player.get('address', 'address unknown')}>")
        if "reply_address" in player:
            click.echo(f"           writes to {player['reply_address']}")
    click.echo(f"log        {row['size']} events, head {row['root']}")
    click.echo(f"           key {row['log_key']}")
