"""No schedule of messages gives a player more time than the clock: moves, departures, returns, bots and timeouts."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.api import AnyGame
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.bot_decisions import due_decisions
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.record import AbandonmentPolicy, Clock, ClockKind, Occupant
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, nth_move, sit_down
from tests.timers.clocks import now, poll

SECOND = 1_000
STEADY = 2
"""A player who moves at once and never leaves, so that the game is never paused."""
CLOCKS = [
    Clock(ClockKind.PER_MOVE, grace_ms=4 * SECOND),
    Clock(ClockKind.BANK, bank_ms=6 * SECOND, increment_ms=SECOND),
    Clock(ClockKind.BANK_WITH_GRACE, bank_ms=5 * SECOND, grace_ms=2 * SECOND),
]
STEP = st.tuples(
    st.sampled_from(["leave", "return", "leave", "return", "move", "bot", "poll"]),
    st.integers(0, 2_500),
    st.booleans(),
)
"""What happens, how long after the last step in ms, and whether by the seat that is to act or by the other."""


class Schedule:
    """A session of three players, of which two do as the schedule says."""

    def __init__(self, clock: Clock, game: AnyGame) -> None:
        self.store = FaultyStore()
        self.sessions = Sessions(self.store, clock_ms=WallClock())
        self.clock, self.game = clock, game
        self.sitting: Sitting
        self.owed_since: dict[tuple[int, int], int] = {}
        """By seat and the entry since which a decision is owed: store uptime when it was first owed."""
        self.used: dict[tuple[int, int], int] = {}
        """By seat and turn: the time from owing its decisions to the moves of the player."""
        self.turns = [0, 0, 0]

    async def run(self, steps: list[tuple[str, int, bool]]) -> None:
        """Carry out the steps by the seats in turn; check the account after each."""
        policy = AbandonmentPolicy(level="slow")
        self.sitting = await sit_down(self.sessions, self.game, 3, clock=self.clock, abandonment=policy)
        await self.settle()
        for what, passes_ms, is_to_act in steps:
            self.store.now_ms += passes_ms
            to_act = (await now(self.sessions, self.sitting)).to_act
            if not to_act:
                break
            with suppress(SkerryError):
                await self.step(what, to_act[0] if is_to_act else 1 - to_act[0])
            await self.settle()
        await self.sessions.close()

    async def step(self, what: str, seat: int) -> None:
        """Carry out one step. Raises the refusal of the service."""
        token, session = self.sitting.seats[seat], self.sitting.id
        if what == "leave":
            await self.sessions.players.leave(session, token, None)
        elif what == "return":
            await self.sessions.players.return_to_seat(session, token, None)
        elif what == "poll":
            await poll(self.sessions)
        elif what == "bot":
            table = await now(self.sessions, self.sitting)
            for due in due_decisions(table):
                await self.sessions.moves.decide(due, nth_move(table, due.seat, 0))
        elif what == "move":
            await self.move(seat)

    async def move(self, seat: int) -> None:
        """Make a move of a player, and add the time since its decision was first owed to the account."""
        table = await now(self.sessions, self.sitting)
        if seat not in table.to_act or table.record.seats[seat].occupant is not Occupant.PLAYER:
            return
        since = self.owed_since[seat, table.open_since[seat]]
        one = await self.sessions.moves.seated(self.sitting.id, self.sitting.seats[seat])
        await self.sessions.moves.act(one, nth_move(table, seat, 0), table.sequence, None)
        turn = (seat, self.turns[seat])
        self.used[turn] = self.used.get(turn, 0) + self.store.now_ms - since

    async def settle(self) -> None:
        """Let the steady player move, note what is owed now, and check the account."""
        table = self.note(await now(self.sessions, self.sitting))
        while STEADY in table.to_act:
            await self.move(STEADY)
            table = self.note(await now(self.sessions, self.sitting))
        self.check()

    def note(self, table: Table) -> Table:
        """Note which decisions are owed, and count the turns that have ended."""
        for seat in range(3):
            if seat in table.to_act:
                self.owed_since.setdefault((seat, table.open_since[seat]), self.store.now_ms)
            elif (seat, self.turns[seat]) in self.used:
                self.turns[seat] += 1
        return table

    def check(self) -> None:
        """Require that no seat has used more than its grace time of each turn, its bank and its increments."""
        clock = self.clock
        for seat in range(3):
            mine = [used for (player, _), used in self.used.items() if player == seat]
            banked = sum(max(0, used - clock.grace_ms) for used in mine)
            assert banked <= clock.bank_ms + clock.increment_ms * len(mine), "a player has gained time"


@pytest.mark.parametrize("game", [KRETA, PAIRS], ids=lambda game: game.id)
@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind.name)
def test_no_schedule_of_messages_gives_a_player_more_time(clock: Clock, game: AnyGame) -> None:
    @given(st.lists(STEP, min_size=20, max_size=40))
    @settings(max_examples=60, deadline=None)
    def holds(steps: list[tuple[str, int, bool]]) -> None:
        asyncio.run(Schedule(clock, game).run(steps))

    holds()
