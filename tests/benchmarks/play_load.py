"""The load of section ``play``: acts over streams, each stream with one game at a time or with many."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import TypeAlias, cast

import grpc
import msgspec
import uvloop
from msgspec import Struct

from skerry.v1 import service_pb2 as pb

from .callers import Seated, WrongAnswer, service_sessions
from .load import MOST_PER_SECOND, OWN_CONNECTION, SETTLING, WARM_UP, Meter, Result
from .processes import answer, end_with_parent
from .recorded import Step

METHOD = "/skerry.v1.SkerryService/Play"
Calls: TypeAlias = "grpc.aio.StreamStreamMultiCallable[pb.PlayRequest, pb.PlayResponse]"
Call: TypeAlias = "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"


class Plan(Struct, frozen=True):
    """The load to generate."""

    address: str
    seconds: float
    streams: int
    games: int
    """Concurrent games of each stream, each with one act in flight."""
    pids: Mapping[str, int]
    """Processes whose processor time is measured."""


def measure(plan: Plan) -> Result:
    """Run the load in its own process."""
    limit = plan.seconds + WARM_UP + SETTLING
    printed = answer("play_load", msgspec.json.encode(plan).decode(), limit=limit)
    return msgspec.json.decode(printed, type=Result)


class _Game:
    """Plays sessions one after the other, each seat under its own handle."""

    def __init__(self, sessions: Sequence[Seated], handles: Iterator[int]) -> None:
        self._moves = chain.from_iterable(((one, step) for step in one.steps) for one in sessions)
        self._handles = handles
        self._session: Seated | None = None
        self._step: Step | None = None
        self._reached = 0
        self.attached: Sequence[int] = ()
        """The handles of the session, by seat."""
        self.sent = 0.0

    def add_act(self, request: pb.PlayRequest) -> None:
        """Add the next act to a request. A session's first act also attaches it and detaches the previous one."""
        session, self._step = next(self._moves)
        if session is not self._session:
            request.detach.extend(self.attached)
            self.attached = [next(self._handles) for _ in session.tokens]
            for handle, token in zip(self.attached, session.tokens, strict=True):
                request.attach.add(handle=handle, token=token, view=pb.POSITION_VIEW_NONE).MergeFromString(
                    session.attach
                )
            self._session = session
        request.acts.add(handle=self.attached[self._step.seat]).MergeFromString(self._step.request)
        self.sent = time.perf_counter()

    def receive(self, update: pb.PlayUpdate) -> bool:
        """Take an update to the acting seat; return whether it is the response to the act. Raises WrongAnswer."""
        step = self._step
        assert step is not None
        if update.handle != self.attached[step.seat]:
            return False
        if update.HasField("observed"):
            self._reached = update.observed.sequence
        if update.HasField("observed") or update.HasField("ended"):
            return False
        if update.acted.sequence != step.sequence or self._reached < step.sequence:
            raise WrongAnswer(update)
        return True


class _Stream:
    def __init__(self, call: Call, games: Sequence[_Game]) -> None:
        self._call = call
        self._games = games
        self._by_handle: dict[int, _Game] = {}

    async def go_on(self, until: float, latencies: list[float]) -> None:
        """Play until that time, then wait for the outstanding responses."""
        in_flight = await self._send(self._games)
        while in_flight:
            response = await self._call.read()
            assert isinstance(response, pb.PlayResponse), response
            now = time.perf_counter()
            done = [game for update in response.updates if (game := self._by_handle[update.handle]).receive(update)]
            latencies += [now - game.sent for game in done]
            in_flight -= len(done)
            if done and now < until:
                in_flight += await self._send(done)

    async def _send(self, games: Sequence[_Game]) -> int:
        request = pb.PlayRequest()
        for game in games:
            game.add_act(request)
            self._by_handle |= dict.fromkeys(game.attached, game)
        await self._call.write(request)
        return len(games)


async def _run(plan: Plan) -> Result:
    count_of_games = plan.streams * plan.games
    moves = round((plan.seconds + WARM_UP) * 2 * MOST_PER_SECOND / count_of_games)
    shares = iter(await service_sessions(plan.address, count_of_games, moves))
    channels = [grpc.aio.insecure_channel(plan.address, options=OWN_CONNECTION) for _ in range(min(plan.streams, 16))]
    streams = []
    for number in range(plan.streams):
        play: Calls = channels[number % len(channels)].stream_stream(
            METHOD,
            cast("Callable[[pb.PlayRequest], bytes]", pb.PlayRequest.SerializeToString),
            pb.PlayResponse.FromString,
        )
        handles = count(1)
        streams.append(_Stream(play(), [_Game(next(shares), handles) for _ in range(plan.games)]))

    async def all_go_on(seconds: float) -> list[float]:
        until, latencies = time.perf_counter() + seconds, list[float]()
        await asyncio.gather(*(stream.go_on(until, latencies) for stream in streams))
        return latencies

    await all_go_on(WARM_UP)
    meter = Meter(plan.pids)
    result = meter.result(await all_go_on(plan.seconds))
    for channel in channels:
        await channel.close()
    return result


def main(arguments: Sequence[str]) -> None:
    """Run the plan (JSON); print the result (JSON)."""
    end_with_parent()
    plan = msgspec.json.decode(arguments[0], type=Plan)
    print(msgspec.json.encode(uvloop.run(_run(plan))).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
