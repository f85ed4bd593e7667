"""The public events of a report as the JSON that travels inside its PDF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.report.ledger import Seen

FORMAT = "pbem/report-events/v1"


def public_events(campaign: str, first: int, end: int, events: Sequence[Seen]) -> bytes:
    """Every public event among these, with the salt that proves its commitment where it is stored; sorted, UTF-8.

    Sealed events are left out whole, even for a reader who may look inside: the file is the same for everybody.
    """
    rows: list[Mapping[str, Any]] = []
    for event in events:
        if event.readers is not None or event.type == "sealed":
            continue
        header = getattr(event, "header", None)
        if header is None:
            row = {"seq": event.seq, "type": event.type, "at": event.at, "rules": list(event.rules)}
        else:
            row = header()
        if getattr(event, "readable", True):
            row["payload"] = event.payload
            salt = getattr(event, "salt", b"")
            if salt:
                row["salt"] = salt.hex()
        rows.append(row)
    document = {"format": FORMAT, "campaign": campaign, "from": first, "to": end, "events": rows}
    return (json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()
