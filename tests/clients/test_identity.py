"""A client with an identity token, and a backend that acts for its users, over each transport of a real server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from skerry_client import AsyncClient, AsyncSeat, Client, errors
from skerry_client.transport.choice import TransportName
from skerry_service import local
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.access.identity.vouched_players import vouched_id
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.clients.play import SEED
from tests.identity.issuing import ISS, token, write_issuers
from tests.store.servers import running_server as running_store

BACKEND = new_key("backend")
PATIENCE = 30


@pytest.fixture(scope="module")
def store() -> Any:
    """The store of the module's servers."""
    with running_store() as server:
        yield server


@pytest.fixture(params=["connect", "grpc", "auto"])
async def to_server(
    request: pytest.FixtureRequest, store: EmbeddedServer, tmp_path: Path
) -> AsyncIterator[Callable[..., Any]]:
    """Run a server with an issuer, and with a key that may act for users. Yield a function that makes clients."""
    transport: TransportName = request.param
    keys = tmp_path / "keys"
    keys.write_text("\n".join((format_line(BACKEND, "play,host,act-for"), "* - play,host,watch")))
    issuers = write_issuers(tmp_path / "issuers.json")
    async with running_server(Config(port=0, redis_url=store.url, issuers=issuers, keys=keys)) as running:

        def client(make: Any = AsyncClient, **options: Any) -> Any:
            return make(running.address, transport=transport, **options)

        yield client


class Issuer:
    """Returns tokens for a user: first the given ones, then valid ones."""

    def __init__(self, user: str, *first: str) -> None:
        self._user = user
        self._first = list(first)
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        return self._first.pop(0) if self._first else token(self._user)

    async def wait(self) -> str:
        """Return the token after a pause."""
        await asyncio.sleep(0.01)
        return self()


def expired(user: str) -> str:
    return token(user, exp=time.time() - 3600)


def forged(sent: str) -> str:
    """Return the token with a wrong signature, as one has whose key was replaced under the same id."""
    head, _, _ = sent.rpartition(".")
    return f"{head}.{token('eve').rpartition('.')[2]}"


@asynccontextmanager
async def two(make: Callable[..., Any], ada: Any, bob: Any) -> AsyncIterator[tuple[AsyncSeat, AsyncSeat]]:
    """Yield the seats of two users, each with a client of its own."""
    async with make(identity=ada) as here, make(identity=bob) as there:
        table = await here.create("kreta", seats=2, seed=SEED)
        yield await table.join("Ada"), await (await there.table(table.name)).join("Bob")


async def play_on(seat: AsyncSeat, moves: int) -> int:
    """Play a seat for some moves. Return how many it made."""
    made = 0
    async for position in seat.turns():
        await seat.act(position.legal_moves[0])
        made += 1
        if made == moves:
            break
    return made


@pytest.mark.parametrize("retry_for", [0, 30])
async def test_a_user_continues_on_another_device(to_server: Callable[..., Any], retry_for: float) -> None:
    bob = Issuer("bob")
    async with two(to_server, token("ada"), bob) as (here, there), asyncio.timeout(PATIENCE):
        assert [one.player_id for one in (await here.session()).seats] == [
            vouched_id(ISS, one) for one in ("ada", "bob")
        ]
        async with to_server(identity=bob.wait, retry_for=retry_for) as device:
            seat = await device.recover_seat(there.name)
            assert (seat.name, seat.number, seat.host_token) == (there.name, 1, None)
            assert seat.token != there.token
            with pytest.raises(errors.TokenInvalid):
                await there.position()
            assert await asyncio.gather(*(play_on(one, 6) for one in (here, seat))) == [6, 6]
            assert [one.seat for one in await seat.entries() if one.HasField("recovered")] == [1]


