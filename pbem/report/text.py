"""Turn reports and questions in mid-turn as mail text: what happened, what is due, how to answer; then the rest."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.report import card_phrases as cards
from pbem.report import phrases as say
from pbem.report.layout import Page
from pbem.report.model import BattleStory, OrderLine, Private, Report, Step
from pbem.report.words import Words

RULES_OF_A_CARD = 3
"""So many of the rules of a card's text are cited with a play; the others stand in the log."""
MARKS = {"refused": "x", "lapsed": "!"}


def report_text(
    report: Report, private: Private, words: Words, note: str, url: str = "", *, asked: bool = False
) -> str:
    """A whole mail. `note` is the checkpoint; `asked`: the mail is a question in mid-turn, not a turn's report."""
    page = Page()
    if asked:
        page.say(say.asked_line(report.due, private, words))
        page.blank()
        page.say(f"{words.say('so_far')} {words.headline(report.headline)}")
    else:
        page.say(words.headline(report.headline))
        if begun := say.begun_line(report.headline, private, words):
            page.say(begun)
    due(page, report, private, words)
    how_to_answer(page, report, private, words)
    story(page, report, words)
    own(page, private, words)
    proof(page, report, words, note, url)
    return page.text()


def due(page: Page, report: Report, private: Private, words: Words) -> None:
    """Who must do what until when; for a question, what exactly is asked."""
    page.heading(words.say("head.due"))
    for line in say.due_lines(report.due, private, words):
        page.say(line)
    for ask in report.due.asks if report.due else ():
        head, *details = say.ask_lines(ask, words)
        page.item(head)
        for detail in (*details, *cards.about_lines(ask, private, words)):
            page.say(detail, 2)
    if report.clashes:
        page.heading(words.say("head.clashes"))
        for clash in report.clashes:
            page.item(say.clash_line(clash, words))


def how_to_answer(page: Page, report: Report, private: Private, words: Words) -> None:
    """What to write, with an example that would be accepted now."""
    if not private.powers:
        return
    page.heading(words.say("head.answer"))
    page.say(say.how_line(report.due, private, words))
    if private.example:
        page.say(say.example_line(report.due, words))
        page.blank()
        for line in private.example:
            page.line(words.order(line))
        page.blank()
    default = say.default_line(report.due, private, words)
    if default:
        page.say(default)


# -- what happened ----------------------------------------------------------------------------------------------------


def story(page: Page, report: Report, words: Words) -> None:
    """Everything that happened, the weightiest first."""
    _listed(page, words.say("head.captures"), [say.capture_line(row, words) + say.cited(row.rules)
                                               for row in report.captures])  # fmt: skip
    _listed(page, words.say("head.politics"), [say.relation_line(row, words) + say.cited(row.rules)
                                               for row in report.relations])  # fmt: skip
    for number, battle in enumerate(report.battles, 1):
        battle_text(page, number, battle, words, cards.battle_card_lines(report.cards, battle, words))
    _listed(page, words.say("head.gone"), [say.gone_line(row, words) + say.cited(row.rules) for row in report.gone])
    _listed(page, words.say("head.luck"), [say.luck_line(row, words.power(row.who), words) for row in report.luck])
    cards_text(page, report, words)
    orders(page, report.orders, words)
    _listed(page, words.say("head.reactions"), [say.decided_line(row, words) for row in report.reactions])
    if report.rolls:
        page.heading(words.say("head.rolls"))
        for step in report.rolls:
            if step.space:
                page.say(words.space(step.space))
            step_text(page, step, words)
    economy(page, report, words)
    _listed(
        page,
        words.say("head.hand_counts"),
        [*(cards.hand_count_line(row, words) for row in report.hand_counts),
         *(cards.pile_line(pile, words) for pile in report.piles)],
    )  # fmt: skip
    _listed(page, words.say("head.positions"), [say.position_line(row, words) for row in report.positions])
    _listed(page, words.say("head.notes"), [say.note_line(row, words) for row in report.notes])


def cards_text(page: Page, report: Report, words: Words) -> None:
    """What happened with victory cards: each play with what the card does, what it did and where it came from."""
    if not report.cards:
        return
    page.heading(words.say("head.cards"))
    for row in report.cards:
        head, *more = cards.card_lines(row, words)
        page.item(head + say.cited(row.rules[:RULES_OF_A_CARD]))
        for line in more:
            page.say(line, 2)
    if any(row.origin is not None for row in report.cards):
        page.say(words.say("cards.proofs"))


def _listed(page: Page, heading: str, lines: Sequence[str]) -> None:
    if lines:
        page.heading(heading)
        for line in lines:
            page.item(line)


