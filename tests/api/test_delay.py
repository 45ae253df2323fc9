"""A viewer of a delayed game cannot observe what is not shown yet: by no call, stream, list or error.

Two sessions are alike up to the distance, and go different ways behind it. All that a spectator can ask of either is
the same, byte by byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any
from uuid import UUID

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.api.endpoint import Endpoint, sessions_endpoint
from skerry_service.api.error_table import status_of
from skerry_service.api.session_methods import Methods
from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.service import Sessions
from tests.api.wire import OPEN as OPEN_SEAT
from tests.api.wire import Api, create, refused
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, Clock, uuid

OPEN = pb.SeatSetup()
LATE_BY = 12
LATE_MS = 60_000
DELAYS = {
    "entries": session_pb2.SpectatorDelay(entries=LATE_BY),
    "seconds": session_pb2.SpectatorDelay(seconds=LATE_MS // 1000),
}
CLOCK = session_pb2.Clock(bank=session_pb2.Bank(time_ms=600_000))


PLAYED = b"over Play: "


class World:
    """One session at one server, whose time stands still unless it is moved on."""

    def __init__(self) -> None:
        self.store = FaultyStore()
        self.sessions = Sessions(self.store, clock_ms=Clock(), limits=SessionLimits(uptime_skew_seconds=0.01))
        self.endpoint: Endpoint = sessions_endpoint(self.sessions)
        self.name = self.host = ""
        self.seats: list[str] = []
        self.spectator = ""

    async def call(self, rpc: str, request: Any, token: str | None = None) -> Any:
        answer = (await self.endpoint.answer(rpc, lambda: (request, token))).message
        await settle(20)
        return answer

    async def begin(self, delay: session_pb2.SpectatorDelay) -> None:
        """Begin a game for three, always the same one, and play it for a while."""
        abandonment = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
        new: dict[str, Any] = {
            "seed": SEED,
            "request_id": str(UUID(bytes=uuid(1))),
            "abandonment": abandonment,
            "clock": CLOCK,
        }
        made = await self.call(
            "CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 3, delay=delay, **new)
        )
        self.name, self.host, self.spectator = made.session.name, made.host_token, made.spectator_token
        for name in ("Ada", "Bob", "Cyd"):
            joined = await self.call("JoinSession", pb.JoinSessionRequest(name=self.name, display_name=name))
            self.seats.append(joined.seat_token)
        for number in range(10):
            await self.move(number)
        self.store.now_ms += LATE_MS

    async def position(self, seat: int = 0) -> session_pb2.Position:
        answer = await self.call("GetSession", pb.GetSessionRequest(name=self.name), self.seats[seat])
        position: session_pb2.Position = answer.position
        return position

    async def move(self, pick: int) -> int:
        """Make a move. Return the sequence."""
        seat = (await self.position()).to_act[0]
        position = await self.position(seat)
        chosen = position.legal_moves[pick % len(position.legal_moves)]
        request = pb.ActRequest(name=self.name, move=chosen, expected_sequence=position.sequence)
        return (await self.call("Act", request, self.seats[seat])).sequence  # type: ignore[no-any-return]

    async def label(self, times: int) -> None:
        for number in range(times):
            labels = pb.LabelSessionRequest(name=self.name, labels={"round": f"{number}"})
            await self.call("LabelSession", labels, self.host)
        if times:
            await self.call("LabelSession", pb.LabelSessionRequest(name=self.name), self.host)

    async def ask(self, rpc: str, request: Any, token: str | None) -> bytes:
        """Return all that comes of a call: its answer, or its refusal."""
        try:
            if rpc == "Observe":
                async with aclosing(self.endpoint.messages(rpc, lambda: (request, token))) as messages:
                    received: bytes = (await anext(messages)).serialized()
                    return received
            answer = await self.call(rpc, request, token)
        except Exception as error:
            return status_of(error).SerializeToString(deterministic=True)
        written: bytes = answer.SerializeToString(deterministic=True)
        return written

    async def everything(self) -> dict[str, bytes]:
        """Return all that a spectator can learn now, with its token and without."""
        found, last = {}, (await self.call("GetSession", pb.GetSessionRequest(name=self.name))).session.sequence
        asked: list[tuple[str, Any]] = [
            ("GetSession", pb.GetSessionRequest(name=self.name)),
            *(("GetSession", pb.GetSessionRequest(name=self.name, sequence=n)) for n in (5, last, last + 1, last + 99)),
            ("GetReplay", pb.GetReplayRequest(name=self.name)),
            ("ListSessions", pb.ListSessionsRequest()),
            *(
                ("ListSessions", pb.ListSessionsRequest(state=state))
                for state in session_pb2.SessionState.values()[1:4]
            ),
            ("Observe", pb.ObserveRequest(name=self.name)),
            *(("Observe", pb.ObserveRequest(name=self.name, after_sequence=n)) for n in (0, last, last + 1, last + 99)),
            *(
                ("ForkSession", pb.ForkSessionRequest(name=self.name, sequence=n, seats=[OPEN] * 3))
                for n in (5, last + 1)
            ),
            ("JoinSession", pb.JoinSessionRequest(name=self.name, display_name="Eve")),
            ("JoinSession", pb.JoinSessionRequest(name=self.name, display_name="Eve", seat=1)),
            *((f"{verb}Session", getattr(pb, f"{verb}SessionRequest")(name=self.name)) for verb in VERBS),
            ("Act", pb.ActRequest(name=self.name, expected_sequence=last)),
            ("SampleStates", pb.SampleStatesRequest(name=self.name)),
            ("ExplainTarget", pb.ExplainTargetRequest(name=self.name, target="province:KIS")),
        ]
        for number, (rpc, request) in enumerate(asked):
            for token in (None, self.spectator):
                found[f"{number} {rpc} {token and 'spectator'}"] = await self.ask(rpc, request, token)
        return found


VERBS = ("Start", "Leave", "ReturnTo", "Resign", "Cancel", "Rematch", "Label")


@asynccontextmanager
async def watched(world: World) -> AsyncIterator[list[bytes]]:
    """Follow the session as spectators do, over streams of both kinds; yield what they receive."""
    received: list[bytes] = []

    async def observe(token: str | None) -> None:
        request = pb.ObserveRequest(name=world.name, after_sequence=0)
        async with aclosing(world.endpoint.messages("Observe", lambda: (request, token))) as messages:
            async for message in messages:
                received.append(message.serialized())

    async def play() -> None:
        requests: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        requests.put_nowait(pb.PlayRequest(attach=[pb.PlayAttach(handle=1, name=world.name, after_sequence=0)]))
        async with aclosing(Methods(world.sessions).play(requests.get, None)) as messages:
            async for message in messages:
                received.append(PLAYED + message)

    tasks = [asyncio.create_task(one) for one in (observe(None), observe(world.spectator), play())]
    await settle()
    yield received
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def entries_in(streams: list[bytes]) -> list[bytes]:
    """Return the received entries, but not with which others they came: by entries that shows in the rhythm."""
    received = [pb.ObserveResponse.FromString(one) for one in streams if not one.startswith(PLAYED)]
    received += [
        update.observed
        for one in streams
        if one.startswith(PLAYED)
        for update in pb.PlayResponse.FromString(one.removeprefix(PLAYED)).updates
    ]
    return sorted(entry.SerializeToString(deterministic=True) for one in received for entry in one.entries)


async def settle(rounds: int = 500) -> None:
    """Let everything happen that can happen without time."""
    for _ in range(rounds):
        await asyncio.sleep(0)


async def by_labels(world: World) -> None:
    await world.label(LATE_BY - 1)


async def by_moves(world: World) -> None:
    before = sequence = (await world.position()).sequence
    while sequence < before + LATE_BY - 4:
        sequence = await world.move(3)
    await world.label(before + LATE_BY - 1 - sequence)


async def by_going(world: World) -> None:
    """A player leaves, and somebody else takes the seat; the game ends."""
    await world.call("LeaveSession", pb.LeaveSessionRequest(name=world.name), world.seats[2])
    await world.call("OpenSeat", pb.OpenSeatRequest(name=world.name, seat=2), world.host)
    await world.call("JoinSession", pb.JoinSessionRequest(name=world.name, display_name="Fay"))
    await world.call("ResignSession", pb.ResignSessionRequest(name=world.name), world.seats[0])


async def by_cancellation(world: World) -> None:
    """The operator ends the game."""
    await world.sessions.operator.end(world.name.removeprefix("sessions/"), None)


Way = Callable[[World], Coroutine[Any, Any, None]]


@pytest.mark.parametrize(
    ("delay", "ways"),
    [("entries", (by_labels, by_moves)), ("seconds", (by_labels, by_moves, by_going, by_cancellation))],
    ids=["entries", "seconds"],
)
async def test_what_is_not_shown_yet_cannot_be_observed(delay: str, ways: tuple[Way, ...]) -> None:
    learnt, received, ends = [], [], set()
    for way in ways:
        world = World()
        await world.begin(DELAYS[delay])
        async with watched(world) as streams:
            await way(world)
            await settle()
            learnt.append(await world.everything())
            received.append(sorted(streams) if delay == "seconds" else entries_in(streams))
        ends.add((await world.position()).SerializeToString(deterministic=True))
        await world.sessions.close()
    assert len(ends) == len(ways), "they went different ways"
    for number, (other, streams) in enumerate(zip(learnt[1:], received[1:], strict=True), start=1):
        different = [call for call, answer in learnt[0].items() if other[call] != answer]
        assert different == [], ways[number].__name__
        assert streams == received[0], ways[number].__name__


async def test_seats_and_the_host_are_shown_the_game_as_it_stands() -> None:
    world = World()
    await world.begin(DELAYS["seconds"])
    reached = await world.move(0)
    for token in (*world.seats, world.host):
        answer = await world.call("GetSession", pb.GetSessionRequest(name=world.name), token)
        assert (answer.session.sequence, answer.position.sequence) == (reached, reached)
        assert answer.HasField("clocks")
        assert answer.session.delay == DELAYS["seconds"]
    late = await world.call("GetSession", pb.GetSessionRequest(name=world.name))
    assert late.session.sequence == late.position.sequence < reached
    assert not late.HasField("clocks")
    world.store.now_ms += LATE_MS
    assert (await world.call("GetSession", pb.GetSessionRequest(name=world.name))).session.sequence == reached
    await world.sessions.close()


async def test_explanations_are_about_the_position_that_is_shown() -> None:
    world, hashes = World(), set()
    await world.begin(DELAYS["entries"])
    leaver = world.seats[(await world.position()).to_act[0]]
    await world.call("LeaveSession", pb.LeaveSessionRequest(name=world.name), leaver)  # and a bot moves, in one batch
    request = pb.ExplainTargetRequest(name=world.name, target="province:KIS")
    for _ in range(LATE_BY):
        await world.label(1)
        shown = await world.call("GetSession", pb.GetSessionRequest(name=world.name))
        table, _ = await world.sessions.get(world.name.removeprefix("sessions/"), None)
        hashes.add(table.chained_hash)
        for token in (None, world.spectator, None):  # the last time from the cache
            explained = await world.call("ExplainTarget", request, token)
            assert explained.sequence == shown.session.sequence
        live = await world.call("ExplainTarget", request, world.host)
        assert live.sequence == (await world.position()).sequence > shown.session.sequence
    assert len(hashes) < LATE_BY  # some of the positions are inside a batch
    await world.sessions.close()


async def test_a_cancelled_game_leaves_the_lists_when_its_end_is_shown() -> None:
    world = World()
    await world.begin(DELAYS["seconds"])
    (listed,) = (await world.call("ListSessions", pb.ListSessionsRequest())).sessions
    await by_cancellation(world)
    for state in (session_pb2.SESSION_STATE_UNSPECIFIED, session_pb2.SESSION_STATE_PLAYING):
        assert (await world.call("ListSessions", pb.ListSessionsRequest(state=state))).sessions == [listed]
    world.store.now_ms += LATE_MS
    for _ in range(2):
        assert not (await world.call("ListSessions", pb.ListSessionsRequest())).sessions
    late = await world.call("GetSession", pb.GetSessionRequest(name=world.name))
    assert late.session.state == session_pb2.SESSION_STATE_CANCELLED
    assert await world.store.list_sessions(None, 10, None) == []
    await world.sessions.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_how_late_a_game_is_shown_is_checked(api: Api) -> None:
    for field, delay in (
        ("delay", session_pb2.SpectatorDelay()),
        ("delay.entries", session_pb2.SpectatorDelay(entries=0)),
        ("delay.entries", session_pb2.SpectatorDelay(entries=1001)),
        ("delay.seconds", session_pb2.SpectatorDelay(seconds=-1)),
        ("delay.seconds", session_pb2.SpectatorDelay(seconds=86_401)),
    ):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
            await create(api, OPEN_SEAT, OPEN_SEAT, delay=delay)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="delay"):
        await create(api, OPEN_SEAT, OPEN_SEAT, delay=DELAYS["entries"], spectating=session_pb2.SPECTATING_NOBODY)