async def test_a_client_asks_again_for_an_expired_token_once(to_server: Callable[..., Any]) -> None:
    ada = Issuer("ada", expired("ada"))
    async with to_server(identity=ada) as skerry, asyncio.timeout(PATIENCE):
        await asyncio.gather(*(skerry.games() for _ in range(8)))
        assert ada.asked == 2
        await skerry.games()
        assert ada.asked == 2
    bob = Issuer("bob", *(expired("bob") for _ in range(9)))
    async with to_server(identity=bob) as skerry, asyncio.timeout(PATIENCE):
        with pytest.raises(errors.IdentityInvalid) as raised:
            await skerry.games()
        assert (raised.value.metadata["problem"], bob.asked) == ("expired", 2)


async def test_a_client_asks_again_for_a_token_whose_key_is_gone(to_server: Callable[..., Any]) -> None:
    """The server looks for the key first, so an old token under a key that was changed is not said to be expired."""
    for problem, sent in (("key", token("ada", kid="EdDSA-9")), ("signature", forged(token("ada")))):
        ada = Issuer("ada", sent, sent)
        async with to_server(identity=ada) as skerry, asyncio.timeout(PATIENCE):
            with pytest.raises(errors.IdentityInvalid) as raised:
                await skerry.games()
            assert (raised.value.metadata["problem"], ada.asked) == (problem, 2)
            assert await skerry.games()
            assert ada.asked == 3


async def test_a_call_with_another_fault_does_not_ask_again(to_server: Callable[..., Any]) -> None:
    stranger = Issuer("ada", token("ada", aud="another"))
    for identity in (stranger, expired("ada")):
        async with to_server(identity=identity) as skerry, asyncio.timeout(PATIENCE):
            with pytest.raises(errors.IdentityInvalid):
                await skerry.games()
    assert stranger.asked == 1


async def test_streams_replace_an_expired_token(to_server: Callable[..., Any]) -> None:
    ada = Issuer("ada")
    async with to_server(identity=ada) as skerry, asyncio.timeout(PATIENCE):
        table = await skerry.create("kreta", seats=2, bots=1, seed=SEED)
        seat = await table.join("Ada")
        for stream in (table.observe, seat.turns):
            skerry._calls._identity.token = expired("ada")
            before, messages = ada.asked, stream()
            assert await anext(messages)
            await messages.aclose()
            assert ada.asked == before + 1
        skerry._calls._identity.token = expired("ada")
        found = asyncio.create_task(skerry.find_match("kreta", "Ada", seats=2))
        async with to_server(identity=token("bob")) as there:
            other = await there.find_match("kreta", "Bob", seats=2)
            seats = (await (await found).session()).seats
        assert sorted(one.player_id for one in seats) == sorted(vouched_id(ISS, one) for one in ("ada", "bob"))
        assert other.name == (await found).name


async def test_the_stream_that_seats_share_replaces_an_expired_token(to_server: Callable[..., Any]) -> None:
    ada = Issuer("ada")
    async with to_server(identity=ada) as skerry, asyncio.timeout(PATIENCE):
        seats = [await (await skerry.create("kreta", seats=2, bots=1, seed=SEED)).join("Ada") for _ in range(3)]
        skerry._calls._identity.token = expired("ada")
        streams = [seat._updates(0, play=True) for seat in seats]
        assert [(await one).position.seat for one in asyncio.as_completed(map(anext, streams))] == [0, 0, 0]
        assert (ada.asked, skerry._calls._play_works) == (2, True)
        for stream in streams:
            await stream.aclose()


async def test_an_error_of_the_function_reaches_the_caller(to_server: Callable[..., Any]) -> None:
    def fail() -> str:
        raise LookupError("signed out")

    async with to_server(identity=fail) as skerry:
        with pytest.raises(LookupError, match="signed out"):
            await skerry.games()
    async with to_server(identity=lambda: "line\nbreak") as skerry:
        with pytest.raises(ValueError, match="identity: Pass an identity token unchanged"):
            await skerry.games()


