"""Analyses on a real server with real bot processes."""

from __future__ import annotations

import pytest

from skerry_client import AsyncClient
from skerry_client.errors import NotAllowed, NotFinished
from skerry_games.catalogue import all_games
from skerry_service import local

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = bytes(32)


async def is_analysed(client: AsyncClient, game: str, seats: int) -> None:
    """Let bots play a game, and analyse it with the whole budget."""
    table = await client.create(game, seats=seats, bots=seats, level="random", seed=SEED)
    session = await table.session()
    while not (analysis := await table.analysis()).complete:
        pass
    moves = {entry.sequence: entry for entry in (await table.replay()).entries}
    assert all(sum(point.chances) == pytest.approx(1) for point in analysis.points)
    winners = [rank == 1 for rank in session.outcome.ranks]
    assert list(analysis.points[-1].chances) == [won / sum(winners) for won in winners]
    assert 1 <= len(analysis.swings) <= 3
    for swing in analysis.swings:
        assert moves[swing.sequence].seat == swing.seat
        assert moves[swing.sequence].moved.move.text == swing.text
        others = [seat for seat in range(seats) if seat != swing.seat]
        fork = await client.fork(table.name, swing.sequence - 1, seats=seats, bots=others)
        position = await (await fork.join("Ada")).position()
        assert swing.text in [move.text for move in position.legal_moves]
    assert await table.analysis() == analysis


async def test_a_game_is_analysed_and_its_swings_can_be_tried_again(client: AsyncClient) -> None:
    await is_analysed(client, "kreta", 2)


@pytest.mark.deep
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("game", all_games())
async def test_every_game_is_analysed(client: AsyncClient, game: str, seats: int) -> None:
    await is_analysed(client, game, seats)


async def test_a_game_in_play_is_not_analysed(client: AsyncClient) -> None:
    table = await client.create("kreta", seats=2, bots=1)
    await table.join("Ada")
    with pytest.raises(NotFinished):
        await table.analysis()


async def test_a_server_without_bots_analyses_nothing() -> None:
    async with local.AsyncClient() as client:
        table = await client.create("kreta", seats=2, bots=2)
        with pytest.raises(NotAllowed, match="no thinking bots"):
            await table.analysis()
