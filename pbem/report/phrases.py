"""Sentences about the values of a report, the same in text, HTML and PDF. Each gives one line without layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.report import ways_out
from pbem.report.corrections import in_facts
from pbem.report.model import (
    Answer,
    BattleStory,
    Bought,
    Capture,
    Clash,
    Die,
    Due,
    FacilityChange,
    Gone,
    Headline,
    Income,
    Loss,
    Luck,
    Money,
    Note,
    OrderLine,
    Placed,
    Position,
    Private,
    Relation,
    Step,
)
from pbem.report.refusals import in_words
from pbem.report.words import Words

DiceGroup = tuple[tuple[str, str, int | None, str], tuple[Die, ...]]
"""Dice of one owner, kind, need and card."""
HIDDEN_IN_ASKS = frozenset(("key", "battle", "step", "side", "domain", "kind", "space", "power", "round"))
"""Members of a question that are not printed as they are: they steer the service, or stand in the head line."""


def cited(rules: Sequence[str | None]) -> str:
    """Rule ids in brackets behind a sentence."""
    known = [rule for rule in rules if rule]
    return f" [{', '.join(known)}]" if known else ""


WITHOUT_ORDERS = ("collect_income",)
"""Phases of a window that are played at its end, and for which hardly anybody has an order to give."""
SELF_EVIDENT = frozenset(("space", "zone", "units", "targets"))
"""Members inside a question's details whose names say nothing that their values do not."""


# -- what is due ------------------------------------------------------------------------------------------------------


def asked_line(due: Due | None, private: Private, words: Words) -> str:
    """The first line of a question: who is asked for what, in one sentence."""
    if due is None:
        return words.say("due.nothing")
    who = words.listed(words.power(power) for power in due.powers)
    return words.say("ask.you" if private.mine else "ask.others", powers=who, what=what_is_due(due, words))


def begun_line(headline: Headline, private: Private, words: Words) -> str:
    """For the first mail of a campaign: what the reader plays; empty for every other mail."""
    if headline.kind != "begun" or not private.powers:
        return ""
    return words.say("begun.mine", powers=words.listed(words.power(power) for power in private.powers))


def what_is_due(due: Due, words: Words) -> str:
    """`orders for combat move`, `reactions (scramble at Sea Zone 6)`."""
    if due.kind == "orders":
        phases = [phase for phase in due.phases if phase not in WITHOUT_ORDERS] or due.phases
        return words.say("due.orders", phases=words.phases(phases))
    rows = [at(words.decision(str(ask.get("kind", ""))), ask.get("space"), words) for ask in due.asks]
    return words.say(f"due.{due.kind}", what=words.listed(dict.fromkeys(rows)))


def due_lines(due: Due | None, private: Private, words: Words) -> list[str]:
    """Who must do what until when, and whether that is the reader."""
    if due is None:
        return [words.say("due.nothing")]
    who = words.listed(words.power(power) for power in due.powers)
    lines = [words.say("due.who", who=who, what=what_is_due(due, words))]
    if due.deadline is None:
        lines.append(words.say("due.no_deadline"))
    else:
        lines.append(words.say("due.until", time=words.time(due.deadline)))
    if private.mine:
        mine = [power for power in private.powers if power in due.powers]
        lines.append(words.say("due.mine", powers=words.listed(words.power(power) for power in mine)))
    elif private.powers:
        lines.append(words.say("due.not_mine"))
    return lines


def ask_lines(ask: Mapping[str, Any], words: Words) -> list[str]:
    """A question as it is shown to everybody: its head, then each public detail."""
    what = at(words.decision(str(ask.get("kind", ""))), ask.get("space"), words)
    if ask.get("round"):
        what = words.say("ask.round", what=what, n=ask["round"])
    options = ask.get("options")
    if options and ask.get("side"):
        what = words.say("in_brackets", what=what, more=words.say(f"side.{ask['side']}"))
    lines = [words.say("ask.head", power=words.power(ask.get("power")), what=what)]
    if options:
        lines += ways_out.option_lines(options, ask.get("space"), words)
    for name, value in ask.items():
        if (options and name in ("options", "to", "own")) or (name == "units" and ask.get("owners")):
            continue  # other lines tell them
        if name not in HIDDEN_IN_ASKS and value not in (None, "", [], {}, ()):
            said = words.known(f"ask.{name}", name.replace("_", " "))
            if name == "hits" and isinstance(value, Mapping) and set(value) == {"other"}:
                value = value["other"]  # that anything may take them needs no word
            shown = _shown_in_ask(name, value, ask.get("space"), words)
            lines.append(words.say("ask.detail", name=said, value=shown))
    if ask.get("kind") == "shared_zone":
        line = words.order(f"attack {words.board.spaces[ask['space']].name} with all")
        lines.append(words.say("ask.detail", name=words.say("ask.to_attack"), value=line))
    if ask.get("owners") and ask.get("kind") == "casualties":
        lines.append(words.say("ask.agree"))
    return lines


