"""Interceptors: work around every call of every transport, one concern each.

An endpoint calls the hooks of its interceptors in their order: ``begin`` before the request is read, ``admit`` once it
is read, ``recheck`` for each message of a stream, ``end`` when the call is over. ``endpoint_of`` builds the list.
"""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.descriptor import ServiceDescriptor

from skerry.v1 import service_pb2 as pb
from skerry.v1 import tournament_pb2, webhook_pb2
from skerry_service.access.caller_shares import enter_share
from skerry_service.access.calling_key import enter_key
from skerry_service.access.client_addresses import Peer
from skerry_service.access.identity.identity_errors import IdentityInvalid
from skerry_service.access.identity.identity_tokens import IdentityVerifier
from skerry_service.access.identity.vouched_players import VouchedPlayer, enter_player, player_of_key
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.access.scopes import ACT_FOR
from skerry_service.api.error_table import code_and_reason
from skerry_service.api.pictures.pictures import PNG
from skerry_service.api.requests.request_checks import language_tag_of, require_asked_cell, require_own_cell
from skerry_service.domain.errors import ApiKeyMissing, ApiKeyScope
from skerry_service.domain.tokens import PlayerCredential
from skerry_service.telemetry.call_observers import CANCELLED, OK, Call, CallObservers
from skerry_service.telemetry.service_log import enter_call
from skerry_service.wire.caller_language import enter_language

_OWNED = frozenset(
    (
        "RegisterBot",
        "WakeBot",
        "CreateTournament",
        "EnterTournament",
        "CreateSession",
        "ForkSession",
        "FindMatch",
        "SetWebhookEndpoint",
        "GetWebhookEndpoint",
        "ListWebhookEndpoints",
        "DeleteWebhookEndpoint",
        "PingWebhookEndpoint",
        "ResendWebhooks",
    )
)
"""Calls whose effects belong to their API key."""


_AFTER_THE_END = frozenset(("RematchSession",))
"""Calls about finished sessions in which an identity token replaces the seat token, which RecoverSeat cannot renew."""


class Interceptor:
    """Does nothing. A subclass overrides the hooks that it needs; the others cost a call nothing."""

    def covers(self, rpc: str) -> bool:
        """Return whether it takes part in the calls of an RPC."""
        return True

    def begin(self, call: Call) -> None:
        """Run before the request is read. May raise a refusal."""

    async def admit(self, call: Call) -> None:
        """Run once ``call.request`` is read. May raise a refusal."""

    def recheck(self, call: Call) -> None:
        """Run for each message of a stream, in either direction. May raise a refusal, which ends the stream."""

    def end(self, call: Call, error: BaseException | None) -> None:
        """Run when the call is over, also where an interceptor refused it. ``error``: what it ended with."""


class NameCallsInLog(Interceptor):
    """Lets the lines of the service log name the call during which they are written."""

    def __init__(self) -> None:
        self.begin = enter_call  # type: ignore[method-assign]  # one call less on every Act


class AnswerInLanguage(Interceptor):
    """Answers in the language that a read names, in place of that of the headers. Refusals have it too.

    The language that SetWebhookEndpoint names is that of later requests, and so not of its response.
    """

    def __init__(self, service: ServiceDescriptor) -> None:
        named = {rpc.name for rpc in service.methods if "language" in rpc.input_type.fields_by_name}
        self._rpcs = {rpc for rpc in named if rpc.startswith("Get")}

    def covers(self, rpc: str) -> bool:
        return rpc in self._rpcs

    async def admit(self, call: Call) -> None:
        if call.request.language:
            enter_language(language_tag_of(call.request.language))


class ReportCalls(Interceptor):
    """Reports calls to the observers: metrics, access log, traces. Precedes the interceptors that reject calls."""

    def __init__(self, observers: CallObservers, address_of: Callable[[Call], str]) -> None:
        """``address_of``: returns the address for which a call is counted."""
        self._observers = observers
        self._address_of = address_of

    def begin(self, call: Call) -> None:
        call.address_of = self._address_of
        self._observers.started(call)

    def end(self, call: Call, error: BaseException | None) -> None:
        if error is None:
            self._observers.ended(call, OK, "")
        elif isinstance(error, Exception):
            self._observers.ended(call, *code_and_reason(error))
        else:  # the caller cancelled it
            self._observers.ended(call, CANCELLED, "")


class RefuseWhenClosing(Interceptor):
    """Refuses calls while the server shuts down."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        """``require_open``: raises ShuttingDown once the server is about to stop."""
        self.begin = lambda call: require_open()  # type: ignore[method-assign]  # one call less on every Act


class RequireApiKey(Interceptor):
    """Requires an API key with the scope of the RPC. A stream ends as soon as its key is withdrawn or expires."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def begin(self, call: Call) -> None:
        call.api_key = key = self._keyring.authenticate(call.peer().keys)
        if key is not None:
            call.key = key.name  # before it can be refused: observers know whose key it was
        self._keyring.authorize(call.rpc, key)
        if call.rpc in _OWNED:
            enter_key(call.key)

    def recheck(self, call: Call) -> None:
        self._keyring.reauthorize(call.rpc, call.api_key)


