"""The processes in which bots think."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import MsgspecError, Raw, msgpack

from skerry_games.api import AnyGame
from skerry_games.catalogue import find_game
from skerry_games.editions import packed_editions
from skerry_games.players import LEVELS
from skerry_games.players.chances import Chances
from skerry_games.rng import SeededRng
from skerry_service.domain.bot_decisions import Decision, OpenPosition, Thinker
from skerry_service.domain.record import FREE_PLAY, LESSON, RANDOM
from skerry_service.processes.bot_process import BotQuestion, ChancesQuestion
from skerry_service.processes.child_process import ChildProcess
from skerry_service.processes.framing import frame

_EARLIER = ("greedy", "mcts:50", "mcts:200", "mcts:1000")
"""Players that sessions name as levels if they began before levels had names of their own."""
THINKING_SECONDS = 10.0
"""How long a decision may take. On an idle machine, the offered levels take a tenth of that."""
_ATTEMPTS = 2
_LARGEST_ANSWER = 1 << 20
_COMMAND = (sys.executable, "-m", f"{__package__}.bot_process")
_log = logging.getLogger(__name__)


class BotFailed(Exception):
    """A process could not answer. The caller receives an internal error without details."""


class BotPool:
    """A fixed number of processes. Each starts when first needed, and again after it died or was too slow."""

    def __init__(self, workers: int, seconds: float = THINKING_SECONDS) -> None:
        """``seconds``: how long a decision may take."""
        self._seconds = seconds
        self._all = [ChildProcess(_COMMAND, _LARGEST_ANSWER, packed_editions()) for _ in range(workers)]
        self._free: asyncio.Queue[ChildProcess] = asyncio.Queue()
        for child in self._all:
            self._free.put_nowait(child)

    def levels(self) -> Mapping[str, Thinker]:
        """Return the levels that think in these processes, from weak to strong."""
        return {level: _Level(level, self) for level in LEVELS if level != RANDOM and self._all}

    def thinkers(self) -> Mapping[str, Thinker]:
        """Return the levels, that of lessons, and those from before levels had names of their own (``mcts:50``)."""
        earlier = {player: _Level(player, self) for player in _EARLIER if self._all}
        return {**self.levels(), **earlier, LESSON: _LessonLevel(self)}

    async def decide(self, level: str, decision: Decision) -> Any:
        """Return the move of a level. If it fails twice, return a random legal move, so that no game waits forever."""
        question = self._question(level, decision)
        move_type = _game_of(decision).move_type
        for _ in range(_ATTEMPTS):
            move = await self._ask(question, move_type)
            if move in decision.legal_moves:
                return move
            if move is not None:  # the log must not contain the move, which may reveal hidden information
                _log.error("the bot level %s chose an illegal move of %s", level, decision.game)
        return SeededRng(decision.seed, 0).choice(decision.legal_moves)

    async def rank(self, level: str, decision: Decision) -> Sequence[tuple[Any, float]]:
        """Return the legal moves as a level that searches ranks them: the best first, each with its utility.

        Raises BotFailed if it fails twice.
        """
        question = self._question(level, decision, ranked=True)
        move_type = _game_of(decision).move_type
        for _ in range(_ATTEMPTS):
            ranked = await self._ask(question, list[tuple[Raw, float]])
            if ranked:
                return [(msgpack.decode(move, type=move_type), utility) for move, utility in ranked]
        raise BotFailed(f"the bot level {level} failed to rank the moves of {decision.game}")

    async def chances(self, position: OpenPosition) -> Chances:
        """Return the estimated chances to win from a position. Raises BotFailed if the process fails twice."""
        question = ChancesQuestion(
            game=position.game,
            ruleset=position.ruleset,
            state=Raw(msgpack.encode(position.state)),
            lost=position.lost,
            seed=position.seed,
            simulations=position.simulations,
        )
        for _ in range(_ATTEMPTS):
            chances: Chances | None = await self._ask(question, tuple[float, ...])
            if chances:
                return chances
        raise BotFailed(f"a bot failed to estimate the chances of {position.game}")

    def _question(self, level: str, decision: Decision, *, ranked: bool = False) -> BotQuestion:
        return BotQuestion(
            level=level,
            game=decision.game,
            ruleset=decision.ruleset,
            seat=decision.seat,
            sample=Raw(msgpack.encode(decision.samples[0])),
            seed=decision.seed,
            seconds=self._seconds / 2,
            ranked=ranked,
        )

    async def _ask(self, question: BotQuestion | ChancesQuestion, answer_type: Any) -> Any:
        """Return the answer of a process; ``None`` if it failed, which is logged."""
        child = await self._free.get()
        try:
            async with asyncio.timeout(self._seconds):
                packed = await child.ask(frame(msgpack.encode(question)))
            return msgpack.decode(packed, type=answer_type)
        except (OSError, EOFError, TimeoutError, ValueError, MsgspecError) as error:
            child.kill()
            asked = f"the bot level {question.level}" if isinstance(question, BotQuestion) else "an analysis"
            _log.error("%s failed at %s: %s", asked, question.game, type(error).__name__)
            return None
        finally:
            self._free.put_nowait(child)

    async def close(self) -> None:
        """Stop all processes."""
        await asyncio.gather(*(child.close() for child in self._all))


def _game_of(decision: Decision) -> AnyGame:
    """Return the rules of a decision. Raises ValueError."""
    game = find_game(decision.game, decision.ruleset)
    if game is None:
        raise ValueError(f"{decision.game} under {decision.ruleset} is not supported")
    return game


class _Level:
    """One level of bots, as a ``Thinker``."""

    samples = 1

    def __init__(self, name: str, pool: BotPool) -> None:
        self._name = name
        self._pool = pool

    async def __call__(self, decision: Decision) -> Any:
        return await self._pool.decide(self._name, decision)


class _LessonLevel:
    """The level ``LESSON``, as a ``Thinker``. Without processes, it moves at random outside of the course."""

    samples = 1

    def __init__(self, pool: BotPool) -> None:
        self._free_play = pool.levels().get(FREE_PLAY)

    async def __call__(self, decision: Decision) -> Any:
        if decision.scripted is not None:
            return decision.scripted
        if self._free_play is None:
            return SeededRng(decision.seed, 0).choice(decision.legal_moves)
        return await self._free_play(decision)
