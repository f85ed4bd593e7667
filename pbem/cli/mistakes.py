"""Which exceptions are mistakes of the operator or a player, told in one sentence. All others are the service's fault.

Only modules that are loaded already are looked at: what was not loaded cannot have raised.
"""

from __future__ import annotations

import json
import sys

MISTAKES = (
    ("pbem.log.store", "StoreError"),
    ("pbem.log.checkpoint", "BadNote"),
    ("pbem.log.check_log", "Fault"),
    ("pbem.campaign.create", "SetupMistake"),
    ("pbem.campaign.config", "SettingsMistake"),
    ("pbem.campaign.moderate", "ModeratorMistake"),
    ("pbem.games.catalog", "UnknownGame"),
    ("pbem.audit.case_model", "CaseError"),
    ("pbem.rules.order_model", "OrderFormatError"),
    ("pbem.rules.names", "UnknownName"),
    ("sqlite3", "Error"),
    ("psycopg", "Error"),
    ("redis", "RedisError"),
)


def mistake_in(error: Exception) -> str | None:
    """The sentence for a known mistake; None for a fault of the service, whose traceback is worth seeing."""
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return f"{error.filename}: {what}" if error.filename else what
    if isinstance(error, UnicodeDecodeError):
        return f"this is no UTF-8 text: byte {error.start} cannot be read"
    if isinstance(error, json.JSONDecodeError):
        return f"this is no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    for module_name, name in MISTAKES:
        module = sys.modules.get(module_name)
        kind = getattr(module, name, None) if module is not None else None
        if isinstance(kind, type) and isinstance(error, kind):
            said = " ".join(str(error).split()) or type(error).__name__
            return (
                said if module_name.startswith("pbem") else f"the database or Redis does not serve as it should: {said}"
            )
    return None
