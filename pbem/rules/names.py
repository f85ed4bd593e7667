"""Finding spaces, powers and kinds of pieces by the spellings that ruling cases use. Mails have a kinder reader."""

from __future__ import annotations

from pbem.board.map import Board

_OTHER_POWERS = {
    "unitedstates": "usa", "us": "usa", "america": "usa", "unitedkingdom": "uk", "britain": "uk",
    "sovietunion": "ussr", "russia": "ussr", "soviets": "ussr",
}  # fmt: skip
_OTHER_KINDS = {
    "aaa": ("aa_gun",), "aa": ("aa_gun",), "armor": ("tank",), "majorfactory": ("ic_major",),
    "minorfactory": ("ic_minor",), "majoric": ("ic_major",), "minoric": ("ic_minor",),
    "factory": ("industrial_complex", "ic_major"), "industrialcomplex": ("industrial_complex", "ic_major"),
    "strategicbomber": ("bomber",), "mech": ("mech_infantry",), "aircraftcarrier": ("carrier",),
}  # fmt: skip


class UnknownName(ValueError):
    """A case names something the board does not have; the message says what and where."""


def squeezed(name: str) -> str:
    """A name without case, blanks and punctuation: spellings that differ only so are the same."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def find_space(board: Board, name: str) -> str:
    """The id of the space of that id, name or alias; UnknownName if there is none."""
    if name in board.spaces:
        return name
    wanted = squeezed(name)
    for space in board.spaces.values():
        if wanted in map(squeezed, (space.id, space.name, *space.aliases)):
            return space.id
    raise UnknownName(f"{board.title} has no space {name!r}")


def find_power(board: Board, name: str) -> str:
    """The id of the power (or owner of neutral pieces) of that id or name; UnknownName if there is none."""
    if name in board.powers or name == "neutral":
        return name
    wanted = squeezed(name)
    for power in board.powers.values():
        if wanted in map(squeezed, (power.id, power.name)) or _OTHER_POWERS.get(wanted) == power.id:
            return power.id
    raise UnknownName(f"{board.title} has no power {name!r}")


def find_kind(board: Board, name: str) -> str:
    """The id of the kind of piece or facility of that id, name or plural; UnknownName if there is none."""
    if name in board.units:
        return name
    wanted = squeezed(name)
    for kind in board.units.values():
        if wanted in map(squeezed, (kind.id, kind.name, kind.plural)):
            return kind.id
    for kind_id in _OTHER_KINDS.get(wanted, ()):
        if kind_id in board.units:
            return kind_id
    raise UnknownName(f"{board.title} has no kind of piece {name!r}")
