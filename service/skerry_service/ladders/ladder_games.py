"""The sessions of a ladder's games: how they are created, and who sits where."""

from __future__ import annotations

from secrets import token_bytes
from uuid import UUID

from skerry_service.domain.record import Clock, ClockKind, TimeoutAction
from skerry_service.domain.table import Table, unpack_options
from skerry_service.domain.tokens import Role, new_token
from skerry_service.ladders.ladder_records import LadderSeatRecord, OpenGame, StoredLadder, bot_of_entrant
from skerry_service.sessions.actions.paired_session import PairedPlayer, PairedSession, begin
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import session_id
from skerry_service.sessions.resource_ids import cell_of

LABEL = "ladder"
"""The label of a ladder's sessions. Its value is the ladder's id."""
DEFAULT_CLOCK = Clock(ClockKind.BANK, bank_ms=300_000, increment_ms=5_000, on_expiry=TimeoutAction.END)


def paired_game(
    seats: tuple[LadderSeatRecord, ...], season: int, now_ms: int, uptime_ms: int, block: str, number: int, cell: str
) -> OpenGame:
    """Return a new game, with the id that its session will have."""
    creation = UUID(bytes=token_bytes(16), version=4).bytes
    session = session_id(creation, cell)
    return OpenGame(session, season, seats, now_ms, uptime_ms, block, number, creation, token_bytes(16))


def seat_token(game: OpenGame, seat: int) -> str:
    """Return the token of a seat. It follows from the game, so that a repeated call returns the same."""
    return new_token(Role.SEAT, game.salt, b"ladder" + bytes([seat]))


def seat_of_bot(game: OpenGame, bot: str) -> int | None:
    """Return the seat of a bot in a game."""
    return next((seat for seat, one in enumerate(game.seats) if bot_of_entrant(one.entrant) == bot), None)


async def create_session(committer: Committer, name: str, ladder: StoredLadder, game: OpenGame) -> Table:
    """Create the session of a game, or return its table if it exists. Raises RulesetUnsupported."""
    wanted = PairedSession(
        ladder.game,
        ladder.seasons[game.season - 1].ruleset,
        unpack_options(ladder.game, ladder.options),
        ladder.clock,
        ((LABEL, name), ("season", str(game.season))),
        [PairedPlayer(one.name, seat_token(game, seat)) for seat, one in enumerate(game.seats)],
        rated=True,
        cell=cell_of(game.session),
    )
    return await begin(committer, wanted, game.creation, game.salt)
