"""A trusted backend acts for its players without their seat tokens, and for no others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.api_key_file import format_line, new_key, read_keys
from skerry_service.access.identity.vouched_players import vouched_id
from skerry_service.access.keyring import Keyring
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, Api, Metadata, Sitting, bearer, refused, served
from tests.identity.issuing import token, write_issuers
from tests.store.servers import ask, until

BACKEND, OTHER, PLAIN = new_key("backend"), new_key("other"), new_key("plain")
NEWER = new_key("backend")
LINES = [
    format_line(BACKEND, "play,host,act-for"),
    format_line(NEWER, "play,host,act-for"),
    format_line(OTHER, "play,host,act-for"),
    format_line(PLAIN, "play,host"),
    "* - watch",
]
ADA = vouched_id("key:backend", "ada")


def acting(player: str, key: str = BACKEND) -> Metadata:
    return (("x-api-key", key), ("skerry-act-for", player))


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys"
    write(path, *LINES)
    return path


def write(path: Path, *lines: str) -> None:
    path.write_text("\n".join(lines))


@asynccontextmanager
async def playing(valkey: EmbeddedServer, keys: Path, **more: Any) -> AsyncIterator[tuple[Api, Sitting]]:
    """Yield a server and a game of two players of the backend."""
    await ask(valkey, "FLUSHALL")
    async with served(valkey, keys=keys, **more) as api:
        new = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])
        made = await api.stub.CreateSession(new, metadata=(("x-api-key", BACKEND),))
        sitting = Sitting(made.session.name, made.host_token, made.spectator_token)
        for player in ("ada", "bob"):
            request = pb.JoinSessionRequest(name=sitting.name, display_name=player.capitalize())
            joined = await api.stub.JoinSession(request, metadata=acting(player))
            sitting.seats.append(joined.seat_token)
        yield api, sitting


async def position(api: Api, sitting: Sitting, metadata: Metadata) -> session_pb2.Position:
    return (await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=metadata)).position


async def move(api: Api, sitting: Sitting, player: str, key: str = BACKEND) -> pb.ActResponse:
    seen = await position(api, sitting, acting(player))
    request = pb.ActRequest(name=sitting.name, move=seen.legal_moves[0], expected_sequence=seen.sequence)
    return await api.stub.Act(request, metadata=acting(player, key))


async def to_act(api: Api, sitting: Sitting) -> str:
    return ("ada", "bob")[(await position(api, sitting, acting("ada"))).to_act[0]]


async def test_a_backend_reads_and_moves_for_its_players(valkey: EmbeddedServer, keys: Path) -> None:
    async with playing(valkey, keys) as (api, sitting):
        request = pb.GetSessionRequest(name=sitting.name)
        seen = await api.stub.GetSession(request, metadata=acting("ada"))
        assert (seen.position.seat, seen.session.seats[0].player_id) == (0, ADA)
        for _ in range(4):
            await move(api, sitting, await to_act(api, sitting))
        await move(api, sitting, await to_act(api, sitting), NEWER)  # another key of the same name
        emote = pb.SendEmoteRequest(name=sitting.name, emote=session_pb2.EMOTE_HELLO)
        await api.stub.SendEmote(emote, metadata=acting("bob"))
        recovered = await api.stub.RecoverSeat(pb.RecoverSeatRequest(name=sitting.name), metadata=acting("bob"))
        with_token = (("x-api-key", PLAIN), *bearer(recovered.seat_token))
        assert (await position(api, sitting, with_token)).seat == 1


async def test_a_token_of_the_call_counts_first(valkey: EmbeddedServer, keys: Path) -> None:
    async with playing(valkey, keys) as (api, sitting):
        assert (await position(api, sitting, (*acting("ada"), *bearer(sitting.seats[1])))).seat == 1


async def test_a_stream_ends_when_its_key_may_not_act_any_more(
    valkey: EmbeddedServer, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Keyring] = []

    async def watch(self: Keyring) -> None:
        made.append(self)

    monkeypatch.setattr(Keyring, "watch", watch)
    async with playing(valkey, keys) as (api, sitting):
        await until(lambda: bool(made))
        observed = aiter(api.stub.Observe(pb.ObserveRequest(name=sitting.name), metadata=acting("bob")))
        assert (await anext(observed)).position.seat == 1
        played = api.stub.Play(metadata=acting("ada"))
        await played.write(pb.PlayRequest(attach=[pb.PlayAttach(name=sitting.name, handle=1)]))
        answer = await played.read()
        assert isinstance(answer, pb.PlayResponse)
        assert answer.updates[0].observed.position.seat == 0
        write(keys, *(line.replace(",act-for", "") for line in LINES))
        assert await made[0].poll()
        emote = pb.SendEmoteRequest(name=sitting.name, emote=session_pb2.EMOTE_HELLO)
        await api.stub.SendEmote(emote, metadata=(("x-api-key", PLAIN), *bearer(sitting.seats[0])))
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="act-for"):
            await anext(observed)
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="act-for"):
            while isinstance(await played.read(), pb.PlayResponse):
                pass


async def test_no_key_acts_for_players_of_another(valkey: EmbeddedServer, keys: Path) -> None:
    async with playing(valkey, keys) as (api, sitting):
        assert not (await position(api, sitting, acting("ada", OTHER))).HasField("seat")
        seen = await position(api, sitting, acting(await to_act(api, sitting)))
        request = pb.ActRequest(name=sitting.name, move=seen.legal_moves[0], expected_sequence=seen.sequence)
        for player in ("ada", "bob", ADA):
            with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
                await api.stub.Act(request, metadata=acting(player, OTHER))
            with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
                await api.stub.RecoverSeat(pb.RecoverSeatRequest(name=sitting.name), metadata=acting(player, OTHER))
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await api.stub.Act(request, metadata=acting("eve"))
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="act-for"):
            await api.stub.Act(request, metadata=acting("ada", PLAIN))
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=(("skerry-act-for", "ada"),))
        for text in (f"Bearer {ADA}", f"Bearer player {ADA}"):
            with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
                await api.stub.Act(request, metadata=(("x-api-key", BACKEND), ("authorization", text)))
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await api.stub.CancelSession(pb.CancelSessionRequest(name=sitting.name), metadata=acting("ada"))
        await api.stub.Act(request, metadata=acting(await to_act(api, sitting)))


async def test_the_player_is_named_once_and_well(valkey: EmbeddedServer, keys: Path, tmp_path: Path) -> None:
    issuers = write_issuers(tmp_path / "issuers.json")
    async with playing(valkey, keys, issuers=issuers) as (api, sitting):
        twice = (*acting("ada"), ("skerry-act-for", "bob"))
        both = (*acting("ada"), ("skerry-identity", token("ada")))
        for metadata in (acting(""), acting("two words"), acting("x" * 256), twice, both):
            with refused("UNAUTHENTICATED", "IDENTITY_INVALID", problem="malformed"):
                await position(api, sitting, metadata)


async def test_an_issuer_and_a_key_share_no_players(valkey: EmbeddedServer, keys: Path, tmp_path: Path) -> None:
    issuers = write_issuers(tmp_path / "issuers.json")
    async with playing(valkey, keys, issuers=issuers) as (api, sitting):
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await api.stub.RecoverSeat(
                pb.RecoverSeatRequest(name=sitting.name),
                metadata=(("x-api-key", PLAIN), ("skerry-identity", token("ada"))),
            )


async def test_a_server_without_keys_acts_for_nobody(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with served(valkey) as api:
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await api.stub.ListGames(pb.ListGamesRequest(), metadata=(("skerry-act-for", "ada"),))


def test_callers_without_a_key_cannot_have_the_scope() -> None:
    with pytest.raises(ValueError, match="cannot have the scope act-for"):
        read_keys("* - watch,act-for")
