"""Reports for players: what the log says, laid out for reading.

Outer ring: may load templates and call WeasyPrint; decides nothing about the game.
"""
