"""Lists of sessions by several labels, and the lists of two players, over a real server with an issuer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as api
from skerry_client import AsyncClient, Client, errors
from skerry_service import local
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.identity.issuing import token, write_issuers
from tests.store.servers import running_server as running_store


@pytest.fixture(scope="module")
def store() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_store() as server:
        yield server


@pytest.fixture
async def address(store: EmbeddedServer, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server with an issuer."""
    issuers = write_issuers(tmp_path / "issuers.json")
    async with running_server(Config(port=0, redis_url=store.url, issuers=issuers)) as running:
        yield running.address


async def test_players_list_their_own_sessions_the_urgent_ones_first(address: str) -> None:
    def blocking() -> list[tuple[str, bool]]:
        with Client(address, identity=token("bob")) as client:
            return [(session.name, turn.waits) for session, turn in client.my_sessions()]

    async with (
        AsyncClient(address, identity=token("ada")) as here,
        AsyncClient(address, identity=token("bob")) as there,
    ):
        game = await here.create("kreta", seats=2, visibility="unlisted", labels={"event": "cup", "round": "1"})
        seats = [await game.join("Ada"), await (await there.table(game.name)).join("Bob")]
        lobby = await here.create("kreta", seats=2, labels={"event": "cup"})
        await lobby.join("Ada")
        mine = [one async for one in here.my_sessions()]
        (to_act,) = (await seats[0].position()).to_act
        assert [(session.name, turn.seat, turn.waits) for session, turn in mine] == (
            [(game.name, 0, True), (lobby.name, 0, False)]
            if to_act == 0
            else [(lobby.name, 0, False), (game.name, 0, False)]
        )
        assert [list(turn.to_act) for session, turn in mine if session.name == game.name] == [[to_act]]
        assert await asyncio.to_thread(blocking) == [(game.name, to_act == 1)]
        for filters, expected in [
            ({"label": ["round=1", "event"]}, {game.name}),
            ({"label": "event=cup"}, {game.name, lobby.name}),
            ({"state": "lobby"}, {lobby.name}),
            ({"game": "canarias"}, set()),
        ]:
            assert {session.name async for session, _ in here.my_sessions(**filters)} == expected  # type: ignore[arg-type]
        await seats[0].resign()
        assert [turn.waits async for _, turn in there.my_sessions(state="finished")] == [False]


async def test_without_an_identity_nothing_is_listed(address: str) -> None:
    async with AsyncClient(address) as skerry:
        with pytest.raises(errors.IdentityMissing):
            await anext(skerry.my_sessions())


def test_several_labels_must_all_be_there() -> None:
    with local.Client() as skerry:
        both = skerry.create("kreta", seats=2, labels={"event": "cup", "round": "1"})
        skerry.create("kreta", seats=2, labels={"event": "cup", "round": "2"})
        assert [one.name for one in skerry.sessions(label=["round=1", "event=cup"])] == [both.name]
        assert len(list(skerry.sessions(label=("event",)))) == 2
        with pytest.raises(errors.InvalidField):
            list(skerry.sessions(label=["event"] * 9))


def test_a_list_of_many_pages_has_each_session_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skerry_client.resources.session_lists.api.ListSessionsRequest", _small_pages)
    with local.Client() as skerry:
        names = [skerry.create("kreta", seats=2).name for _ in range(5)]
        assert sorted(one.name for one in skerry.sessions()) == sorted(names)


Request = api.ListSessionsRequest


def _small_pages(page_size: int) -> api.ListSessionsRequest:
    return Request(page_size=2)


def test_a_wrong_label_is_explained() -> None:
    with local.Client() as skerry:
        for label, kind in [("", ValueError), (["a", ""], ValueError), (3, TypeError), ([3], TypeError)]:
            with pytest.raises(kind, match="label: Pass a label, as key or key=value,"):
                skerry.my_sessions(label=label)  # type: ignore[arg-type]
