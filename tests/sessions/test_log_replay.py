"""A session is the fold of its log, whatever is called in whatever order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.api import AnyGame, GameError
from skerry_games.catalogue import all_games
from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.packed import head_of, unpack_head
from skerry_service.domain.table import OPEN, Table, replay_batches
from skerry_service.domain.tokens import digest
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.records import new_record
from tests.sessions.tables import SEED, Clock, Sitting, begin, log_of, nth_move, stored, uuid

GAMES = sorted({*all_games(), PAIRS.id})
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["join", "leave", "remove", "start", "repeat", *["act"] * 8]),
        st.integers(0, 2**20),
        st.booleans(),
    ),
    min_size=20,
    max_size=60,
)


class Storm:
    """Calls random methods of two replicas, remembers what was answered, and checks what is stored."""

    def __init__(self, store: MemoryStore, game: AnyGame) -> None:
        self.store = store
        self.replicas = (Sessions(store, clock_ms=Clock()), Sessions(store, clock_ms=Clock()))
        self.game = game
        self.answered: list[tuple[Any, Any]] = []
        self.calls = 0
        self.some_move = nth_move(begun := _begun(game, SEED), begun.to_act[0], 0)

    async def begin(self, seats: int, taken: int) -> None:
        self.sitting: Sitting = await begin(self.replicas[0], self.game, *(OPEN,) * seats)
        for number in range(min(seats, taken)):
            await self.call("join", 3 * number + 1, number % 2 == 0)

    async def call(self, name: str, dice: int, other_replica: bool) -> None:
        self.calls += 1
        sessions = self.replicas[other_replica]
        if name == "repeat":
            await self.repeat(sessions, dice)
            return
        try:
            call = await getattr(self, name)(dice)
            answer = await call(sessions)
        except (SkerryError, GameError):
            return
        self.answered.append((call, answer))

    async def repeat(self, sessions: Sessions, dice: int) -> None:
        """What was asked lately is answered as it was then."""
        if self.answered:
            call, answer = self.answered[-1 - dice % min(len(self.answered), 8)]
            assert await call(sessions) == answer

    async def join(self, dice: int) -> Any:
        wanted, request = (None if dice % 3 else dice % 5), uuid(self.calls)

        async def call(sessions: Sessions) -> Any:
            answer = await sessions.players.join(self.sitting.id, f"player {dice}", wanted, request)
            self.sitting.seats += [answer[2]] * (answer[2] not in self.sitting.seats)
            return answer

        return call

    async def leave(self, dice: int) -> Any:
        token, request = self._token(dice), uuid(self.calls)
        return lambda sessions: sessions.players.leave(self.sitting.id, token, request)

    async def start(self, dice: int) -> Any:
        request = uuid(self.calls)
        token = self.sitting.host if dice % 4 else self._token(dice)
        return lambda sessions: sessions.host.start(self.sitting.id, token, dice % 2 == 0, request)

    async def remove(self, dice: int) -> Any:
        token, request = self.sitting.host if dice % 4 else self._token(dice), uuid(self.calls)
        return lambda sessions: sessions.host.remove(self.sitting.id, token, dice % 5, request)

    async def act(self, dice: int) -> Any:
        table, request = await stored(self.store, self.sitting.id), uuid(self.calls)
        held = {digest(token): token for token in self.sitting.seats}
        acting = [seat for seat in table.to_act if table.record.seats[seat].token in held]
        seat = acting[dice % len(acting)] if acting else None
        token = self._token(dice) if seat is None or dice % 8 == 0 else held[table.record.seats[seat].token]
        move = self.some_move if seat is None else nth_move(table, seat, dice // 7)
        expected = table.sequence - (dice % 11 == 0)

        async def moves(sessions: Sessions) -> Any:
            return await sessions.moves.act(
                await sessions.moves.seated(self.sitting.id, token), move, expected, request
            )

        return moves

    def _token(self, dice: int) -> str | None:
        known = [*self.sitting.seats, None]
        return known[dice % len(known)]

    async def check(self) -> None:
        """The head is the fold of the log, step by step, and the log has no gap."""
        changes = await log_of(self.store, self.sitting.id)
        assert changes[-1].table == await stored(self.store, self.sitting.id)
        sequences = [applied.sequence for change in changes for applied in change.applied]
        assert sequences == list(range(1, len(sequences) + 1))
        assert [change.batch.last for change in changes] == [change.table.sequence for change in changes]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25)
@given(calls=CALLS, seats=st.integers(2, 4), taken=st.integers(0, 4))
async def test_the_head_is_the_fold_of_the_log_after_every_call(
    name: str, calls: list[tuple[str, int, bool]], seats: int, taken: int
) -> None:
    storm = Storm(MemoryStore(), all_games()[name])
    await storm.begin(seats, taken)
    for call in calls:
        await storm.call(*call)
        await storm.check()


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10)
@given(picks=st.lists(st.integers(0, 2**16), min_size=1, max_size=60), seed=st.binary(min_size=32, max_size=32))
def test_a_table_survives_packing_and_each_batch_continues_it(name: str, picks: list[int], seed: bytes) -> None:
    game = all_games()[name]
    table = _begun(game, seed)
    for pick in picks:
        if not table.to_act:
            break
        seat = table.to_act[pick % len(table.to_act)]
        change = transitions.act(table, seat, nth_move(table, seat, pick), table.sequence, now=Moment(5))
        assert unpack_head(head_of(change.table)) == change.table
        assert list(replay_batches(table, [change.packed])) == [change]
        table = change.table


def _begun(game: AnyGame, seed: bytes) -> Table:
    table = transitions.create(new_record(game, (OPEN, OPEN), seed), now=Moment(1)).table
    for seat in (0, 1):
        table = transitions.join(table, f"player {seat}", bytes([seat]), seat, now=Moment(2 + seat)).table
    return table
