"""What a process of the service works with: settings, referee, queue, and the way out for mail."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.campaign.config import Settings, open_referee
from pbem.campaign.referee import Referee
from pbem.mail.addresses import Scheme
from pbem.mail.compose import Composed
from pbem.mail.deliver import Outlet
from pbem.mail.desk_directory import scheme_of
from pbem.mail.dkim import TextLookup, dns_lookup, sign
from pbem.mail.send import Delivery, Relay, send_smtp, send_to_directory
from workers.queue import Jobs, open_jobs

_DNS_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything that jobs need. `outlet` is None where no way out for mail was given: mails wait in the outbox."""

    settings: Settings
    referee: Referee
    jobs: Jobs
    scheme: Scheme
    outlet: Outlet | None
    dkim_lookup: TextLookup | None = None


def build(settings: Settings, clock: Callable[[], int] | None = None) -> Surroundings:
    """Open everything that these settings name."""
    referee = open_referee(settings, clock)
    scheme = scheme_of(referee)
    return Surroundings(
        settings=settings,
        referee=referee,
        jobs=open_jobs(settings.redis),
        scheme=scheme,
        outlet=outlet_of(settings, scheme),
        dkim_lookup=dns_lookup(_DNS_SECONDS) if settings.check_dkim else None,
    )


@cache
def surroundings() -> Surroundings:
    """This process's own, from its environment."""
    return build(Settings.from_environment(os.environ))


def outlet_of(settings: Settings, scheme: Scheme) -> Outlet | None:
    """The way out: the relay, else files, else none."""
    from pbem.report.render import render

    send = _sending(settings)
    if send is None:
        return None
    return Outlet(scheme, send, render, settings.sender_name, _signing(settings))


def _sending(settings: Settings) -> Callable[[Composed], Delivery] | None:
    if settings.relay_host is not None:
        relay = Relay(
            settings.relay_host,
            settings.relay_port,
            settings.relay_tls,
            settings.relay_user,
            settings.relay_password,
            local_name=settings.host,
        )
        return lambda mail: send_smtp(mail, relay)
    if settings.mail_directory is not None:
        directory = Path(settings.mail_directory)
        return lambda mail: send_to_directory(mail, directory)
    return None


def _signing(settings: Settings) -> Callable[[bytes], bytes] | None:
    if settings.dkim_key is None:
        return None
    key = Path(settings.dkim_key).read_bytes()
    return lambda raw: sign(raw, settings.host, settings.dkim_selector, key)