def plain_value(value: Any, words: Words) -> str:
    """Public JSON in words: ids become names, counts of units become `2 fighters`."""
    if isinstance(value, Mapping):
        return words.joined(_member(str(key), item, words) for key, item in value.items())
    if isinstance(value, list | tuple):
        apart = any(isinstance(item, Mapping | list | tuple) for item in value)
        rows = [plain_value(item, words) for item in value]
        return words.apart(rows) if apart else words.joined(rows)
    if isinstance(value, bool):
        return words.say("yes" if value else "no")
    text = str(value)
    if text in words.board.spaces:
        return words.space(text)
    if text in words.board.powers:
        return words.power(text)
    if text in words.board.units:
        return words.unit(text)
    return words.known(f"value.{text}", text.replace("_", " "))


def _member(key: str, value: Any, words: Words) -> str:
    if key in words.board.units and isinstance(value, int) and not isinstance(value, bool):
        return words.units(key, value)
    said = plain_value(value, words)
    if key in words.board.powers:
        return f"{words.power(key)} {said}"
    return said if key in SELF_EVIDENT else f"{words.known(f'ask.{key}', key.replace('_', ' '))}: {said}"


def how_line(due: Due | None, private: Private, words: Words) -> str:
    """How to answer, in a sentence or two."""
    if due is None or not private.mine:
        return words.say("answer.how_idle")
    return words.say("answer.how" if due.kind == "orders" else "answer.how_decision")


def example_line(due: Due | None, words: Words) -> str:
    """What the example lines are."""
    return words.say("answer.example" if due is None or due.kind == "orders" else "answer.example_each")


SILENT_OTHERWISE = ("research", "discard", "draw", "card")
"""Questions for which silence means something that the general sentence does not say."""


def default_line(due: Due | None, private: Private, words: Words) -> str:
    """What happens if the reader says nothing; empty where nothing is due from him."""
    if due is None or not private.mine:
        return ""
    if due.kind != "orders":
        kinds = {str(ask.get("kind")) for ask in due.asks if ask.get("power") in private.powers}
        own = [words.say(f"default.{kind}") for kind in SILENT_OTHERWISE if kind in kinds]
        if kinds - set(SILENT_OTHERWISE):
            own.insert(0, words.say("answer.default_decision"))
        return ("" if words.language == "zh" else " ").join(own)
    if "noncombat_move" in due.phases:
        return words.say("answer.default_rest")
    return words.say("answer.default_orders" if "purchase" in due.phases else "answer.default_moves")


def clash_line(row: Clash, words: Words) -> str:
    """A battle or raid that is to come."""
    key = "clash.raid" if row.raid else "clash"
    attackers, defenders = words.by_owner(row.attackers), words.by_owner(row.defenders)
    defenders = defenders if row.defenders else words.say("clash.empty")
    space = words.space(row.space)
    if row.owner is not None:
        space = words.say("clash.of", space=space, owner=words.power(row.owner))
    return words.say(key, space=space, attackers=attackers, defenders=defenders)


def at(what: str, space: str | None, words: Words) -> str:
    """`scramble at Sea Zone 6`."""
    return words.say("due.at", what=what, space=words.space(space)) if space else what


# -- what happened ----------------------------------------------------------------------------------------------------


def capture_line(row: Capture, words: Words) -> str:
    """A space that changed hands."""
    how = "entered" if row.unopposed else "capture"
    key = f"{how}.of" if row.before else f"{how}.new"
    return words.say(key, space=words.space(row.space), after=words.power(row.after), before=words.power(row.before))


