"""What reading a ladder costs, counted in reads of its store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import pytest
from msgspec.structs import replace

from skerry_service.domain.errors import LadderNotFound
from skerry_service.domain.log import pack
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_games import DEFAULT_CLOCK
from skerry_service.ladders.ladder_readings import LadderReadings
from skerry_service.ladders.ladder_records import (
    EntrantRecord,
    GameRow,
    LadderSeatRecord,
    OpenGame,
    PairRecord,
    StoredLadder,
    StoredSeason,
)
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.sessions.task_runner import TaskRunner

LADDER = StoredLadder("tenerife", 2, b"", DEFAULT_CLOCK, people=False, seasons=(StoredSeason("tenerife:1", 1),))


class CountedResources(MemoryResources):
    """Counts the reads of whole parts."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Counter[str]()
        self.at_once = 0
        """The most parts of pairs that were read at once."""
        self._reading = 0

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        self.reads[part] += 1
        self._reading += part.startswith("pairs")
        self.at_once = max(self.at_once, self._reading)
        await asyncio.sleep(0)
        self._reading -= part.startswith("pairs")
        return await super().read_all(resource, part)


async def season(bots: int) -> tuple[CountedResources, LadderData, LadderReadings]:
    """Return a ladder in whose first season each two bots have played once. The first of them has won."""
    resources = CountedResources()
    data = LadderData(resources)
    await data.set_ladder("l", None, LADDER)
    names = [f"bot-{number:03}" for number in range(bots)]
    entrants = [replacing("entrants.1", f"{one}/1", None, EntrantRecord(one, games=1)) for one in names]
    pairs = [
        replacing("pairs.1", f"{one}/1|{other}/1", None, PairRecord(wins=1)) for one, other in combinations(names, 2)
    ]
    await data.change("l", [*entrants, *pairs, FieldChange(stored.COUNTS, b"1", b"%d" % len(pairs))])
    return resources, data, LadderReadings(data, TaskRunner())


async def test_callers_at_once_share_one_reading_of_the_standings() -> None:
    resources, _, readings = await season(3)
    first = asyncio.create_task(readings.standings("l", 0))
    await asyncio.sleep(0)
    others = [asyncio.create_task(readings.standings("l", 0)) for _ in range(40)]
    await asyncio.sleep(0)
    first.cancel()
    tables = await asyncio.gather(*others)
    assert {id(table) for table in tables} == {id(tables[0])}
    assert len(tables[0].rows) == 3
    assert resources.reads["entrants.1"] == 1


async def test_a_failed_reading_fails_all_its_callers_and_is_not_kept() -> None:
    _, data, readings = await season(2)
    failed = await asyncio.gather(*(readings.standings("m", 0) for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in failed] == [LadderNotFound] * 3
    await data.set_ladder("m", None, LADDER)
    assert not (await readings.standings("m", 0)).rows


async def test_results_between_bots_are_read_once_and_again_after_a_new_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resources, data, readings = await season(40)
    asked = [readings.head_to_head("l", 0, f"bot-{number:03}", "") for number in range(40)]
    found = await asyncio.gather(*asked)
    assert resources.reads["pairs.1"] == 1
    assert list(found[1].items())[:2] == [("bot-000", PairRecord(losses=1)), ("bot-002", PairRecord(wins=1))]
    assert await readings.head_to_head("l", 0, "bot-001", "bot-000") == {"bot-000": PairRecord(losses=1)}

    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 1e9)  # long after
    assert await readings.head_to_head("l", 0, "bot-000", "bot-001") == {"bot-001": PairRecord(wins=1)}
    assert resources.reads["pairs.1"] == 1, "no game has ended since"
    again = FieldChange("pairs.1", b"bot-000/1|bot-001/1", pack(PairRecord(wins=1, ties=1)), ANY)
    await data.change("l", [again, FieldChange(stored.COUNTS, b"1", b"781", ANY)])
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 2e9)
    assert await readings.head_to_head("l", 0, "bot-000", "bot-001") == {"bot-001": PairRecord(wins=1, ties=1)}


async def test_pairs_of_several_seasons_are_read_one_after_another() -> None:
    resources, data, readings = await season(3)
    await data.set_ladder("l", LADDER, replace(LADDER, seasons=LADDER.seasons * 6))
    found = await asyncio.gather(*(readings.head_to_head("l", number, "bot-000", "") for number in range(1, 7)))
    assert [len(one) for one in found] == [2, 0, 0, 0, 0, 0]
    assert resources.at_once == 1


async def test_callers_at_once_share_one_reading_of_all_ladders() -> None:
    resources, _, readings = await season(3)
    found = await asyncio.gather(*(readings.all() for _ in range(40)))
    assert [list(one) for one in found] == [["l"]] * 40
    assert (resources.reads[stored.ENTRIES], resources.reads[stored.GAMES]) == (1, 1)


async def test_callers_at_once_share_the_reading_of_games_and_no_page_misses_a_result() -> None:
    resources, data, readings = await season(2)
    last = stored.ROWS_OF_A_CHUNK + 9
    await add_results(data, 1, last)

    async def page(before: int | None = None) -> tuple[int, list[str], int]:
        playing, rows, following = await readings.games("l", 1, "bot-000", before, 20)
        return len(playing), [one.session for one in rows], following

    expected = 0, [str(number) for number in range(last, last - 20, -1)], last - 20
    assert await asyncio.gather(*(page() for _ in range(40))) == [expected] * 40
    assert resources.reads == {stored.GAMES: 1, "rows.1.0": 1, "rows.1.1": 1}
    await add_results(data, last + 1, last + 1)
    assert (await page())[1][0] == str(last + 1), "although the chunk was read a moment ago"
    assert (await page(last - 20))[1][0] == str(last - 20)
    assert await page(10**9) == await page(), "a token beyond the end costs no more than the first page"


async def test_a_game_that_ended_after_the_games_in_play_were_read_is_shown_once() -> None:
    _, data, readings = await season(2)
    seats = tuple([LadderSeatRecord(f"bot-00{seat}/1", f"bot-00{seat}") for seat in range(2)])
    await data.change("l", [replacing(stored.GAMES, "2", None, OpenGame("2", 1, seats, 1, 1, ""))])
    playing, rows, _ = await readings.games("l", 1, "", None, 20)
    assert [one.session for one in playing] == ["2"]
    await data.change("l", [FieldChange(stored.GAMES, b"2", None, ANY)])
    await add_results(data, 1, 2)
    playing, rows, _ = await readings.games("l", 1, "", None, 20)
    assert ([*playing], [one.session for one in rows]) == ([], ["2", "1"])


async def add_results(data: LadderData, first: int, last: int) -> None:
    """Add results to the first season. Their sessions are their numbers, counted from 1 as the season counts."""
    seats = tuple([LadderSeatRecord(f"bot-00{seat}/1", f"bot-00{seat}") for seat in range(2)])
    for number in range(first - 1, last):
        row = GameRow(str(number + 1), seats, (1, 2), (3, 2), ("", ""), "It is over.", 1, 2, "")
        part = stored.rows_part(1, number // stored.ROWS_OF_A_CHUNK)
        await data.change("l", [FieldChange(part, b"%d" % number, pack(row), ANY)])
    await data.change("l", [FieldChange(stored.COUNTS, b"1", b"%d" % last, ANY)])
