"""The turn report and the question in mid-turn as mail text: first what happened, then what is due and how to answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.report.layout import Page
from pbem.report.model import (
    ATTACK,
    BattleStory,
    Die,
    Due,
    Income,
    Loss,
    Luck,
    OrderLine,
    Private,
    Report,
    Step,
)
from pbem.report.words import Words


def report_text(report: Report, private: Private, words: Words, note: str, url: str = "", *, asked: bool = False) -> str:
    """A whole mail. `note` is the checkpoint; `asked`: the mail is a question in mid-turn, not a turn's report."""
    page = Page()
    if asked:
        page.say(asked_line(report.due, private, words))
        page.blank()
        page.say(f"{words.say('so_far')} {words.headline(report.headline)}")
    else:
        page.say(words.headline(report.headline))
    due(page, report.due, private, words)
    how_to_answer(page, report, private, words)
    story(page, report, words)
    own(page, private, words)
    proof(page, report, words, note, url)
    return page.text()


def asked_line(due_: Due | None, private: Private, words: Words) -> str:
    """The first line of a question: who is asked for what, in one sentence."""
    if due_ is None:
        return words.say("due.nothing")
    key = "ask.you" if private.mine else "ask.others"
    return words.say(key, powers=words.listed(words.power(power) for power in due_.powers), what=what_is_due(due_, words))


def what_is_due(due_: Due, words: Words) -> str:
    """`orders for combat move`, `reactions: scramble at Sea Zone 6`."""
    if due_.kind == "orders":
        return words.say("due.orders", phases=words.phases(due_.phases))
    rows = []
    for ask in due_.asks:
        kind = words.decision(str(ask.get("kind", "")))
        space = ask.get("space")
        rows.append(words.say("due.at", what=kind, space=words.space(space)) if space else kind)
    return words.say(f"due.{due_.kind}", what=words.listed(dict.fromkeys(rows)))


def due(page: Page, due_: Due | None, private: Private, words: Words) -> None:
    """Who must do what until when."""
    page.heading(words.say("head.due"))
    if due_ is None:
        page.say(words.say("due.nothing"))
        return
    who = words.listed(words.power(power) for power in due_.powers)
    page.say(words.say("due.who", who=who, what=what_is_due(due_, words)))
    if due_.deadline is None:
        page.say(words.say("due.no_deadline"))
    else:
        page.say(words.say("due.until", time=words.time(due_.deadline)))
    if private.mine:
        page.say(words.say("due.mine", powers=words.listed(words.power(power) for power in private.powers)))
    elif private.powers:
        page.say(words.say("due.not_mine"))
    for ask in due_.asks:
        for option in options(ask, words):
            page.item(option)


def options(ask: object, words: Words) -> list[str]:
    """What a question shows to everybody, one line for each member of it that can be put in words."""
    assert isinstance(ask, dict) or hasattr(ask, "items")
    shown = dict(ask)
    kind, space = words.decision(str(shown.pop("kind", ""))), shown.pop("space", None)
    power, number = words.power(shown.pop("power", None)), shown.pop("round", 0)
    head = words.say("due.at", what=kind, space=words.space(space)) if space else kind
    if number:
        head = words.say("ask.round", what=head, n=number)
    details = []
    for name, value in shown.items():
        if name in ("key", "battle", "step", "side", "domain") or value in (None, "", [], {}, ()):
            continue
        details.append(words.say("ask.detail", name=words.known(f"ask.{name}", name.replace("_", " ")),
                                 value=_plain(value, words)))  # fmt: skip
    lines = [words.say("ask.head", power=power, what=head)]
    return lines + details


