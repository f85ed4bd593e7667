"""`pbem explain SEQ` or `pbem explain RULE`: why something happened, and what a rule says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    check_powers,
    database_option,
    echo_json,
    events_of,
    json_option,
    log_file_option,
    moment,
    power_option,
    progress,
    viewer_of,
)
from pbem.cli.lazy import Usage

if TYPE_CHECKING:
    from pbem.audit.explain import Explanation


@click.command()
@click.argument("what", metavar="SEQ|RULE")
@campaign_option
@log_file_option
@power_option
@database_option
@json_option
def explain(
    what: str, campaign: str | None, log_file: Path | None, powers: tuple[str, ...], database: str, as_json: bool
) -> None:
    """Explain event SEQ of a campaign: its orders, its rules with their text, how each die came about, before and
    after. Or print a RULE by its id.

    \b
    Example:
      pbem explain 120 --campaign p40-17
      pbem explain P40-6.9.1
    """
    if not what.isdigit():
        _rule(what, as_json)
        return
    from pbem.audit.explain import explain as explained
    from pbem.log.event import visible

    name, stored = events_of(database, campaign, log_file)
    check_powers(powers, stored)
    try:
        with progress("reading the log", 1):
            found = explained(visible(stored, viewer_of(powers)), int(what))
    except LookupError as error:
        raise Mistake(f"{name}: {error.args[0]}") from None
    if as_json:
        echo_json({"campaign": name, **found.to_json()})
    else:
        for line in _lines(found):
            click.echo(line)


def _rule(rule_id: str, as_json: bool) -> None:
    from pbem.rules.texts import book, books, rule

    found = rule(rule_id)
    if found is None:
        prefix = rule_id.partition("-")[0].upper()
        if prefix not in books():
            raise Usage(
                f"pbem explain: {rule_id!r} is neither the number of an event nor a rule id; rule ids begin with "
                f"{', '.join(books())}, like P40-6.9.1"
            )
        near = [known for known in book(prefix) if known.startswith(rule_id.upper())] or list(book(prefix))
        raise Mistake(f"there is no rule {rule_id}; there are {', '.join(near[:8])}{'...' if len(near) > 8 else ''}")
    if as_json:
        echo_json({"id": rule_id, "title": found.title, "text": found.text})
    else:
        click.echo(f"{rule_id}  {found.title}")
        if found.text:
            click.echo(found.text)


def _lines(found: Explanation) -> list[str]:
    when = moment(found.at) if found.at >= 0 else "at a time that is sealed"
    lines = [f"event {found.seq}: {found.type}, {when}, by {found.actor or 'somebody'}"]
    if found.void:
        lines.append("This event is void: a rewind took it back.")
    if found.payload is None:
        lines.append("It is sealed, and you may not read it.")
        return lines
    lines.extend(found.told)
    for row in found.cause:
        lines.append(f"led to by event {row['seq']}: {row['type']}")
    if found.orders:
        lines.append("orders and decisions that bear on it:")
        lines.extend(f"    event {row['seq']}, {row['power']}: {_said(row)}" for row in found.orders)
    if found.rules:
        lines.append("rules:")
        lines.extend(f"    {rule_id}: {text}" for rule_id, text in found.rules)
    if found.dice is not None:
        lines.extend(_dice(dict(found.dice)))
    if found.changes:
        lines.append("changed:")
        for what, before, after in found.changes:
            lines.append(f"    {what}: {_differs(before, after)}")
    return lines


def _said(row: Any) -> str:
    return str(row["text"]) if "text" in row else json.dumps(row["decision"], ensure_ascii=False)


def _differs(before: Any, after: Any) -> str:
    if isinstance(before, dict) and isinstance(after, dict):
        return "; ".join(f"{key} {_short(before.get(key))} -> {_short(after.get(key))}" for key in {**before, **after})
    if after is None:
        return "gone"
    return _short(after) if before is None else f"{_short(before)} -> {_short(after)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:197] + "..."


def _dice(dice: dict[str, Any]) -> list[str]:
    from pbem.audit.telling import dice_lines

    lines = ["dice:", *dice_lines(dice["dice"], dice["faces"])]
    if "link" not in dice:
        return [*lines, f"    source: {dice['source']}; these faces are not derived from the chain"]
    lines.append(f"    link {dice['k']} of chain {dice['chain']}: {dice['link']}")
    lines.append(f"    purpose, joined by line feeds: {' | '.join(dice['purpose'])}")
    lines.append(f"    entropy map: {json.dumps(dice['entropy'], ensure_ascii=False)}")
    lines.append(f"    E = SHA-256 of the map in RFC 8785 form: {dice['E']}")
    lines.append(f"    K = HMAC-SHA-256(link, purpose || 00 || E): {dice['K']}")
    agrees = "as recorded" if dice["agrees"] else "NOT as recorded"
    lines.append(f"    faces derived: {' '.join(map(str, dice['derived']))} ({agrees})")
    return lines
