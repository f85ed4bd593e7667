"""`pbem odds`: the exact odds of one battle under the rules of a game; pbem.odds computes them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from pbem.cli.common import Mistake, echo_json, json_option, listed
from pbem.cli.lazy import Usage


@click.command()
@click.option("--game", required=True, help="p40, s42, classic or p01.")
@click.option("--edition", help="Which printing, e.g. card, 1e or 2e for p40. Default: the game's first.")
@click.option("--attack", required=True, metavar="UNITS", help="The attackers: '3 inf 2 tank 3 fig'.")
@click.option("--defend", required=True, metavar="UNITS", help="The defenders, likewise.")
@click.option("--sea", is_flag=True, help="A battle at sea.")
@click.option("--amphibious", is_flag=True, help="The attackers come from the sea.")
@click.option("--attacker-losses", metavar="KINDS", help="In which order the attacker loses: 'inf,art,tank,fighter'.")
@click.option("--defender-losses", metavar="KINDS", help="In which order the defender loses.")
@json_option
def odds(
    game: str,
    edition: str | None,
    attack: str,
    defend: str,
    sea: bool,
    amphibious: bool,
    attacker_losses: str | None,
    defender_losses: str | None,
    as_json: bool,
) -> None:
    """Who wins a battle, how often, and what is left: the exact distribution, not a sample.

    \b
    Example:
      pbem odds --game p40 --edition 2e --attack "3 inf 2 tank 3 fig" --defend "5 inf 2 art 1 tank"
    """
    from pbem.orders.gazetteer import gazetteer

    names = gazetteer(game, edition)
    answer: Mapping[str, Any] = import_module("pbem.odds").battle_odds(
        game,
        edition,
        units_in(names, attack, "--attack"),
        units_in(names, defend, "--defend"),
        sea=sea,
        amphibious=amphibious,
        attacker_losses=kinds_in(names, attacker_losses, "--attacker-losses"),
        defender_losses=kinds_in(names, defender_losses, "--defender-losses"),
    )
    if as_json:
        echo_json(answer)
        return
    for key in ("attacker_wins", "defender_wins", "both_gone"):
        click.echo(f"{key.replace('_', ' '):<16} {100 * answer[key]:6.2f} %")
    click.echo(f"{'rounds':<16} {answer['rounds']:6.2f}")
    for key, who in (("attacker_loss_ipc", "attacker loses"), ("defender_loss_ipc", "defender loses")):
        click.echo(f"{who:<16} {answer[key]:6.2f} IPC")


def units_in(names: Any, text: str, option: str) -> dict[str, int]:
    """`3 inf 2 tank 3 fig` as unit ids with counts."""
    from pbem.orders.words import Kind, clean, tokens

    found: dict[str, int] = {}
    row = tokens(clean(text))
    at, count = 0, 1
    while at < len(row):
        token = row[at]
        if token.kind is Kind.NUMBER:
            count, at = int(token.key), at + 1
            continue
        if token.kind is not Kind.WORD or token.key in ("and", "a", "an"):
            at += 1
            continue
        name = names.find("unit", row, at)
        if name is None or len(name.ids) != 1:
            raise Mistake(
                f"{option}: {token.text!r} is no unit of this game; near: {listed(names.near('unit', token.text))}"
            )
        found[name.ids[0]] = found.get(name.ids[0], 0) + count
        at, count = at + name.length, 1
    if not found or any(not 0 < number <= 1000 for number in found.values()):
        raise Usage(f"pbem odds: {option} {text!r} names no units; write '3 inf 2 tank'")
    return found


def kinds_in(names: Any, text: str | None, option: str) -> tuple[str, ...] | None:
    """`inf,art,tank` as unit ids in that order."""
    return None if text is None else tuple(units_in(names, text, option))
