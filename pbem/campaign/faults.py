"""A fault of the service as words for its log: what kind and where, never the values, which may be secret."""

from __future__ import annotations

import traceback
from pathlib import Path

_FRAMES = 12


def fault_text(error: BaseException) -> str:
    """`ValueError at compose.py:191 _plain < deliver.py:80 deliver ...`: the innermost place first.

    The message of an exception often quotes what it was given, such as an address or a line of orders: it is left out.
    """
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return f"{type(error).__name__} at {' < '.join(places)}" if places else type(error).__name__
