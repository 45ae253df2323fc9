"""Analyses of finished games: what is estimated, of which positions, once for all callers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from skerry_games.api import AnyGame
from skerry_games.canarias import GAME as CANARIAS
from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_games.players.chances import Chances, win_chances
from skerry_games.rng import SeededRng
from skerry_games.tenerife import GAME as TENERIFE
from skerry_service.domain.advice.analysis import (
    POINTS,
    SMALLEST_SWING,
    GamePosition,
    Swing,
    evenly,
    positions_of,
    steepest,
    swings_of,
)
from skerry_service.domain.bot_decisions import Decision, OpenPosition, RankedMoves
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import LimitReached, NotAllowed, NotFinished, TokenMissing
from skerry_service.domain.log import Moved
from skerry_service.domain.record import AbandonmentPolicy, Delay, Spectating, TimeoutAction, UndoPolicy
from skerry_service.domain.table import BOT, OPEN, undoable
from skerry_service.domain.undoing.undo_actions import moves_that_stand
from skerry_service.processes.bot_pool import BotFailed
from skerry_service.sessions.actions import analyses
from skerry_service.sessions.actions.analyses import MAX_OF_CALLER, MAX_SECONDS, Analysis
from skerry_service.sessions.service import Sessions
from skerry_service.timers.fair_slots import FairSlots
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, live, log_of, move_once, sit_down
from tests.sessions.test_fork import fork

ADA, BOB = 1, 2
"""Shares of callers."""


class Bots:
    """Bots of this process that count the questions and can be stopped."""

    def __init__(self) -> None:
        self._slots = FairSlots(1)
        self._analyses = FairSlots(4)
        self.begun: list[int] = []
        """The share of each analysis that has begun."""
        self.shares: list[int] = []
        """The share of each question."""
        self.asked = self.dropped = 0
        self.was_asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.fails = False

    def slot(self, share: int) -> AbstractAsyncContextManager[None]:
        self.shares.append(share)
        return self._slots.spare_slot(share)

    @asynccontextmanager
    async def analysis_slot(self, share: int) -> AsyncIterator[None]:
        async with self._analyses.spare_slot(share):
            self.begun.append(share)
            yield

    async def rank(self, decision: Decision) -> RankedMoves:
        raise NotImplementedError

    async def chances(self, position: OpenPosition) -> Chances:
        self.asked += 1
        self.was_asked.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        if self.fails:
            raise BotFailed("as the test wants")
        game, rng = all_games()[position.game], SeededRng(position.seed, 0)
        return win_chances(game, position.state, rng, position.simulations, position.lost)


@pytest.fixture
def bots(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> Bots:
    """Bots with a small budget."""
    monkeypatch.setattr(analyses, "SIMULATIONS", 1)
    monkeypatch.setattr(analyses, "CLOSE_SIMULATIONS", 2)
    bots = Bots()
    sessions.analyses.bots = bots
    return bots


async def complete(sessions: Sessions, sitting: Sitting, share: int = ADA) -> Analysis:
    while not (analysis := await sessions.analyses.analysis(sitting.id, None, share)).complete:
        pass
    return analysis


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
async def test_a_whole_game_is_analysed(sessions: Sessions, store: FaultyStore, bots: Bots, game: AnyGame) -> None:
    sitting = await begin(sessions, game, BOT, BOT, BOT)
    analysis = await complete(sessions, sitting)
    moves = {one.sequence: one for change in await log_of(store, sitting.id) for one in change.applied}
    sequences = [point.sequence for point in analysis.points]
    assert sequences == sorted(set(sequences))
    assert sequences[-1] == analysis.table.sequence
    assert POINTS <= len(sequences) <= len(moves)
    for point in analysis.points:
        assert sum(point.chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in point.chances)
    assert analysis.table.record.outcome is not None
    winners = [rank == 1 for rank in analysis.table.record.outcome.ranks]
    assert analysis.points[-1].chances == tuple(won / sum(winners) for won in winners)
    chances = {point.sequence: point.chances for point in analysis.points}
    assert 1 <= len(analysis.swings) <= 3
    for swing in analysis.swings:
        entry = moves[swing.sequence].entry
        assert isinstance(entry, Moved) and entry.actor == swing.seat
        assert moves[swing.sequence].move == swing.move
        assert chances[swing.sequence][swing.seat] == swing.after
        assert abs(swing.after - swing.before) >= SMALLEST_SWING


async def test_it_is_computed_once_for_all_callers_and_equal_on_every_replica(
    sessions: Sessions, another: Sessions, bots: Bots
) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    several = await asyncio.gather(*(complete(sessions, sitting) for _ in range(400)))
    assert all(one == several[0] for one in several)
    asked = bots.asked
    assert await complete(sessions, sitting) == several[0]
    assert bots.asked == asked
    another.analyses.bots = bots
    elsewhere = await complete(another, sitting)
    assert (elsewhere.points, elsewhere.swings) == (several[0].points, several[0].swings)
    assert bots.asked == 2 * asked


async def test_what_is_ready_is_returned_and_the_rest_follows(
    sessions: Sessions, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    monkeypatch.setattr(analyses, "WAIT_SECONDS", 0.01)
    bots.go_on.clear()
    part = await sessions.analyses.analysis(sitting.id, None, ADA)
    while not part.points:
        part = await sessions.analyses.analysis(sitting.id, None, ADA)
    assert (part.complete, len(part.points), part.swings) == (False, 1, ())  # the outcome needs no bot
    assert bots.asked == 1
    bots.go_on.set()
    assert (await complete(sessions, sitting)).points[-1] == part.points[-1]


async def test_a_caller_that_leaves_stops_nothing(sessions: Sessions, bots: Bots) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    bots.go_on.clear()
    gone = asyncio.create_task(sessions.analyses.analysis(sitting.id, None, ADA))
    await bots.was_asked.wait()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    bots.go_on.set()
    assert (await complete(sessions, sitting)).complete
    assert bots.asked < 2 * POINTS


async def test_after_a_time_it_rests_and_the_next_call_resumes_it(
    sessions: Sessions, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    monkeypatch.setattr(analyses, "MAX_SECONDS", 0.05)
    bots.go_on.clear()
    part = await sessions.analyses.analysis(sitting.id, None, ADA)
    assert not part.complete
    monkeypatch.setattr(analyses, "MAX_SECONDS", 600)
    bots.go_on.set()
    assert (await complete(sessions, sitting)).complete


async def test_a_failing_bot_is_reported_and_asked_again(sessions: Sessions, bots: Bots) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    bots.fails = True
    with pytest.raises(BotFailed):
        await sessions.analyses.analysis(sitting.id, None, ADA)
    bots.fails = False
    assert (await complete(sessions, sitting)).complete


async def test_too_many_at_once_are_refused_and_the_oldest_are_forgotten(
    sessions: Sessions, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = [await begin(sessions, CANARIAS, BOT, BOT) for _ in range(2)]
    monkeypatch.setattr(analyses, "MAX_WAITING", 1)
    monkeypatch.setattr(analyses, "CACHED", 1)
    bots.go_on.clear()
    waiting = asyncio.create_task(complete(sessions, first))
    await bots.was_asked.wait()
    with pytest.raises(LimitReached):
        await sessions.analyses.analysis(second.id, None, ADA)
    bots.go_on.set()
    await waiting
    asked = bots.asked
    await complete(sessions, second)
    await complete(sessions, first)
    assert bots.asked > 2 * asked


async def test_a_caller_with_many_analyses_shuts_no_other_caller_out(
    sessions: Sessions, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "evenly", lambda count: [0, count - 1])  # and no more, which would take long
    monkeypatch.setattr(analyses, "steepest", lambda positions, curve: [])
    sittings = [await begin(sessions, CANARIAS, BOT, BOT) for _ in range(MAX_OF_CALLER + 2)]
    bots.go_on.clear()
    asking = [asyncio.create_task(complete(sessions, sitting, ADA)) for sitting in sittings[:MAX_OF_CALLER]]
    await bots.was_asked.wait()
    with pytest.raises(LimitReached, match="You wait for 8 analyses"):
        await sessions.analyses.analysis(sittings[-1].id, None, ADA)
    asking.append(asyncio.create_task(complete(sessions, sittings[-2], BOB)))
    for _ in range(100):
        await asyncio.sleep(0)
    assert bots.begun == [ADA] * 4
    bots.go_on.set()
    await asyncio.gather(*asking)
    assert bots.begun == [*[ADA] * 4, BOB, *[ADA] * 4]
    assert set(bots.shares) == {ADA, BOB}
    await complete(sessions, sittings[-1], ADA)


async def test_the_wait_for_other_analyses_is_no_part_of_the_time(
    sessions: Sessions, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, begun = asyncio.get_running_loop(), asyncio.get_running_loop().time()

    async def after(seconds: float) -> None:
        monkeypatch.setattr(loop, "time", lambda: begun + seconds)
        for _ in range(100):
            await asyncio.sleep(0)

    sittings = [await begin(sessions, CANARIAS, BOT, BOT) for _ in range(5)]
    bots.go_on.clear()
    asking = [asyncio.create_task(sessions.analyses.analysis(one.id, None, ADA)) for one in sittings[:4]]
    await bots.was_asked.wait()
    await after(0.6 * MAX_SECONDS)
    asking.append(asyncio.create_task(sessions.analyses.analysis(sittings[4].id, None, BOB)))
    await after(0.6 * MAX_SECONDS)
    bots.was_asked.clear()
    await after(1.1 * MAX_SECONDS)  # the first four rest
    await bots.was_asked.wait()
    assert (bots.dropped, bots.shares[-1]) == (1, BOB)
    await after(1.7 * MAX_SECONDS)
    assert bots.dropped == 1
    monkeypatch.undo()
    await asyncio.gather(*asking)


async def test_games_in_play_and_cancelled_ones_are_refused(sessions: Sessions, bots: Bots) -> None:
    playing = await sit_down(sessions, KRETA, 2)
    lobby = await begin(sessions, KRETA, OPEN, OPEN)
    with pytest.raises(NotFinished):
        await sessions.analyses.analysis(playing.id, playing.seats[0], ADA)
    with pytest.raises(NotFinished):
        await sessions.analyses.analysis(lobby.id, None, ADA)
    await sessions.host.cancel(lobby.id, lobby.host, None)
    with pytest.raises(NotFinished):
        await sessions.analyses.analysis(lobby.id, None, ADA)
    assert not bots.asked


async def test_who_cannot_see_the_game_yet_cannot_ask(sessions: Sessions, bots: Bots) -> None:
    invited = await sit_down(sessions, KRETA, 2, spectating=Spectating.INVITED)
    with pytest.raises(TokenMissing):
        await sessions.analyses.analysis(invited.id, None, ADA)
    delayed = await begin(sessions, CANARIAS, BOT, BOT, delay=Delay(ms=3_600_000))
    with pytest.raises(NotFinished):
        await sessions.analyses.analysis(delayed.id, None, ADA)


async def test_a_server_without_bots_refuses(sessions: Sessions) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    with pytest.raises(NotAllowed, match="no thinking bots"):
        await sessions.analyses.analysis(sitting.id, None, ADA)


async def test_a_resigned_game_ends_with_its_outcome(sessions: Sessions, bots: Bots) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    for _ in range(8):
        await move_once(sessions, sitting)
    await sessions.players.resign(sitting.id, sitting.seats[1], None)
    analysis = await complete(sessions, sitting)
    assert analysis.points[-1].sequence == analysis.table.sequence
    assert analysis.points[-1].chances == (1.0, 0.0)
    assert analysis.points[-2].chances[1] > 0


async def test_a_seat_that_has_lost_has_no_chance_while_others_play_on(sessions: Sessions, bots: Bots) -> None:
    policy = AbandonmentPolicy(on_resignation=TimeoutAction.SUBSTITUTE)
    sitting = await sit_down(sessions, KRETA, 3, abandonment=policy)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    resigned = (await live(sessions, sitting)).sequence
    await sessions.players.resign(sitting.id, sitting.seats[1], None)
    analysis = await complete(sessions, sitting)
    chances = {point.sequence: point.chances for point in analysis.points}
    assert chances[resigned][0] == 0
    assert chances[resigned][1] > 0
    assert analysis.points[-1].chances == (0.0, 0.0, 1.0)


async def test_moves_that_were_taken_back_are_not_analysed(sessions: Sessions, store: FaultyStore, bots: Bots) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2, undo=UndoPolicy.OWN_MOVES)
    undone = 0
    while (table := await live(sessions, sitting)).to_act:
        table = await move_once(sessions, sitting, table.sequence)
        mover = next((seat for seat in range(2) if undoable(table, seat)), None)
        if mover is not None and undone < 5:
            undone += 1
            await sessions.players.undo(sitting.id, sitting.seats[mover], table.sequence, None)
    assert undone == 5
    log = [one for change in await log_of(store, sitting.id) for one in change.applied]
    positions = run_to_completion(positions_of(log))
    stand = moves_that_stand(log)
    assert [one.sequence for one in positions[1:]] == [one.sequence for one in stand]
    assert positions[-1].state == (await live(sessions, sitting)).state
    game, state = TENERIFE, positions[0].state
    for position, moved in zip(positions[1:], stand, strict=True):
        assert isinstance(moved.entry, Moved)
        state, _ = game.apply(state, moved.entry.actor, moved.move)
        assert position.state == state
    analysis = await complete(sessions, sitting)
    assert {point.sequence for point in analysis.points} <= {one.sequence for one in positions}


async def test_a_fork_is_analysed_from_its_opening(sessions: Sessions, bots: Bots) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    last = (await live(sessions, sitting)).sequence
    analysis = await complete(sessions, await fork(sessions, sitting, last // 2, BOT, BOT))
    assert analysis.points[0].sequence == 1
    assert analysis.points[-1].sequence == analysis.table.sequence


def position(sequence: int, mover: int | None) -> GamePosition:
    return GamePosition(sequence, None, (), mover, f"move {sequence}" if mover is not None else None)


def test_the_curve_has_the_first_and_the_last_position() -> None:
    assert evenly(1) == [0]
    assert evenly(POINTS) == list(range(POINTS))
    for count in (POINTS + 1, 500):
        indices = evenly(count)
        assert (len(set(indices)), indices[0], indices[-1]) == (POINTS, 0, count - 1)


def test_the_largest_swings_are_those_of_seats() -> None:
    positions = [position(3 + index, mover) for index, mover in enumerate([None, 0, 1, None, 0, 1])]
    chances = [0.5, 0.61, 0.2, 0.9, 0.85, 0.0]
    close = {index: (chance, 1 - chance) for index, chance in enumerate(chances)}
    assert swings_of(positions, close) == (
        Swing(8, 1, "move 8", 1 - 0.85, 1.0),
        Swing(5, 1, "move 5", 0.39, 0.8),
        Swing(4, 0, "move 4", 0.5, 0.61),
    )
    del close[4]
    assert [swing.sequence for swing in swings_of(positions, close)] == [5, 4]
    assert steepest(positions, {0: (0.5, 0.5), 2: (0.9, 0.1), 5: (0.0, 1.0)}) == [0, 1, 2, 3, 4, 5]
