"""What lies inside some bytes: every packing and every way of writing text that we use or could use, one step deep.

`inside` opens whatever it finds, wherever in the bytes it stands, and gives each content with the name of the step.
Opening again what comes out is the caller's; nothing here knows what is searched for. Too much is better than too
little: what is not really encoded so gives some bytes of noise. Ways of writing are looked for in text only; of other
bytes the runs that may be text are a content of their own, so that noise breeds no noise.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import email
import html
import lzma
import re
import sqlite3
import struct
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from pbem.testing.leaks.pdf import inside_pdf

MOST = 64_000_000
"""Bytes that one packing may hold; more is cut off."""
LARGE = 512
"""Contents of that many bytes are given one by one, smaller ones together."""
LEAST = 8
"""Bytes that a run of text must have: any encoding of six letters has more."""
Inside = tuple[str, bytes]


def inside(data: bytes) -> Iterator[Inside]:
    """(step, content) for everything that these bytes hold or encode."""
    parts = parts_of_mail(data)
    if parts:
        yield from (("mail", part) for part in parts)
        return
    text = texts(data)
    openers = (*PACKINGS, *WRITINGS) if text == data else PACKINGS
    for opener in openers:
        for content in opener(data):
            if content and content != data:
                yield opener.__name__.strip("_"), content
    if text and text != data:
        yield "text", text


def parts_of_mail(data: bytes) -> list[bytes]:
    """The headers and all parts of a mail, decoded; nothing for what is no mail or not a sound one."""
    if not re.match(rb"[A-Za-z][\w-]*:", data) or not re.search(rb"^MIME-Version:", data[:20_000], re.MULTILINE):
        return []
    message = email.message_from_bytes(data)
    parts: list[bytes] = []
    for part in message.walk():
        parts.append("\n".join(f"{name}: {value}" for name, value in part.items()).encode("utf-8", "surrogateescape"))
        parts += [str(said).encode("utf-8", "replace") for said in (part.preamble, part.epilogue) if said]
        content = None if part.is_multipart() else part.get_payload(decode=True)
        if isinstance(content, bytes):
            parts.append(content)
        if part.defects:
            return []
    return parts


_CONTROLS = re.compile(rb"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_RUN = re.compile(
    rb"(?:[\x09\x0a\x0d\x20-\x7e]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2})+"
)


def texts(data: bytes) -> bytes:
    """The data itself if they are text in UTF-8, else their runs of text, each on a line."""
    if not _CONTROLS.search(data):
        try:
            data.decode()
        except UnicodeDecodeError:
            pass
        else:
            return data
    # What is left of a PDF file is none, and need not be read as one again.
    return b"\n".join(run for run in _RUN.findall(data) if len(run) >= LEAST).replace(b"%PDF-", b"%PDF ")


# -- packings ---------------------------------------------------------------------------------------------------------


def _gzip(data: bytes) -> Iterator[bytes]:
    for found in re.finditer(rb"\x1f\x8b\x08", data):
        yield _inflated(data[found.start() :], 31)


def _zlib(data: bytes) -> Iterator[bytes]:
    for found in re.finditer(rb"[\x08\x18\x28\x38\x48\x58\x68\x78]", data):
        at = found.start()
        if at + 2 < len(data) and (data[at] * 256 + data[at + 1]) % 31 == 0 and not data[at + 1] & 0x20:
            yield _inflated(data[at:], 15)


def _zip(data: bytes) -> Iterator[bytes]:
    """Members by their local headers, so that neither a directory nor the end is needed."""
    for found in re.finditer(rb"PK\x03\x04", data):
        header = data[found.start() : found.start() + 30]
        if len(header) == 30:
            method, size, name, extra = struct.unpack("<H", header[8:10])[0], *struct.unpack("<IxxxxHH", header[18:30])
            body = data[found.start() + 30 + name + extra :]
            yield _inflated(body, -15) if method == 8 else body[:size] if method == 0 else b""


def _inflated(data: bytes, window: int) -> bytes:
    """As much as can be unpacked; a stream that is cut off or damaged gives what comes before."""
    unpacker, out = zlib.decompressobj(window), b""
    for start in range(0, len(data), 65_536):
        try:
            out += unpacker.decompress(data[start : start + 65_536], MOST)
        except zlib.error:
            break
        if unpacker.eof or len(out) > MOST:
            break
    return out if len(out) > 3 else b""


def _bzip2(data: bytes) -> Iterator[bytes]:
    for found in re.finditer(rb"BZh[1-9]1AY&SY", data):
        yield _decompressed(bz2.BZ2Decompressor(), data[found.start() :])


def _xz(data: bytes) -> Iterator[bytes]:
    for found in re.finditer(rb"\xfd7zXZ\x00", data):
        yield _decompressed(lzma.LZMADecompressor(), data[found.start() :])


def _decompressed(unpacker: Any, data: bytes) -> bytes:
    try:
        out = unpacker.decompress(data, max_length=MOST)
    except (OSError, lzma.LZMAError, EOFError):
        return b""
    assert isinstance(out, bytes)
    return out


def _pdf(data: bytes) -> Iterator[bytes]:
    begin, end = data.find(b"%PDF-"), data.rfind(b"%%EOF")
    if 0 <= begin < end:
        yield from inside_pdf(data[begin : end + 5])


def _sqlite(data: bytes) -> Iterator[bytes]:
    """All values of all tables; what was deleted still stands in the file's own bytes."""
    begin = data.find(b"SQLite format 3\0")
    if begin < 0:
        return
    file = bytearray(data[begin:])
    file[18:20] = b"\1\1"  # a file in write-ahead mode can be read in memory once it says otherwise
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(bytes(file))
        small: list[bytes] = []
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            quoted = str(table).replace('"', '""')
            for row in connection.execute(f'SELECT * FROM "{quoted}"'):
                for value in row:
                    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
                    if len(raw) >= LARGE:
                        yield raw
                    else:
                        small.append(raw)
        yield b"\n".join(small)
    except (sqlite3.Error, UnicodeError):
        return
    finally:
        connection.close()


