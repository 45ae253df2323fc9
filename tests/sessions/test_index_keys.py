"""What becomes of the index_keys of a session when those who change it die in between, or come at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skerry_service.domain.index_keys import index_keys_for, index_keys_of
from skerry_service.domain.record import Delay, Phase, Record
from skerry_service.domain.table import OPEN
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Commit
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, play_out, sit_down

LOBBY, PLAYING = (index_keys_for([PAIRS.id], phase, None, "") for phase in (Phase.LOBBY, Phase.PLAYING))


async def almost_full(sessions: Sessions) -> Sitting:
    """Create a session that begins when one more player joins."""
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", None, None)
    return sitting


async def found(sessions: Sessions, phase: Phase) -> list[str]:
    def wanted(record: Record) -> bool:
        return record.phase is phase

    page = await sessions.public(None, 10, wanted, index_keys_for([PAIRS.id], phase, None, ""))
    return [record.id for record, _ in page.sessions]


async def raw(store: FaultyStore, index_keys: tuple[bytes, ...]) -> list[str]:
    return [session for _, session in await store.list_sessions(None, 10, index_keys)]


async def test_who_dies_before_the_commit_leaves_it_found_where_it_was(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await almost_full(sessions)

    async def enters_and_dies(session: str, commit: Commit) -> None:
        await store.relist(session, commit.head.sequence, commit.added_keys, ())
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", enters_and_dies)
        with pytest.raises(KeyboardInterrupt):
            await sessions.players.join(sitting.id, "Bob", None, None)
    assert await raw(store, PLAYING) == [sitting.id]
    assert await found(sessions, Phase.PLAYING) == []
    assert await found(sessions, Phase.LOBBY) == [sitting.id]


async def test_a_trace_left_behind_a_commit_is_wiped_by_the_next_reader(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, relist = await almost_full(sessions), store.relist

    async def enters_alone(session: str, sequence: int, enters: Any, leaves: Any) -> None:
        if not leaves:  # who died has not come so far
            await relist(session, sequence, enters, leaves)

    with monkeypatch.context() as patch:
        patch.setattr(store, "relist", enters_alone)
        await sessions.players.join(sitting.id, "Bob", None, None)
        await asyncio.sleep(0)
    assert await raw(store, LOBBY) == await raw(store, PLAYING) == [sitting.id]
    assert await found(sessions, Phase.LOBBY) == []
    assert await found(sessions, Phase.PLAYING) == [sitting.id]
    assert await raw(store, LOBBY) == []


async def test_who_was_found_elsewhere_is_soon_found_there_no_longer(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await almost_full(sessions)
    assert (await raw(store, LOBBY), await raw(store, PLAYING)) == ([sitting.id], [])
    await sessions.players.join(sitting.id, "Bob", None, None)
    await asyncio.sleep(0)
    assert (await raw(store, LOBBY), await raw(store, PLAYING)) == ([], [sitting.id])


async def test_a_reader_wipes_nothing_that_is_about_to_be_true(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the index_key and the commit somebody reads the list."""
    sitting, commit = await almost_full(sessions), store.commit

    async def read_first(*asked: Any) -> Any:
        assert await found(sessions, Phase.PLAYING) == []
        return await commit(*asked)

    monkeypatch.setattr(store, "commit", read_first)
    await sessions.players.join(sitting.id, "Bob", None, None)
    assert await found(sessions, Phase.PLAYING) == [sitting.id]


async def test_a_move_says_nothing_about_index_keys(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=(("league", "1"),))
    _, _, token = await sessions.players.join(sitting.id, "Ada", None, None)
    await sessions.players.join(sitting.id, "Bob", None, None)
    await asyncio.sleep(0)
    asked: list[tuple[Any, ...]] = []

    async def relist(*of: Any) -> None:
        asked.append(of)

    monkeypatch.setattr(store, "relist", relist)
    seated = await sessions.moves.seated(sitting.id, token)
    move = PAIRS.legal_moves(seated.table.state, 0)[0]
    change, _ = await sessions.moves.act(seated, move, seated.table.sequence, None)
    await asyncio.sleep(0)
    assert (change.table.sequence, asked) == (seated.table.sequence + 1, [])


async def test_a_session_has_an_index_key_for_its_state_and_two_for_each_label(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=(("a", "1"), ("b", "2")))
    table, _ = await sessions.get(sitting.id, None)
    assert len(index_keys_of(table.record)) == 5


async def test_a_list_tells_nothing_of_the_end_of_a_game_that_is_shown_late(sessions: Sessions) -> None:
    """Neither what it lists nor whether it goes on, behind a game that is over for everybody."""
    index_keys = index_keys_for([PAIRS.id], Phase.FINISHED, None, "")
    late = await sit_down(sessions, PAIRS, 2, delay=Delay(ms=60_000))
    await play_out(sessions, await sit_down(sessions, PAIRS, 2))

    def is_over(record: Record) -> bool:
        return record.phase is Phase.FINISHED

    pages = [await sessions.public(None, 1, is_over, index_keys)]
    await play_out(sessions, late)
    pages.append(await sessions.public(None, 1, is_over, index_keys))
    assert [len(page.sessions) for page in pages] == [1, 1]
    assert pages[0] == pages[1]


async def test_a_game_that_is_shown_late_is_found_in_its_lobby_and_then_under_way(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, delay=Delay(ms=60_000))
    assert [await found(sessions, phase) for phase in (Phase.LOBBY, Phase.PLAYING)] == [[sitting.id], []]
    for name in ("Ada", "Bob"):
        await sessions.players.join(sitting.id, name, None, None)
    assert [await found(sessions, phase) for phase in (Phase.LOBBY, Phase.PLAYING)] == [[], [sitting.id]]
