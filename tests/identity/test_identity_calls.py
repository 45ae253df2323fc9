"""Identity over the wire, on every transport: vouched players take seats, and bad tokens are never ignored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import tournament_pb2
from skerry_service.access.identity.vouched_players import vouched_id
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.ticket_clients import TicketClient
from tests.api.wire import OPEN, Api, Metadata, bearer, create, refused, served
from tests.identity.issuing import ISS, token, unsigned, write_issuers
from tests.quotas.limited_servers import limits
from tests.rest.web import served as web_served
from tests.store.servers import ask

ADA = vouched_id(ISS, "ada")
REQUEST_ID = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


def identity(sent: str) -> Metadata:
    return (("skerry-identity", sent),)


@pytest.fixture
def issuers(tmp_path: Path) -> Path:
    return write_issuers(tmp_path / "issuers.json")


@asynccontextmanager
async def vouching(valkey: EmbeddedServer, issuers: Path | None, **more: Any) -> AsyncIterator[Api]:
    await ask(valkey, "FLUSHALL")
    async with served(valkey, issuers=issuers, **more) as api:
        yield api


async def join(api: Api, name: str, sent: str, **fields: Any) -> pb.JoinSessionResponse:
    request = pb.JoinSessionRequest(name=name, **fields)
    joined: pb.JoinSessionResponse = await api.stub.JoinSession(request, metadata=identity(sent))
    return joined


async def test_a_vouched_player_takes_a_seat(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        lobby = await create(api, OPEN, OPEN, OPEN)
        joined = await join(api, lobby.name, token("ada", name="Ada"))
        assert (joined.session.seats[0].player_id, joined.session.seats[0].display_name) == (ADA, "Ada")
        joined = await join(api, lobby.name, token("bob", name="Bob"), display_name="Bobby")
        assert joined.session.seats[1].display_name == "Bobby"
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="display_name"):
            await join(api, lobby.name, token("cyd"))
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="player_id"):
            await join(api, lobby.name, token("cyd"), display_name="Cyd", player_id="cyd")
        await join(api, lobby.name, token("cyd"), display_name="Cyd", player_id=vouched_id(ISS, "cyd"))


async def test_nobody_else_claims_the_id_of_a_vouched_player(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        lobby = await create(api, OPEN, OPEN)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="player_id"):
            await api.stub.JoinSession(pb.JoinSessionRequest(name=lobby.name, display_name="Eve", player_id=ADA))
        ticket = pb.FindMatchRequest(game="kreta", display_name="Eve", player_id=ADA)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="player_id"):
            async for _ in api.stub.FindMatch(ticket):
                pass
        party = pb.FindMatchRequest(
            game="kreta", display_name="Eve", party=[pb.PartyMember(display_name="Ada", player_id=ADA)]
        )
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="party[0].player_id"):
            async for _ in api.stub.FindMatch(party, metadata=identity(token("eve"))):
                pass


async def test_vouched_players_meet_in_a_match(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        players = [TicketClient(api, name, metadata=identity(token(name))) for name in ("ada", "bob")]
        found = (await asyncio.gather(*(player.task for player in players)))[0]
        ids = {seat.player_id for seat in found.session.seats}
        assert ids == {ADA, vouched_id(ISS, "bob")}


async def test_a_vouched_player_enters_a_tournament_once(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        made = await api.stub.CreateTournament(
            tournament_pb2.CreateTournamentRequest(
                title="Cup", game="kreta", seats=2, request_id=REQUEST_ID, format=tournament_pb2.TOURNAMENT_FORMAT_SWISS
            )
        )

        async def enter(name: str, request_id: str) -> None:
            await api.stub.EnterTournament(
                tournament_pb2.EnterTournamentRequest(
                    name=made.tournament.name, display_name=name, request_id=request_id
                ),
                metadata=identity(token("ada")),
            )

        await enter("Ada", REQUEST_ID)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="player_id"):
            await enter("Eda", REQUEST_ID.replace("f", "e"))


async def test_a_bad_identity_fails_every_call(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        lobby = await create(api, OPEN, OPEN)
        bad = {
            "expired": token(exp=1_000),
            "audience": token(aud="another"),
            "issuer": token(iss="https://evil.example"),
            "algorithm": unsigned({"alg": "none"}, {"iss": ISS, "sub": "ada", "exp": 4e9}),
            "key": token(kid="EdDSA-9"),
            "malformed": "a.b.c",
        }
        for problem, sent in bad.items():
            with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem=problem):
                await api.stub.GetSession(pb.GetSessionRequest(name=lobby.name), metadata=identity(sent))
            with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem=problem):
                async for _ in api.stub.Observe(
                    pb.ObserveRequest(name=lobby.name), metadata=(*bearer(lobby.host), *identity(sent))
                ):
                    pass
        with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem="malformed"):
            await api.stub.ListGames(pb.ListGamesRequest(), metadata=(*identity(token()), *identity(token("bob"))))
        assert not (await api.stub.GetSession(pb.GetSessionRequest(name=lobby.name))).session.seats[0].display_name


async def test_a_server_without_issuers_ignores_no_identity(valkey: EmbeddedServer) -> None:
    async with vouching(valkey, None) as api:
        with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem="unsupported"):
            await api.stub.ListGames(pb.ListGamesRequest(), metadata=identity(token()))
        await api.stub.ListGames(pb.ListGamesRequest())


async def test_a_megabyte_of_token_harms_nobody(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        with pytest.raises(grpc.aio.AioRpcError):
            await api.stub.ListGames(pb.ListGamesRequest(), metadata=identity("e" * 1_000_000))
        await api.stub.ListGames(pb.ListGamesRequest())
        with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem="malformed"):
            await api.stub.ListGames(pb.ListGamesRequest(), metadata=identity("e" * 5_000))


async def test_one_caller_cannot_have_any_number_of_tokens_verified(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers, quotas=limits(identity="3/1h")) as api:
        for number in range(3):
            with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem="audience"):
                await api.stub.ListGames(pb.ListGamesRequest(), metadata=identity(token(str(number), aud="another")))
        for sent in (token("ada"), token("bob", aud="another")):
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="identity"):
                await api.stub.ListGames(pb.ListGamesRequest(), metadata=identity(sent))


async def test_the_identity_of_one_call_is_not_that_of_the_next(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        lobby = await create(api, OPEN, OPEN, OPEN)
        await join(api, lobby.name, token("ada"), display_name="Ada")
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=lobby.name, display_name="Bob"))
        assert [seat.player_id for seat in joined.session.seats[:2]] == [ADA, ""]


async def test_identity_over_rest(valkey: EmbeddedServer, issuers: Path) -> None:
    await ask(valkey, "FLUSHALL")
    async with web_served(valkey, issuers=issuers, cors_origins=("https://play.example",)) as web:
        lobby = await create(web.api, OPEN, OPEN)
        sent = {"Skerry-Identity": token("ada")}
        answer = await web.call("POST", f"/v1/{lobby.name}:join", {"displayName": "Ada"}, headers=sent)
        assert answer.json["session"]["seats"][0]["playerId"] == ADA
        answer = await web.call("GET", "/v1/games", headers={"Skerry-Identity": "a.b.c"})
        assert (answer.status, answer.reason) == (401, "IDENTITY_INVALID")
        asked = {"origin": "https://play.example", "access-control-request-method": "POST"}
        answer = await web.call("OPTIONS", f"/v1/{lobby.name}:join", headers=asked)
        assert "Skerry-Identity" in answer.headers["access-control-allow-headers"]