# -- ways of writing --------------------------------------------------------------------------------------------------


def _quoted_printable(data: bytes) -> Iterator[bytes]:
    if re.search(rb"=(?:[0-9A-Fa-f]{2}|[ \t]*\r?\n)", data):
        yield binascii.a2b_qp(data)


_ENCODED_WORD = re.compile(rb"=\?([\w.+-]+)(?:\*[\w-]*)?\?([bBqQ])\?([^?\s]*)\?=")


def _encoded_words(data: bytes) -> Iterator[bytes]:
    """RFC 2047: neighbours belong together, and a character may be split between them."""
    found: list[bytes] = []
    end = -1
    for word in _ENCODED_WORD.finditer(data):
        charset, kind, text = word.groups()
        try:
            raw = _b64(text) if kind in b"bB" else binascii.a2b_qp(text, header=True)
            raw = raw if charset.lower() in (b"utf-8", b"us-ascii") else raw.decode(charset.decode()).encode()
        except (ValueError, LookupError):
            continue
        if end >= 0 and not data[end : word.start()].strip():
            found[-1] += raw
        else:
            found.append(raw)
        end = word.end()
    yield b"\n".join(found)


_PARAMETER = re.compile(rb"([\w-]+)\*(\d+)\*?=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;]*))")


def _continued_parameters(data: bytes) -> Iterator[bytes]:
    """RFC 2231: `filename*0*=...; filename*1*=...`."""
    if b"*0" not in data:
        return
    whole: list[dict[int, bytes]] = []
    current: dict[bytes, dict[int, bytes]] = {}
    for name, number, quoted, plain in _PARAMETER.findall(data):
        if int(number) in current.get(name, (0,)) or int(number) == 0:
            current[name] = {}
            whole.append(current[name])
        current.setdefault(name, {})[int(number)] = quoted or plain
    for pieces in whole:
        yield unquote_to_bytes(b"".join(pieces[number] for number in sorted(pieces)))


def _percent(data: bytes) -> Iterator[bytes]:
    yield _lines_changed(data, re.compile(rb"%[0-9A-Fa-f]{2}"), unquote_to_bytes)


def _entities(data: bytes) -> Iterator[bytes]:
    yield _lines_changed(data, re.compile(rb"&#?\w+;?"), _unescape_html)


_ENTITY = re.compile(r"&(?:#([0-9]{1,7});?|#[xX]([0-9A-Fa-f]{1,6});?|\w+;?)")


