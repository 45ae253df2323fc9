"""Games that all players have left: their bots play on behind all others, and think no longer than ``medium``."""

from __future__ import annotations

from skerry_games.canarias import GAME as CANARIAS
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.bot_decisions import due_decisions
from skerry_service.domain.record import AbandonmentPolicy, Occupant, SeatRecord
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.fair_slots import FairSlots
from tests.sessions.tables import begin, move_once, sit_down
from tests.timers.test_bot_worker import sit_with
from tests.timers.thinkers import Slow
from tests.watching.stream_readers import Reader, observe


async def test_a_game_that_all_players_have_left_goes_on_without_precedence(sessions: Sessions) -> None:
    slow = Slow()
    slots, preferences = FairSlots(1), list[bool]()
    slots.on_wait = lambda seconds, preferred: preferences.append(preferred)
    worker = BotWorker(sessions, {"slow": slow}, slots)
    slow.hold()
    sitting = await sit_down(sessions, KRETA, 2, abandonment=AbandonmentPolicy(level="slow"))
    first = (await sessions.live(sitting.id)).to_act[0]
    await sessions.players.leave(sitting.id, sitting.seats[first], None)
    await slow.is_asked()
    await sessions.players.leave(sitting.id, sitting.seats[1 - first], None)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    slow.go()
    await reader.ends()
    assert len(preferences) > 10
    assert [at for at, preferred in enumerate(preferences) if preferred] == [0]
    await worker.close()


async def test_bots_think_no_longer_than_medium_when_all_players_have_left(sessions: Sessions) -> None:
    expert = SeatRecord(Occupant.BOT, level="expert")
    sitting = await sit_with(sessions, expert, game=CANARIAS, abandonment=AbandonmentPolicy(level="expert"))

    async def levels() -> list[str]:
        return [one.level for one in due_decisions(await sessions.live(sitting.id))]

    while await levels() != ["expert"]:
        await move_once(sessions, sitting)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert await levels() == ["medium"]
    await sessions.players.return_to_seat(sitting.id, sitting.seats[0], None)
    assert await levels() == ["expert"]
    alone = await begin(sessions, CANARIAS, expert, expert)
    assert [one.level for one in due_decisions(await sessions.live(alone.id))] == ["expert"], "nobody has left"
