"""The machinery of the rule book, a chapter to a module; it knows no particular game."""
