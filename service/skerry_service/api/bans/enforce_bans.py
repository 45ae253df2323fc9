"""The interceptor that rejects the calls of banned callers, and ends their streams."""

from __future__ import annotations

from collections.abc import Callable

from skerry_service.access.bans.bans import Bans, FollowedStream
from skerry_service.access.client_addresses import Peer
from skerry_service.access.identity.vouched_players import current_player
from skerry_service.api.interceptors import Interceptor
from skerry_service.domain.bans.player_check import enter_player_check, require_welcome
from skerry_service.telemetry.call_observers import Call


class EnforceBans(Interceptor):
    """Checks address and API key before a call is read, and each player when the call shows it.

    It follows the interceptors that find the key and the vouched player. Without bans, a unary call costs two
    comparisons.
    """

    def __init__(self, bans: Bans, address_of: Callable[[Peer], str]) -> None:
        """``address_of``: returns the address for which limits count a caller."""
        self._bans = bans
        self._address_of = address_of

    def begin(self, call: Call) -> None:
        table = self._bans.table
        if call.streaming:
            self._follow(call)
        elif table.by_player:
            enter_player_check(self._bans.require_player)
        if call.streaming or table.has_networks or table.by_key:
            address = self._address_of(call.peer()) if table.has_networks else ""
            self._bans.require_caller(address, call.key)

    async def admit(self, call: Call) -> None:
        if (call.streaming or self._bans.table.by_player) and (player := current_player()) is not None:
            require_welcome(player.player_id)

    def end(self, call: Call, error: BaseException | None) -> None:
        if call.followed is not None:
            self._bans.forget(call.followed)
            call.followed = None  # it refers to the call: without this, both would wait for the garbage collector

    def _follow(self, call: Call) -> None:
        """Note the caller of a stream, so that a later ban ends it."""
        call.followed = FollowedStream(self._bans, self._address_of(call.peer()), call.key, call.interrupt)
        self._bans.follow(call.followed)
        enter_player_check(call.followed.note_player)