class VerifyIdentity(Interceptor):
    """Finds the vouched player of each call: by an identity token, or named by a key that may act for its players.

    Rejects calls whose token or key is not valid. A stream ends as soon as its key may not act for players any more.
    """

    def __init__(self, verifier: IdentityVerifier | None, limiter: RateLimiter | None, keyring: Keyring | None) -> None:
        """``verifier``: ``None`` on a server that registers no issuers; ``limiter``: counts verifications."""
        self._verifier = verifier
        self._limiter = limiter
        self._keyring = keyring

    async def admit(self, call: Call) -> None:
        peer = call.peer()
        if peer.acted_for:
            self._act_for(call, peer)
            return
        player = await self._verified(call, peer) if peer.identities else None
        enter_player(player)
        if player is not None and call.rpc in _AFTER_THE_END:
            call.credential = PlayerCredential(player.player_id)

    def _act_for(self, call: Call, peer: Peer) -> None:
        """Let a trusted backend act as one of its players, at the seats of that player."""
        if call.api_key is None or self._keyring is None:
            raise ApiKeyMissing
        if ACT_FOR not in call.api_key.scopes:
            raise ApiKeyScope((ACT_FOR,))
        if peer.identities:
            raise IdentityInvalid("malformed", "The call has an identity token and a player to act for. Send one.")
        player = player_of_key(call.api_key.name, peer.acted_for)
        enter_player(player)
        call.credential = PlayerCredential(player.player_id)

    def recheck(self, call: Call) -> None:
        if call.credential is not None and self._keyring is not None:  # of a stream: a backend acts
            current = self._keyring.value.current(call.api_key)
            if current is None or ACT_FOR not in current.scopes:
                raise ApiKeyScope((ACT_FOR,))

    async def _verified(self, call: Call, peer: Peer) -> VouchedPlayer:
        if self._verifier is None:
            raise IdentityInvalid("unsupported", "This server registers no issuers. Call without an identity token.")

        async def count() -> None:
            if self._limiter is not None:
                await self._limiter.count_identity(peer, call.api_key.limits if call.api_key else None)

        return await self._verifier.verify(peer.identities, count)


class NoteShare(Interceptor):
    """Notes whose share of the bots a new session or an analysis uses: that of the caller's API key or address."""

    def __init__(self, address_of: Callable[[Call], str]) -> None:
        """``address_of``: returns the address for which a call is counted."""
        self._address_of = address_of

    def covers(self, rpc: str) -> bool:
        return rpc in ("CreateSession", "ForkSession", "FindMatch", "GetAnalysis", "CreateTournament")

    async def admit(self, call: Call) -> None:
        enter_share(f"key {call.key}" if call.key else self._address_of(call))


class RequireOwnCell(Interceptor):
    """Refuses calls about a resource of another cell, and calls that name none and ask for another cell.

    A proxy sends a call for a cell that it does not know to its home.
    """

    _FIELDS = ("name", "parent", "ticket")

    def __init__(self, service: ServiceDescriptor, cell: str) -> None:
        """``cell``: that of this server; empty without one."""
        self._cell = cell
        self._fields = {
            rpc.name: field
            for rpc in service.methods
            for field in self._FIELDS
            if field in rpc.input_type.fields_by_name and not rpc.client_streaming
        }

    async def admit(self, call: Call) -> None:
        if field := self._fields.get(call.rpc):
            require_own_cell(getattr(call.request, field), self._cell)
        else:
            require_asked_cell(call.peer().cells, self._cell)


class EnforceLimits(Interceptor):
    """Counts calls against their limits, and holds a slot for each open stream and for each PNG that is drawn."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    def covers(self, rpc: str) -> bool:
        return rpc in self._limiter.limited

    async def admit(self, call: Call) -> None:
        key_limits = call.api_key.limits if call.api_key else None
        origin = await self._limiter.admit(_limited_as(call), call.peer(), key_limits)
        if call.streaming:
            call.reader, call.slot = origin.reader, self._limiter.stream(origin, call.rpc, key_limits)
            call.slot.__enter__()
        elif _draws(call):
            call.slot = self._limiter.drawing(origin, animated=isinstance(call.request, pb.GetReplayPictureRequest))
            call.slot.__enter__()

    def end(self, call: Call, error: BaseException | None) -> None:
        if call.slot is not None:
            call.slot.__exit__(None, None, None)


def _draws(call: Call) -> bool:
    """Return whether a call draws PNG."""
    request = call.request
    return isinstance(request, pb.GetReplayPictureRequest) or (
        isinstance(request, pb.GetPictureRequest) and request.format == PNG
    )


def _limited_as(call: Call) -> str:
    """Return the RPC as which a call is limited.

    A past position is folded from the log, as a replay is. Games of a tournament that are over are read as lists are,
    and so are later pages of a resend, which raise nothing.
    """
    if isinstance(call.request, webhook_pb2.ResendWebhooksRequest) and call.request.page_token:
        return "ListSessions"
    if isinstance(call.request, tournament_pb2.ListTournamentGamesRequest) and not call.request.playing:
        return "ListTournaments"
    of_position = isinstance(call.request, pb.GetSessionRequest | pb.GetPositionTextRequest | pb.GetPictureRequest)
    past = of_position and call.request.HasField("sequence")
    return "GetReplay" if past else call.rpc
