"""What is derived from the log and kept beside it, checkpoints and snapshots, in SQL common to both databases."""

from __future__ import annotations

from collections.abc import Callable

from pbem.log.merkle import Edge
from pbem.log.sql import Session, SqlBase
from pbem.log.store import Damaged, NoSuchCampaign, SignedHead, Snapshot


class StateSql(SqlBase):
    """The part of the store that deals with checkpoints and snapshots."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def _number(self, campaign: str) -> int:
        number = self._numbers.get(campaign)
        if number is None:
            row = self._session().run("SELECT number FROM campaigns WHERE id = ?", (campaign,)).fetchone()
            if row is None:
                raise NoSuchCampaign(f"there is no campaign {campaign!r}")
            number = self._numbers[campaign] = int(row[0])
        return number

    # Checkpoints

    def last_signed(self, campaign: str) -> SignedHead | None:
        """See `Store`."""
        sql = "SELECT size, edge, note, at FROM checkpoints WHERE campaign = ? ORDER BY size DESC LIMIT 1"
        row = self._session().run(sql, (self._number(campaign),)).fetchone()
        return None if row is None else SignedHead(Edge.unpack(row[0], bytes(row[1])), row[2], row[3])

    def checkpoints(self, campaign: str) -> list[SignedHead]:
        """See `Store`."""
        sql = "SELECT size, edge, note, at FROM checkpoints WHERE campaign = ? ORDER BY size"
        rows = self._session().run(sql, (self._number(campaign),)).fetchall()
        return [SignedHead(Edge.unpack(size, bytes(edge)), note, at) for size, edge, note, at in rows]

    def record_signed(self, campaign: str, signed: SignedHead) -> None:
        """See `Store`."""
        number = self._number(campaign)
        with self._transaction() as session:
            self._record_signed(session, number, campaign, signed)

    def _record_signed(self, session: Session, number: int, campaign: str, signed: SignedHead) -> None:
        # The lock makes signers of one campaign take turns.
        size = session.run(f"SELECT size FROM campaigns WHERE number = ?{self.for_update}", (number,)).fetchone()[0]
        if signed.size > size:
            raise Damaged(f"{campaign}: a checkpoint of {signed.size} events, but only {size} are stored")
        sql = "SELECT note FROM checkpoints WHERE campaign = ? AND size = ?"
        there = session.run(sql, (number, signed.size)).fetchone()
        if there is None:
            session.run(
                "INSERT INTO checkpoints (campaign, size, edge, note, at) VALUES (?, ?, ?, ?, ?)",
                (number, signed.size, signed.edge.pack(), signed.note, signed.at),
            )
        elif there[0] != signed.note:
            raise Damaged(f"{campaign}: another checkpoint of {signed.size} events was signed before")

    # Snapshots

    def put_snapshot(self, campaign: str, seq: int, rewind_seq: int, rules_version: int, data: bytes) -> None:
        """See `Store`."""
        self._session().run(
            "INSERT INTO snapshots (campaign, seq, rewind_seq, rules_version, data) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (campaign, seq, rewind_seq, rules_version) DO UPDATE SET data = excluded.data",
            (self._number(campaign), seq, rewind_seq, rules_version, data),
        )

    def get_snapshot(
        self,
        campaign: str,
        seq: int | None = None,
        *,
        rules_version: int | None = None,
        usable: Callable[[int, int], bool] | None = None,
    ) -> Snapshot | None:
        """See `Store`."""
        number = self._number(campaign)
        sql = "SELECT seq, rewind_seq, rules_version FROM snapshots WHERE campaign = ?"
        arguments: list[object] = [number]
        if seq is not None:
            sql += " AND seq <= ?"
            arguments.append(seq)
        if rules_version is not None:
            sql += " AND rules_version = ?"
            arguments.append(rules_version)
        sql += " ORDER BY seq DESC, rewind_seq DESC, rules_version DESC"
        one = "SELECT data FROM snapshots WHERE campaign = ? AND seq = ? AND rewind_seq = ? AND rules_version = ?"
        for size, rewind_seq, version in self._session().run(sql, arguments).fetchall():
            if usable is not None and not usable(size, rewind_seq):
                continue
            row = self._session().run(one, (number, size, rewind_seq, version)).fetchone()
            if row is not None:  # it may be deleted at any time
                return Snapshot(size, rewind_seq, version, bytes(row[0]))
        return None

    def delete_snapshots(self, campaign: str | None = None) -> None:
        """See `Store`."""
        if campaign is None:
            self._session().run("DELETE FROM snapshots")
        else:
            self._session().run("DELETE FROM snapshots WHERE campaign = ?", (self._number(campaign),))
