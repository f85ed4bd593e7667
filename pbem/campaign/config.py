"""The service's settings, from environment variables, and the surroundings that every process builds from them.

Values only: nothing is opened but the database, in `open_referee`. Secrets never appear in the printed form.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast, get_args

from pbem.campaign.referee import Referee
from pbem.log.checkpoint import Signer
from pbem.log.store import open_store
from pbem.log.witness import FileWitness

Tls = Literal["none", "starttls", "tls"]


class SettingsMistake(ValueError):
    """A variable that cannot be meant as it is: the message names it and says what would be right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this installation runs; docs/operator.md lists the variables.

    `redis` None means: no queue given (`pbem up` starts a server of its own). Mail goes to `relay_host` if it is set,
    else as files into `mail_directory` if that is set, else nowhere until one of them is.
    """

    database: str = field(default="sqlite:///./pbem.sqlite3", repr=False)
    redis: str | None = field(default=None, repr=False)
    host: str = "pbem.example"
    url: str = ""
    witness: str | None = None
    relay_host: str | None = None
    relay_port: int = 587
    relay_tls: Tls = "starttls"
    relay_user: str = field(default="", repr=False)
    relay_password: str = field(default="", repr=False)
    mail_directory: str | None = None
    sender_name: str = "The referee"
    dkim_key: str | None = None
    dkim_selector: str = "pbem"
    check_dkim: bool = True
    smtp_host: str = "127.0.0.1"
    smtp_port: int = 2525
    http_host: str = "127.0.0.1"
    http_port: int = 8000
    workers: int = 2
    tick_seconds: float = 5.0
    hook_secret: str = field(default="", repr=False)
    keep_mail_days: int = 90
    orders_name: str = "orders"
    bounces_name: str = "bounces"
    imap_host: str | None = None
    imap_port: int = 993
    imap_tls: bool = True
    imap_user: str = field(default="", repr=False)
    imap_password: str = field(default="", repr=False)
    imap_folder: str = "INBOX"
    imap_done_folder: str = "Processed"
    imap_seconds: float = 60.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """The settings that these variables make. Raises SettingsMistake."""
        said = {name: value.strip() for name, value in environment.items() if value.strip()}
        default = cls()
        relay = said.get("SMTP_RELAY")
        relay_host, relay_port = _host_and_port("SMTP_RELAY", relay, default.relay_port)
        imap_host, imap_port = _host_and_port("PBEM_IMAP", said.get("PBEM_IMAP"), default.imap_port)
        host = said.get("PBEM_HOST", default.host).lower()
        return cls(
            database=said.get("DATABASE_URL", default.database),
            redis=said.get("REDIS_URL"),
            host=host,
            url=said.get("PBEM_URL", default.url).rstrip("/"),
            witness=said.get("PBEM_WITNESS"),
            relay_host=relay_host,
            relay_port=relay_port,
            relay_tls=_tls(said.get("SMTP_RELAY_TLS", default.relay_tls)),
            relay_user=said.get("SMTP_RELAY_USER", ""),
            relay_password=said.get("SMTP_RELAY_PASSWORD", ""),
            mail_directory=said.get("PBEM_MAIL_DIR"),
            sender_name=said.get("PBEM_SENDER_NAME", default.sender_name),
            dkim_key=said.get("PBEM_DKIM_KEY"),
            dkim_selector=said.get("PBEM_DKIM_SELECTOR", default.dkim_selector),
            check_dkim=_yes_or_no(said, "PBEM_CHECK_DKIM", default.check_dkim),
            smtp_host=said.get("PBEM_SMTP_HOST", default.smtp_host),
            smtp_port=_number(said, "PBEM_SMTP_PORT", default.smtp_port, 0, 65535),
            http_host=said.get("PBEM_HTTP_HOST", default.http_host),
            http_port=_number(said, "PBEM_HTTP_PORT", default.http_port, 0, 65535),
            workers=_number(said, "PBEM_WORKERS", default.workers, 1, 64),
            hook_secret=said.get("PBEM_HOOK_SECRET", ""),
            keep_mail_days=_number(said, "PBEM_KEEP_MAIL_DAYS", default.keep_mail_days, 1, 36_500),
            orders_name=said.get("PBEM_ORDERS_NAME", default.orders_name).lower(),
            bounces_name=said.get("PBEM_BOUNCES_NAME", default.bounces_name).lower(),
            imap_host=imap_host,
            imap_port=imap_port,
            imap_tls=_yes_or_no(said, "PBEM_IMAP_TLS", default.imap_tls),
            imap_user=said.get("PBEM_IMAP_USER", ""),
            imap_password=said.get("PBEM_IMAP_PASSWORD", ""),
            imap_folder=said.get("PBEM_IMAP_FOLDER", default.imap_folder),
            imap_done_folder=said.get("PBEM_IMAP_DONE_FOLDER", default.imap_done_folder),
            imap_seconds=_number(said, "PBEM_IMAP_SECONDS", int(default.imap_seconds), 1, 86_400),
            tick_seconds=_number(said, "PBEM_TICK_MS", int(default.tick_seconds * 1000), 50, 3_600_000) / 1000,
        )

    def to_environment(self) -> dict[str, str]:
        """The variables from which `from_environment` makes these settings again: for child processes."""
        said = {
            "DATABASE_URL": self.database,
            "REDIS_URL": self.redis,
            "PBEM_HOST": self.host,
            "PBEM_URL": self.url,
            "PBEM_WITNESS": self.witness,
            "SMTP_RELAY": None if self.relay_host is None else f"{self.relay_host}:{self.relay_port}",
            "SMTP_RELAY_TLS": self.relay_tls,
            "SMTP_RELAY_USER": self.relay_user,
            "SMTP_RELAY_PASSWORD": self.relay_password,
            "PBEM_MAIL_DIR": self.mail_directory,
            "PBEM_SENDER_NAME": self.sender_name,
            "PBEM_DKIM_KEY": self.dkim_key,
            "PBEM_DKIM_SELECTOR": self.dkim_selector,
            "PBEM_CHECK_DKIM": "yes" if self.check_dkim else "no",
            "PBEM_SMTP_HOST": self.smtp_host,
            "PBEM_SMTP_PORT": str(self.smtp_port),
            "PBEM_HTTP_HOST": self.http_host,
            "PBEM_HTTP_PORT": str(self.http_port),
            "PBEM_WORKERS": str(self.workers),
            "PBEM_HOOK_SECRET": self.hook_secret,
            "PBEM_ORDERS_NAME": self.orders_name,
            "PBEM_BOUNCES_NAME": self.bounces_name,
            "PBEM_IMAP": None if self.imap_host is None else f"{self.imap_host}:{self.imap_port}",
            "PBEM_IMAP_TLS": "yes" if self.imap_tls else "no",
            "PBEM_IMAP_USER": self.imap_user,
            "PBEM_IMAP_PASSWORD": self.imap_password,
            "PBEM_IMAP_FOLDER": self.imap_folder,
            "PBEM_IMAP_DONE_FOLDER": self.imap_done_folder,
            "PBEM_IMAP_SECONDS": str(round(self.imap_seconds)),
            "PBEM_KEEP_MAIL_DAYS": str(self.keep_mail_days),
            "PBEM_TICK_MS": str(round(self.tick_seconds * 1000)),
        }
        return {name: value for name, value in said.items() if value}


def open_referee(settings: Settings, clock: Callable[[], int] | None = None) -> Referee:
    """Open the database and build what every use of the service needs. `clock` gives milliseconds since 1970 UTC."""
    store = open_store(settings.database)
    witnesses = (FileWitness(Path(settings.witness)),) if settings.witness else ()
    return Referee(
        store=store,
        signer=Signer(store, witnesses),
        clock=clock or wall_clock,
        host=settings.host,
        url=settings.url,
        orders_name=settings.orders_name,
        bounces_name=settings.bounces_name,
    )


def wall_clock() -> int:
    """Milliseconds since 1970 UTC, by this machine's clock."""
    return time.time_ns() // 1_000_000


def _host_and_port(name: str, said: str | None, usual: int) -> tuple[str | None, int]:
    if said is None:
        return None, usual
    host, colon, port = said.rpartition(":")
    if not colon:
        return said, usual
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise SettingsMistake(f"{name} is {said!r}; write it as HOST:PORT, such as mail.example.org:{usual}")
    return host.strip("[]"), int(port)


def _tls(said: str) -> Tls:
    for known in get_args(Tls):
        if said == known:
            return cast(Tls, known)
    raise SettingsMistake(f"SMTP_RELAY_TLS is {said!r}; it may be {', '.join(get_args(Tls))}")


def _number(said: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = said.get(name)
    if value is None:
        return default
    if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
        raise SettingsMistake(f"{name} is {value!r}; it must be a whole number from {least} to {most}")
    return int(value)


def _yes_or_no(said: Mapping[str, str], name: str, default: bool) -> bool:
    value = said.get(name, "yes" if default else "no").lower()
    if value not in ("yes", "no"):
        raise SettingsMistake(f"{name} is {value!r}; it may be yes or no")
    return value == "yes"
