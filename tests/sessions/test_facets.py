"""What becomes of the facets of a session when those who change it die in between, or come at once."""

from __future__ import annotations

from typing import Any

import pytest

from skerry_service.sessions.facets import facets_for, facets_of
from skerry_service.sessions.record import Phase, Record
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.table import OPEN
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin

LOBBY, PLAYING = (facets_for([PAIRS.id], phase, None, "") for phase in (Phase.LOBBY, Phase.PLAYING))


async def almost_full(sessions: Sessions) -> Sitting:
    """Create a session that begins when one more player joins."""
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    await sessions.seats.join(sitting.id, "Ada", None, None)
    return sitting


async def found(sessions: Sessions, phase: Phase) -> list[str]:
    def wanted(record: Record) -> bool:
        return record.phase is phase

    page = await sessions.public(None, 10, wanted, facets_for([PAIRS.id], phase, None, ""))
    return [record.id for record, _ in page.sessions]


async def raw(store: FaultyStore, facets: tuple[bytes, ...]) -> list[str]:
    return [session for _, session in await store.public(None, 10, facets)]


async def dies(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["commit", "relist"])
async def test_who_dies_before_the_commit_leaves_it_found_where_it_was(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    sitting = await almost_full(sessions)
    with monkeypatch.context() as patch:
        patch.setattr(store, method, dies)
        with pytest.raises(KeyboardInterrupt):
            await sessions.seats.join(sitting.id, "Bob", None, None)
    assert await found(sessions, Phase.PLAYING) == []
    assert await found(sessions, Phase.LOBBY) == [sitting.id]


async def test_who_dies_behind_the_commit_leaves_a_trace_that_the_next_reader_wipes(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, relist = await almost_full(sessions), store.relist

    async def enters_and_dies(session: str, sequence: int, enters: Any, leaves: Any) -> None:
        if leaves:
            raise KeyboardInterrupt
        await relist(session, sequence, enters, leaves)

    with monkeypatch.context() as patch:
        patch.setattr(store, "relist", enters_and_dies)
        with pytest.raises(KeyboardInterrupt):
            await sessions.seats.join(sitting.id, "Bob", None, None)
    assert await raw(store, LOBBY) == await raw(store, PLAYING) == [sitting.id]
    assert await found(sessions, Phase.LOBBY) == []
    assert await found(sessions, Phase.PLAYING) == [sitting.id]
    assert await raw(store, LOBBY) == []


async def test_a_reader_wipes_nothing_that_is_about_to_be_true(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the facet and the commit somebody reads the list."""
    sitting, commit = await almost_full(sessions), store.commit

    async def read_first(*asked: Any) -> Any:
        assert await found(sessions, Phase.PLAYING) == []
        return await commit(*asked)

    monkeypatch.setattr(store, "commit", read_first)
    await sessions.seats.join(sitting.id, "Bob", None, None)
    assert await found(sessions, Phase.PLAYING) == [sitting.id]


async def test_a_move_says_nothing_about_facets(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=(("league", "1"),))
    _, _, token = await sessions.seats.join(sitting.id, "Ada", None, None)
    await sessions.seats.join(sitting.id, "Bob", None, None)
    monkeypatch.setattr(store, "relist", dies)
    seated = await sessions.seated(sitting.id, token)
    move = PAIRS.legal_moves(seated.table.state, 0)[0]
    change, _ = await sessions.act(seated, move, seated.table.sequence, None)
    assert change.table.sequence == seated.table.sequence + 1


async def test_a_session_has_a_facet_for_its_state_and_two_for_each_label(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=(("a", "1"), ("b", "2")))
    table, _ = await sessions.get(sitting.id, None)
    assert len(facets_of(table.record)) == 5
