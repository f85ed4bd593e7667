"""Makes the fonts inside a PDF small: glyphs that nothing uses leave no trace, not even their numbers.

WeasyPrint keeps the numbers of all glyphs of a font. For Chinese that is a table of sixty thousand empty glyphs, more
than a hundred kilobytes in each file. A font whose glyphs carry character ids (CFF with CIDs) may be stored without
them: the ids stay, the numbers close up. Other fonts are left as they are.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont

EMPTY = 1
"""Bytes of an outline that draws nothing: one `endchar`."""


def compacted(pdf: Any) -> None:
    """Replaces what fonts of a PDF about to be written can be stored smaller."""
    for item in pdf.objects:
        extra = getattr(item, "extra", None)
        if extra and extra.get("Subtype") == "/OpenType":
            small = bare_outlines(bytes(item.stream[0]))
            if small is not None:
                item.stream = [small]
                extra["Subtype"] = "/CIDFontType0C"


def bare_outlines(font: bytes) -> bytes | None:
    """The outlines of an OpenType font without its empty glyphs, as bare CFF; None if it has no character ids."""
    opened = TTFont(BytesIO(font), lazy=True, recalcBBoxes=False)
    if "CFF " not in opened:
        return None
    table = opened["CFF "]
    top = table.cff.topDictIndex[0]
    if not hasattr(top, "ROS") or not hasattr(top, "FDSelect"):
        return None
    outlines, select, names = top.CharStrings, top.FDSelect, top.charset
    index = outlines.charStringsIndex
    ends = index.offsets
    used = [place for place in range(len(names)) if place == 0 or ends[place + 1] - ends[place] > EMPTY]
    index.items = [index[place] for place in used]
    select.format, select.gidArray = None, [select.gidArray[place] for place in used]
    del index.file, index.offsets
    top.charset = [names[place] for place in used]
    outlines.charStrings = {name: place for place, name in enumerate(top.charset)}
    top.numGlyphs = len(used)
    return bytes(table.compile(opened))
