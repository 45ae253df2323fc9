"""Bots at a real service: they take seats, search, return after a crash and leave their seats at the end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec import json

from skerry.v1 import session_pb2
from skerry_arena.entrants import parse_entrant
from skerry_arena.play.contestant import FailureKind, InProcessPlayer, PlayerFailed
from skerry_arena.remote.bot_runner import BotRunner, BotSettings
from skerry_arena.remote.identity import Identity, new_token
from skerry_arena.remote.seat_player import SeatPlayer, UnsupportedGame, game_of, read_state, retry_when_limited
from skerry_arena.remote.seat_store import SeatStore, StoredSeat
from skerry_client import AsyncClient
from skerry_games.catalogue import all_games
from skerry_games.information_state import InformationState
from skerry_games.players import player
from tests.arena.conftest import Limited, Run
from tests.arena.samples import PATIENT
from tests.clients.servers import ServerProcess


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


def wanted(player: str, **more: Any) -> BotSettings:
    fields = {"sessions": (), "label": "bots", "identity": None, "join_code": None, "game": None}
    return BotSettings(
        **{**fields, "most": 8, "each": 1, "games": 1, "limits": PATIENT, "seed": b"s" * 32, **more},
        entrant=parse_entrant(player),
    )


async def test_bots_join_sessions_that_ask_for_them_and_play_to_the_end(server: ServerProcess) -> None:
    said: list[str] = []
    async with AsyncClient(server.address) as skerry:
        asked = await skerry.create("tenerife", seats=2, labels={"bots": "welcome"})
        other = await skerry.create("tenerife", seats=2)
        await BotRunner(skerry, wanted("Ada=greedy", each=2, games=2), SeatStore(None), said.append).run()
        session = await asked.session()
        assert session.state == session_pb2.SESSION_STATE_FINISHED
        assert sorted(seat.display_name for seat in session.seats) == ["Ada", "Ada 2"]
        assert min(session.outcome.scores) > 10
        assert (await other.session()).state == session_pb2.SESSION_STATE_LOBBY
    assert sum("Game over. Rank" in line for line in said) == 2


@pytest.mark.parametrize("game", list(all_games()))
async def test_a_random_bot_plays_every_game(server: ServerProcess, game: str) -> None:
    async with AsyncClient(server.address) as skerry:
        table = await skerry.create(game, seats=2, bots=1, join_code=True, visibility="unlisted")
        at = wanted("random", sessions=(table.name,), join_code=table.join_code)
        await BotRunner(skerry, at, SeatStore(None), print).run()
        assert (await table.session()).state == session_pb2.SESSION_STATE_FINISHED


async def test_a_named_bot_takes_only_its_reserved_seats(server: ServerProcess) -> None:
    oracle, stranger, said = (Identity("oracle", new_token()), Identity("oracle", new_token()), list[str]())
    async with AsyncClient(server.address) as skerry:
        asked = await skerry.create("kreta", seats=3, bots=1, reserved={0: oracle.handle, 1: oracle.handle})
        open_to_all = await skerry.create("kreta", seats=2, labels={"bots": "welcome"})
        of_a_stranger = await skerry.create("kreta", seats=2, bots=1, reserved={0: stranger.handle})
        await BotRunner(skerry, wanted("Ada=random", identity=oracle, games=2), SeatStore(None), said.append).run()
        session = await asked.session()
        assert session.state == session_pb2.SESSION_STATE_FINISHED
        assert [seat.reserved_for for seat in session.seats] == [oracle.handle] * 2 + [""]
        for other in (open_to_all, of_a_stranger):
            assert (await other.session()).state == session_pb2.SESSION_STATE_LOBBY
            await other.cancel()


async def test_a_bot_without_a_name_takes_no_reserved_seats(server: ServerProcess) -> None:
    async with AsyncClient(server.address) as skerry:
        reserved = {0: Identity("oracle", new_token()).handle}
        table = await skerry.create("kreta", seats=3, labels={"bots": "yes"}, reserved=reserved)
        bots = BotRunner(skerry, wanted("random", each=3, label="bots=yes"), SeatStore(None), print)
        assert bots._room_at(await table.session()) == [table.name] * 2
        await table.cancel()


def test_an_identity_is_a_name_and_a_token_that_proves_it(arena: Run) -> None:
    token = arena("bots", "--new-token").stdout.strip()
    assert Identity("oracle", token).handle.startswith("oracle~")
    assert Identity("oracle", token).handle != Identity("oracle", new_token()).handle
    for name, proof in (("Oracle", token), ("", token), ("oracle~1", token), ("oracle", "secret"), ("oracle", "")):
        with pytest.raises(ValueError, match="A bot's"):
            Identity(name, proof)


async def test_a_killed_bot_returns_to_its_seat(server: ServerProcess, tmp_path: Path) -> None:
    keep, said = tmp_path / "seats", list[str]()
    async with AsyncClient(server.address) as skerry:
        table = await skerry.create("kreta", seats=2)
        flags = ("--player", "random", "--session", table.name, "--keep", str(keep))
        command = ("-m", "skerry_arena.cli", "bots", "--server", server.address, *flags)
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        assert (await process.stdout.readline()).endswith(b"Took seat 0.\n")
        process.kill()
        await process.communicate()
        assert os.stat(keep).st_mode & 0o777 == 0o600
        with SeatStore(keep) as kept:
            await BotRunner(skerry, wanted("random", sessions=(table.name,), games=2), kept, said.append).run()
        assert (await table.session()).state == session_pb2.SESSION_STATE_FINISHED
    assert said[0] == f"{table.name}: Returned to seat 0."
    assert json.decode(keep.read_bytes()) == []


async def test_a_bot_that_is_stopped_leaves_its_seats(server: ServerProcess) -> None:
    async with AsyncClient(server.address) as skerry:
        table = await skerry.create("kreta", seats=2)
        seated = asyncio.Event()
        bots = BotRunner(skerry, wanted("random", sessions=(table.name,)), SeatStore(None), lambda _: seated.set())
        running = asyncio.create_task(bots.run())
        await seated.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await table.session()).seats[0].occupant == session_pb2.OCCUPANT_OPEN


class Failing(InProcessPlayer):
    """A player that fails at every second decision."""

    def __init__(self) -> None:
        super().__init__(player("random"))
        self.asked = 0

    def choose(self, position: InformationState, seconds: float) -> int:
        self.asked += 1
        if self.asked % 2:
            raise PlayerFailed(FailureKind.CRASH, "It is out of ideas.")
        return super().choose(position, seconds)


async def test_a_failed_player_makes_a_random_move_and_the_failure_is_reported(server: ServerProcess) -> None:
    said: list[str] = []
    async with AsyncClient(server.address) as skerry:
        table = await skerry.create("small_islands", seats=2)
        seats = [await table.join(name) for name in ("Ada", "Bob")]
        players = [SeatPlayer(seat, Failing(), 60.0, bytes([seat.number] * 32), said.append) for seat in seats]
        sessions = await asyncio.gather(*(one.play() for one in players))
    assert [one.state for one in sessions] == [session_pb2.SESSION_STATE_FINISHED] * 2
    assert said[0] == f"{table.name}: The player failed (crash): It is out of ideas."


async def test_a_seat_of_an_expired_session_is_removed(server: ServerProcess, tmp_path: Path) -> None:
    said: list[str] = []
    with SeatStore(tmp_path / "seats") as kept:
        kept.add(StoredSeat("sessions/aaaaaaaaaaaaaaaa", "skerry_seat_nonsense"))
        async with AsyncClient(server.address) as skerry:
            at = wanted("random", sessions=("sessions/aaaaaaaaaaaaaaaa",))
            await BotRunner(skerry, at, kept, said.append).run()
    assert json.decode((tmp_path / "seats").read_bytes()) == []
    assert len(said) == 2


def test_an_unwritable_file_is_rejected_before_a_seat_is_taken(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        SeatStore(tmp_path / "nowhere" / "seats")
    with SeatStore(tmp_path / "seats") as kept:
        assert kept.persistent
        assert kept.all() == []


def test_only_one_program_can_use_a_file_of_seats(tmp_path: Path) -> None:
    """Otherwise each program would return to the seats of the other, and the last writer would lose the other's."""
    keep, one = tmp_path / "seats", StoredSeat("sessions/aaaaaaaaaaaaaaaa", "skerry_seat_nonsense")
    with SeatStore(keep) as kept:
        for _ in range(2):
            with pytest.raises(ValueError, match="Another running program stores its seats"):
                SeatStore(keep)
            kept.add(one)
    with SeatStore(keep) as kept:
        assert kept.all() == [one, one]
    keep.write_text("nonsense")
    for _ in range(2):
        with pytest.raises(ValueError, match="This is not a file of seats"):
            SeatStore(keep)


