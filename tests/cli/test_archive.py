"""`skerry verify` and `skerry forget` on archives in directories."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from skerry_games.catalogue import all_games
from skerry_service.archive.archive import Archive
from skerry_service.archive.archived_session import pack_session, unpack_session
from skerry_service.archive.locations import Directory, path_of
from skerry_service.archive.mover import Mover
from skerry_service.cli.app import run
from skerry_service.domain.log import Left, chained_hash_of, pack, unpack_batch
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.archive.games import finished
from tests.sessions.tables import Clock, Sitting, sit_down
from tests.store.servers import ask, open_store, running_server


async def archived(folder: Path, store: MemoryStore | RedisStore, *, move: bool = True) -> Sitting:
    """Finish a game of Ada's and Bob's, and move it."""
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await finished(sessions)
    if move:
        assert await Mover(store, Archive(Directory(folder)), 0).move(sitting.id)
    await sessions.close()
    return sitting


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return asyncio.run(archived(tmp_path, MemoryStore()))


@pytest.fixture
def file(tmp_path: Path, sitting: Sitting) -> Path:
    return tmp_path / str(path_of(sitting.id))


def test_a_game_of_an_archive_is_verified(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(file)]) == 0
    assert "entries of kreta-2 agree" in capsys.readouterr().out


def test_one_that_is_not_what_was_archived_differs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = unpack_session(file.read_bytes())
    file.write_bytes(pack_session(replace(kept, batches=kept.batches[:-1])))
    assert run(["verify", str(file)]) == 1
    assert "The file differs from the archived game: its log is not the one" in capsys.readouterr().err
    file.write_bytes(file.read_bytes()[:-20])
    assert run(["verify", str(file)]) == 2
    assert "This is not an archived game: it is cut off" in capsys.readouterr().err
    file.write_bytes(b"\x1f\x8b" + b"\x00" * 2**20)
    assert run(["verify", str(file)]) == 2


def test_what_has_no_end_is_no_replay(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "skerry: /dev/zero: This is not a replay: it is longer than 64 MiB.\n"


def test_one_that_was_made_up_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = unpack_session(file.read_bytes())
    first = unpack_batch(kept.batches[0])
    left = pack(replace(first, entries=(*first.entries, Left(9))))
    nested = msgpack.encode([1, 2, (), b"", 0]).replace(b"\x95", b"\x96", 1) + b"\x91" * 100_000
    for batches, tip, code, said in (
        ((), b"", 1, "it has no log"),
        ((nested,), b"", 1, "its log cannot be read: maximum recursion depth"),
        ((left,), chained_hash_of(left), 2, "is damaged"),
    ):
        file.write_bytes(pack_session(replace(kept, batches=batches, tip=tip)))
        assert run(["verify", str(file)]) == code
        assert said in capsys.readouterr().err
    whole = gzip.decompress(pack_session(kept))
    file.write_bytes(gzip.compress(whole.replace(b"\x99", b"\x9a", 1) + b"\x91" * 100_000))
    assert run(["verify", str(file)]) == 2
    assert "This is not an archived game: it cannot be read" in capsys.readouterr().err


def test_somebody_is_forgotten_and_the_game_still_verifies(
    tmp_path: Path, sitting: Sitting, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--archive", str(tmp_path), "--archive-only"]
    assert run(["forget", "--session", f"sessions/{sitting.id}", "--seat", "0", *where]) == 0
    assert capsys.readouterr().out == f"sessions/{sitting.id}: The name and the id are erased.\n"
    assert run(["forget", "--session", sitting.id, "--name", "Ada", *where]) == 1
    assert "The session has no such player." in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    assert run(["forget", "nobody", *where]) == 0
    assert "Nothing is stored about this player." in capsys.readouterr().out


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    with running_server("everysec") as running:
        yield running


def test_what_is_still_in_the_store_moves_for_that(
    server: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fill() -> tuple[Sitting, str]:
        async with open_store(server) as store:
            over = await archived(tmp_path, store, move=False)
            sessions = Sessions(store, clock_ms=Clock())
            playing = await sit_down(sessions, all_games()["kreta"], 2)
            await sessions.close()
            return over, playing.id

    over, playing = asyncio.run(fill())
    where = ["--archive", str(tmp_path), "--redis-url", server.url]
    assert run(["forget", "--session", over.id, "--name", "Bob", *where]) == 0
    assert asyncio.run(ask(server, "EXISTS", f"skerry:{{{over.id}}}")) == 0
    assert run(["verify", str(tmp_path / str(path_of(over.id)))]) == 0
    assert run(["forget", "--session", playing, "--name", "Bob", *where]) == 0
    assert b"Bob" not in asyncio.run(ask(server, "HGET", f"skerry:{{{playing}}}", "r"))
    assert run(["forget", "--session", playing, "--name", "Bob", *where]) == 1
    assert "The session has no such player." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["forget"], "Pass a player's id, or --session with --seat or --name."),
        (["forget", "--session", "a" * 16], "Pass a player's id, or --session"),
        (["forget", "--seat", "1"], "Pass a player's id, or --session"),
        (["forget", "shop:1", "--seat", "1"], "Pass a player's id, or --session"),
        (["forget", "--session", "a" * 16, "--seat", "1", "--name", "Ada"], "Pass a player's id, or --session"),
        (["forget", "shop:1", "--archive-only"], "Pass the archive with --archive or SKERRY_ARCHIVE."),
    ],
)
def test_what_is_meant_has_to_be_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_without_a_store_nothing_is_forgotten_and_that_is_said(
    tmp_path: Path, sitting: Sitting, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--archive", str(tmp_path), "--data-dir", str(tmp_path / "none")]
    assert run(["forget", "--session", sitting.id, "--name", "Ada", *where]) == 1
    said = capsys.readouterr().err
    assert "Not all games were checked: The store is unreachable: " in said
    assert "none/redis.sock" in said and "request id" not in said
    where = ["--archive", str(tmp_path), "--redis-url", "nonsense"]
    assert run(["forget", "--session", sitting.id, "--name", "Ada", *where]) == 2
    assert "The store at nonsense cannot be used: Redis URL must specify" in capsys.readouterr().err
