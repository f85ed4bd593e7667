"""Bytes to text, strictly: a character that cannot be read is a failure, never U+FFFD.

Labels are taken as mail really uses them: GB2312 is sent for GBK and GB18030, Big5 for its Microsoft and Hong Kong
supersets, US-ASCII or nothing for UTF-8. Only the listed codecs are used; a label nobody knows is tried as UTF-8.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_CODECS: dict[str, tuple[str, ...]] = {
    "utf8": ("utf-8",),
    "unicode11utf8": ("utf-8",),
    "usascii": ("utf-8",),
    "ascii": ("utf-8",),
    "ansix341968": ("utf-8",),
    "gb2312": ("gb18030",),
    "gb231280": ("gb18030",),
    "gbk": ("gb18030",),
    "xgbk": ("gb18030",),
    "cp936": ("gb18030",),
    "windows936": ("gb18030",),
    "euccn": ("gb18030",),
    "gb18030": ("gb18030",),
    "hzgb2312": ("hz",),
    "big5": ("cp950", "big5hkscs"),
    "big5hkscs": ("big5hkscs", "cp950"),
    "xxbig5": ("cp950", "big5hkscs"),
    "xbig5": ("cp950", "big5hkscs"),
    "cnbig5": ("cp950", "big5hkscs"),
    "cp950": ("cp950", "big5hkscs"),
    "windows950": ("cp950", "big5hkscs"),
    "shiftjis": ("cp932",),
    "sjis": ("cp932",),
    "xsjis": ("cp932",),
    "cp932": ("cp932",),
    "windows31j": ("cp932",),
    "eucjp": ("euc_jp",),
    "iso2022jp": ("iso2022_jp", "iso2022_jp_2", "iso2022_jp_ext"),
    "euckr": ("cp949",),
    "ksc56011987": ("cp949",),
    "cp949": ("cp949",),
    "windows949": ("cp949",),
    "iso2022kr": ("iso2022_kr",),
    "iso88591": ("cp1252", "latin-1"),
    "latin1": ("cp1252", "latin-1"),
    "koi8r": ("koi8-r",),
    "koi8u": ("koi8-u",),
    "tis620": ("cp874",),
    "utf16": ("utf-16",),
    "utf16le": ("utf-16-le",),
    "utf16be": ("utf-16-be",),
    "macintosh": ("mac-roman",),
    **{f"iso8859{n}": (f"iso8859-{n}",) for n in (*range(2, 12), 13, 14, 15, 16)},
    **{f"windows125{n}": (f"cp125{n}",) for n in range(9)},
    **{f"cp125{n}": (f"cp125{n}",) for n in range(9)},
}


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why some bytes are not text. `label` is the charset they claimed, `known` whether we have heard of it."""

    label: str
    known: bool
    offset: int


def decode(data: bytes, label: str | None) -> str | Undecodable:
    """The text of `data` that claims the charset `label` (None: nothing was claimed).

    A leading byte order mark is dropped. ISO-8859-1 means Windows-1252, as everywhere on the web.
    """
    key = "".join(ch for ch in (label or "").lower() if ch.isalnum() and ch.isascii())
    candidates = _CODECS.get(key, ("utf-8",))
    first_failure: int | None = None
    for codec in candidates:
        try:
            return codecs.decode(data, codec, "strict").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            first_failure = error.start if first_failure is None else first_failure
    return Undecodable(label or "", not label or key in _CODECS, first_failure or 0)


def decode_for_display(data: bytes, label: str | None = None) -> str:
    """Like `decode`, but what cannot be read is shown as `\\xNN`: for headers and excerpts, which decide nothing."""
    text = decode(data, label)
    return text if isinstance(text, str) else data.decode("ascii", "backslashreplace")
