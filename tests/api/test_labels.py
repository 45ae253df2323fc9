"""Labels over the wire: who sets them, who reads them, and how sessions are found by them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from skerry.v1 import service_pb2 as pb
from skerry_service.replays.verification import first_difference
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, Sitting, bearer, create, get, look, move_once, play_out, refused, sit_down
from tests.store.servers import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

CUP = {"event": "spring-cup", "round": "1"}
LABELS: tuple[dict[str, str], ...] = (
    {},
    {"a": "x"},
    {"a" * 32: "\U0001f3b2" * 64, "a.b_c-d9": "key=value, = and \u201equotes\u201c"},
    {f"key{n}": str(n) for n in range(8)},
)
NO_LABELS = (
    {"": "x"},
    {"A": "x"},
    {"9a": "x"},
    {"_a": "x"},
    {"a b": "x"},
    {"a=b": "x"},
    {"ä": "x"},
    {"a\n": "x"},
    {"a" * 33: "x"},
    {"a": ""},
    {"a": "x" * 65},
    {"a": "x\n"},
    {"a": "x\u202ey"},
    {"a": "\u200b"},
    {f"key{n}": str(n) for n in range(9)},
    {"x" * 5000: "y" * 5000},
)
NO_FILTERS = ("=", "=x", "event=", "Event", "event round", "9", "event\n", "x" * 33, "\u2603=1")


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _empty(valkey: EmbeddedServer) -> AsyncIterator[None]:
    await ask(valkey, "FLUSHALL")
    yield


def label(sitting: Sitting, labels: dict[str, str]) -> pb.LabelSessionRequest:
    return pb.LabelSessionRequest(name=sitting.name, labels=labels)


async def listed(api: Api, text: str) -> set[str]:
    return {one.name for one in (await api.stub.ListSessions(pb.ListSessionsRequest(label=text))).sessions}


@pytest.mark.parametrize("labels", LABELS, ids=len)
async def test_everybody_who_may_see_the_session_reads_its_labels(api: Api, labels: dict[str, str]) -> None:
    sitting = await create(api, OPEN, OPEN, labels=labels)
    assert dict((await get(api, sitting)).session.labels) == labels
    ((session,),) = [(await api.stub.ListSessions(pb.ListSessionsRequest())).sessions]
    assert dict(session.labels) == labels
    answer = await api.stub.LabelSession(label(sitting, CUP), metadata=bearer(sitting.host))
    assert dict(answer.session.labels) == CUP
    assert (await get(api, sitting)).session == answer.session


@pytest.mark.parametrize("labels", NO_LABELS, ids=ascii)
async def test_labels_of_another_form_are_refused(api: Api, labels: dict[str, str]) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="labels"):
        await create(api, OPEN, OPEN, labels=labels)
    sitting = await create(api, OPEN, OPEN, labels=CUP)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="labels"):
        await api.stub.LabelSession(label(sitting, labels), metadata=bearer(sitting.host))
    assert dict((await get(api, sitting)).session.labels) == CUP


async def test_sessions_are_found_by_a_label(api: Api) -> None:
    first = (await create(api, OPEN, OPEN, labels=CUP)).name
    second = await create(api, OPEN, OPEN, labels={"event": "a=b"})
    await create(api, OPEN, OPEN)
    await create(api, OPEN, OPEN, labels=CUP, visibility=2)
    both = {first, second.name}
    for text, found in (
        ("", 3),
        ("event", both),
        ("event=spring-cup", {first}),
        ("event=a=b", {second.name}),
        ("event=spring", set()),
        ("round", {first}),
        ("even", set()),
    ):
        assert (await listed(api, text) if text else len(await listed(api, text))) == found, text
    await api.stub.LabelSession(label(second, {}), metadata=bearer(second.host))
    assert await listed(api, "event") == {first}


@pytest.mark.parametrize("text", NO_FILTERS, ids=ascii)
async def test_a_filter_of_another_form_is_refused(api: Api, text: str) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="label"):
        await listed(api, text)


async def test_streams_tell_of_new_labels_and_bring_the_session(api: Api) -> None:
    sitting = await sit_down(api, labels=CUP)
    watchers = [Watcher(api, sitting, token) for token in (None, sitting.spectator, sitting.seats[0])]
    for watcher in watchers:
        await watcher.has(1)
    answer = await api.stub.LabelSession(label(sitting, {"round": "2"}), metadata=bearer(sitting.host))
    for watcher in watchers:
        update = await watcher.reaches(answer.session.sequence)
        (entry,) = update.entries
        assert (dict(entry.labelled.labels), entry.HasField("seat")) == ({"round": "2"}, False)
        assert dict(update.session.labels) == {"round": "2"}
        await watcher.hang_up()


async def test_a_game_that_was_labelled_in_play_is_replayed_and_found_to_be_true(api: Api) -> None:
    sitting = await sit_down(api, labels=CUP)
    for number in range(3):
        await move_once(api, sitting, number)
        before = (await look(api, sitting)).sequence
        answer = await api.stub.LabelSession(label(sitting, {"step": f"{number}"}), metadata=bearer(sitting.host))
        assert answer.session.sequence == before + 1
    await play_out(api, sitting)
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    received = [dict(entry.labelled.labels) for entry in replay.entries if entry.HasField("labelled")]
    assert received == [{"step": "0"}, {"step": "1"}, {"step": "2"}]
    assert dict(replay.session.labels) == {"step": "2"}
    assert first_difference(replay) is None
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        await api.stub.LabelSession(label(sitting, {}), metadata=bearer(sitting.host))
