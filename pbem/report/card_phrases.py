"""Sentences about victory cards, the same for every form of report; see `pbem.report.phrases`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.report.card_model import CardNews, CardPile, CardResult, HandCount, HeldCard
from pbem.report.cards import PLAYED
from pbem.report.model import BattleStory, Private
from pbem.report.words import Words


def card_lines(row: CardNews, words: Words) -> list[str]:
    """What happened with a card; for a play also what the card does, what it did, and where it came from."""
    lines = [_news(row, words)]
    if row.kind == PLAYED:
        lines.append(words.say("card.does", effect=words.card_effect(row.name)))
        if row.results:
            lines.append(words.say("card.results", what=words.apart(_result(one, words) for one in row.results)))
    if row.kind != "drawn":
        lines += _proof(row, words)
    return lines


def _news(row: CardNews, words: Words) -> str:
    values = {
        "power": words.power(row.power), "card": words.card(row.name), "deck": words.deck(row.deck), "n": row.number,
    }  # fmt: skip
    if row.kind == "drawn" and row.origin is not None:
        return words.say("card.drawn_one", place=row.origin.place, pile=row.origin.pile, **values)
    said = words.say(f"card.{row.kind}.{row.result}" if row.result else f"card.{row.kind}", **values)
    if row.space is not None:
        said = words.say("card.at", what=said, space=words.space(row.space))
    return words.say("in_brackets", what=said, more=words.by_owner(row.force)) if row.force else said


def _result(result: CardResult, words: Words) -> str:
    if result.kind == "dice":
        return words.say("card.result.dice", dice=" ".join(_die(hit, face) for hit, face in result.dice))
    values = {"n": result.number, "of": result.of, "space": words.space(result.space)}
    return words.say(f"card.result.{result.kind}", units=words.by_owner(result.force), **values)


def _die(hit: bool, face: int) -> str:
    return f"[{face}]" if hit else str(face)


def _proof(row: CardNews, words: Words) -> list[str]:
    origin = row.origin
    if origin is None:
        return []
    if origin.pile == 0 and origin.sealed is not None:
        return [words.say("card.proof.given", sealed=origin.sealed, opened=origin.opened)]
    if origin.pile == 0:
        return [words.say("card.proof.start")]
    values = {"place": origin.place, "pile": origin.pile}
    if origin.sealed is None:
        return [words.say("card.proof.short", **values)]
    return [words.say("card.proof.pile", sealed=origin.sealed, opened=origin.opened, **values)]


def battle_card_lines(cards: Sequence[CardNews], battle: BattleStory, words: Words) -> list[str]:
    """The cards that were played on a battle."""
    return [
        words.say(
            "cards.in_battle", card=words.card(row.name), power=words.power(row.power),
            units="".join(f" {words.units(kind, count)}" for _, kind, count in row.force),
            effect=words.card_effect(row.name),
        )
        for row in cards
        if row.kind == PLAYED and row.space == battle.space
    ]  # fmt: skip


def hand_count_line(row: HandCount, words: Words) -> str:
    """How many cards a power holds, and which of them everybody knows."""
    counts = words.joined(
        words.say("cards.one" if count == 1 else "cards.many", n=count, deck=words.deck(deck))
        for deck, count in row.decks
    )
    said = words.say("of_power", power=words.power(row.power), what=counts)
    known = words.joined(words.card(name) + ("" if ready else words.say("card.not_ready")) for name, ready in row.known)
    return words.say("in_brackets", what=said, more=words.say("cards.known", cards=known)) if known else said


def pile_line(row: CardPile, words: Words) -> str:
    """A deck's piles."""
    discards = words.joined(f"{count} {words.card(name)}" for name, count in row.discards) or words.say("nothing")
    return words.say("cards.pile", deck=words.deck(row.deck), n=row.left, discards=discards)


def held_lines(card: HeldCard, private: Private, words: Words) -> list[str]:
    """A card in the reader's hand: its name and state, what it does, when it is played, how that is written."""
    state = words.say("card.new") if card.new else ""
    state += "" if card.ready else words.say("card.used")
    values = {"card": words.card(card.name), "deck": words.deck(card.deck), "state": state}
    several = len(private.powers) > 1
    head = words.say("card.held_of", power=words.power(card.power), **values) if several else ""
    moments = words.say("card.or").join(words.known(f"card_when.{moment}", moment) for moment in card.moments)
    return [
        head or words.say("card.held", **values),
        words.say("card.does", effect=words.card_effect(card.name)),
        words.say("card.when", moments=moments),
        words.say("card.write", order=words.order(card.order)),
    ]


def about_lines(ask: Mapping[str, Any], private: Private, words: Words) -> list[str]:
    """What only the reader knows of a question to him: the weapon that he drew and may research."""
    if ask.get("kind") != "research" or ask.get("power") not in private.powers:
        return []
    drawn = [card for card in private.hand if card.new and (card.power, card.deck) == (ask["power"], "weapons")]
    return [
        words.say(
            "ask.research", card=words.card(card.name), effect=words.card_effect(card.name), ipc=ask.get("treasury", 0)
        )
        for card in drawn[-1:]
    ]