def relation_line(row: Relation, words: Words) -> str:
    """How two powers stand now."""
    to = words.known(f"relation.{row.to}", row.to.replace("_", " "))
    return words.say("relation", one=words.power(row.one), other=words.power(row.other), to=to)


def _shown_in_ask(name: str, value: Any, here: str | None, words: Words) -> str:
    """A detail of a question: places by name, odds as a percentage."""
    if name == "to":
        return ways_out.places(value, here, words)
    if name == "odds":
        return f"{value / 10_000:.1f} %"
    return plain_value(value, words)


def gone_line(row: Gone, words: Words) -> str:
    """Units lost outside battles."""
    return words.say("gone", space=words.space(row.space), units=words.by_owner(row.force), why=words.why(row.why))


def decided_line(row: Answer, words: Words, here: str | None = None) -> str:
    """A decision that was taken, and who took it; its place is not repeated where the reader knows it."""
    what = at(words.decision(row.kind), None if row.space == here else row.space, words)
    retreat = isinstance(row.value, Mapping) and "goes" in row.value
    value = ways_out.told(row, words) if retreat else words.value(row)
    return words.say("decided", power=words.power(row.power), what=what, value=value, by=words.by(row.by))


def bought_lines(row: Bought, words: Words) -> list[str]:
    """What a power bought, what it got its money back for, and what waits to be placed."""
    lines = [words.say("of_power", power=words.power(row.power), what=words.kinds(row.items))]
    if row.returned:
        lines.append(words.say("returned", units=words.kinds(row.returned)))
    if row.waiting:
        lines.append(words.say("waiting", units=words.kinds(row.waiting)))
    return lines


def placed_line(row: Placed, words: Words) -> str:
    """New units in a space."""
    return words.say(
        "placed", space=words.space(row.space), power=words.power(row.power), units=words.kinds(row.units),
        why=words.why(row.why),
    )  # fmt: skip


def facility_line(row: FacilityChange, words: Words) -> str:
    """A facility's new state."""
    values = {"what": words.unit(row.kind), "space": words.space(row.space), "why": words.why(row.why)}
    if row.damage is None:
        return words.say("facility.gone", **values)
    if row.becomes and row.becomes != row.kind:
        return words.say("facility.becomes", becomes=words.unit(row.becomes), **values)
    if row.why == "built":
        return words.say("facility.built", **values)
    return words.say("facility.damage", n=row.damage, **values)


def position_line(row: Position, words: Words) -> str:
    """What came to a space and what left it."""
    said = words.change(row.before, row.after) or words.say("position.same")
    owner = row.controller_after
    key = "position" if owner else "position.sea"
    return words.say(key, space=words.space(row.space), owner=words.power(owner), change=said)


def note_line(row: Note, words: Words) -> str:
    """A remark; somebody's own words stand as they were written."""
    head = words.known(f"note.{row.kind}", row.kind.replace("_", " "))
    if row.who:
        who = words.power(row.who) if row.who in words.board.powers else row.who
        head = words.say("in_brackets", what=head, more=who)
    text = words.technology(row.text) if row.kind == "technology_gained" else row.text
    facts = in_facts(row.facts, words)
    if facts:
        text = words.say("in_brackets", what=text, more=facts) if text else facts
    return words.say("note", head=head, text=text) if text else head


def reasons(line: OrderLine, words: Words) -> list[str]:
    """Why a line was not carried out as written, and what would have been right."""
    if line.status == "done":
        return [f"{line.note}{cited((line.rule,))}"] if line.note else []
    said = [words.say(f"order.{line.status}", reason=in_words(line.reason, words)) + cited((line.rule,))]
    if line.suggestion:
        said.append(suggestion_line(line.suggestion, words))
    return said


def suggestion_line(what: str, words: Words) -> str:
    """What would have been right: a line to write, or a sentence as it is."""
    named = any(space.name.endswith(".") and what.endswith(space.name) for space in words.board.spaces.values())
    sentence = what.endswith(".") and not named
    return in_words(what, words) if sentence else words.say("suggestion", what=words.order(what))


# -- money ------------------------------------------------------------------------------------------------------------


def money_line(row: Money, words: Words) -> str:
    """A treasury before and after."""
    by = words.signed(row.after - row.before)
    return words.say("money", power=words.power(row.power), before=row.before, after=row.after, by=by)


