"""A campaign that is wanted, from plain JSON: every field checked, with a sentence for what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.common import Mistake

if TYPE_CHECKING:
    from pbem.campaign.create import CampaignWanted, PlayerWanted


def campaign_wanted(row: Mapping[str, Any], where: str) -> CampaignWanted:
    """A campaign from plain JSON. Mistake names an unknown or malformed field and what would be right."""
    from dataclasses import fields

    from pbem.campaign.create import CampaignWanted

    known = [field.name for field in fields(CampaignWanted)]
    _check_fields(row, known, where)
    made = dict(row)
    for name in ("variants",):
        if name in made:
            made[name] = tuple(texts(made[name], f"{where}: {name}"))
    if made.get("edition") is not None:
        made["edition"] = str(made["edition"])
    if not isinstance(made.get("options", {}), Mapping):
        raise Mistake(f"{where}: options are names with values, like interceptors: true")
    players = made.get("players", [])
    if not isinstance(players, list):
        raise Mistake(f"{where}: players is a list, each with id, powers and address")
    made["players"] = tuple(_person(row, f"{where}: player {index}") for index, row in enumerate(players, start=1))
    if made.get("moderator") is not None:
        made["moderator"] = _person({"powers": [], **mapping(made["moderator"], f"{where}: moderator")}, where)
    for name in ("orders_hours", "decision_hours", "grace_minutes"):
        value = made.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            raise Mistake(f"{where}: {name} is a whole number of {'minutes' if 'minutes' in name else 'hours'}")
        if name != "grace_minutes" and value == 0:
            made[name] = None
    for name, allowed in (("closing", ("ready", "at_once")), ("reactions", ("ask", "standing"))):
        if name in made and made[name] not in allowed:
            raise Mistake(f"{where}: {name} is {' or '.join(allowed)}, not {made[name]!r}")
    return CampaignWanted(**made)


def position_of(path: Path, wanted: CampaignWanted) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """The events that build the position of a case, under the rules of the campaign that is to begin."""
    from dataclasses import replace

    from pbem.audit.case_model import CaseError, given_with_ids, read_cases
    from pbem.audit.cases import resolver
    from pbem.games.catalog import rule_set
    from pbem.orders.gazetteer import gazetteer
    from pbem.rules.position import position

    cases = read_cases(path.read_text(encoding="utf-8-sig"), path.name)
    if len(cases) != 1:
        raise Mistake(f"{path} holds {len(cases)} cases; one position is needed")
    rules = rule_set(wanted.game, wanted.edition, wanted.variants, wanted.options)
    case = replace(cases[0], game=rules.game, edition=rules.edition)
    try:
        return position(rules, given_with_ids(case, resolver(gazetteer(rules.game, rules.edition or None), case.id)))
    except KeyError as error:
        raise CaseError(f"{case.id}: `given` needs {error.args[0]!r}") from None


def _person(row: Any, where: str) -> PlayerWanted:
    from dataclasses import fields

    from pbem.campaign.create import PlayerWanted

    row = dict(mapping(row, where))
    _check_fields(row, [field.name for field in fields(PlayerWanted)], where)
    row["powers"] = tuple(texts(row.get("powers", []), f"{where}: powers"))
    row.setdefault("id", row["powers"][0] if row["powers"] else "moderator")
    if not isinstance(row.get("address"), str):
        raise Mistake(f"{where} ({row['id']}): the mail address is missing")
    if "time_zone" in row:
        _check_zone(row["time_zone"], where)
    return PlayerWanted(**row)


def _check_zone(name: Any, where: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise Mistake(f"{where}: {name!r} is no time zone; write one like Europe/Berlin or Asia/Taipei") from None


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Mistake(f"{where}: names with values are expected, not {value!r}")
    return value


def _check_fields(row: Mapping[str, Any], known: list[str], where: str) -> None:
    unknown = [str(key) for key in row if key not in known]
    if unknown:
        raise Mistake(f"{where}: unknown field {unknown[0]!r}; known are {', '.join(known)}")


def texts(value: Any, where: str) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Mistake(f"{where}: a list of names is expected, not {value!r}")
    return value
