"""What takes long is done in slices, is bounded, and is not begun for those who may not have it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import aclosing
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import LimitReached, NotAllowed, TokenInvalid
from skerry_service.domain.limits import MAX_ENTRIES_BEFORE_START, MAX_ENTRIES_FOR_SETTINGS, SessionLimits
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Phase, Spectating
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions import task_runner
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Commit
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, log_of, move_once, play_out, sit_down
from tests.watching.stream_readers import observe


@pytest.fixture
def _one_step_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "_SLICE_SECONDS", 0.0)


async def turns_during(work: Awaitable[Any]) -> int:
    """Return how many turns of the event loop others had."""
    turns, task = 0, asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    await task
    return turns


@pytest.mark.usefixtures("_one_step_a_slice")
async def test_a_game_of_bots_alone_is_played_between_the_turns_of_others(
    sessions: Sessions, store: FaultyStore
) -> None:
    made = asyncio.ensure_future(begin(sessions, KRETA, *(BOT,) * 4))
    turns = await turns_during(made)
    (change,) = await log_of(store, (await made).id)
    assert change.table.record.phase is Phase.FINISHED
    assert turns >= len(change.applied) - 2  # those without a move: Created and Started


@pytest.mark.usefixtures("_one_step_a_slice")
@pytest.mark.parametrize("players", [1, 2])
async def test_so_is_what_bots_play_once_the_last_player_has_left(
    sessions: Sessions, store: FaultyStore, players: int
) -> None:
    sitting = await begin(sessions, KRETA, *(OPEN,) * players, *(BOT,) * (4 - players))
    tokens = [(await sessions.players.join(sitting.id, name, None, None))[2] for name in ("Ada", "Bob")[:players]]
    for token in tokens[1:]:
        await sessions.players.leave(sitting.id, token, None)
    turns = await turns_during(sessions.players.leave(sitting.id, tokens[0], None))
    last = (await log_of(store, sitting.id))[-1]
    assert last.table.record.phase is Phase.FINISHED
    assert turns >= len(last.applied) - 1


@pytest.mark.usefixtures("_one_step_a_slice")
async def test_games_of_bots_take_turns_with_each_other(sessions: Sessions) -> None:
    """Many of them do not make a turn of the loop longer than one."""
    alone = await turns_during(begin(sessions, KRETA, *(BOT,) * 4))
    together = await turns_during(asyncio.gather(*(begin(sessions, KRETA, *(BOT,) * 4) for _ in range(4))))
    assert together >= 3 * alone


@pytest.mark.usefixtures("_one_step_a_slice")
async def test_a_log_is_replayed_between_the_turns_of_others(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, *(BOT,) * 4)
    table, _ = await sessions.get(sitting.id, None)
    assert await turns_during(sessions.replay(sitting.id, None)) >= table.sequence
    inside = table.sequence - 1  # the state after the last entry of a batch is known, without a second replay
    assert await turns_during(sessions.past(sitting.id, None, inside)) >= 2 * inside - 2
    async with aclosing(observe(sessions, sitting.id, None, 0)) as updates:
        assert await turns_during(anext(updates)) >= table.sequence


@pytest.mark.parametrize(("token", "refusal"), [("nonsense", TokenInvalid), (None, NotAllowed)])
async def test_no_log_is_read_for_a_token_that_does_not_open_it(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch, token: str | None, refusal: type[Exception]
) -> None:
    sitting = await sit_down(sessions, PAIRS, 2, spectating=Spectating.NOBODY)

    def read(*_: object) -> None:
        raise AssertionError("the log was read")

    monkeypatch.setattr(store, "batches", read)
    with pytest.raises(refusal):
        await sessions.replay(sitting.id, token)
    with pytest.raises(refusal):
        await sessions.past(sitting.id, token, 4)
    with pytest.raises(refusal):
        await anext(observe(sessions, sitting.id, token, 0))
    assert store.listening == 0


async def test_a_lobby_is_joined_and_labelled_so_often_and_can_be_left_and_started_after_that(
    sessions: Sessions,
) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", None, None)
    for _ in range(MAX_ENTRIES_BEFORE_START // 2 - 2):
        await sessions.players.leave(sitting.id, (await sessions.players.join(sitting.id, "Eve", None, None))[2], None)
    _, _, late = await sessions.players.join(sitting.id, "Bob", None, None)
    assert (await sessions.get(sitting.id, None))[0].sequence == MAX_ENTRIES_BEFORE_START - 1
    await sessions.host.label(sitting.id, sitting.host, (("a", "b"),), None)
    for refused in (
        sessions.players.join(sitting.id, "Cyd", None, None),
        sessions.host.label(sitting.id, sitting.host, (("a", "c"),), None),
    ):
        with pytest.raises(LimitReached) as caught:
            await refused
        assert (caught.value.metadata, caught.value.retry_after) == ({"limit": "entries"}, None)
    await sessions.players.leave(sitting.id, late, None)
    assert (await sessions.host.start(sitting.id, sitting.host, True, None)).record.phase is Phase.PLAYING
    await sessions.host.label(sitting.id, sitting.host, (("a", "d"),), None)


async def test_labels_do_not_make_the_log_of_a_game_longer_for_ever(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    sequence = (await sessions.get(sitting.id, None))[0].sequence
    for count in range(sequence, MAX_ENTRIES_FOR_SETTINGS):
        await sessions.host.label(sitting.id, sitting.host, (("a", str(count)),), None)
    with pytest.raises(LimitReached):
        await sessions.host.label(sitting.id, sitting.host, (), None)
    await move_once(sessions, sitting)


async def test_no_game_of_bots_is_as_long_as_a_log_that_can_be_labelled(sessions: Sessions, store: FaultyStore) -> None:
    for game in all_games().values():
        sitting = await begin(sessions, game, *(BOT,) * max(game.seats))
        table, _ = await sessions.get(sitting.id, None)
        assert table.sequence < MAX_ENTRIES_FOR_SETTINGS / 4


class LifetimeStore(FaultyStore):
    """Remembers the last lifetime that it received."""

    lifetime_ms: int | None = None

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        self.lifetime_ms = commit.lifetime_ms
        return await super().create(session, commit, public_since_ms, index_keys)

    async def commit(self, session: str, commit: Commit) -> Any:
        self.lifetime_ms = commit.lifetime_ms
        return await super().commit(session, commit)


async def test_a_finished_game_without_players_ends_its_lifetime_soon() -> None:
    store, limits = LifetimeStore(), SessionLimits()
    sessions = Sessions(store, clock_ms=Clock(), limits=limits)
    await begin(sessions, KRETA, BOT, BOT)
    assert store.lifetime_ms == limits.bots_lifetime_ms == 3_600_000
    sitting = await sit_down(sessions, PAIRS, 2)
    assert store.lifetime_ms == limits.game_lifetime_ms
    await play_out(sessions, sitting)
    assert store.lifetime_ms == limits.finished_lifetime_ms
    await sessions.close()