def unchanged_line(rows: Sequence[Money], words: Words) -> str:
    """The treasuries that nothing went into or came out of, on one line; empty if there is none."""
    same = [row for row in rows if not row.changes and row.before == row.after]
    if not same:
        return ""
    said = words.joined(f"{words.power(row.power)} {row.after}" for row in same)
    return words.say("money.same", treasuries=said)


def change_lines(row: Money, words: Words) -> list[str]:
    """What went into a treasury and what left it."""
    lines = [
        f"{words.why(why)}: {words.signed(by)}" for why, by in row.changes if why != "income" or row.income is None
    ]
    return lines if row.income is None else [*lines, income_line(row.income, words) + cited(row.income.rules)]


def income_line(income: Income, words: Words) -> str:
    """`income: land 28, convoys -3, Dutch East Indies +5 = +30`."""
    parts = [words.say("income.territories", n=income.territories)]
    if income.convoy_loss:
        parts.append(words.say("income.convoys", n=words.signed(-income.convoy_loss)))
    parts += [f"{words.objective(name)} {words.signed(ipc)}" for name, ipc in income.objectives]
    return words.say("income", parts=words.joined(parts), total=words.signed(income.total))


def convoy_line(row: tuple[str, str, int], words: Words) -> str:
    """Convoys disrupted in a zone."""
    return words.say("convoy", power=words.power(row[0]), space=words.space(row[1]), ipc=row[2])


def counter_line(row: tuple[str, str, int, int], words: Words) -> str:
    """Something counted that is not money."""
    power, name, before, after = row
    return words.say("counted", power=words.power(power), what=words.counter(name), before=before, after=after)


# -- battles ----------------------------------------------------------------------------------------------------------


def result_of(battle: BattleStory, words: Words) -> str:
    """How a battle ended."""
    return words.known(f"result.{battle.result or 'open'}", str(battle.result))


def swing_line(battle: BattleStory, words: Words) -> str:
    """IPC lost by both sides."""
    attacker, defender = battle.luck
    return words.say(
        "battle.swing", attacker=attacker.lost, defender=defender.lost, swing=words.signed(battle.swing)
    )  # fmt: skip


def luck_line(luck: Luck, who: str, words: Words) -> str:
    """Hits against expectation."""
    return words.say(
        "luck", who=who, hits=words.many(luck.hits, "hits"), dice=words.many(luck.dice, "dice"),
        expected=words.sixths(luck.expected), over=words.sixths(luck.over, True),
    )  # fmt: skip


def step_title(step: Step, words: Words) -> str:
    """`Attackers fire: 2 hits`."""
    title = words.step(step.name, step.title) if step.name else ""
    if not step.side or not any(die.need is not None for die in step.dice):
        return title
    hits = sum(count for _, count in step.hits) if step.hits else sum(die.hit for die in step.dice)
    return words.say("step.hits", step=title, hits=words.many(hits, "hits"))


def grouped(dice: Iterable[Die]) -> list[DiceGroup]:
    """Dice of the same owner, kind, need and card together, in the order in which they were thrown."""
    groups: dict[tuple[str, str, int | None, str], list[Die]] = {}
    for die in dice:
        groups.setdefault((die.owner, die.kind, die.need, die.card), []).append(die)
    return [(key, tuple(rows)) for key, rows in groups.items()]


def shooters(group: DiceGroup, words: Words) -> str:
    """`Japan 2 infantry`; the card that these dice are thrown under in brackets."""
    (owner, kind, _, card), dice = group
    if not kind:
        return ""
    said = words.units(kind, len({die.unit or place for place, die in enumerate(dice)}))
    said = f"{words.power(owner)} {said}" if owner else said
    return words.say("in_brackets", what=said, more=words.card(card)) if card else said


def loss_line(loss: Loss, words: Words) -> str:
    """`lost: China 2 infantry (default)`."""
    units = f"{words.power(loss.owner)} {words.units(loss.kind, loss.count)}"
    said = words.say("loss.damaged" if loss.damaged else "loss.lost", units=units)
    more = [words.why(loss.why)] if loss.why else []
    if loss.by:
        more.append(words.by(loss.by))
    return words.say("in_brackets", what=said, more=words.joined(more)) if more else said


def wasted_line(step: Step, words: Words) -> str:
    """Hits that found no target."""
    return words.say("wasted", hits=words.many(step.wasted, "hits"))
