"""Setting webhooks: a player's for the own seat, the host's for the session."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import InvalidField, NotAllowed
from skerry_service.domain.record import Webhook, WebhookEvent
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import Caller, Role, recognise, require_seat
from skerry_service.domain.webhook_events import ReceiverCheck, receiver_of, secret_of
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify, new_request_id
from skerry_service.watching.presence import Presence


class WebhookActions:
    """The webhooks of all sessions."""

    def __init__(self, committer: Committer, presence: Presence, allows: ReceiverCheck | None) -> None:
        """``allows``: where they may lead; ``None``: there are none."""
        self._committer = committer
        self._presence = presence
        self._allows = allows

    async def set(
        self, session: str, token: str | None, url: str, events: Sequence[WebhookEvent], request_id: bytes | None
    ) -> tuple[Table, str | None]:
        """Have a player, or the host, told what happens, or no more if ``url`` is empty. Return also the secret.

        A repeat returns the first time's. Raises TokenMissing, TokenInvalid, NotAllowed, InvalidField, GameOver,
        LimitReached, RequestIdReused.
        """
        request_id = request_id or new_request_id()
        webhook = Webhook(url, tuple(events), request_id) if url else None

        def decide(table: Table, now: Moment) -> Change:
            caller = recognise(table.record, token)
            self._presence.record_call(table, caller)
            owner = _owner(caller)
            self._require_allowed(url)
            return transitions.set_webhook(table, owner, webhook, now)

        request = identify(request_id, token or "", "hook", url, events)
        table = (await self._committer.change(session, request, decide)).table
        return table, secret_of(table.record, webhook) if webhook else None

    def _require_allowed(self, url: str) -> None:
        if self._allows is None:
            raise NotAllowed("This server sends no webhooks.")
        if url:
            receiver = receiver_of(url)
            if not self._allows(receiver.host, receiver.port):
                raise InvalidField("url", "The operator of this server has not allowed that host and port.")


def _owner(caller: Caller) -> int | None:
    """Return the caller's seat; ``None`` for the host. Raises TokenMissing, NotAllowed."""
    if caller.role is Role.SPECTATOR:
        raise NotAllowed("Only the token of a seat or the host's opens this.")
    return None if caller.role is Role.HOST else require_seat(caller)
