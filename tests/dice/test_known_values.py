"""The published known values: whoever writes another checker can test it against these."""

import hashlib

from pbem.dice import (
    Chain,
    ChainSource,
    Purpose,
    derive_key,
    entropy_digest,
    faces,
    opened_text,
    text_hash,
    verify_link,
)

SEED = bytes(range(32))
PURPOSE = Purpose("p40-17", 3, "japan", "conduct_combat", "yunnan", 1, "attackers_fire")
ENTROPY = {
    "japan": text_hash(opened_text(["3 inf Kwangsi -> Yunnan"])),
    "china": text_hash(opened_text(["hold"])),
}


def test_chain_of_four_links() -> None:
    chain = Chain(SEED, length=4)
    assert chain.start.hex() == "cefc1232dee44cc53fccf8cc078f657f4db4f1d0303725375a0694f7d395e2ea"
    assert chain.link(1).hex() == "4e05063392f42b5180353ef82da86c714042155044d91ab3253f1bab08120a0a"
    assert chain.link(4) == SEED
    assert verify_link(chain.link(1), 1, chain.start)


def test_purpose_is_eight_lines_without_a_final_line_break() -> None:
    assert PURPOSE.message() == (b"pbem/dice/v1\np40-17\n3\njapan\nconduct_combat\nyunnan\n1\nattackers_fire")


def test_digest_of_the_entropy_map() -> None:
    assert entropy_digest(ENTROPY).hex() == "eb50501112335f5be20bb7cbf52715038aff66f5d138b226384e2ef3d7cca12b"
    assert entropy_digest({}).hex() == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_key_and_first_faces() -> None:
    key = derive_key(Chain(SEED, length=4).link(1), PURPOSE.message(), entropy_digest(ENTROPY))
    assert key.hex() == "31d9f6db5b5ce27359ee3a324851117d10dc4840c3729fe36b90aca4ca5e4475"
    assert faces(key, 12) == (2, 6, 2, 3, 3, 6, 2, 5, 6, 4, 6, 2)


def test_a_source_gives_the_same_roll() -> None:
    roll = ChainSource([Chain(SEED, length=4)]).roll(PURPOSE, ENTROPY, 12)
    assert (roll.chain, roll.k, roll.faces) == (0, 1, (2, 6, 2, 3, 3, 6, 2, 5, 6, 4, 6, 2))
    assert roll.link == "4e05063392f42b5180353ef82da86c714042155044d91ab3253f1bab08120a0a"


def test_a_power_with_nothing_in_force_has_the_hash_of_the_empty_text() -> None:
    assert text_hash(opened_text([])) == hashlib.sha256(b"").hexdigest()
