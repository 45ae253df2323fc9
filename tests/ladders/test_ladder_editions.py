"""Ladders and tournaments of an edition: their sessions have its components, and their seasons its ruleset."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry.admin.v1 import admin_pb2 as admin
from skerry.games.tenerife.v1 import tenerife_pb2
from skerry.v1 import payload_pb2
from skerry.v1 import tournament_pb2 as pb
from skerry_client import errors
from skerry_games import catalogue
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.games.other_editions import added_editions_restored, other_edition
from tests.ladders.bots import AS_OPERATOR, create_ladder, next_seat, serving, until, version

OTHER = payload_pb2.GameOptions(tenerife=tenerife_pb2.Options(edition="other"))
UNKNOWN = payload_pb2.GameOptions(tenerife=tenerife_pb2.Options(edition="nowhere"))
SENTENCE = "Unknown edition 'nowhere'. Available: house, other"


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with added_editions_restored():
        yield


def cup(options: payload_pb2.GameOptions, **more: Any) -> pb.CreateTournamentRequest:
    """Return a request for a tournament of two seats."""
    return pb.CreateTournamentRequest(title="Cup", game="tenerife", seats=2, options=options, **more)


async def test_a_ladder_of_an_edition_rates_its_games_alone(valkey: EmbeddedServer, tmp_path: Path) -> None:
    other = other_edition("tenerife")
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        made = await create_ladder(service, "others", options=OTHER)
        await create_ladder(service)
        assert (made.options.tenerife.edition, made.seasons[0].ruleset) == ("other", other.ruleset)
        assert await create_ladder(service, "others", options=OTHER) == made
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"))
        await bob.register_bot("beta", version("beta"))
        seat, _ = await asyncio.gather(next_seat(ada, "alpha", "others"), next_seat(bob, "beta", "others"))
        session = await seat.session()
        assert (session.options.tenerife.edition, session.ruleset) == ("other", other.ruleset)
        await seat.resign()

        async def counted() -> list[str]:
            return [one.bot async for one in ada.standings("others") if one.games == 1]

        assert sorted(await until(counted)) == ["bots/alpha", "bots/beta"]
        assert [one async for one in ada.standings("tenerife-2")] == []

        season = admin.StartLadderSeasonRequest(name="ladders/others", season=2)
        started = await service.operators.StartLadderSeason(season, metadata=AS_OPERATOR)
        assert started.ladder.seasons[0].ruleset == other.ruleset
        del catalogue._editions[other.ruleset]
        season.season = 3
        with pytest.raises(grpc.aio.AioRpcError, match="Unknown edition 'other'") as refused:
            await service.operators.StartLadderSeason(season, metadata=AS_OPERATOR)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert (await ada.ladder("others")).options.tenerife.edition == "other"


async def test_a_tournament_of_an_edition_plays_with_its_components(valkey: EmbeddedServer, tmp_path: Path) -> None:
    other = other_edition("tenerife")
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        made, organizer = await ada.create_tournament(cup(OTHER))
        assert (made.options.tenerife.edition, made.ruleset) == ("other", other.ruleset)
        _, token = await ada.enter_tournament(made.name, "Bob")
        await ada.enter_tournament(made.name, "Cyd")
        await ada.start_tournament(made.name, organizer)

        async def begun() -> Any:
            return await ada.tournament_seats(made.name, 1, token)

        session = await (await until(begun))[0].session()
        assert (session.options.tenerife.edition, session.ruleset) == ("other", other.ruleset)


async def test_an_unknown_edition_is_refused_with_the_known_ones(valkey: EmbeddedServer, tmp_path: Path) -> None:
    other_edition("tenerife")
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        with pytest.raises(grpc.aio.AioRpcError, match=SENTENCE) as refused:
            await create_ladder(service, options=UNKNOWN)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        with pytest.raises(errors.SkerryError, match=SENTENCE):
            await ada.create_tournament(cup(UNKNOWN))
        assert [one async for one in ada.tournaments()] == []