def _unescape_html(line: bytes) -> bytes:
    return _ENTITY.sub(_entity, line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _entity(found: re.Match[str]) -> str:
    """Numbers as they stand, also where HTML gives them another meaning (0, 128 to 159)."""
    if found[1] is None and found[2] is None:
        return html.unescape(found[0])
    number = int(found[1]) if found[1] else int(found[2], 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""


def _without_tags(data: bytes) -> Iterator[bytes]:
    if re.search(rb"<[A-Za-z/!?][^<>]*>", data):
        yield re.sub(rb"<[A-Za-z/!?][^<>]*>", b"", data)


_ESCAPE = re.compile(
    rb"((?:\\u[0-9A-Fa-f]{4})+)|\\u\{([0-9A-Fa-f]{1,6})\}|\\U([0-9A-Fa-f]{8})|\\x([0-9A-Fa-f]{2})|\\([0-7]{1,3})"
    rb"|\\(.)"
)
_SHORT = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def _escapes(data: bytes) -> Iterator[bytes]:
    r"""`\uXXXX`, `\xXX`, octal and the short ones: JSON, JavaScript, Python, PDF strings."""
    joined = re.sub(rb"\\\r?\n", b"", data)
    yield _lines_changed(joined, re.compile(rb"\\."), lambda line: _ESCAPE.sub(_unescaped, line))


def _unescaped(found: re.Match[bytes]) -> bytes:
    units, braced, long, byte, octal, short = found.groups()
    if units is not None:
        pairs = bytes.fromhex(units.replace(b"\\u", b"").decode())
        return pairs.decode("utf-16-be", "replace").encode()
    if braced is not None or long is not None:
        number = int(braced or long, 16)
        return chr(number).encode("utf-8", "replace") if number < 0x110000 else b""
    if byte is not None:
        return bytes.fromhex(byte.decode())
    if octal is not None:
        return bytes([int(octal, 8) & 255])
    return _SHORT.get(short, short)


_HEX = re.compile(rb"(?:[0-9A-Fa-f]{2}(?:[ \t:-]|\r?\n[ \t]*)?){6,}[0-9A-Fa-f]?")


def _hexadecimal(data: bytes) -> Iterator[bytes]:
    """Runs of digits, from each of the two places where a byte may begin."""
    yield from _together(_of_hex(run) for run in _HEX.findall(data))


def _of_hex(run: bytes) -> Iterator[bytes]:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", run)
    for start in (0, 1):
        part = digits[start : start + (len(digits) - start) // 2 * 2]
        yield bytes.fromhex(part.decode())


_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]+(?:(?:=*\r?\n[ \t>]*|=+)[A-Za-z0-9+/_-]+)*")


def _base64(data: bytes) -> Iterator[bytes]:
    """Runs of the alphabets, over line breaks too, from each of the four places where a group may begin."""
    yield from _together(_of_base64(run) for run in _BASE64.findall(data) if len(run) >= 8)


def _of_base64(run: bytes) -> Iterator[bytes]:
    lines = re.split(rb"\r?\n[ \t>]*", run) if b"\n" in run else [run]
    wrapped = len(lines) > 2 and len({len(line) for line in lines[:-1]}) == 1 and len(lines[0]) % 4 == 0
    for text in dict.fromkeys((b"".join(lines), *(() if wrapped else lines))):
        for part in text.replace(b"-", b"+").replace(b"_", b"/").split(b"="):
            for start in range(1 if wrapped else 4) if len(part) >= 8 else ():
                yield _b64(part[start:])


def _b64(text: bytes) -> bytes:
    text = text.rstrip(b"=")
    text = text[: len(text) - (len(text) % 4 == 1)]
    return base64.b64decode(text + b"=" * (-len(text) % 4))


_WIDE = re.compile(rb"(?:[\x09\x0a\x0d\x20-\x7e]\0++){4,}|(?<!\0)(?:\0++[\x09\x0a\x0d\x20-\x7e]){4,}")


def _wide(data: bytes) -> Iterator[bytes]:
    """Letters with nothing but zeros between them: UTF-16 and UTF-32 (what is not ASCII is searched as it is)."""
    if b"\0" in data:
        yield b"\n".join(run.replace(b"\0", b"") for run in _WIDE.findall(data))


_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")


def _other_forms(data: bytes) -> Iterator[bytes]:
    """Full-width letters, ligatures and the like in their plain form (NFKC), invisible characters left out."""
    if not data.isascii():
        text = data.decode("utf-8", "ignore")
        plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
        if plain != text:
            yield plain.encode()


_TWICE = re.compile(rb"([\xc2\xc3])([\x80-\xbf])")
_TWICE_RUN = re.compile(rb"(?:[\0-\x7f]+|[\xc2\xc3][\x80-\xbf])+")


def _twice_encoded(data: bytes) -> Iterator[bytes]:
    """UTF-8 that was taken for Latin-1 and encoded once more; what was encoded may be anything."""
    if not data.isascii():
        runs = (run for run in _TWICE_RUN.findall(data) if len(run) >= LEAST and not run.isascii())
        yield from _together(iter([_once_encoded(run)]) for run in runs)


def _once_encoded(data: bytes) -> bytes:
    return _TWICE.sub(lambda found: bytes([found[2][0] | (found[1][0] & 1) << 6]), data)


PACKINGS: tuple[Callable[[bytes], Iterator[bytes]], ...] = (
    _gzip,
    _zlib,
    _zip,
    _bzip2,
    _xz,
    _pdf,
    _sqlite,
    _wide,
    _twice_encoded,
)
WRITINGS: tuple[Callable[[bytes], Iterator[bytes]], ...] = (
    _quoted_printable, _encoded_words, _continued_parameters, _percent, _entities, _without_tags, _escapes,
    _hexadecimal, _base64, _other_forms,
)  # fmt: skip

# -- helpers ----------------------------------------------------------------------------------------------------------


def _together(runs: Iterator[Iterator[bytes]]) -> Iterator[bytes]:
    small: list[bytes] = []
    for run in runs:
        for content in run:
            if len(content) >= LARGE:
                yield content
            else:
                small.append(content)
    yield b"\n".join(small)


def _lines_changed(data: bytes, mark: re.Pattern[bytes], change: Callable[[bytes], bytes]) -> bytes:
    """The lines in which a mark stands, changed."""
    if not mark.search(data):
        return b""
    return b"\n".join(change(line) for line in data.split(b"\n") if mark.search(line))
