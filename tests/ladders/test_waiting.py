"""No bot waits while all others play: a ladder of bots that come, play and go, over a store in memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from random import Random

from msgspec import Struct

from skerry_games.catalogue import all_games
from skerry_service.domain.log import pack
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_games import DEFAULT_CLOCK, seat_token
from skerry_service.ladders.ladder_records import OpenGame, bot_of_entrant
from skerry_service.ladders.ladder_rounds import KEPT_FOR, LadderRounds
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.sessions.service import Sessions

ROUND_MS = 400
REPLICA = "replica"


class SimulatedBot(Struct):
    """A bot that asks for a game at once after each game."""

    games: int
    """Games after which it is gone."""
    asks: int = 0
    """The time in ms at which it asks for its next game."""


class SimulatedLadder:
    """A ladder whose time passes in rounds. A game lasts for a round or a few, and ends by resignation."""

    def __init__(self, seed: int) -> None:
        self.now = 1_000_000
        self.bots: dict[str, SimulatedBot] = {}
        self.longest: dict[str, int] = defaultdict(int)
        """The most games that began while a bot waited, for each bot."""
        self._passed = Counter[str]()
        self._ends: dict[str, int] = {}
        self._random = Random(seed)
        store = MemoryStore(lambda: self.now)
        self._sessions = one = Sessions(store, clock_ms=lambda: self.now)
        self._data = LadderData(store.resources)
        self._rounds = LadderRounds("l", store, one.tables, one.committer, one.tasks, self._random)
        game = all_games()["tenerife"]
        seasons = (stored.StoredSeason(game.ruleset, 1),)
        self._ladder = stored.StoredLadder(game.id, 2, pack(game.options_type()), DEFAULT_CLOCK, False, seasons)

    async def register(self, bot: str, games: int) -> None:
        """Register a bot, which asks for its first game now."""
        await self._data.set_bot(bot, None, stored.RegisteredEntry(bot, (stored.RegisteredVersion("v", "", 1),)))
        self.bots[bot] = SimulatedBot(games, self.now)

    async def pass_rounds(self, count: int) -> None:
        """Let rounds pass. In each, games end, bots ask, and the leader pairs."""
        for _ in range(count):
            self.now += ROUND_MS
            before = await self._data.games("l")
            for session in [session for session, end in self._ends.items() if end <= self.now]:
                del self._ends[session]
                await self._end(before[session])
            await self._ask(before)
            await self._rounds.round(self._ladder)
            after = await self._data.games("l")
            self._count([game for session, game in after.items() if session not in before])
            self._passed.update(dict.fromkeys(await self._data.waiting("l"), len(after.keys() - before.keys())))

    async def _end(self, game: OpenGame) -> None:
        await self._sessions.players.resign(game.session, seat_token(game, self._random.randrange(2)), None)
        for one in game.seats:
            bot = self.bots[bot_of_entrant(one.entrant)]
            bot.games, bot.asks = bot.games - 1, self.now + self._random.randrange(500)

    async def _ask(self, games: Mapping[str, OpenGame]) -> None:
        heard = FieldChange(stored.REPLICAS, REPLICA.encode(), b"%d" % self.now, ANY)
        await self._data.change("l", [heard])
        playing = {bot_of_entrant(one.entrant) for game in games.values() for one in game.seats}
        asking = [bot for bot, one in self.bots.items() if one.games and one.asks <= self.now and bot not in playing]
        waiting = await self._data.waiting("l")
        for bot in asking:
            if bot not in waiting:
                entry = stored.WaitingBot("v", bot, self.now, REPLICA)
                await self._data.change("l", [replacing(stored.WAITING, bot, None, entry)])

    def _count(self, begun: list[OpenGame]) -> None:
        for game in begun:
            self._ends[game.session] = self.now + self._random.randrange(400, 1_200)
            for one in game.seats:
                bot = bot_of_entrant(one.entrant)
                self.bots[bot].asks = 2 * self.now
                self.longest[bot] = max(self.longest[bot], self._passed.pop(bot, 0))


async def test_no_bot_waits_while_all_others_play_again_and_again() -> None:
    ladder = SimulatedLadder(seed=1)
    for number in range(8):
        await ladder.register(f"faithful-{number}", games=10_000)
    for number in range(12):
        await ladder.register(f"passing-{number}", games=3 + 4 * number)  # goes in the middle of a block
    await ladder.pass_rounds(60)
    await ladder.register("newcomer", games=10_000)
    await ladder.pass_rounds(140)
    assert ladder.longest.keys() == ladder.bots.keys()
    assert max(ladder.longest.values()) <= (KEPT_FOR + 1) * len(ladder.bots)
