"""Setting webhooks: a player's for its own seat, the host's for the session."""

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
    """Sets the webhooks of all sessions."""

    def __init__(self, committer: Committer, presence: Presence, allows: ReceiverCheck | None) -> None:
        """``allows``: the receivers that the operator allows; ``None`` disables webhooks."""
        self._committer = committer
        self._presence = presence
        self._allows = allows

    async def set(
        self, session: str, token: str | None, url: str, events: Sequence[WebhookEvent], request_id: bytes | None
    ) -> tuple[Table, str | None]:
        """Set the webhook of a player or of the host. An empty ``url`` removes it.

        Return the table and the signing secret (``None`` if removed). A repeat returns the same secret.

        Raises TokenMissing, TokenInvalid, NotAllowed, InvalidField, GameOver, LimitReached, RequestIdReused.
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
        return table, secret_of(table.record.salt, webhook.key) if webhook else None

    def _require_allowed(self, url: str) -> None:
        if self._allows is None:
            raise NotAllowed("Webhooks are disabled on this server.")
        if url:
            receiver = receiver_of(url)
            if not self._allows(receiver.host, receiver.port):
                raise InvalidField("url", "The operator has not allowed webhooks to this host and port.")


def _owner(caller: Caller) -> int | None:
    """Return the caller's seat; ``None`` for the host. Raises TokenMissing, NotAllowed."""
    if caller.role is Role.SPECTATOR:
        raise NotAllowed("This call needs the token of a seat or the host token.")
    return None if caller.role is Role.HOST else require_seat(caller)
