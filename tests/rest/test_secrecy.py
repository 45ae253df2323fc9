"""Nobody receives more over HTTP than the rules let it see: whole games, every byte that every viewer got."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import cast

import pytest
from google.protobuf.json_format import ParseDict

from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wire.payloads import write_options
from tests.api.recomputed import RecomputedReplay
from tests.api.test_player_ids import IDS, ids_in
from tests.api.test_secrecy import (
    TABLES,
    Seen,
    check_independent_of_secrets,
    check_looked_up,
    check_observed,
    secrets_of,
)
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Sitting, create, look, move_once, sit_down
from tests.games.variants import Variant
from tests.rest.web import Events, Web, events

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Heard:
    """What a stream sent, in place of a watcher over gRPC."""

    def __init__(self, stream: Events) -> None:
        self.messages: list[pb.ObserveResponse] = []
        self.before_the_end = b""
        self.ended = asyncio.create_task(self._listen(stream))

    async def _listen(self, stream: Events) -> None:
        while (event := await stream.next()) is not None:
            if event.name == "message":
                self.messages.append(ParseDict(event.data, pb.ObserveResponse()))
                if "seed" not in event.data.get("session", {}):
                    self.before_the_end += json.dumps(event.data).encode()


@pytest.mark.parametrize(("variant", "seats"), TABLES)
async def test_every_viewer_receives_exactly_what_the_rules_show(
    web: Web, valkey: EmbeddedServer, variant: Variant, seats: int
) -> None:
    game = variant.game
    sitting = await sit_down(web.api, seats, game=game.id, options=write_options(game, game.options_type()))
    viewers = [*enumerate(sitting.seats), (None, None), (None, sitting.host), (None, sitting.spectator)]
    async with AsyncExitStack() as streams:
        seen = []
        for viewer, token in viewers:
            stream = await streams.enter_async_context(events(web, sitting.name, token, after=0))
            seen.append(Seen(viewer, token, cast(Watcher, Heard(stream))))
        looks = await play(web, sitting, seen)
        heard = [cast(Heard, one.watcher) for one in seen]
        await asyncio.gather(*(one.ended for one in heard))
    received = RecomputedReplay((await web.api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    secrets = await secrets_of(valkey, sitting, received)
    for one, mine in zip(seen, heard, strict=True):
        check_observed(received, one)
        check_looked_up(received, one)
        check_independent_of_secrets(received, one)
        assert [secret for secret in secrets if secret in mine.before_the_end + looks] == []


async def play(web: Web, sitting: Sitting, seen: list[Seen]) -> bytes:
    """Play to the end; let everybody look now and then. Return what all of them read."""
    looks, moves = b"", 0
    while (await look(web.api, sitting)).to_act:
        if moves % 9 == 0:
            for one in seen:
                answer = await web.rpc("GetSession", pb.GetSessionRequest(name=sitting.name), one.token)
                one.looks.append(cast(pb.GetSessionResponse, answer.message("GetSession")))
                looks += answer.body
        await move_once(web.api, sitting, 7 * moves)
        moves += 1
    return looks


async def test_streams_show_player_ids_as_grpc_does(web: Web) -> None:
    sitting = await create(web.api, *[OPEN] * 3)
    for name, player_id in IDS.items():
        body = {"displayName": name, "playerId": player_id}
        joined = await web.call("POST", f"/v1/{sitting.name}:join", body)
        sitting.seats.append(joined.json["seatToken"])
    for token in (None, sitting.seats[0], sitting.spectator, sitting.host, None):
        expected = set(IDS) if token in (sitting.host, sitting.seats[0]) else set()
        looked = await web.rpc("GetSession", pb.GetSessionRequest(name=sitting.name), token)
        assert ids_in(json.dumps(looked.json, ensure_ascii=False).encode()) == expected
        async with events(web, sitting.name, token, after=0) as stream:
            event = await stream.next()
            assert event is not None
            assert ids_in(json.dumps(event.data, ensure_ascii=False).encode()) == expected
        replay = await web.rpc("GetReplay", pb.GetReplayRequest(name=sitting.name), token)
        assert ids_in(json.dumps(replay.json, ensure_ascii=False).encode()) == set()
