"""What each kind of event does to the board: one small function a kind, with its payload told in the docstring.

`SUBJECTS` are the chapters, in the order of docs/events.md; to import this package is to know all kinds.
"""

from pbem.board.facts import campaign, cards, orders, pieces, powers

SUBJECTS = {
    "The campaign": campaign,
    "Pieces": pieces,
    "Spaces, powers": powers,
    "Dice and cards": cards,
    "Windows, orders, answers": orders,
}
