"""Ways to hide some bytes in others, one for each packing and each way of writing that the search must see through."""

from __future__ import annotations

import base64
import binascii
import bz2
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from email.header import Header
from email.message import EmailMessage
from random import Random
from urllib.parse import quote

from pypdf import PdfWriter
from pypdf.generic import ByteStringObject, DecodedStreamObject, NameObject, TextStringObject

Disguise = Callable[[bytes, Random], bytes]


def _noise(chance: Random, alphabet: bytes, most: int = 9) -> bytes:
    return bytes(chance.choice(alphabet) for _ in range(chance.randint(0, most)))


def _characters(data: bytes) -> str:
    """Bytes as the text they are, if they are one; else as letters that stand for them."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return base64.b64encode(data).decode()


def base64_lines(data: bytes, chance: Random) -> bytes:
    return b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(data).replace(b"\n", b"\r\n")


def base64_glued(data: bytes, chance: Random) -> bytes:
    """At any alignment, behind letters that do not belong to it."""
    letters = b"ABCDEFGHabcdefgh0123"
    return _noise(chance, letters) + base64.b64encode(data) + b"!" + _noise(chance, letters)


def base64_for_urls(data: bytes, chance: Random) -> bytes:
    return b"/x?state=" + base64.urlsafe_b64encode(data).rstrip(b"=") + b"&y=1"


def base64_indented(data: bytes, chance: Random) -> bytes:
    text = base64.b64encode(data)
    width = chance.randint(5, 70)
    return b"\n> ".join(text[at : at + width] for at in range(0, len(text), width))


def quoted_printable(data: bytes, chance: Random) -> bytes:
    """Every character written out, with soft line breaks anywhere."""
    written = [b"=%02X" % byte for byte in data]
    return b"".join(piece + (b"=\r\n" if chance.random() < 0.2 else b"") for piece in written)


def quoted_printable_usual(data: bytes, chance: Random) -> bytes:
    return binascii.b2a_qp(_noise(chance, b"some words ", 70) + data)


def encoded_words(data: bytes, chance: Random) -> bytes:
    """RFC 2047, cut between any two bytes."""
    cut = chance.randint(0, len(data))
    words = [base64.b64encode(data[:cut]), base64.b64encode(data[cut:])]
    return b"Subject: " + b"\r\n ".join(b"=?UTF-8?B?" + word + b"?=" for word in words) + b"\r\n"


def header(data: bytes, chance: Random) -> bytes:
    text = data.decode("utf-8", "replace").replace("\n", " ").replace("\r", " ")
    return b"Subject: " + Header(text, "utf-8", header_name="Subject").encode().encode() + b"\r\n"


def filename(data: bytes, chance: Random) -> bytes:
    """RFC 2231, in several pieces."""
    written = [b"%%%02X" % byte for byte in data]
    width = chance.randint(3, 20)
    pieces = [b"".join(written[at : at + width]) for at in range(0, len(written), width)] or [b""]
    first, *rest = [b"filename*%d*=" % number for number in range(len(pieces))]
    values = [first + b"utf-8''" + pieces[0], *(name + piece for name, piece in zip(rest, pieces[1:], strict=True))]
    return b"Content-Disposition: attachment;\r\n " + b";\r\n ".join(values) + b"\r\n"


def percent(data: bytes, chance: Random) -> bytes:
    return b"/path/" + b"".join(b"%%%02x" % byte for byte in data)


def percent_usual(data: bytes, chance: Random) -> bytes:
    return quote(data).encode()


def entities(data: bytes, chance: Random) -> bytes:
    text = _characters(data)
    return "".join(f"&#x{ord(ch):x};" if chance.random() < 0.5 else f"&#{ord(ch)};" for ch in text).encode()


def tags(data: bytes, chance: Random) -> bytes:
    """Each character in a span of its own."""
    return "".join(f"<span class='c'>{ch}</span>" for ch in _characters(data)).encode()


def json_escapes(data: bytes, chance: Random) -> bytes:
    """Every character as the escape that JSON has for it, in pairs where it needs two."""
    units = _characters(data).encode("utf-16-be")
    written = "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    return ('{"x": "' + written + '"}').encode()


def twice_encoded(data: bytes, chance: Random) -> bytes:
    """UTF-8 that was taken for Latin-1 and encoded again."""
    return data.decode("latin-1").encode()


def json_text(data: bytes, chance: Random) -> bytes:
    return json.dumps({"said": data.decode("latin-1")}).encode()


def python_bytes(data: bytes, chance: Random) -> bytes:
    return b"b'" + b"".join(b"\\x%02x" % byte for byte in data) + b"'"


def octal(data: bytes, chance: Random) -> bytes:
    return b"(" + b"".join(b"\\%03o" % byte for byte in data) + b") Tj"


def hexadecimal(data: bytes, chance: Random) -> bytes:
    return _noise(chance, b"0123456789abcdef", 1) + data.hex().encode()


def hexadecimal_lines(data: bytes, chance: Random) -> bytes:
    return b"<" + data.hex("\n", chance.randint(1, 8)).encode() + b">"


def utf_16(data: bytes, chance: Random) -> bytes:
    text = _characters(data)
    return _noise(chance, b"\xfe", 1) + text.encode(chance.choice(("utf-16", "utf-16-le", "utf-16-be")))


def utf_32(data: bytes, chance: Random) -> bytes:
    return _characters(data).encode(chance.choice(("utf-32-le", "utf-32-be")))


def gzipped(data: bytes, chance: Random) -> bytes:
    return _noise(chance, bytes(range(256))) + gzip.compress(data) + _noise(chance, b"abc")


def zipped(data: bytes, chance: Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
        archive.writestr("first.txt", "nothing")
        archive.writestr("folder/second.bin", data)
    return out.getvalue()


def zlib_stream(data: bytes, chance: Random) -> bytes:
    return _noise(chance, bytes(range(256))) + zlib.compress(data, chance.choice((0, 1, 6, 9)))


def bzipped(data: bytes, chance: Random) -> bytes:
    return bz2.compress(data)


def xz(data: bytes, chance: Random) -> bytes:
    return lzma.compress(data)


def database(data: bytes, chance: Random) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE rows (number INTEGER, value)")
    connection.execute("INSERT INTO rows VALUES (1, ?)", ("nothing",))
    connection.execute("INSERT INTO rows VALUES (2, ?)", (data,))
    connection.commit()
    return connection.serialize()


def mail(data: bytes, chance: Random) -> bytes:
    message = EmailMessage()
    message["Subject"] = "a report"
    message.set_content("See the attachment.")
    message.add_attachment(data, maintype="application", subtype="octet-stream", filename="report.bin")
    return message.as_bytes()


def pdf_stream(data: bytes, chance: Random) -> bytes:
    stream = DecodedStreamObject()
    stream.set_data(data)
    return _pdf(lambda writer: writer._add_object(stream.flate_encode()))


def pdf_attachment(data: bytes, chance: Random) -> bytes:
    return _pdf(lambda writer: writer.add_attachment("events.json", data))


def pdf_string(data: bytes, chance: Random) -> bytes:
    return _pdf(lambda writer: writer._add_object(ByteStringObject(data)))


def pdf_metadata(data: bytes, chance: Random) -> bytes:
    """In the document's own description, which holds text."""
    return _pdf(lambda writer: writer.add_metadata({"/Subject": TextStringObject(_characters(data))}))


def pdf_outline(data: bytes, chance: Random) -> bytes:
    return _pdf(lambda writer: writer.add_outline_item(title=_characters(data), page_number=0))


def pdf_other_filter(data: bytes, chance: Random) -> bytes:
    stream = DecodedStreamObject()
    stream.set_data(base64.a85encode(data) + b"~>")
    stream[NameObject("/Filter")] = NameObject("/ASCII85Decode")
    return _pdf(lambda writer: writer._add_object(stream))


def _pdf(add: Callable[[PdfWriter], object]) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    add(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


DISGUISES: tuple[Disguise, ...] = (
    base64_lines, base64_glued, base64_for_urls, base64_indented, quoted_printable, quoted_printable_usual,
    encoded_words, filename, percent, percent_usual, entities, tags, twice_encoded, json_escapes, json_text,
    python_bytes, octal, hexadecimal, hexadecimal_lines, utf_16, utf_32, gzipped, zipped, zlib_stream, bzipped, xz,
    database, mail, pdf_stream, pdf_attachment, pdf_string, pdf_metadata, pdf_outline, pdf_other_filter,
)  # fmt: skip
"""All that take any bytes."""
OF_TEXT: tuple[Disguise, ...] = (header,)
"""Those that take text in UTF-8."""
