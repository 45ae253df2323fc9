"""Archives that are another one, or away: nothing leaves the store for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry_service.archive.archive import Archive
from skerry_service.archive.locations import MARKER, Directory
from skerry_service.archive.mover import Mover, WrongArchive
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.service import Sessions
from tests.archive.games import Place, archive_due, finished
from tests.sessions.stores import FaultyStore

HOUR = 3_600_000


async def test_an_empty_mount_point_is_not_taken_for_the_archive(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, tmp_path: Path
) -> None:
    first, second = await finished(sessions), await finished(sessions)
    await mover.move(first.id)
    unmounted = Place(Directory(tmp_path / "mount point"))
    with pytest.raises(WrongArchive, match="skerry-archive is missing here"):
        await Mover(store, Archive(unmounted), 0).move(second.id)
    await Archive(unmounted).begin()
    with pytest.raises(WrongArchive, match="this is another archive"):
        await Mover(store, Archive(unmounted), 0).move(second.id)
    assert await store.load(second.id) is not None
    unmounted.inner.replace(MARKER, place.inner.read(MARKER) or b"")  # an operator who means it
    assert await Mover(store, Archive(unmounted), 0).move(second.id)


async def test_of_replicas_that_begin_with_archives_of_their_own_one_is_refused(
    store: FaultyStore, sessions: Sessions, mover: Mover, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await finished(sessions), await finished(sessions)
    apart = Archive(Directory(tmp_path / "apart"))
    begin_apart = apart.begin

    async def begin_meanwhile() -> bytes:
        assert await mover.move(first.id)
        return await begin_apart()

    monkeypatch.setattr(apart, "begin", begin_meanwhile)
    with pytest.raises(WrongArchive, match="this is another archive"):
        await Mover(store, apart, 0).move(second.id)
    assert await store.load(second.id) is not None
    assert await mover.move(second.id)


async def test_while_the_archive_is_away_sessions_wait_and_nothing_is_lost(
    store: FaultyStore, sessions: Sessions, archive: Archive, place: Place
) -> None:
    mover = Mover(store, archive, after_ms=0)
    sessions.watch(mover.saw)
    sitting = await finished(sessions)

    def refuse(call: str) -> None:
        raise OSError("no route to host")

    place.before = refuse
    assert await archive_due(mover) == 0
    assert await store.load(sitting.id) is not None
    assert not archive.is_up
    place.before = lambda call: None
    store.now_ms += HOUR
    assert await archive_due(mover) == 1
    assert archive.is_up


async def test_an_archive_that_is_back_is_found_so_where_nothing_is_to_move(
    mover: Mover, archive: Archive, place: Place
) -> None:
    await archive_due(mover)

    def refuse(call: str) -> None:
        raise OSError("no route to host")

    place.before = refuse
    with pytest.raises(StoreUnavailable):
        await archive.find("mcrsbhel6g6jxsov")
    assert not await mover.is_ready()
    assert not archive.is_up
    place.before = lambda call: None
    assert await archive_due(mover) == 0
    assert archive.is_up
