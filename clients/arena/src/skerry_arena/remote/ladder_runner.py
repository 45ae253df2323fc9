"""A program that plays games of a ladder for ever, one after the other."""

from __future__ import annotations

from functools import partial
from hashlib import sha256

from skerry_arena.player_code import code_hash
from skerry_arena.remote.bot_runner import BotSettings, play_game
from skerry_arena.remote.seat_player import Tell, retry_when_limited
from skerry_client import AsyncClient


class LadderRunner:
    """Plays one bot on one ladder. A program that is started again returns to its unfinished game."""

    def __init__(self, client: AsyncClient, wanted: BotSettings, ladder: str, bot: str, tell: Tell) -> None:
        """``wanted``: its sessions and label are not used."""
        self._client = client
        self._wanted = wanted
        self._ladder = ladder
        self._bot = bot
        self._tell = tell

    async def run(self) -> None:
        """Register the bot and play. Raises SkerryError, for example BotRests, and UnsupportedGame."""
        ladder = await self._client.ladder(self._ladder)
        version = version_of(self._wanted, ladder.game)
        await self._client.register_bot(self._bot, version)
        self._tell(f"Playing {ladder.name} as bots/{self._bot}, version {version[:12]}.")
        played = 0
        while self._wanted.games is None or played < self._wanted.games:
            seat = await retry_when_limited(partial(self._client.find_ladder_game, self._ladder, self._bot, version))
            self._tell(f"{seat.name}: Took seat {seat.number}.")
            await play_game(seat, self._wanted, self._tell)
            played += 1


def version_of(wanted: BotSettings, game: str) -> str:
    """Return the hash of a player: of its code, and of the way in which it is called."""
    one = wanted.entrant
    return sha256(f"{one.player} {code_hash(one, game)}".encode()).hexdigest()