def battle_text(page: Page, number: int, battle: BattleStory, words: Words, played: Sequence[str] = ()) -> None:
    """One battle with every die; `played` are the cards laid on it."""
    result = say.result_of(battle, words)
    page.heading(words.say("battle.head", n=number, space=words.space(battle.space), result=result))
    page.say(words.say("battle.attackers", units=words.by_owner(battle.attackers)))
    if battle.defenders or battle.result != "passed":  # a gun on the way is no defender
        page.say(words.say("battle.defenders", units=words.by_owner(battle.defenders)))
    for line in played:
        page.say(line)
    for one in battle.rounds:
        page.say(words.say("battle.round", n=one.number) if one.number else words.say("battle.opening"))
        for step in one.steps:
            step_text(page, step, words)
    if battle.survivors:
        page.say(words.say("battle.left", units=words.by_owner(battle.survivors)))
    if any(luck.dice for luck in battle.luck):
        for luck in battle.luck:
            page.item(say.luck_line(luck, words.say(f"side.{luck.who}"), words))
    if any(luck.lost for luck in battle.luck):
        page.item(say.swing_line(battle, words))
    if battle.rules:
        page.say(words.say("rules", rules=words.joined(battle.rules)))


def step_text(page: Page, step: Step, words: Words) -> None:
    """One step: dice by unit and need, hits in brackets, then who was lost and who chose."""
    title = say.step_title(step, words)
    if title:
        page.say(title, 2)
    for group in say.grouped(step.dice):
        (_, _, need, _), dice = group
        shown = " ".join(f"[{die.face}]" if die.hit else str(die.face) for die in dice)
        units = say.shooters(group, words)
        if need is None:
            page.say(f"{units}: {shown}" if units else shown, 4)
        else:
            page.say(words.say("dice", units=units, need=need, dice=shown), 4)
    for loss in step.losses:
        page.say(say.loss_line(loss, words), 4)
    if step.wasted:
        page.say(say.wasted_line(step, words), 4)
    for answer in step.answers:
        page.say(say.decided_line(answer, words, step.space), 4 if title else 2)
    if step.rules:
        page.say(words.say("rules", rules=words.joined(step.rules)), 4)


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
        page.item(words.order(line.text), MARKS.get(line.status, "-"), 2)
        for reason in say.reasons(line, words):
            page.say(reason, 4)


def economy(page: Page, report: Report, words: Words) -> None:
    """Purchases, placements, facilities and money."""
    if report.bought:
        page.heading(words.say("head.bought"))
        for bought in report.bought:
            head, *more = say.bought_lines(bought, words)
            page.item(head)
            for line in more:
                page.say(line, 2)
    _listed(
        page,
        words.say("head.placed"),
        [say.placed_line(row, words) + say.cited(row.rules) for row in report.placed]
        + [say.facility_line(row, words) + say.cited(row.rules) for row in report.facilities],
    )
    if report.money:
        page.heading(words.say("head.money"))
        for money in report.money:
            if money.changes or money.before != money.after:
                page.item(say.money_line(money, words))
                for line in say.change_lines(money, words):
                    page.say(line, 4)
        same = say.unchanged_line(report.money, words)
        if same:
            page.item(same)
        for convoy in report.convoys:
            page.item(say.convoy_line(convoy, words))
        for counted in report.counters:
            page.item(say.counter_line(counted, words))


# -- for this reader only ---------------------------------------------------------------------------------------------


def own(page: Page, private: Private, words: Words) -> None:
    """The reader's own refused answers, hands, filed orders, standing orders and ask-me lines."""
    if not private.powers:
        return
    if private.refused:
        page.heading(words.say("head.refused_answers"))
        for line in private.refused:
            page.item(line.text, "x")
            for reason in say.reasons(line, words):
                page.say(reason, 2)
    if private.hand:
        page.heading(words.say("head.hands"))
    for card in private.hand:
        head, *more = cards.held_lines(card, private, words)
        page.item(head)
        for said in more:
            page.say(said, 2)
    if private.in_force:
        page.heading(words.say("head.in_force"))
        in_force(page, private.in_force, words)
    page.heading(words.say("head.standing"))
    standing(page, private.standing, private.asks, words)


def in_force(page: Page, rows: Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]], words: Words) -> None:
    """Filed orders by power and phase; a phase emptied on purpose is said to be empty."""
    for power, phases in rows:
        for phase, lines in phases:
            page.say(words.say("orders.of", power=words.power(power), phase=words.phase(phase)))
            for text in lines:
                page.line(words.order(text))
            if not lines:
                page.say(words.say("nothing"), 2)


def standing(
    page: Page,
    orders_: Sequence[tuple[str, Sequence[str]]],
    asks: Sequence[tuple[str, Sequence[str]]],
    words: Words,
) -> None:
    """Standing orders and ask-me lines by power."""
    for power, lines in orders_:
        if lines:
            page.say(f"{words.power(power)}:")
            for text in lines:
                page.line(words.order(text))
    if not any(lines for _, lines in orders_):
        page.say(words.say("standing.none"))
    for power, lines in asks:
        for text in lines:
            page.say(words.say("asks", power=words.power(power), what=words.order(text)))


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
        said = words.options(report.options)
        page.blank()
        page.say(words.say("options", what=said))