async def test_a_backend_plays_for_its_users_without_their_tokens(to_server: Callable[..., Any]) -> None:
    async with (
        to_server(api_key=BACKEND, act_for="u-1") as ada,
        to_server(api_key=BACKEND, act_for="u-2") as bob,
        asyncio.timeout(PATIENCE),
    ):
        table = await ada.create("kreta", seats=2, seed=SEED)
        joined = await table.join("Ada")
        await (await bob.table(table.name)).join("Bob")
        seats = [await one.seat(table.name) for one in (ada, bob)]
        assert [(one.number, one.token) for one in seats] == [(0, ""), (1, "")]
        assert await asyncio.gather(*(play_on(one, 6) for one in seats)) == [6, 6]
        recovered = await ada.recover_seat(table.name, seat=0)
        assert recovered.token != joined.token
        async with to_server(api_key=BACKEND, act_for="u-3") as eve:
            with pytest.raises(errors.NotAllowed, match="has no seat"):
                await eve.seat(table.name)
            with pytest.raises(errors.NotAllowed):
                await eve.recover_seat(table.name)


async def test_a_user_without_the_token_takes_a_seat_in_the_rematch(to_server: Callable[..., Any]) -> None:
    ada, bob = token("ada"), token("bob")

    def rematch(name: str) -> tuple[str, int]:
        with to_server(make=Client, identity=bob) as skerry:
            seat = skerry.rematch(name)
            return seat.name, seat.number

    async with (
        two(to_server, ada, bob) as (here, there),
        to_server(identity=ada) as device,
        to_server(identity=token("eve")) as stranger,
        to_server() as anonymous,
        asyncio.timeout(PATIENCE),
    ):
        with pytest.raises(errors.NotFinished):
            await device.rematch(here.name)
        await there.resign()
        first = await device.rematch(here.name)
        assert (first.number, bool(first.host_token)) == (1, True)
        assert (await device.rematch(here.name)).token == first.token
        assert await asyncio.to_thread(rematch, here.name) == (first.name, 0)
        with pytest.raises(errors.NotAllowed):
            await stranger.rematch(here.name)
        with pytest.raises(errors.TokenMissing):
            await anonymous.rematch(here.name)


async def test_the_blocking_client_recovers_a_seat(to_server: Callable[..., Any]) -> None:
    ada = Issuer("ada", expired("ada"))

    def recover(name: str) -> tuple[str, int]:
        with to_server(make=Client, identity=ada) as skerry:
            seat = skerry.recover_seat(name)
            return seat.token, seat.position().seat

    async with two(to_server, token("ada"), token("bob")) as (here, _), asyncio.timeout(PATIENCE):
        seat_token, number = await asyncio.to_thread(recover, here.name)
        assert seat_token not in ("", here.token)
        assert (number, ada.asked) == (0, 2)


def test_a_client_without_an_identity_recovers_no_seat() -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2)
        table.join("Ada")
        with pytest.raises(errors.IdentityMissing):
            skerry.recover_seat(table.name)
        with pytest.raises(TypeError, match="token: Pass the token of a seat"):
            skerry.seat(table.name)


def test_bad_arguments_are_refused_before_a_call() -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"identity": ""}, "identity: Pass an identity token; the string is empty"),
        ({"identity": "a\nb"}, "identity: Pass an identity token unchanged"),
        ({"act_for": ""}, "act_for: Pass the name of a user"),
        ({"act_for": "a", "identity": "b"}, "act_for: Pass identity or act_for, not both"),
    ]
    for options, message in bad:
        with pytest.raises(ValueError, match=message):
            Client("127.0.0.1:1", **options)
    with pytest.raises(TypeError, match="identity: Pass an identity token as a string"):
        Client("127.0.0.1:1", identity=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="server: Pass HOST:PORT with identity, act_for or cell"):
        Client(local.LocalTransport(), identity="token")
