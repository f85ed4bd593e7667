"""The look-ups that authentication needs, over the store: secret addresses, people, policies, windows, our own mails.

Nothing is decided here. A player's settings may hold `addresses` (further ones of his) and `revoked` (old tokens); a
campaign's settings `require_dkim` and `mail` (the fields of `MailPolicy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State
from pbem.campaign.load import load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.log.store import NoSuchCampaign, OutboxRow, Player
from pbem.mail.addresses import Scheme, parse_secret_address
from pbem.mail.authenticate import Issued, MailPolicy, OpenWindow, Person, Secret


class StoreDirectory:
    """A `Directory` for one mail: what it loads it keeps, so make a new one for every mail."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._states: dict[str, State | None] = {}

    def secrets(self, campaign: str) -> Sequence[Secret]:
        """Every token of the campaign, replaced ones too."""
        found: list[Secret] = []
        for player in self.referee.store.players(campaign):
            if player.token:
                found.append(Secret(player.id, player.token))
            found.extend(Secret(player.id, token, revoked=True) for token in player.settings.get("revoked", ()))
        return found

    def people(self, campaign: str) -> Sequence[Person]:
        """Players and moderator with their registered addresses."""
        return [Person(player.id, addresses_of(player)) for player in self.referee.store.players(campaign)]

    def policy(self, campaign: str) -> MailPolicy:
        """What the campaign demands of mail."""
        settings = self.referee.store.settings(campaign)
        said: dict[str, Any] = dict(settings.get("mail", {}))
        return MailPolicy(
            require_dkim=bool(settings.get("require_dkim", False)),
            unknown_sender=said.get("unknown_sender", "ask"),
            older_window=said.get("older_window", "ask"),
            without_address=said.get("without_address", "refuse"),
        )

    def open_windows(self, campaign: str, player: str) -> Sequence[str]:
        """Windows that wait for one of the player's powers."""
        state = self.state(campaign)
        if state is None:
            return ()
        powers = set(players_of(state).get(player, ()))
        return [window.id for window in state.windows.values() if powers & set(window.powers)]

    def issued(self, message_id: str) -> Issued | None:
        """Our mail of that id. It asks about a window if that window was, or may have been, the receiver's own."""
        row = self.referee.store.outbox_by_message_id(f"<{message_id}>")
        if row is None:
            return None
        campaign = row.campaign or ""
        return Issued(campaign, row.recipient, self._window_asked(row))

    def _window_asked(self, row: OutboxRow) -> str | None:
        window = row.params.get("window")
        if not isinstance(window, str) or row.campaign is None:
            return None
        state = self.state(row.campaign)
        if state is not None and window in state.windows:
            return window if window in self.open_windows(row.campaign, row.recipient) else None
        return window

    def windows_of(self, address: str) -> Sequence[OpenWindow]:
        """Open windows, in all campaigns, of whoever registered the address."""
        return [
            OpenWindow(player.campaign, player.id, window)
            for player in self.referee.store.players_by_address(address)
            for window in self.open_windows(player.campaign, player.id)
        ]

    def is_registered(self, address: str) -> bool:
        """Whether somebody registered the address."""
        return bool(self.referee.store.players_by_address(address))

    def state(self, campaign: str) -> State | None:
        """The position of a campaign now; None if there is no such campaign."""
        if campaign not in self._states:
            try:
                self._states[campaign] = load(self.referee, campaign).play.now
            except NoSuchCampaign:
                self._states[campaign] = None
        return self._states[campaign]


def addresses_of(player: Player) -> tuple[str, ...]:
    """All registered addresses of a player, in lower case; the first is where mail goes."""
    known = (player.address, *player.settings.get("addresses", ()))
    return tuple(dict.fromkeys(address.lower() for address in known if address))


def scheme_of(referee: Referee) -> Scheme:
    """How our addresses look in this installation."""
    return Scheme(referee.host, frozenset((referee.host,)), referee.orders_name, referee.bounces_name)


def campaign_of(referee: Referee, scheme: Scheme, address: str) -> str | None:
    """The campaign of a secret reply address whose token is right, a replaced token included."""
    secret = parse_secret_address(scheme, address)
    if secret is None:
        return None
    owner = referee.store.player_by_token(secret.token)
    if owner is not None:
        return secret.campaign if owner.campaign == secret.campaign else None
    known = StoreDirectory(referee).secrets(secret.campaign)
    return secret.campaign if any(other.token == secret.token for other in known) else None


def moderator_of(state: State | None) -> str | None:
    """The moderator's player id, if the campaign has one."""
    said = state.settings.get("moderator") if state is not None else None
    return said if isinstance(said, str) else None
