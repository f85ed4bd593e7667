"""A small IMAP server on localhost for tests: just the commands that fetching needs, over a real socket."""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType


@dataclass
class Stored:
    raw: bytes
    internal_date: str = "03-Aug-2026 12:30:00 +0000"
    deleted: bool = False


@dataclass
class ImapServer:
    """Holds folders of messages by UID. `movable` is whether it offers MOVE."""

    movable: bool = True
    password: str = "pass-word"
    folders: dict[str, dict[int, Stored]] = field(default_factory=lambda: {"INBOX": {}})
    commands: list[str] = field(default_factory=list)

    def add(self, raw: bytes, internal_date: str = "03-Aug-2026 12:30:00 +0000") -> None:
        inbox = self.folders["INBOX"]
        inbox[max(inbox, default=0) + 1] = Stored(raw, internal_date)

    def __enter__(self) -> ImapServer:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                self._converse(connection)

    def _converse(self, connection: socket.socket) -> None:
        connection.sendall(b"* OK ready\r\n")
        with connection.makefile("rb") as lines:
            for line in lines:
                tag, _, rest = line.decode("ascii").strip().partition(" ")
                self.commands.append(rest)
                answers, status = self._answer(rest)
                for answer in answers:
                    connection.sendall(b"* " + answer + b"\r\n")
                connection.sendall(f"{tag} {status}\r\n".encode())
                if rest.upper().startswith("LOGOUT"):
                    return

    def _answer(self, command: str) -> tuple[list[bytes], str]:
        words = command.replace('"', "").split(" ")
        verb = words[0].upper()
        inbox = self.folders["INBOX"]
        if verb == "CAPABILITY":
            return [b"CAPABILITY IMAP4rev1 UIDPLUS" + (b" MOVE" if self.movable else b"")], "OK done"
        if verb == "LOGIN":
            return [], "OK welcome" if words[2] == self.password else "NO [AUTHENTICATIONFAILED] wrong"
        if verb == "LIST":
            return [f'LIST () "/" "{name}"'.encode() for name in self.folders if name == words[-1]], "OK done"
        if verb == "CREATE":
            self.folders[words[1]] = {}
            return [], "OK created"
        if verb == "SELECT":
            return [f"{len(inbox)} EXISTS".encode(), b"OK [UIDVALIDITY 1] x"], "OK [READ-WRITE] selected"
        if verb == "UID":
            return self._uid(words[1].upper(), words[2:], command)
        return ([b"BYE"], "OK bye") if verb == "LOGOUT" else ([], "OK done")

    def _uid(self, verb: str, words: list[str], command: str) -> tuple[list[bytes], str]:
        inbox = self.folders["INBOX"]
        if verb == "SEARCH":
            uids = [str(uid) for uid, stored in inbox.items() if not stored.deleted]
            return [" ".join(["SEARCH", *uids]).encode()], "OK done"
        uid = int(words[0])
        if verb == "FETCH":
            part = re.search(r"BODY\.PEEK\[\]<0\.(\d+)>", command)
            assert part is not None
            stored = inbox[uid]
            data = stored.raw[: int(part.group(1))]
            head = f'1 FETCH (UID {uid} INTERNALDATE "{stored.internal_date}" BODY[]<0> {{{len(data)}}}\r\n'
            return [head.encode() + data + b")"], "OK done"
        if verb in ("MOVE", "COPY"):
            self.folders[words[1]][uid] = inbox[uid]
            if verb == "MOVE":
                del inbox[uid]
            return [], "OK done"
        if verb == "STORE":
            inbox[uid].deleted = True
            return [f"1 FETCH (UID {uid} FLAGS (\\Deleted))".encode()], "OK done"
        if verb == "EXPUNGE":
            del inbox[uid]
            return [b"1 EXPUNGE"], "OK done"
        return [], "BAD unknown"