def test_other_games_and_rulesets_are_unsupported() -> None:
    with pytest.raises(UnsupportedGame, match="does not support the game 'chess'"):
        game_of("chess", "chess-1")
    with pytest.raises(UnsupportedGame, match="plays kreta with kreta-0"):
        game_of("kreta", "kreta-0")
    with pytest.raises(UnsupportedGame, match="cannot decode"):
        read_state(all_games()["kreta"], b"nonsense")


def test_a_session_without_a_seat_sets_the_exit_code(server: ServerProcess, arena: Run) -> None:
    ran = arena("bots", "--server", server.address, "--session", "nowhere", "--games", "1")
    assert ran.returncode == 1
    assert ran.stdout == "nowhere: Session 'nowhere' does not exist or has expired.\n"
    assert not ran.stderr


async def test_a_session_that_was_named_is_tried_again_where_a_limit_is_reached(limited: Limited) -> None:
    said = list[str]()
    async with AsyncClient(limited(JOIN="1/1s").address) as skerry:
        tables = [await skerry.create("kreta", seats=2, bots=1) for _ in range(2)]
        at = wanted("random", sessions=tuple(table.name for table in tables), games=2)
        await BotRunner(skerry, at, SeatStore(None), said.append).run()
        for table in tables:
            assert (await table.session()).state == session_pb2.SESSION_STATE_FINISHED
    assert any("limit" in line for line in said)


