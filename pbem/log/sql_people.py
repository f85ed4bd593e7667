"""Players and keys: what must never stand in the log, in SQL common to both databases."""

from __future__ import annotations

from typing import Any, Final

from pbem.log.sql import Session, SqlBase, from_json, to_json
from pbem.log.store import AlreadyExists, Player

_COLUMNS: Final = "id, campaign, name, address, token, language, time_zone, settings"


def _player(row: Any) -> Player:
    return Player(
        id=row[0],
        campaign=row[1],
        name=row[2],
        address=row[3],
        token=row[4] or "",
        language=row[5],
        time_zone=row[6],
        settings=from_json(row[7]),
    )


class PeopleSql(SqlBase):
    """The part of the store that deals with people and secrets."""

    def put_player(self, player: Player) -> None:
        """See `Store`."""
        with self._transaction() as session:
            self._put_player(session, player)

    def _put_player(self, session: Session, player: Player) -> None:
        if player.token:
            taken = session.run("SELECT campaign, id FROM players WHERE token = ?", (player.token,)).fetchone()
            if taken is not None and tuple(taken) != (player.campaign, player.id):
                raise AlreadyExists(f"player {player.id} of {player.campaign} would share a reply token")
        session.run(
            "INSERT INTO players "
            "(campaign, id, name, address, address_key, token, language, time_zone, settings) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (campaign, id) DO UPDATE SET "
            "name = excluded.name, address = excluded.address, address_key = excluded.address_key, "
            "token = excluded.token, language = excluded.language, time_zone = excluded.time_zone, "
            "settings = excluded.settings",
            (
                player.campaign,
                player.id,
                player.name,
                player.address,
                player.address.casefold(),
                player.token or None,
                player.language,
                player.time_zone,
                to_json(player.settings),
            ),
        )

    def player(self, campaign: str, player_id: str) -> Player | None:
        """See `Store`."""
        sql = f"SELECT {_COLUMNS} FROM players WHERE campaign = ? AND id = ?"
        row = self._session().run(sql, (campaign, player_id)).fetchone()
        return None if row is None else _player(row)

    def players(self, campaign: str) -> list[Player]:
        """See `Store`."""
        sql = f"SELECT {_COLUMNS} FROM players WHERE campaign = ?"
        found = [_player(row) for row in self._session().run(sql, (campaign,)).fetchall()]
        return sorted(found, key=lambda player: player.id)

    def player_by_token(self, token: str) -> Player | None:
        """See `Store`."""
        if not token:
            return None
        row = self._session().run(f"SELECT {_COLUMNS} FROM players WHERE token = ?", (token,)).fetchone()
        return None if row is None else _player(row)

    def players_by_address(self, address: str) -> list[Player]:
        """See `Store`."""
        sql = f"SELECT {_COLUMNS} FROM players WHERE address_key = ?"
        found = [_player(row) for row in self._session().run(sql, (address.casefold(),)).fetchall()]
        return sorted(found, key=lambda player: (player.campaign, player.id))

    def delete_player(self, campaign: str, player_id: str) -> None:
        """See `Store`."""
        self._session().run("DELETE FROM players WHERE campaign = ? AND id = ?", (campaign, player_id))

    def put_key(self, campaign: str, name: str, value: bytes) -> None:
        """See `Store`."""
        with self._transaction() as session:
            self._put_key(session, campaign, name, value)

    def _put_key(self, session: Session, campaign: str, name: str, value: bytes) -> None:
        done = session.run(
            "INSERT INTO keys (campaign, name, value) VALUES (?, ?, ?) ON CONFLICT (campaign, name) DO NOTHING",
            (campaign, name, value),
        )
        if done.rowcount != 1:
            sql = "SELECT value FROM keys WHERE campaign = ? AND name = ?"
            if bytes(session.run(sql, (campaign, name)).fetchone()[0]) != value:
                raise AlreadyExists(f"{campaign} already has a key {name!r}: keys are never replaced")

    def key(self, campaign: str, name: str) -> bytes:
        """See `Store`."""
        sql = "SELECT value FROM keys WHERE campaign = ? AND name = ?"
        row = self._session().run(sql, (campaign, name)).fetchone()
        if row is None:
            raise KeyError(f"{campaign} has no key {name!r}")
        return bytes(row[0])
