"""What many calls of tournaments at once cost, counted in reads of the store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from skerry.v1 import tournament_pb2 as pb
from skerry_games.pairing.form import Format
from skerry_service.api.tournaments.tournament_methods import TournamentMethods
from skerry_service.api.tournaments.tournament_rendering import write_game
from skerry_service.domain.errors import TokenInvalid
from skerry_service.domain.tokens import digest
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_course import known_games, next_step
from skerry_service.tournaments.tournament_records import BegunGame, StoredTournament, TournamentState
from skerry_service.tournaments.tournament_store import TournamentData
from skerry_service.tournaments.tournaments import Tournaments, entrant_of
from tests.tournaments.test_tournament_course import played, running


class CountedResources(MemoryResources):
    """Counts the reads of whole parts. Each call takes a turn of the event loop, as calls of a server do."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Counter[str]()

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        self.reads[part] += 1
        await asyncio.sleep(0)
        return await super().read_all(resource, part)

    async def read(self, resource: str, part: str, fields: Sequence[bytes]) -> Sequence[bytes | None]:
        await asyncio.sleep(0)
        return await super().read(resource, part, fields)

    async def change(self, resource: str, changes: Sequence[FieldChange]) -> bool:
        await asyncio.sleep(0)
        return await super().change(resource, changes)


class MemoryStore:
    """The part of a store that tournaments read."""

    def __init__(self) -> None:
        self.resources = CountedResources()


def tournaments() -> tuple[Tournaments, CountedResources, TournamentData]:
    """Return tournaments that are only read and entered."""
    store = MemoryStore()
    served = Tournaments(store, None, None, None, None, lambda: 1)  # type: ignore[arg-type]
    return served, store.resources, TournamentData(store.resources)


def opened() -> StoredTournament:
    return replace(running(Format.KNOCKOUT, 0, salt=b"s" * 16), state=TournamentState.OPEN, most_entrants=64)


async def test_entries_at_once_take_all_places() -> None:
    served, _, data = tournaments()
    await data.set("t", None, opened())
    calls = [served.enter_person("t", f"{one:03}", f"p{one}", one.to_bytes(16, "big"), "") for one in range(100)]
    failed = Counter(type(one).__name__ for one in await asyncio.gather(*calls, return_exceptions=True))
    assert failed == {"tuple": 64, "TournamentClosed": 36}
    assert len((await data.get("t")).entrants) == 64


def test_a_token_that_is_too_long_is_rejected_before_its_digest_is_kept() -> None:
    kept = digest.cache_info().misses
    for token in ("x" * 65, "y" * 100_000):
        with pytest.raises(TokenInvalid):
            entrant_of(running(Format.SWISS, 2), token)
    assert digest.cache_info().misses == kept


async def started(data: TournamentData, games: int, name: str = "t", playing: int = 2) -> StoredTournament:
    """Store a round robin of four whose first games have results, and others of which are in play."""
    tournament = replace(running(Format.ROUND_ROBIN, 4), started_ms=1)
    await data.set(name, None, tournament)
    begun = {game.number: BegunGame(1, game.lineup) for game in known_games(tournament, {})[: games + playing]}
    assert await data.begin(name, tournament, None, begun)
    for game in known_games(tournament, {})[:games]:
        assert await data.record(name, tournament, game.number, begun[game.number], played(tournament, game, 1))
    return tournament


async def test_callers_share_one_reading_of_results_until_the_next_result() -> None:
    served, resources, data = tournaments()
    tournament = await started(data, 4)

    async def standings() -> tuple[int, int]:
        course = await served.course("t")
        return len(course.results), id(await served.table("t", course))

    found = await asyncio.gather(*[standings() for _ in range(40)])
    assert len(set(found)) == 1
    assert resources.reads[stored.RESULTS] == 1
    number, begun = next(iter((await data.in_play("t")).items()))
    await data.record("t", tournament, number, begun, played(tournament, known_games(tournament, {})[number], 1))
    assert {one for one, _ in [await standings(), await standings()]} == {5}
    assert resources.reads[stored.RESULTS] == 2


@pytest.mark.parametrize(
    ("games", "size", "pages"), [(2, 2, [[2, 3], [4, 5], [2, 1], [0]]), (0, 1, [[0], [1], [2], [3], [0]])]
)
async def test_no_game_in_play_is_skipped_when_another_one_ends_between_two_pages(
    games: int, size: int, pages: list[list[int]]
) -> None:
    served, _, data = tournaments()
    name = "a" * 16
    tournament = await started(data, games, name, playing=4)
    methods = TournamentMethods()
    methods._sessions = SimpleNamespace(tournaments=served)  # type: ignore[assignment]
    request = pb.ListTournamentGamesRequest(parent=f"tournaments/{name}", page_size=size)
    seen: list[list[int]] = []
    while not seen or request.page_token:
        page = await methods.list_tournament_games(request, None)
        seen.append([game.number for game in page.games])
        request.page_token = page.next_page_token
        if len(seen) == 1:
            number, begun = next(iter((await data.in_play(name)).items()))
            await data.record(
                name, tournament, number, begun, played(tournament, known_games(tournament, {})[number], 1)
            )
    assert seen == pages


async def test_a_damaged_result_is_void_and_a_damaged_game_begins_again() -> None:
    served, resources, data = tournaments()
    tournament = await started(data, 1)
    damaged = [FieldChange(part, field, b"?", ANY) for part, field in ((stored.RESULTS, b"0"), (stored.GAMES, b"1"))]
    assert await resources.change(stored.tournament_resource("t"), damaged)
    course = await served.course("t")
    assert not course.results[0].counts
    assert course.games_of(0) == [2, 0]
    assert not write_game(course, 0, 0).seats
    assert len((await served.table("t", course)).rows) == 4
    again = next_step(tournament, course.results, course.in_play.keys()).begin
    assert 0 not in {game.number for game in again}
    assert await data.begin("t", tournament, b"1", {1: BegunGame(2, (0, 1))})
    assert list(await data.in_play("t")) == [1, 2]
