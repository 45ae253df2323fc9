"""Pages of sessions over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import product
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.catalogue import all_games
from skerry_service.api.requests.list_requests import session_filter_of
from skerry_service.domain.log import pack
from skerry_service.domain.record import Record, unpack_record
from skerry_service.sessions.loader import damage_found
from skerry_service.store import redis_keys
from skerry_service.store.diagnosis import trouble_with
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wire.session_messages import write_session
from tests.api.wire import BOT, OPEN, Api, bearer, create, get, move_once, sit_down
from tests.store.servers import ask, open_store

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOBBY, PLAYING, FINISHED = (
    session_pb2.SESSION_STATE_LOBBY,
    session_pb2.SESSION_STATE_PLAYING,
    session_pb2.SESSION_STATE_FINISHED,
)


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _empty(valkey: EmbeddedServer, api: Api) -> AsyncIterator[None]:
    await ask(valkey, "FLUSHALL")
    yield


async def pages(api: Api, **request: Any) -> list[list[session_pb2.Session]]:
    """Read every page."""
    found, token = [], ""
    while True:
        page = await api.stub.ListSessions(pb.ListSessionsRequest(page_token=token, **request))
        found.append(list(page.sessions))
        token = page.next_page_token
        if not token:
            return found


def names(read: list[list[session_pb2.Session]]) -> list[str]:
    return [session.name for page in read for session in page]


async def test_public_sessions_are_listed_as_they_stand_and_unlisted_ones_are_not(api: Api, replica: Api) -> None:
    shown = [await create(api, OPEN, OPEN), await sit_down(api), await create(api, BOT, BOT)]
    hidden = await create(api, OPEN, OPEN, visibility=session_pb2.VISIBILITY_UNLISTED)
    await move_once(api, shown[1])
    for server in (api, replica):
        ((*listed,),) = await pages(server)
        assert {session.name for session in listed} == {sitting.name for sitting in shown}
        for session in listed:
            got = await server.stub.GetSession(pb.GetSessionRequest(name=session.name))
            assert session == got.session
    assert (await get(api, hidden)).session.visibility == session_pb2.VISIBILITY_UNLISTED


async def test_the_newest_come_first_in_pages_of_any_size(api: Api) -> None:
    made = [(await create(api, OPEN, OPEN)).name for _ in range(9)]
    for size in (1, 2, 4, 8, 9, 10, 100):
        read = await pages(api, page_size=size)
        assert sorted(names(read)) == sorted(made)
        times = [session.create_time.ToMilliseconds() for page in read for session in page]
        assert times == sorted(times, reverse=True)
        assert all(len(page) == size for page in read[:-1])
        assert len(read) == -(-9 // size)


async def test_sessions_made_while_the_pages_are_read_disturb_nothing(api: Api) -> None:
    made = [(await create(api, OPEN, OPEN)).name for _ in range(5)]
    first = await api.stub.ListSessions(pb.ListSessionsRequest(page_size=2))
    await create(api, OPEN, OPEN)
    rest = await api.stub.ListSessions(pb.ListSessionsRequest(page_size=9, page_token=first.next_page_token))
    assert sorted(session.name for session in (*first.sessions, *rest.sessions)) == sorted(made)


async def test_a_page_has_twenty_sessions_unless_asked_and_never_more_than_a_hundred(api: Api) -> None:
    for _ in range(105):
        await create(api, OPEN, OPEN)
    for asked, given in ((0, 20), (21, 21), (100, 100), (101, 100), (2**31 - 1, 100)):
        page = await api.stub.ListSessions(pb.ListSessionsRequest(page_size=asked))
        assert len(page.sessions) == given
        assert page.next_page_token


async def test_filters_pass_what_they_name_and_nothing_else(api: Api) -> None:
    for game in all_games().values():
        seats = game.seats[0]
        await create(api, *[OPEN] * seats, game=game.id)
        await sit_down(api, seats, game=game.id)
        await create(api, *[BOT] * seats, game=game.id)
    for state in (LOBBY, PLAYING, FINISHED):
        for one in all_games():
            ((session,),) = await pages(api, game=one, state=state)
            assert (session.game, session.state) == (one, state)
        assert len(names(await pages(api, state=state))) == len(all_games())
    for one in all_games():
        assert len(names(await pages(api, game=one, page_size=2))) == 3


HANDLE = f"bot~{'a' * 32}"


async def test_a_filter_passes_those_of_all_sessions_that_it_names(api: Api, replica: Api) -> None:
    """Whatever becomes of them, and whichever call caused it."""
    kept = pb.SeatSetup(reserved_for=HANDLE)
    for number, game in enumerate(all_games().values()):
        seats, labels = game.seats[0], {"league": f"{number % 2}", **({"open": "yes"} if number < 2 else {})}
        await create(api, *[OPEN] * seats, game=game.id)
        await create(api, kept, *[OPEN] * (seats - 1), game=game.id, labels=labels)
        await sit_down(api, seats, game=game.id, labels=labels)
        relabelled = await create(replica, *[OPEN] * seats, game=game.id, labels=labels)
        relabel = pb.LabelSessionRequest(name=relabelled.name, labels={"league": "2"})
        await api.stub.LabelSession(relabel, metadata=bearer(relabelled.host))
        await create(api, *[BOT] * seats, game=game.id, labels=labels)
        off = await create(api, *[OPEN] * seats, game=game.id, labels=labels)
        await replica.stub.CancelSession(pb.CancelSessionRequest(name=off.name), metadata=bearer(off.host))
    shown = {one.name: one for page in await pages(api) for one in page}
    assert len(shown) == 5 * len(all_games())
    for game_id, state, (label, bot) in product(("", "kreta"), (0, LOBBY, PLAYING, FINISHED), _OTHERS):
        read = await pages(replica, game=game_id, state=state, label=label, reserved_for=bot, page_size=2)
        asked = [name for name in shown if _is_asked(shown[name], game_id, state, label, bot)]
        assert names(read) == asked, (game_id, state, label, bot)
        assert all(len(page) == 2 for page in read[:-1]), "nothing else was in the way"


_OTHERS = [("", ""), ("league", ""), ("league=1", ""), ("league=2", ""), ("open", ""), ("", HANDLE), ("open", HANDLE)]


def _is_asked(session: session_pb2.Session, game: str, state: int, label: str, bot: str) -> bool:
    key, _, value = label.partition("=")
    return (
        game in ("", session.game)
        and state in (0, session.state)
        and (not label or (key in session.labels and value in ("", session.labels[key])))
        and (not bot or any(seat.reserved_for == bot for seat in session.seats))
    )


async def test_there_is_one_empty_page_where_nothing_is(api: Api) -> None:
    assert await pages(api) == [[]]
    await create(api, OPEN, OPEN)
    assert await pages(api, state=FINISHED) == [[]]


@pytest.mark.parametrize("asked", [{"game": "kreta"}, {"state": LOBBY}, {"label": "league"}, {"reserved_for": HANDLE}])
async def test_each_filter_by_itself_spares_the_look_at_all_others(asked: dict[str, Any]) -> None:
    assert session_filter_of(pb.ListSessionsRequest())[1] is None
    assert session_filter_of(pb.ListSessionsRequest(**asked))[1]


def damaged_record(**fields: Any) -> Callable[[bytes], bytes]:
    return lambda record: pack(replace(unpack_record(record), **fields))


@pytest.mark.parametrize(
    ("field", "damage"),
    [
        ("s", lambda stored: b"x"),
        ("s", lambda stored: b"9" * 30),
        ("r", damaged_record(created_ms=10**18)),
        ("r", damaged_record(options=b"x")),
        ("r", damaged_record(id="another")),
    ],
    ids=["a sequence of letters", "a huge sequence", "a time beyond all calendars", "options", "another id"],
)
async def test_lists_leave_out_a_damaged_session_which_the_log_names_once(
    api: Api,
    valkey: EmbeddedServer,
    caplog: pytest.LogCaptureFixture,
    field: str,
    damage: Callable[[bytes], bytes],
) -> None:
    damaged, whole = await create(api, OPEN, OPEN), await create(api, OPEN, OPEN)
    session = damaged.name.removeprefix("sessions/")
    await ask(
        valkey,
        "HSET",
        redis_keys.head(session),
        field,
        damage(await ask(valkey, "HGET", redis_keys.head(session), field)),
    )
    found = damage_found()
    for _ in range(2):
        assert names(await pages(api)) == [whole.name]
        assert names(await pages(api, game="kreta", state=LOBBY)) == [whole.name]
    assert damage_found() == found + 1
    assert caplog.text.count(f"session {session} is damaged") == 1
    async with open_store(valkey) as store:
        assert await trouble_with(store, session, 0, 0, show) == "damaged"
        assert await trouble_with(store, whole.name.removeprefix("sessions/"), 0, 0, show) is None


def show(record: Record, sequence: int) -> object:
    return write_session(record, sequence, "", with_player_ids=True)


async def test_damaged_entries_of_the_index_hide_no_session(api: Api, valkey: EmbeddedServer) -> None:
    made = [await create(api, OPEN, OPEN) for _ in range(3)]
    for member in (b"\xff" * 40, b"x", b"\x00"):
        await ask(valkey, "ZADD", redis_keys.INDEX_KEYS, 0, member)
        await ask(valkey, "ZADD", redis_keys.LISTED, "inf", member)
        await ask(valkey, "ZADD", redis_keys.LISTED, 10**14, member + b"\xff")
    (member, *_) = await ask(valkey, "ZRANGE", redis_keys.INDEX_KEYS, f"[{made[0].name[-1]}", "+", "BYLEX") or [b"x"]
    await ask(valkey, "ZADD", redis_keys.INDEX_KEYS, 7, member)
    for filters in ({}, {"game": "kreta"}):
        assert sorted(names(await pages(api, page_size=1, **filters))) == sorted(one.name for one in made)
