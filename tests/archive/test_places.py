"""Where an archive can lie: a directory of our own, and what fsspec reaches."""

from __future__ import annotations

import os
import stat
import sys
from functools import partial
from pathlib import Path
from secrets import token_hex

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from skerry_service.archive.archive import Archive, archive_at
from skerry_service.archive.locations import Directory, Place, path_of, place_at
from skerry_service.domain.errors import StoreUnavailable

OBJECT = "sessions/ab/abcdefghijklmnop.skerry.gz"


@pytest.fixture(params=["directory", "file://", "memory://", "local://"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place of each kind; `local` is a file system over fsspec, which has folders where object stores have none."""
    where = {
        "directory": str(tmp_path / "games"),
        "file://": f"file://{tmp_path}/games",
        "memory://": f"memory://{token_hex(8)}/games",
        "local://": f"local://{tmp_path}/games",
    }
    return place_at(where[request.param])


def test_what_was_written_is_read_and_can_be_replaced_and_deleted(place: Place) -> None:
    assert (place.read(OBJECT), place.names("sessions"), place.names("")) == (None, [], [])
    place.create(OBJECT, b"first")
    place.create(OBJECT, b"second")
    assert place.read(OBJECT) == b"first"
    place.replace(OBJECT, b"third")
    place.create("sessions/ac/other", b"")
    assert (place.read(OBJECT), place.read("sessions/ac/other")) == (b"third", b"")
    assert place.names("sessions") == ["ab", "ac"]
    assert place.names("sessions/ab") == ["abcdefghijklmnop.skerry.gz"]
    for _ in range(2):
        place.delete(OBJECT)
    assert place.read(OBJECT) is None


async def test_doctors_can_try_it(place: Place) -> None:
    await Archive(place).probe()
    assert [one for folder in place.names("") for one in place.names(folder)] == []


async def test_doctors_notice_a_store_that_does_not_say_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    cat_file = MemoryFileSystem.cat_file

    def forbidden(files: MemoryFileSystem, path: str) -> bytes:
        if not files.exists(path):
            raise PermissionError("Access Denied")
        data: bytes = cat_file(files, path)
        return data

    monkeypatch.setattr(MemoryFileSystem, "cat_file", forbidden)
    with pytest.raises(StoreUnavailable) as received:
        await Archive(place_at(f"memory://{token_hex(8)}")).probe()
    assert str(received.value.__cause__) == "Access Denied"


def test_a_directory_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Salts of tokens lie in it."""
    Directory(tmp_path / "deep" / "games").create(OBJECT, b"data")
    files = [one for one in (tmp_path / "deep").rglob("*") if one.name != "games"]
    assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o700, 0o600}


@pytest.mark.parametrize("write", ["create", "replace"])
@pytest.mark.parametrize("call", ["fsync", "link", "replace"])
def test_of_what_could_not_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, write: str
) -> None:
    place = Directory(tmp_path)
    place.replace("sessions/ab/there", b"before")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        patched.setattr(Path, call, fail, raising=False)
        try:
            getattr(place, write)(OBJECT, b"data")
        except OSError:
            assert place.read(OBJECT) is None
        else:
            assert place.read(OBJECT) == b"data"
    assert [path.name for path in tmp_path.rglob("*.part")] == []
    assert place.read("sessions/ab/there") == b"before"


def test_what_a_killed_process_left_is_no_object(tmp_path: Path) -> None:
    place = Directory(tmp_path)
    place.create(OBJECT, b"data")
    (tmp_path / f"{OBJECT}.0123456789abcdef.part").write_bytes(b"da")
    assert place.names("sessions/ab") == ["abcdefghijklmnop.skerry.gz"]


def test_where_there_are_no_links_files_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    place = Directory(tmp_path)
    place.create(OBJECT, b"data")
    assert place.read(OBJECT) == b"data"


@pytest.mark.parametrize(
    "session", ["", "../../etc/passwd", "a" * 15, "a" * 17, "A" * 16, "a" * 15 + "/", "a" * 15 + "1"]
)
def test_what_is_no_id_leads_nowhere(session: str) -> None:
    assert path_of(session) is None


def test_an_address_of_no_known_kind_is_refused_when_the_service_starts() -> None:
    with pytest.raises(OSError, match=r"archive s4://bucket/games cannot be used: fsspec does not support it"):
        archive_at("s4://key:secret@bucket/games")


def test_whatever_a_library_raises_is_an_error_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoCredentials(Exception):
        """Of a library."""

    def fail(*_: object, **__: object) -> None:
        raise NoCredentials("there are none")

    place = place_at(f"memory://{token_hex(8)}")
    for call in ("cat_file", "pipe_file", "rm_file", "ls"):
        monkeypatch.setattr(MemoryFileSystem, call, fail)
    for do in (
        place.read,
        place.delete,
        place.names,
        partial(place.create, data=b""),
        partial(place.replace, data=b""),
    ):
        with pytest.raises(OSError, match="NoCredentials: there are none"):
            do("a")


@pytest.mark.parametrize("refuses", [True, False])
def test_what_is_there_stays_whatever_the_store_makes_of_a_condition(
    monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    place, pipe_file = place_at(f"memory://{token_hex(8)}"), MemoryFileSystem.pipe_file

    def unlike_s3(files: MemoryFileSystem, path: str, value: bytes, mode: str) -> None:
        if refuses and mode == "create" and files.exists(path):
            raise OSError(22, "At least one of the pre-conditions you specified did not hold")
        pipe_file(files, path, value)

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", unlike_s3)
    place.create(OBJECT, b"first")
    place.create(OBJECT, b"second")
    assert place.read(OBJECT) == b"first"


def test_without_fsspec_a_directory_is_an_archive_and_a_url_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    monkeypatch.delitem(sys.modules, "skerry_service.archive.object_store", raising=False)
    assert isinstance(place_at("games"), Directory)
    with pytest.raises(OSError, match="a URL needs fsspec: pip install"):
        archive_at("memory://games")


async def test_a_file_where_the_directory_should_be_is_an_archive_that_is_away(tmp_path: Path) -> None:
    (tmp_path / "games").write_bytes(b"")
    with pytest.raises(StoreUnavailable):
        await archive_at(str(tmp_path / "games")).probe()
