"""Who is refused, over every transport and at every replica, and what a ban leaves alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import LocalizedMessage
from google.rpc.status_pb2 import Status

from skerry.admin.v1 import admin_pb2 as admin
from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.access.identity.vouched_players import vouched_id
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.agents.conftest import SECRET
from tests.api.wire import BOT, OPEN, act, bearer, create, look, move_once, refused, sit_down, turn
from tests.bans.guarded_servers import Guarded, at, comes_to, guarded
from tests.identity.issuing import ISS, token, write_issuers
from tests.quotas.limited_servers import outcome_of
from tests.rest.web import connection, read_head, request
from tests.store.servers import ask, until

GAMES = pb.ListGamesRequest()
BACKEND, OTHER = new_key("backend"), new_key("other")


def listing(server: Guarded, *metadata: tuple[str, str]) -> Any:
    return lambda: server.api.stub.ListGames(GAMES, metadata=metadata)


async def test_a_banned_address_is_refused_at_every_replica_and_over_rest(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    inside = "198.51.100.7"
    async with guarded(valkey) as one, guarded(valkey) as other:
        ban = await one.ban(address="198.51.100.9/24", reason="Floods.")
        for server in (one, other):
            await comes_to("BANNED", listing(server, *at(inside)))
            with refused("PERMISSION_DENIED", "BANNED", banned="address", why="Floods.") as refusal:
                await server.api.stub.ListGames(GAMES, metadata=at(inside))
            assert refusal.retry_after
            assert 590 <= refusal.retry_after <= 600
            assert refusal.message == "This address is banned for 10 minutes more. Reason: Floods."
            rest = await server.web.rpc("ListGames", GAMES, **{"x-forwarded-for": inside})
            assert (rest.status, rest.reason, rest.metadata["banned"]) == (403, "BANNED", "address")
            assert 590 <= int(rest.headers["retry-after"]) <= 600
        assert (await other.lift(ban)).address == ban.address == "198.51.100.0/24"
        for server in (one, other):
            await comes_to("", listing(server, *at(inside)))


async def test_a_network_has_its_callers_and_no_others(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        for banned, inside, outside in (
            ("198.51.100.7", "198.51.100.7", "198.51.100.8"),
            ("203.0.113.128/25", "203.0.113.200", "203.0.113.1"),
            ("::ffff:192.0.2.7", "192.0.2.7", "::ffff:192.0.2.8"),
            ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
            ("2001:db8:5::/48", "2001:db8:5:ffff::1", "2001:db8:6::1"),
        ):
            await server.ban(address=banned)
            await comes_to("BANNED", listing(server, *at(inside)))
            await server.api.stub.ListGames(GAMES, metadata=at(outside))


async def test_an_address_that_a_caller_makes_up_is_not_the_one_that_is_banned(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        await server.ban(address="198.51.100.7")
        await comes_to("BANNED", listing(server, *at("203.0.113.1, 198.51.100.7")))
        await server.api.stub.ListGames(GAMES, metadata=at("198.51.100.7, 203.0.113.1"))


async def banned_key(server: Guarded, name: str, operators: str) -> admin.Ban:
    request = admin.CreateBanRequest(key=name, reason="Leaked.")
    request.duration.FromSeconds(600)
    return (await server.operators.CreateBan(request, metadata=(("x-api-key", operators),))).ban


async def test_a_key_is_banned_with_all_keys_of_its_name(valkey: EmbeddedServer, tmp_path: Path) -> None:
    await ask(valkey, "FLUSHALL")
    path, second, operators = tmp_path / "keys", new_key("backend"), new_key("ops")
    lines = [format_line(key, "play,host") for key in (BACKEND, second, OTHER)]
    await asyncio.to_thread(path.write_text, "\n".join((*lines, format_line(operators, "admin,host"), "* - watch")))
    async with guarded(valkey, keys=path) as server:
        made = [await banned_key(server, name, operators) for name in ("backend", "ops")]
        assert [ban.operator for ban in made] == ["ops", "ops"]
        for key in (BACKEND, second, operators):
            await comes_to("BANNED", listing(server, ("x-api-key", key)))
        with refused("PERMISSION_DENIED", "BANNED", banned="key", why="Leaked."):
            await server.api.stub.CreateSession(
                pb.CreateSessionRequest(game="kreta", seats=[BOT, BOT]), metadata=(("x-api-key", BACKEND),)
            )
        await server.api.stub.ListGames(GAMES, metadata=(("x-api-key", OTHER),))
        await server.api.stub.ListGames(GAMES)
        # Operators lift even the ban of their own key: their port has no bans.
        await server.operators.LiftBan(admin.LiftBanRequest(name=made[1].name), metadata=(("x-api-key", operators),))
        await comes_to("", listing(server, ("x-api-key", operators)))


async def test_a_player_is_refused_by_seat_and_by_id_and_the_seat_stays(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        sitting = await create(one.api, OPEN, OPEN)
        for player in ("ada", "bob"):
            joining = pb.JoinSessionRequest(name=sitting.name, display_name=player.title(), player_id=player)
            sitting.seats.append((await one.api.stub.JoinSession(joining)).seat_token)
        seat = (await look(one.api, sitting)).to_act[0]
        name, token = ("ada", "bob")[seat], sitting.seats[seat]
        ban = await one.ban(player_id=name, reason="Insults.")
        own = pb.GetSessionRequest(name=sitting.name)
        for server in (one, other):
            await comes_to("BANNED", lambda: server.api.stub.GetSession(own, metadata=bearer(token)))  # noqa: B023
            with refused("PERMISSION_DENIED", "BANNED", banned="player", why="Insults."):
                await move_once(server.api, sitting)
            for refused_call in (
                server.api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(token)),
                server.api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(token)),
                server.api.stub.FindMatch(pb.FindMatchRequest(game="kreta", display_name="Cyd", player_id=name))
                .__aiter__()
                .__anext__(),
            ):
                with refused("PERMISSION_DENIED", "BANNED", banned="player"):
                    await refused_call
            await look(server.api, sitting, sitting.seats[1 - seat])
        lobby = await create(one.api, OPEN, OPEN)
        with refused("PERMISSION_DENIED", "BANNED", banned="player"):
            await one.api.stub.JoinSession(pb.JoinSessionRequest(name=lobby.name, display_name="Ada", player_id=name))
        before = await look(one.api, sitting)
        await one.lift(ban)
        await comes_to("", lambda: one.api.stub.GetSession(own, metadata=bearer(token)))
        assert (await look(one.api, sitting)).sequence == before.sequence
        await move_once(one.api, sitting)


async def test_the_clock_of_a_banned_player_runs_and_the_game_goes_on(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1_000))
        sitting = await create(server.api, OPEN, OPEN, clock=clock)
        for player in ("ada", "bob"):
            joining = pb.JoinSessionRequest(name=sitting.name, display_name=player.title(), player_id=player)
            sitting.seats.append((await server.api.stub.JoinSession(joining)).seat_token)
        await server.ban(player_id=("ada", "bob")[(await look(server.api, sitting)).to_act[0]])
        started = await look(server.api, sitting)

        async def played_on() -> bool:
            return (await look(server.api, sitting)).sequence > started.sequence

        await until(played_on)
        replay = await server.api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))
        assert any(entry.HasField("timed_out") for entry in replay.replay.entries)


async def test_a_vouched_player_is_refused_with_the_identity_and_with_the_seat(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey, issuers=write_issuers(tmp_path / "issuers")) as server:
        ada, bob = (("skerry-identity", token(player)) for player in ("ada", "bob"))
        sitting = await create(server.api, OPEN, OPEN)
        joining = pb.JoinSessionRequest(name=sitting.name, display_name="Ada")
        seat = (await server.api.stub.JoinSession(joining, metadata=(ada,))).seat_token
        await server.ban(player_id=vouched_id(ISS, "ada"))
        await comes_to("BANNED", listing(server, ada))
        own = pb.GetSessionRequest(name=sitting.name)
        with refused("PERMISSION_DENIED", "BANNED", banned="player"):
            await server.api.stub.GetSession(own, metadata=bearer(seat))
        await server.api.stub.GetSession(own)
        await server.api.stub.ListGames(GAMES, metadata=(bob,))


@pytest.mark.parametrize("kind", ["address", "player"])
async def test_open_streams_of_a_banned_caller_end_and_others_go_on(valkey: EmbeddedServer, kind: str) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        sitting = await create(one.api, OPEN, OPEN)
        for player in ("ada", "bob"):
            joining = pb.JoinSessionRequest(name=sitting.name, display_name=player.title(), player_id=player)
            sitting.seats.append((await one.api.stub.JoinSession(joining)).seat_token)

        def observe(seat: int) -> Any:
            where = at(f"198.51.100.{seat + 1}")
            watching = pb.ObserveRequest(name=sitting.name)
            return other.api.stub.Observe(watching, metadata=(*where, *bearer(sitting.seats[seat]))).__aiter__()

        ada, bob = observe(0), observe(1)
        await anext(ada)
        await anext(bob)
        subject: dict[str, Any] = {"address": "198.51.100.1"} if kind == "address" else {"player_id": "ada"}
        await one.ban(**subject)
        async with asyncio.timeout(5):
            with refused("PERMISSION_DENIED", "BANNED", banned=kind):
                await anext(ada)
        await one.api.stub.SendEmote(
            pb.SendEmoteRequest(name=sitting.name, emote=session_pb2.EMOTE_HELLO),
            metadata=(*at("198.51.100.2"), *bearer(sitting.seats[1])),
        )
        assert (await anext(bob)).entries


async def test_a_play_stream_and_an_event_stream_end(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        sitting = await sit_down(one.api)
        attach = pb.PlayRequest(attach=[pb.PlayAttach(handle=1, name=sitting.name, token=sitting.seats[0])])
        played = other.api.stub.Play(metadata=at("198.51.100.1"))
        await played.write(attach)
        assert await played.read()
        async with connection(other.web.address) as (reader, writer):
            path = f"/v1/{sitting.name}:observe"
            writer.write(request("GET", path, {"x-forwarded-for": "198.51.100.1", "accept": "text/event-stream"}))
            assert (await read_head(reader)).status == 200
            await one.ban(address="198.51.100.0/24")
            async with asyncio.timeout(5):
                seen = await reader.readuntil(b"event: refusal")
                assert b"BANNED" in seen + await reader.readuntil(b"}\n")
                with refused("PERMISSION_DENIED", "BANNED", banned="address"):
                    while await played.read() is not grpc.aio.EOF:
                        pass


async def test_a_call_that_runs_when_the_ban_comes_is_answered(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        sitting = await sit_down(server.api)
        token, position = await turn(server.api, sitting)
        move = act(sitting, position.legal_moves[0], position.sequence)
        acting = asyncio.ensure_future(server.api.stub.Act(move, metadata=(*at("198.51.100.1"), *bearer(token))))
        await server.ban(address="198.51.100.1")
        made = await outcome_of(acting)
        assert made is None or made.reason == "BANNED"  # never half
        assert ((await look(server.api, sitting)).sequence > position.sequence) is (made is None)


async def test_the_refusal_is_in_the_callers_language(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        await server.ban(address="198.51.100.7", seconds=86_400 * 3)
        where = at("198.51.100.7", ("accept-language", "de"))
        await comes_to("BANNED", listing(server, *at("198.51.100.7")))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.api.stub.ListGames(GAMES, metadata=where)
        packed = dict(caught.value.trailing_metadata() or ())["grpc-status-details-bin"]
        assert isinstance(packed, bytes)
        message = LocalizedMessage()
        assert Status.FromString(packed).details[2].Unpack(message)
        assert (message.locale, message.message) == ("de", "Diese Adresse ist noch 3 Tage gesperrt. Grund: Spam.")


async def test_a_ban_ends_by_itself_and_outlives_the_servers(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        await server.ban(address="198.51.100.7", seconds=600)
        await server.ban(address="198.51.100.8", seconds=2)
        await comes_to("BANNED", listing(server, *at("198.51.100.8")))
        await comes_to("", listing(server, *at("198.51.100.8")))
        assert [ban.address for ban in await server.bans()] == ["198.51.100.7/32"]
    async with guarded(valkey) as again:
        with refused("PERMISSION_DENIED", "BANNED"):
            await again.api.stub.ListGames(GAMES, metadata=at("198.51.100.7"))


async def test_the_tools_for_agents_refuse_a_banned_caller(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey, mcp=True, mcp_key=SECRET) as server:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_games", "arguments": {}}}
        sent = {"accept": "application/json, text/event-stream", "x-forwarded-for": "198.51.100.7"}
        allowed = await server.web.call("POST", "/mcp", call, headers=sent)
        assert (allowed.status, allowed.json["result"].get("isError", False)) == (200, False)
        await server.ban(address="198.51.100.7", reason="Scrapes.")
        await comes_to("BANNED", listing(server, *at("198.51.100.7")))
        banned = await server.web.call("POST", "/mcp", call, headers=sent)
        assert banned.json["result"]["isError"]
        assert "Scrapes." in banned.body.decode()
