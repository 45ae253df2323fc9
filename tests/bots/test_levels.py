"""Games against bots that think: over the wire, on a real server with real processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from skerry_client import AsyncClient
from skerry_client.errors import InvalidField
from skerry_games.catalogue import all_games
from skerry_games.players import LEVELS
from skerry_service import local
from skerry_service.replays.verification import first_difference
from tests.faults.processes import Service, until

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = bytes(32)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    server = Service(tmp_path_factory.mktemp("bots"))
    await server.start()
    try:
        yield server
    finally:
        await server.close()


@pytest_asyncio.fixture(loop_scope="module")
async def client(service: Service) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(service.address, retry_for=60, timeout=60) as client:
        yield client


def children_of(pid: int) -> dict[int, str]:
    """Return the command lines of a process's children."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if (path / "stat").read_text().rpartition(")")[2].split()[1] == str(pid):
                found[int(path.name)] = (path / "cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended
    return found


def minds_of(service: Service) -> list[int]:
    children = children_of(service.process.pid)
    return [pid for pid, command in children.items() if "skerry_service.processes.bot_process" in command]


@pytest.mark.parametrize("game", all_games())
async def test_a_game_against_a_bot_that_thinks_is_played_to_its_end(client: AsyncClient, game: str) -> None:
    table = await client.create(game, seats=2, bots=1, level="easy", seed=SEED)
    ada, random = await table.join("Ada"), Random(1)
    async for position in ada.turns():
        await ada.act(random.choice(position.legal_moves))
    replay = await table.replay()
    assert [seat.level for seat in replay.session.seats] == ["", "easy"]
    assert {entry.automatic for entry in replay.entries if entry.seat == 1 and entry.HasField("moved")} == {True}
    assert first_difference(replay) is None


async def test_the_catalogue_lists_the_levels_and_each_seat_can_have_its_own(client: AsyncClient) -> None:
    assert all(tuple(game.levels) == (*LEVELS,) for game in await client.games())
    assert tuple((await client.game("kreta")).levels) == (*LEVELS,)
    table = await client.create("kreta", seats=4, bots={1: "medium", 3: "random"})
    assert [seat.level for seat in (await table.session()).seats] == ["", "medium", "", "random"]
    await table.join("Ada")
    started = await table.start(fill_with_bots=True, level="easy")
    assert [seat.level for seat in started.seats] == ["", "medium", "easy", "random"]


async def test_levels_that_nobody_offers_are_refused(client: AsyncClient) -> None:
    with pytest.raises(InvalidField, match=r"seats\[1\]\.level: Unknown level 'mcts:7'\. Use random, easy, "):
        await client.create("kreta", seats=2, bots=1, level="mcts:7")
    table = await client.create("kreta", seats=2)
    with pytest.raises(InvalidField, match="level: Unknown level 'os:system'"):
        await table.start(fill_with_bots=True, level="os:system")
    with pytest.raises(InvalidField, match="level: The level is for bots that fill open seats"):
        await table.start(level="easy")


async def test_without_a_server_bots_are_random() -> None:
    async with local.AsyncClient() as client:
        assert [list(game.levels) for game in await client.games()] == [["random"]] * len(all_games())
        with pytest.raises(InvalidField, match=r"Unknown level 'easy'\. Use random"):
            await client.create("kreta", seats=2, bots=1, level="easy")


@pytest.mark.deep
async def test_a_game_of_bots_goes_on_though_their_processes_and_their_server_are_killed(
    service: Service, client: AsyncClient
) -> None:
    table = await client.create("small_islands", seats=4, bots=4, level="easy", seed=SEED)
    sequences = []
    async for update in table.observe(after_sequence=0):
        sequences += [entry.sequence for entry in update.entries]
        if len(sequences) > 20:
            break
    assert not (await table.session()).HasField("outcome")
    minds = minds_of(service)
    await service.kill()
    await until(lambda: bool(minds) and not any(Path(f"/proc/{mind}").exists() for mind in minds))
    await service.start()
    seen = sequences[-1]
    async for update in table.observe(after_sequence=seen):
        sequences += [entry.sequence for entry in update.entries]
    assert sequences == list(range(1, len(sequences) + 1))
    assert first_difference(await table.replay()) is None


@pytest.mark.deep
async def test_no_process_that_thinks_outlives_its_server(service: Service, client: AsyncClient) -> None:
    await client.create("kreta", seats=2, bots=2, level="easy")
    await until(lambda: bool(minds_of(service)))
    minds = minds_of(service)
    assert await service.terminate() == 0
    await until(lambda: not any(Path(f"/proc/{mind}").exists() for mind in minds))
    await service.start()