async def test_bots_wait_for_the_limit_on_reads(tmp_path: Path, limited: Limited) -> None:
    said = list[str]()
    async with AsyncClient(limited(READ="3/1s").address) as skerry:
        table = await skerry.create("kreta", seats=2, bots=1)
        seat = await retry_when_limited(partial(table.join, "Ada"))
        with SeatStore(tmp_path / "seats") as kept:
            kept.add(StoredSeat(table.name, seat.token))
            for _ in range(3):
                await retry_when_limited(table.session)
            await BotRunner(skerry, wanted("random", sessions=(table.name,)), kept, said.append).run()
        assert (await retry_when_limited(table.session)).state == session_pb2.SESSION_STATE_FINISHED
    assert len(said) == 2 and "Game over. Rank" in said[1]


@pytest.mark.deep
def test_invalid_options_are_rejected_with_one_line(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "seats").write_text("nonsense")
    nobody = ("--server", "127.0.0.1:1")
    for flags, said in (
        (nobody, "127.0.0.1:1"),
        ((*nobody, "--player", "nobody"), "Unknown player 'nobody'"),
        ((*nobody, "--seed", "12"), "64 hexadecimal digits"),
        ((*nobody, "--keep", "seats"), "This is not a file of seats"),
        ((*nobody, "--name", "oracle"), "--new-token"),
        ((*nobody, "--name", "oracle", "--token", "secret"), "skerry_bot_"),
    ):
        ran = arena("bots", *flags)
        assert ran.returncode in (1, 2)
        assert said in ran.stderr and ran.stderr.count("\n") == 1
