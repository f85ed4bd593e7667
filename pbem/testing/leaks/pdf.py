"""What a PDF file says: its text as a person reads it, and every stream and string of it, whatever its filters.

Streams packed with Flate need no knowledge of PDF, for the search finds them by themselves; this file does the rest.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from io import BytesIO

_OTHER_FILTERS = re.compile(rb"/(?:A85|ASCII85Decode|AHx|ASCIIHexDecode|LZW|LZWDecode|RL|RunLengthDecode|Encrypt)\b")


class NoPdfToText(RuntimeError):
    """The program that reads PDF files as people do is not installed."""


def inside_pdf(data: bytes) -> Iterator[bytes]:
    """The text in both orders that `pdftotext` knows, and what only a reader of PDF can decode."""
    for order in ((), ("-raw",)):
        yield pdf_text(data, *order)
    if _OTHER_FILTERS.search(data):
        yield from _decoded(data)


def pdf_text(data: bytes, *options: str) -> bytes:
    """What is read on the pages. Raises NoPdfToText; a file that cannot be read gives nothing."""
    command = ["pdftotext", "-q", "-enc", "UTF-8", *options, "-", "-"]
    try:
        return subprocess.run(command, input=data, capture_output=True, check=False, timeout=60).stdout
    except FileNotFoundError:
        raise NoPdfToText("pdftotext is missing; on Debian: apt-get install poppler-utils") from None


def _decoded(data: bytes) -> Iterator[bytes]:
    """Every object with its filters undone."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError
    from pypdf.generic import ByteStringObject, StreamObject, TextStringObject

    try:
        reader = PdfReader(BytesIO(data))
        count = int(reader.trailer.get("/Size", 0))
        for number in range(1, count):
            try:
                found = reader.get_object(number)
                if isinstance(found, StreamObject):
                    yield found.get_data()
                elif isinstance(found, ByteStringObject):
                    yield bytes(found)
                elif isinstance(found, TextStringObject):
                    yield str(found).encode()
                elif found is not None:
                    yield repr(found).encode()
            except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, NotImplementedError):
                continue
    except (PyPdfError, ValueError, KeyError, TypeError):
        return
