"""Dice faces and card orders that nobody can bend, and their proof.

Everything here is pure but the sources' own counters: seeds and links come in as bytes, nothing reads a clock,
a file or the machine's randomness. The contract, to the byte, is in docs/dice.md; ``check_dice`` is the stand-alone
checker that a player can run without this package.
"""

from pbem.dice.chain import CHAIN_LENGTH, Chain, ChainExhausted, next_chain_due, verify_link
from pbem.dice.deck import (
    DECK_CHAIN_LENGTH,
    ChainDecks,
    DeckSource,
    Pile,
    RecordedDecks,
    ThrowawayDecks,
    deck_message,
    laid,
    opened,
    shuffled,
)
from pbem.dice.entropy import entropy_digest, entropy_json, opened_text, text_hash
from pbem.dice.faces import derive_key, faces
from pbem.dice.purpose import Purpose, first_free_attempt, numbered
from pbem.dice.recorded import Batch, RecordedSource, read_batches
from pbem.dice.source import ChainSource, DiceSource, HandRollMissing, HandSource, Roll, SeededThrowaway

__all__ = [
    "CHAIN_LENGTH",
    "DECK_CHAIN_LENGTH",
    "Batch",
    "Chain",
    "ChainDecks",
    "ChainExhausted",
    "ChainSource",
    "DeckSource",
    "DiceSource",
    "HandRollMissing",
    "HandSource",
    "Pile",
    "Purpose",
    "RecordedDecks",
    "RecordedSource",
    "Roll",
    "SeededThrowaway",
    "ThrowawayDecks",
    "deck_message",
    "derive_key",
    "entropy_digest",
    "entropy_json",
    "faces",
    "first_free_attempt",
    "laid",
    "next_chain_due",
    "numbered",
    "opened",
    "opened_text",
    "read_batches",
    "shuffled",
    "text_hash",
    "verify_link",
]
