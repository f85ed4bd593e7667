"""An SMTP or LMTP server that hands every mail to one function and says 250 only after that function returned.

It keeps nothing itself and reads no mail. It is no relay: every recipient must be known at one of our hosts.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Transaction

from pbem.mail.values import Envelope

Accept = Callable[[bytes, Envelope], str]
"""Keeps a mail durably and returns a short receipt for the sending server. If it raises, that server tries again."""

Knows = Callable[[str], bool]
"""Whether an address (lower case) of ours takes mail."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one connection may cost."""

    size: int = 1_000_000
    """Bytes of a mail; announced, so that a bigger one is refused before it is sent (RFC 1870)."""
    line: int = 100_000
    """Bytes of a line. RFC 5321 allows 1,000, and web mail sends more."""
    recipients: int = 10
    unknown_recipients: int = 5
    """Unknown recipients before the connection is closed: addresses must not be found by trying."""
    seconds: float = 120.0
    """Time for a command, and for the whole text of a mail."""
    discarded: int = 64_000_000
    """Bytes of one mail that are read and thrown away, to answer 552 in good order, before the line is cut."""


class _Conversation(SMTP):
    """One connection, with our limits for lines and floods."""

    def __init__(self, handler: object, limits: ServerLimits, **parameters: Any) -> None:
        self.line_length_limit = limits.line
        self._limits = limits
        self._received = 0
        super().__init__(
            handler,
            data_size_limit=limits.size,
            timeout=limits.seconds,
            enable_SMTPUTF8=True,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            ident="pbem",
            **parameters,
        )

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > self._limits.discarded and isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()
            return
        super().data_received(data)

    async def smtp_DATA(self, arg: str) -> None:
        self._received = 0
        await super().smtp_DATA(arg)
        self._received = 0


class _LocalConversation(_Conversation, LMTP):
    """LMTP answers the text of a mail once for each recipient (RFC 2033, section 4.2)."""

    _answers = 0

    async def smtp_DATA(self, arg: str) -> None:
        await super().smtp_DATA(arg)
        self._answers = 0

    async def push(self, status: str | bytes) -> None:
        text = status.decode("ascii", "replace") if isinstance(status, bytes) else status
        if text.startswith("354") and self.envelope is not None:
            self._answers = len(self.envelope.rcpt_tos)
            await super().push(text)
            return
        count, self._answers = max(self._answers, 1), 0
        await super().push("\r\n".join([text] * count))


class _Handler:
    """Decides about recipients and passes mails on. Blocking calls run on one thread, one after another."""

    def __init__(
        self,
        accept: Accept,
        knows: Knows,
        hosts: Collection[str] | None,
        clock_ms: Callable[[], int],
        limits: ServerLimits,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._accept = accept
        self._knows = knows
        self._hosts = hosts
        self._clock_ms = clock_ms
        self._limits = limits
        self._pool = pool

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Transaction, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self._limits.recipients:
            return "452 4.5.3 Too many recipients in one mail"
        wanted = address.lower()
        if self._hosts is not None:
            domain = wanted.rpartition("@")[2]
            if domain not in self._hosts:
                return self._unknown(server, session, "550 5.7.1 Mail for that domain is not taken here")
            try:
                known = await asyncio.get_running_loop().run_in_executor(self._pool, self._knows, wanted)
            except Exception:  # whatever fails is ours, and the sending server keeps the mail meanwhile
                _logger.exception("the look-up of a recipient failed")
                return "451 4.3.0 Not possible now, try again later"
            if not known:
                return self._unknown(server, session, "550 5.1.1 No such address here")
        envelope.rcpt_tos.append(wanted)
        return "250 2.1.5 OK"

    def _unknown(self, server: SMTP, session: Session, answer: str) -> str:
        unknown: int = getattr(session, "pbem_unknown", 0) + 1
        session.pbem_unknown = unknown  # type: ignore[attr-defined]
        if unknown > self._limits.unknown_recipients:
            if server.transport is not None:
                asyncio.get_running_loop().call_later(0.1, server.transport.close)
            return "421 4.7.0 Too many unknown recipients"
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Transaction) -> str:
        received_at_ms = self._clock_ms()
        sender = envelope.mail_from or ""
        content = envelope.original_content or b""
        kept = Envelope(
            sender="" if sender == "<>" else sender,
            recipients=tuple(envelope.rcpt_tos),
            peer=str(session.peer[0]) if isinstance(session.peer, tuple) else "local",
            received_at_ms=received_at_ms,
        )
        try:
            receipt = await asyncio.get_running_loop().run_in_executor(self._pool, self._accept, content, kept)
        except Exception:  # as above: not kept means not acknowledged
            _logger.exception("a mail could not be kept")
            return "451 4.3.0 Not kept, try again later"
        words = "".join(ch if " " <= ch <= "~" else "?" for ch in receipt)[:200]
        return f"250 2.6.0 Kept {words}"

    async def handle_exception(self, error: Exception) -> str:
        _logger.error("a conversation failed: %s", type(error).__name__)
        return "451 4.3.0 Not possible now, try again later"


class MailServer:
    """A listener in a thread of its own: `with MailServer(...) as server: ... server.port`.

    `hosts` None takes mail for everybody (the mail catcher). `port` 0 takes a free one. `tls` offers STARTTLS, and
    `require_tls` insists on it. `accept` and `knows` are called on one thread, never at the same time.
    """

    def __init__(
        self,
        accept: Accept,
        knows: Knows,
        *,
        hosts: Collection[str] | None,
        clock_ms: Callable[[], int],
        host: str = "127.0.0.1",
        port: int = 0,
        protocol: Literal["smtp", "lmtp"] = "smtp",
        limits: ServerLimits | None = None,
        name: str = "localhost",
        tls: ssl.SSLContext | None = None,
        require_tls: bool = False,
    ) -> None:
        self._limits = limits or ServerLimits()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pbem-mail-accept")
        self._handler = _Handler(accept, knows, hosts, clock_ms, self._limits, self._pool)
        self._conversation = _LocalConversation if protocol == "lmtp" else _Conversation
        self._parameters: dict[str, Any] = {
            "hostname": name,
            "tls_context": tls,
            "require_starttls": require_tls,
        }
        self._host = host
        self._wanted_port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="pbem-mail-server", daemon=True)
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._stopping: asyncio.Event | None = None
        self.port = 0

    def start(self) -> None:
        """Listen. Raises `OSError` when the address is taken."""
        # aiosmtpd logs every command at INFO, and recipients are secret addresses.
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def stop(self) -> None:
        """Close all connections, finish the mail that is being kept, and end."""
        if self._thread.ident is None:
            self._loop.close()
        else:
            if self._stopping is not None and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        self._pool.shutdown(wait=True)

    def wait(self) -> None:
        """Block until the server is stopped."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()

        def conversation() -> SMTP:
            return self._conversation(self._handler, self._limits, loop=self._loop, **self._parameters)

        try:
            server = await self._loop.create_server(conversation, self._host, self._wanted_port)
        except OSError as error:
            self._failure = error
            self._ready.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()
        own = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not own]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def __enter__(self) -> MailServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
