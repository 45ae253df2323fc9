"""What operators see of ladders, tournaments, bots that rest, and webhooks that fail."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from google.protobuf.json_format import MessageToJson

from skerry.admin.v1 import competitions_pb2 as pb
from skerry.admin.v1 import overview_pb2 as overview
from skerry.v1 import ladder_pb2
from skerry.v1.tournament_pb2 import TOURNAMENT_STATE_RUNNING
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.admin.test_calls import SECRETS
from tests.api.wire import refused
from tests.ladders.bots import AS_OPERATOR, LadderService, create_ladder, next_seat, serving, until, version
from tests.tournaments.test_tournament_service import cup


async def look(service: LadderService) -> pb.GetCompetitionsResponse:
    return await service.operators.GetCompetitions(pb.GetCompetitionsRequest(), metadata=AS_OPERATOR)


async def test_a_server_without_ladders_and_tournaments_has_none(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service:
        assert await look(service) == pb.GetCompetitionsResponse()
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await service.operators.GetCompetitions(pb.GetCompetitionsRequest())


async def test_ladders_are_shown_with_leaders_and_with_the_bots_that_rest(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        await create_ladder(service, "people", kind=ladder_pb2.LADDER_KIND_PEOPLE)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"), contact="ada@example.org")
        await bob.register_bot("beta", version("beta"))
        last = ""
        for _ in range(3):
            seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
            last = seats[0].name
            await seats[0].leave()
            await seats[1].resign()

        async def rested() -> pb.GetCompetitionsResponse | None:
            seen = await look(service)
            return seen if seen.resting else None

        seen = await until(rested)
        people, bots = seen.ladders
        assert [one.ladder.name for one in (people, bots)] == ["ladders/people", "ladders/tenerife-2"]
        assert (people.entrants, people.games, len(people.leaders)) == (0, 0, 0)
        assert (bots.entrants, bots.ladder.playing) == (2, 0)
        assert [one.display_name for one in bots.leaders] == ["alpha", "beta"]
        (resting,) = seen.resting
        assert (resting.bot, resting.ladder, resting.key) == ("bots/alpha", "ladders/tenerife-2", "ada")
        assert (resting.contact, resting.rest.reason) == ("ada@example.org", "alpha left the game.")
        assert (resting.rest.session, resting.rest.HasField("time")) == (last, True)
        await ada.wake_bot("alpha")

        async def woken() -> bool:
            return not (await look(service)).resting

        assert await until(woken)


async def test_tournaments_are_shown_with_games_and_without_secrets(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup(join_code_required=True, games_at_once=2))
        code = (await client.tournament(made.name, organizer)).join_code
        for name in ("Ada", "Bob", "Cyd"):
            await client.enter_tournament(made.name, name, join_code=code)
        (before,) = (await look(service)).tournaments
        assert (before.tournament.title, len(before.tournament.entrants), len(before.leaders)) == ("Harbour cup", 3, 0)
        await client.start_tournament(made.name, organizer)

        async def in_play() -> pb.GetCompetitionsResponse | None:
            seen = await look(service)
            return seen if seen.tournaments[0].games_playing else None

        seen = await until(in_play)
        (during,) = seen.tournaments
        assert during.tournament.state == TOURNAMENT_STATE_RUNNING
        assert {one.display_name for one in during.leaders} == {"Ada", "Bob", "Cyd"}
        assert (during.games_finished, seen.more_tournaments) == (0, False)
        written = MessageToJson(seen)
        assert code not in written
        assert not SECRETS.search(written.replace('"options"', ""))
        for _ in range(10):
            await client.create_tournament(cup())
        seen = await look(service)
        assert (len(seen.tournaments), seen.more_tournaments) == (10, True)


async def test_an_endpoint_that_fails_is_shown_with_its_host_and_the_failure(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path, webhooks_allow=("127.0.0.1:9",)) as service, service.client("ada") as client:
        await client.set_webhook_endpoint("main", "http://127.0.0.1:9/hook/of-ada?key=hidden", events=["create"])
        await client.create("kreta", seats=2)

        async def failing() -> overview.GetOverviewResponse | None:
            seen = await service.operators.GetOverview(overview.GetOverviewRequest(), metadata=AS_OPERATOR)
            return seen if seen.webhooks.failing else None

        seen = await until(failing)
        (one,) = seen.webhooks.failing
        assert (one.application, one.endpoint, one.origin) == ("ada", "main", "http://127.0.0.1:9")
        assert (one.failure, one.off) == ("ConnectionRefusedError", False)
        assert "hidden" not in MessageToJson(seen)