def _plain(value: object, words: Words) -> str:
    if isinstance(value, dict):
        return words.joined(
            words.units(key, item)
            if isinstance(item, int) and not isinstance(item, bool) and key in words.board.units
            else f"{_plain(key, words)}: {_plain(item, words)}"
            for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        return words.joined(_plain(item, words) for item in value)
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


def how_to_answer(page: Page, report: Report, private: Private, words: Words) -> None:
    """What to write, with an example that would be accepted now."""
    if not private.powers:
        return
    page.heading(words.say("head.answer"))
    page.say(words.say("answer.how" if private.mine else "answer.how_idle"))
    if private.example:
        page.blank()
        page.say(words.say("answer.example"))
        page.blank()
        for line in private.example:
            page.line(line)
        page.blank()
    if report.due is not None and private.mine:
        key = "answer.default_orders" if report.due.kind == "orders" else "answer.default_decision"
        if report.due.kind == "orders" and "noncombat_move" in report.due.phases:
            key = "answer.default_rest"
        page.say(words.say(key))


# -- what happened --------------------------------------------------------------------------------------------------


def story(page: Page, report: Report, words: Words) -> None:
    """Everything that happened, the weightiest first."""
    if report.captures:
        page.heading(words.say("head.captures"))
        for row in report.captures:
            key = "capture.of" if row.before else "capture.new"
            page.item(
                words.say(key, space=words.space(row.space), after=words.power(row.after), before=words.power(row.before))
                + _cited(row.rules)
            )
    relations(page, report, words)
    for number, battle in enumerate(report.battles, 1):
        battle_text(page, number, battle, words)
    if report.gone:
        page.heading(words.say("head.gone"))
        for lost in report.gone:
            page.item(
                words.say("gone", space=words.space(lost.space), units=words.by_owner(lost.force), why=words.why(lost.why))
                + _cited(lost.rules)
            )
    if report.luck:
        page.heading(words.say("head.luck"))
        for row_ in report.luck:
            page.item(luck_line(row_, words.power(row_.who), words))
    orders(page, report.orders, words)
    if report.reactions:
        page.heading(words.say("head.reactions"))
        for answer in report.reactions:
            at = words.say("due.at", what=words.decision(answer.kind), space=words.space(answer.space))
            what = at if answer.space else words.decision(answer.kind)
            page.item(
                words.say("decided", power=words.power(answer.power), what=what, value=words.value(answer),
                          by=words.by(answer.by))  # fmt: skip
            )
    other_rolls(page, report, words)
    economy(page, report, words)
    if report.positions:
        page.heading(words.say("head.positions"))
        for place in report.positions:
            owner = place.controller_after
            page.item(
                words.say(
                    "position" if owner else "position.sea", space=words.space(place.space), owner=words.power(owner),
                    before=words.by_owner(place.before), after=words.by_owner(place.after),
                )  # fmt: skip
            )
    notes(page, report, words)


def relations(page: Page, report: Report, words: Words) -> None:
    """Politics: who stands how with whom from now on."""
    if report.relations:
        page.heading(words.say("head.politics"))
        for row in report.relations:
            page.item(
                words.say("relation", one=words.power(row.one), other=words.power(row.other),
                          to=words.known(f"relation.{row.to}", row.to)) + _cited(row.rules)  # fmt: skip
            )


def battle_text(page: Page, number: int, battle: BattleStory, words: Words) -> None:
    """One battle with every die."""
    page.heading(
        words.say("battle.head", n=number, space=words.space(battle.space), result=result_of(battle, words))
    )
    page.say(words.say("battle.attackers", units=words.by_owner(battle.attackers)))
    page.say(words.say("battle.defenders", units=words.by_owner(battle.defenders)))
    for one in battle.rounds:
        page.say(words.say("battle.round", n=one.number) if one.number else words.say("battle.opening"))
        for step in one.steps:
            step_text(page, step, words)
    if battle.survivors:
        page.say(words.say("battle.left", units=words.by_owner(battle.survivors)))
    if any(luck.dice for luck in battle.luck):
        for luck in battle.luck:
            page.item(luck_line(luck, words.say(f"side.{luck.who}"), words))
    if any(luck.lost for luck in battle.luck):
        page.item(
            words.say("battle.swing", attacker=battle.luck[0].lost, defender=battle.luck[1].lost,
                      swing=words.signed(battle.swing))  # fmt: skip
        )
    if battle.rules:
        page.say(words.say("rules", rules=words.joined(battle.rules)), 2)


def result_of(battle: BattleStory, words: Words) -> str:
    """How a battle ended, in words."""
    return words.known(f"result.{battle.result or 'open'}", str(battle.result))


def step_text(page: Page, step: Step, words: Words) -> None:
    """One step: dice by unit and need, hits in brackets, then who was lost and who chose."""
    title = words.step(step.name, step.title)
    hits = sum(count for _, count in step.hits) if step.hits else sum(die.hit for die in step.dice)
    counted = any(die.need is not None for die in step.dice)
    page.say(words.say("step.hits", step=title, hits=words.many(hits, "hits")) if counted else title, 2)
    for (owner, kind, need), dice in grouped(step.dice):
        name = f"{words.power(owner)} {words.units(kind, len(dice))}" if kind else ""
        shown = " ".join(f"[{die.face}]" if die.hit else str(die.face) for die in dice)
        if need is None:
            page.say(f"{name}: {shown}" if name else shown, 4)
        else:
            page.say(words.say("dice", units=name, need=need, dice=shown), 4)
    for loss in step.losses:
        page.say(loss_line(loss, words), 4)
    if step.wasted:
        page.say(words.say("wasted", hits=words.many(step.wasted, "hits")), 4)
    for answer in step.answers:
        page.say(
            words.say("decided", power=words.power(answer.power), what=words.decision(answer.kind),
                      value=words.value(answer), by=words.by(answer.by)),
            4,
        )  # fmt: skip
    if step.rules:
        page.say(words.say("rules", rules=words.joined(step.rules)), 4)


def loss_line(loss: Loss, words: Words) -> str:
    """`lost: China 2 infantry (default)`."""
    units = f"{words.power(loss.owner)} {words.units(loss.kind, loss.count)}"
    said = words.say("loss.damaged" if loss.damaged else "loss.lost", units=units)
    more = [words.why(loss.why)] if loss.why else []
    if loss.by:
        more.append(words.by(loss.by))
    return words.say("in_brackets", what=said, more=words.joined(more)) if more else said


def grouped(dice: Iterable[Die]) -> list[tuple[tuple[str, str, int | None], list[Die]]]:
    """Dice of the same owner, kind and need together, in the order in which they were thrown."""
    groups: dict[tuple[str, str, int | None], list[Die]] = {}
    for die in dice:
        groups.setdefault((die.owner, die.kind, die.need), []).append(die)
    return list(groups.items())


def luck_line(luck: Luck, who: str, words: Words) -> str:
    """Hits against expectation."""
    return words.say(
        "luck", who=who, hits=words.many(luck.hits, "hits"), dice=words.many(luck.dice, "dice"),
        expected=words.sixths(luck.expected), over=words.sixths(luck.over, True),
    )  # fmt: skip


def orders(page: Page, lines: Sequence[OrderLine], words: Words) -> None:
    """What every power ordered, and what was refused or lapsed and why."""
    if not lines:
        return
    page.heading(words.say("head.orders"))
    last = ("", "")
    for line in lines:
        if (line.power, line.phase) != last:
            page.say(words.say("orders.of", power=words.power(line.power), phase=words.phase(line.phase)))
            last = (line.power, line.phase)
        mark = {"refused": "x", "lapsed": "!"}.get(line.status, "-")
        page.item(line.text, mark, 2)
        for reason in reasons(line, words):
            page.say(reason, 4)


def reasons(line: OrderLine, words: Words) -> list[str]:
    """Why a line was not carried out as written, and what would have been right."""
    if line.status == "done":
        return [f"{line.note}{_cited((line.rule,) if line.rule else ())}"] if line.note else []
    said = [words.say(f"order.{line.status}", reason=line.reason) + _cited((line.rule,) if line.rule else ())]
    if line.suggestion:
        said.append(words.say("suggestion", what=line.suggestion))
    return said


def other_rolls(page: Page, report: Report, words: Words) -> None:
    """Dice thrown outside battles."""
    if report.rolls:
        page.heading(words.say("head.rolls"))
        for step in report.rolls:
            if step.space:
                page.say(words.space(step.space))
            step_text(page, step, words)


def economy(page: Page, report: Report, words: Words) -> None:
    """Purchases, placements, facilities and money."""
    if report.bought:
        page.heading(words.say("head.bought"))
        for bought in report.bought:
            page.item(f"{words.power(bought.power)}: {words.kinds(bought.items)}")
            if bought.waiting:
                page.say(words.say("waiting", units=words.kinds(bought.waiting)), 2)
    if report.placed or report.facilities:
        page.heading(words.say("head.placed"))
        for placed in report.placed:
            page.item(
                words.say("placed", space=words.space(placed.space), power=words.power(placed.power),
                          units=words.kinds(placed.units), why=words.why(placed.why)) + _cited(placed.rules)  # fmt: skip
            )
        for change in report.facilities:
            page.item(facility_line(change.kind, change.damage, change.becomes, change.space, change.why, words)
                      + _cited(change.rules))  # fmt: skip
    if report.money:
        page.heading(words.say("head.money"))
        for money in report.money:
            page.item(
                words.say("money", power=words.power(money.power), before=money.before, after=money.after,
                          by=words.signed(money.after - money.before))  # fmt: skip
            )
            for why, by in money.changes:
                if why != "income" or money.income is None:
                    page.say(f"{words.why(why)}: {words.signed(by)}", 4)
            if money.income is not None:
                page.say(income_line(money.income, words) + _cited(money.income.rules), 4)
        for power, zone, loss in report.convoys:
            page.say(words.say("convoy", power=words.power(power), space=words.space(zone), ipc=loss), 4)
        for power, name, before, after in report.counters:
            page.item(words.say("counted", power=words.power(power), what=words.counter(name), before=before, after=after))


def facility_line(
    kind: str, damage: int | None, becomes: str | None, space: str, why: str, words: Words
) -> str:
    """A facility's new state in a sentence."""
    what = words.unit(kind)
    place = words.space(space)
    if damage is None:
        return words.say("facility.gone", what=what, space=place, why=words.why(why))
    if becomes and becomes != kind:
        return words.say("facility.becomes", what=what, becomes=words.unit(becomes), space=place, why=words.why(why))
    if why == "built":
        return words.say("facility.built", what=what, space=place)
    return words.say("facility.damage", what=what, space=place, n=damage, why=words.why(why))


def income_line(income: Income, words: Words) -> str:
    """`income: territories 28, convoy losses −3, Dutch East Indies +5 = +30`."""
    parts = [words.say("income.territories", n=income.territories)]
    if income.convoy_loss:
        parts.append(words.say("income.convoys", n=words.signed(-income.convoy_loss)))
    parts += [f"{words.objective(name)} {words.signed(ipc)}" for name, ipc in income.objectives]
    return words.say("income", parts=words.joined(parts), total=words.signed(income.total))


def notes(page: Page, report: Report, words: Words) -> None:
    """Remarks: pauses, corrections, disputes, press. Somebody's own words stand as they were written."""
    if report.notes:
        page.heading(words.say("head.notes"))
        for note in report.notes:
            head = words.known(f"note.{note.kind}", note.kind.replace("_", " "))
            who = f"{words.power(note.who)}: " if note.who in words.board.powers else f"{note.who}: " if note.who else ""
            page.item(f"{head}: {who}{note.text}" if who or note.text else head)


# -- for this reader only ---------------------------------------------------------------------------------------------


def own(page: Page, private: Private, words: Words) -> None:
    """The reader's own refused answers, hands, filed orders, standing orders and ask-me lines."""
    if not private.powers:
        return
    if private.refused:
        page.heading(words.say("head.refused_answers"))
        for line in private.refused:
            page.item(line.text, "x")
            for reason in reasons(line, words):
                page.say(reason, 2)
    if private.hands:
        page.heading(words.say("head.hands"))
        for hand in private.hands:
            for _, name, ready in hand.cards:
                state = "" if ready else words.say("card.not_ready")
                page.item(f"{words.power(hand.power)}: {name.replace('_', ' ')}{state}")
    if private.in_force:
        page.heading(words.say("head.in_force"))
        in_force(page, private, words)
    page.heading(words.say("head.standing"))
    said = False
    for power, lines in private.standing:
        if lines:
            said = True
            page.say(words.power(power))
            for text in lines:
                page.line(text)
    if not said:
        page.say(words.say("standing.none"))
    for power, lines in private.asks:
        for text in lines:
            page.say(words.say("asks", power=words.power(power), what=text))


def in_force(page: Page, private: Private, words: Words) -> None:
    """Filed orders by power and phase; a phase emptied on purpose is said to be empty."""
    for power, phases in private.in_force:
        for phase, lines in phases:
            page.say(words.say("orders.of", power=words.power(power), phase=words.phase(phase)))
            for text in lines:
                page.line(text)
            if not lines:
                page.say(words.say("nothing"), 2)


def proof(page: Page, report: Report, words: Words, note: str, url: str) -> None:
    """The signed checkpoint, what it is for, and where to check."""
    page.heading(words.say("head.proof"))
    page.say(words.say("proof", first=report.first, last=report.end - 1, campaign=report.campaign))
    if url:
        page.say(words.say("proof.url"))
        page.line(f"{url}/c/{report.campaign}")
    page.blank()
    page.verbatim(note)
    if report.options:
        said = words.joined(f"{name} = {value}" for name, value in report.options)
        page.blank()
        page.say(words.say("options", what=said))


def _cited(rules: Sequence[str]) -> str:
    return f" [{', '.join(rules)}]" if rules else ""


def side_name(side: str, words: Words) -> str:
    """Attacker or defender."""
    return words.say("side.attack" if side == ATTACK else "side.defend")
