"""The templates: one Jinja environment that escapes everything, and what every template finds in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from inspect import isfunction, signature
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.report import card_phrases, phrases
from pbem.report.dice_faces import strip_address, strip_size
from pbem.report.fonts import family
from pbem.report.map.style import power_style
from pbem.report.words import TEMPLATES, Words

SENTENCES: Mapping[str, Any] = {
    name: function
    for module in (phrases, card_phrases)
    for name, function in vars(module).items()
    if isfunction(function) and not name.startswith("_") and "words" in signature(function).parameters
}
"""Functions of `phrases` and `card_phrases` that take the reader's words; templates call them without."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Autoescaping for every template whatever its name; an unknown name in a template is our fault and raises."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def filled(template: str, words: Words, **values: Any) -> str:
    """A template with its values; `w` are the reader's words, `ph` the sentences in them."""
    bound = SimpleNamespace(**{name: partial(function, words=words) for name, function in SENTENCES.items()})
    page = environment().get_template(template)
    return page.render(
        w=words,
        say=words.say,
        ph=bound,
        cited=phrases.cited,
        grouped=phrases.grouped,
        strip=strip_address,
        strip_size=strip_size,
        power_style=power_style,
        **values,
    )


def style_sheet(template: str, language: str) -> str:
    """A style sheet with the families of a language's letters."""
    return environment().get_template(template).render(
        family=Markup(family(language)), mono=Markup(family(language, mono=True))
    )  # fmt: skip
