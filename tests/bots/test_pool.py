"""The processes in which bots think: real ones, that are killed, hang and lie."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from skerry_service.domain.bot_decisions import Decision
from skerry_service.processes.bot_pool import BotPool
from tests.games.conformance.play import middle

pytestmark = pytest.mark.asyncio

SEED = bytes(32)


def decision(game_id: str) -> Decision:
    """A decision in the middle of a game."""
    game, rng = all_games()[game_id], SeededRng(SEED, 0)
    moves = middle(game, game.seats[0], 40)
    state = game.setup(game.options_type(), game.seats[0])
    while moves or game.to_act(state)[0] < 0:
        actor = game.to_act(state)[0]
        move = game.draw(state, rng) if actor < 0 else rng.choice(game.legal_moves(state, actor))
        state, _ = game.apply(state, actor, move)
        moves -= moves > 0
    seat = game.to_act(state)[0]
    return Decision(
        game=game_id,
        ruleset=game.ruleset,
        seat=seat,
        view=game.view(state, seat),
        legal_moves=tuple(game.legal_moves(state, seat)),
        samples=(game.redeal(state, seat, rng),),
        seed=SEED,
    )


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[BotPool]:
    pool = BotPool(workers=1, seconds=60)
    yield pool
    await pool.close()


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the pool has logged: asyncio's own watcher of children has words for processes that end quickly."""
    return [record.message for record in caplog.records if record.name.startswith("skerry_service")]


def process_of(pool: BotPool) -> int:
    process = pool._all[0]._process
    assert process is not None
    return process.pid


@pytest.mark.parametrize("game", all_games())
async def test_every_level_chooses_a_legal_move_and_the_same_one_again(pool: BotPool, game: str) -> None:
    asked = decision(game)
    for level in ("easy", "medium"):
        think = pool.levels()[level]
        chosen = await think(asked)
        assert chosen in asked.legal_moves
        assert await think(asked) == chosen


async def test_levels_of_older_sessions_still_think(pool: BotPool) -> None:
    asked, thinkers = decision("kreta"), pool.thinkers()
    assert await thinkers["greedy"](asked) == await thinkers["easy"](asked)
    assert {"mcts:50", "mcts:200", "mcts:1000"} <= thinkers.keys()


async def test_a_process_that_was_killed_is_started_again(pool: BotPool) -> None:
    asked = decision("kreta")
    chosen = await pool.decide("greedy", asked)
    first = process_of(pool)
    os.kill(first, signal.SIGKILL)
    assert await pool.decide("greedy", asked) == chosen
    assert process_of(pool) != first


async def test_a_process_that_hangs_is_killed_and_any_legal_move_is_made(caplog: pytest.LogCaptureFixture) -> None:
    pool = BotPool(workers=1, seconds=60)
    asked = decision("kreta")
    await pool.decide("greedy", asked)
    hung = process_of(pool)
    os.kill(hung, signal.SIGSTOP)
    pool._seconds = 0.01
    try:
        assert await pool.decide("greedy", asked) in asked.legal_moves
    finally:
        await pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(hung, 0)
    assert said(caplog) == ["the bot level greedy failed at kreta: TimeoutError"] * 2


async def test_a_level_that_cannot_decide_does_not_hold_up_the_game(
    pool: BotPool, caplog: pytest.LogCaptureFixture
) -> None:
    asked = decision("kreta")
    assert await pool.decide("no such level", asked) in asked.legal_moves
    assert len(said(caplog)) == 2


async def test_who_no_longer_waits_for_an_answer_does_not_leave_it_to_the_next(pool: BotPool) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await pool.decide("mcts:1000000", decision("kreta"))
    asked = decision("tenerife")
    assert await pool.decide("greedy", asked) in asked.legal_moves


async def test_the_processes_know_nothing_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """They import the rules, msgspec and their own module."""
    received: list[Any] = []
    code = (
        "import sys; import skerry_service.processes.bot_process;"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'grpc', 'google', 'redis', 'httptools'}))"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    received.append((await process.communicate())[0])
    assert received == [b"[]\n"]


@pytest.mark.parametrize("answer", [b"\xc1", b"\x90"], ids=["nothing that can be read", "no move"])
async def test_an_answer_that_is_no_move_does_not_hold_up_the_game(
    pool: BotPool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: bytes
) -> None:
    async def lie(question: bytes) -> bytes:
        return answer

    monkeypatch.setattr(pool._all[0], "ask", lie)
    asked = decision("kreta")
    assert await pool.decide("greedy", asked) in asked.legal_moves
    assert len(said(caplog)) == 2
