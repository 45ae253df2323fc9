"""Actions of players: join, leave, return, resign, nudge, send an emote, take back a move."""

from __future__ import annotations

from collections.abc import Callable

from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import NotAllowed, RequestIdReused, SkerryError, TokenInvalid
from skerry_service.domain.languages.phrases import listed, phrase
from skerry_service.domain.log import Batch, Joined, Recovered, unpack_batch
from skerry_service.domain.record import Emote, Phase
from skerry_service.domain.seating.emotes import send_emote
from skerry_service.domain.seating.nudges import owed_ms
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import (
    Caller,
    Role,
    digest,
    join_code_of,
    new_token,
    recognise,
    require_join_code,
    require_own_seat,
    require_seat,
    seat_of,
    seats_of_player,
)
from skerry_service.domain.undoing.undo_actions import undo
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify, new_request_id
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.watching.presence import Presence


class _AlreadyJoined(SkerryError):
    """The call's token already plays a seat. Used only within this module."""


class PlayerActions:
    """The actions of players on all sessions."""

    def __init__(self, store: Store, tables: TableCache, committer: Committer, presence: Presence) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._presence = presence

    async def join(  # noqa: PLR0913 - one for each field of the request
        self,
        session: str,
        name: str,
        wanted: int | None,
        request_id: bytes | None,
        *,
        player_id: str = "",
        code: str = "",
        bot: str = "",
        entropy: bytes = b"",
    ) -> tuple[Table, int, str]:
        """Take a seat. Return the table, the seat and its token. A repeat returns the same seat and token.

        ``bot``: the proven fingerprint of a named bot, which needs no join code for a seat reserved for it.
        ``entropy``: 32 bytes that the player adds to the seed, or empty.

        Raises SessionNotFound, JoinCodeWrong, AlreadyStarted, SeatTaken, SeatReserved, NameTaken, RequestIdReused,
        LimitReached.
        """
        request_id = request_id or new_request_id()

        def decide(table: Table, now: Moment) -> Change:
            token = digest(new_token(Role.SEAT, table.record.salt, request_id))
            if seat_of(table.record, token) is not None:
                raise _AlreadyJoined("You have already joined.")
            if not bot:
                require_join_code(join_code_of(table.record), code)
            return transitions.join(table, name, token, wanted, now, player_id=player_id, bot=bot, entropy=entropy)

        try:
            added = [("entropy", entropy)] if entropy else []
            asked = identify(request_id, "join", name, wanted, player_id, *([bot] if bot else []), *added)
            change = await self._committer.change(session, asked, decide)
        except _AlreadyJoined:
            return await self._joined_before(session, name, player_id, request_id)
        seat = next(applied.entry.seat for applied in change.applied if isinstance(applied.entry, Joined))
        token = new_token(Role.SEAT, change.table.record.salt, request_id)
        await self._record_presence(session, token)
        return change.table, seat, token

    async def _record_presence(self, session: str, token: str) -> None:
        """Record the presence of a player who has joined. On a repeat, the seat may be renumbered or lost by now."""
        table, _ = await self._tables.any(session)
        if (seat := seat_of(table.record, digest(token))) is not None:
            await self._presence.mark_seen(table, seat)

    async def _joined_before(
        self, session: str, name: str, player_id: str, request_id: bytes
    ) -> tuple[Table, int, str]:
        """Respond to a repeat after the session has forgotten the request. The seat's token identifies the request."""
        table = await self._tables.newest(session)
        token = new_token(Role.SEAT, table.record.salt, request_id)
        caller = recognise(table.record, token)
        self._presence.record_call(table, caller)
        seat = require_seat(caller)
        one = table.record.seats[seat]
        if (one.name, one.player_id) != (name, player_id):
            raise RequestIdReused
        return table, seat, token

    async def recover(
        self, session: str, player_id: str, wanted: int | None, request_id: bytes | None
    ) -> tuple[Table, int, str]:
        """Give a verified player a new token for its seat. Return the table, the seat and the token.

        ``wanted``: the seat; ``None`` if the player has only one. The old token is void at once. A repeat returns the
        same token. Raises SessionNotFound, NotAllowed, GameOver, RequestIdReused, LimitReached.
        """
        request_id = request_id or new_request_id()

        def decide(table: Table, now: Moment) -> Change:
            seat = _seat_of_player(table, player_id, wanted)
            token = digest(new_token(Role.SEAT, table.record.salt, request_id))
            if table.record.seats[seat].token == token:
                raise _AlreadyJoined("You have already recovered the seat.")
            return transitions.recover_seat(table, seat, token, now)

        try:
            request = identify(request_id, "recover", player_id, wanted)
            change = await self._committer.change(session, request, decide)
        except _AlreadyJoined:
            table = await self._tables.newest(session)
            seat = _seat_of_player(table, player_id, wanted)
        else:
            table = change.table
            seat = next(applied.entry.seat for applied in change.applied if isinstance(applied.entry, Recovered))
        token = new_token(Role.SEAT, table.record.salt, request_id)
        await self._record_presence(session, token)
        return table, seat, token

    async def leave(self, session: str, token: str | None, request_id: bytes | None) -> Table:
        """Leave a seat. Raises TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, GameOver."""
        return await self._change_own_seat(session, token, request_id, "leave", transitions.leave)

    async def resign(self, session: str, token: str | None, request_id: bytes | None) -> Table:
        """Resign. Raises TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, NotStarted, GameOver."""
        return await self._change_own_seat(session, token, request_id, "resign", transitions.resign)

    async def _change_own_seat(
        self,
        session: str,
        token: str | None,
        request_id: bytes | None,
        action: str,
        change: Callable[[Table, int, Moment], Change],
    ) -> Table:
        def decide(table: Table, now: Moment) -> Change:
            return change(table, require_own_seat(table.record, recognise(table.record, token)), now)

        request = identify(request_id, token or "", action) if request_id else None
        return (await self._committer.change(session, request, decide)).table

    async def nudge(self, session: str, token: str | None, seat: int, request_id: bytes | None) -> Table:
        """Nudge the player of another seat, which owes a decision.

        Raises TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, NotStarted, GameOver, InvalidField, NoPlayer,
        NotToAct, LimitReached.
        """
        request = identify(request_id, token or "", "nudge", seat) if request_id else None
        table, _ = await self._caller(session, token)
        batch = await self._decision_batch(table, seat)

        def decide(table: Table, now: Moment) -> Change:
            by = require_own_seat(table.record, recognise(table.record, token))
            owed = owed_ms(batch, now) if batch is not None and _started_decision(batch, table, seat) else 0
            return transitions.nudge(table, seat, by, owed, now)

        return (await self._committer.change(session, request, decide)).table

    async def send_emote(self, session: str, token: str | None, emote: Emote, request_id: bytes | None) -> Table:
        """Send an emote of the caller's seat to the table.

        Raises TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, NotStarted, GameOver, LimitReached.
        """

        def decide(table: Table, now: Moment) -> Change:
            return send_emote(table, require_own_seat(table.record, recognise(table.record, token)), emote, now)

        request = identify(request_id, token or "", "emote", emote) if request_id else None
        await self._caller(session, token)
        return (await self._committer.change(session, request, decide)).table

    async def undo(
        self, session: str, token: str | None, expected_sequence: int, request_id: bytes | None
    ) -> tuple[Change, int]:
        """Take back the caller's latest move. Return the change and the caller's seat.

        Raises TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, RequestIdReused, and the errors of
        ``undoing.undo``.
        """

        def decide(table: Table, now: Moment) -> Change:
            seat = require_own_seat(table.record, recognise(table.record, token))
            return undo(table, seat, expected_sequence, now)

        request = identify(request_id, token or "", "undo", expected_sequence) if request_id else None
        await self._caller(session, token)
        change = await self._committer.change(session, request, decide)
        return change, require_seat(recognise(change.table.record, token))

    async def _decision_batch(self, table: Table, seat: int) -> Batch | None:
        """Return the batch since which the seat owes its decision; ``None`` if it owes none."""
        if seat not in table.to_act:
            return None
        packed = await self._store.batches(table.record.id, table.open_since[seat] - 1)
        return unpack_batch(packed[0]) if packed else None

    async def return_to_seat(self, session: str, token: str | None, request_id: bytes | None) -> Table:
        """Return to a seat that a substitute plays. Without a substitute, the player only becomes present again.

        Raises TokenMissing, TokenInvalid, NotAllowed, NotStarted, GameOver, TimeUp, LimitReached.
        """

        def decide(table: Table, now: Moment) -> Change:
            seat = require_seat(recognise(table.record, token))
            one = table.record.seats[seat]
            if table.record.phase is Phase.PLAYING and one.cause is None and not one.away:
                raise _AlreadyJoined("You sit there.")
            return transitions.return_to_seat(table, seat, now)

        request = identify(request_id, token or "", "return") if request_id else None
        table, caller = await self._caller(session, token)
        if caller is not None:
            # Before the return, because an unseen player would be marked absent again.
            await self._presence.mark_seen(table, require_seat(caller))
        try:
            return (await self._committer.change(session, request, decide)).table
        except _AlreadyJoined:
            return await self._tables.newest(session)

    async def _caller(self, session: str, token: str | None) -> tuple[Table, Caller | None]:
        """Return the newest table and the caller; ``None`` if the token is not valid now.

        The call may repeat an earlier one, when the token was valid.
        """
        table = await self._tables.newest(session)
        try:
            caller = recognise(table.record, token)
        except TokenInvalid:
            return table, None
        self._presence.record_call(table, caller)
        return table, caller


def _seat_of_player(table: Table, player_id: str, wanted: int | None) -> int:
    """Return the seat of a verified player. Raises NotAllowed."""
    seats = seats_of_player(table.record, player_id)
    if not seats:
        raise NotAllowed("You have no seat in this session, or its host has opened it.")
    if wanted is None and len(seats) > 1:
        raise NotAllowed(phrase("error-your-seats", seats=listed(map(str, seats))))
    if wanted is not None and wanted not in seats:
        raise NotAllowed(phrase("error-seat-not-yours", seat=wanted))
    return seats[0] if wanted is None else wanted


def _started_decision(batch: Batch, table: Table, seat: int) -> bool:
    """Return whether the seat owes its decision since this batch."""
    return seat in table.to_act and batch.first <= table.open_since[seat] <= batch.last
