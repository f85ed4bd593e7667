"""What the processes write to their logs: one line an event, no address, no order, no secret."""

from __future__ import annotations

import logging

_TALKATIVE = ("weasyprint", "fontTools", "rq", "mail.log", "waitress.queue", "PIL")
"""Libraries that tell more than what went wrong; some would write addresses."""


def configure(name: str) -> None:
    """Log to the standard error output; `name` tells the processes apart."""
    logging.basicConfig(level=logging.INFO, format=f"%(asctime)s {name} %(levelname)s %(message)s")
    for library in _TALKATIVE:
        logging.getLogger(library).setLevel(logging.WARNING)
