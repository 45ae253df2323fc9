"""Sessions to try things with, and moves to make in them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from skerry_games.api import AnyGame
from skerry_service.domain.packed import unpack_head
from skerry_service.domain.record import SeatRecord
from skerry_service.domain.table import OPEN, Change, Table, replay_batches
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.watching.streams import Update

SEED = bytes(range(32))
PLAYERS = ("Ada", "Bob", "Cyd", "Dot")


class Clock:
    """Each look at it is a millisecond later."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


@dataclass
class Sitting:
    """A session with the tokens that it gave out, those of seats in the order of joining."""

    id: str
    host: str
    spectator: str
    seats: list[str] = field(default_factory=list)


def uuid(number: int) -> bytes:
    """Return one of many random-looking request ids."""
    return UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128, version=4).bytes


async def begin(
    sessions: Sessions, game: AnyGame, *seats: SeatRecord, seed: bytes | None = SEED, **new: Any
) -> Sitting:
    """Create a session with these seats."""
    asked = NewSession(game=game, options=game.options_type(), seats=seats, seed=seed, **new)
    table, host, spectator = await sessions.create(asked, None)
    return Sitting(table.record.id, host, spectator)


async def sit_down(sessions: Sessions, game: AnyGame, players: int, **new: Any) -> Sitting:
    """Create a session and join it until it starts."""
    sitting = await begin(sessions, game, *(OPEN,) * players, **new)
    for name in PLAYERS[:players]:
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    return sitting


async def live(sessions: Sessions, sitting: Sitting) -> Table:
    """Return the table as its seats see it, who see no game late."""
    return (await sessions.get(sitting.id, sitting.seats[0] if sitting.seats else None))[0]


async def move_once(sessions: Sessions, sitting: Sitting, pick: int = 0) -> Table:
    """Let the first seat that is to act make one of its moves."""
    table = await live(sessions, sitting)
    seat = table.to_act[0]
    move = nth_move(table, seat, pick)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    change, _ = await sessions.moves.act(mover, move, table.sequence, None)
    return change.table


async def play_out(sessions: Sessions, sitting: Sitting) -> Table:
    """Play until the game is over."""
    table = await live(sessions, sitting)
    while table.to_act:
        table = await move_once(sessions, sitting, table.sequence)
    return table


def nth_move(table: Table, seat: int, pick: int) -> Any:
    """Return one of a seat's legal moves."""
    legal = table.game.legal_moves(table.state, seat)
    return legal[pick % len(legal)]


async def log_of(store: Store, session: str) -> list[Change]:
    """Return the whole log, replayed."""
    return list(replay_batches(None, await store.batches(session, 0)))


async def stored(store: Store, session: str) -> Table:
    """Return the table that the store's head holds."""
    head = await store.load(session)
    assert head is not None
    return unpack_head(head)


async def read_to_the_end(updates: AsyncGenerator[Update, None]) -> list[int]:
    """Return the sequences of all entries that a stream tells until it ends."""
    return [applied.sequence async for update in updates for applied in update.applied]
