"""Viewers receive only what the rules show them: whole games, every byte that each viewer received."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, count
from random import Random

import grpc
import pytest
from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.api import Viewer
from skerry_games.rng import SeededRng
from skerry_service.domain.record import unpack_record
from skerry_service.domain.tokens import digest
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wire.payloads import write_options
from tests.api.playing import Player, attach
from tests.api.recomputed import RecomputedReplay, in_bytes
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, Sitting, act, bearer, create, sit_down
from tests.games.variants import Variant, all_variants
from tests.store.servers import open_store

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAME_SECRETS = {"small_islands-free", "small_islands-narrow", "tenerife-puerto"}
"""Variants with the same hidden information as another variant."""
VIEWS = (pb.POSITION_VIEW_FULL, pb.POSITION_VIEW_TO_ACT, pb.POSITION_VIEW_NONE)
"""Viewers that request fewer positions share updates with others."""


def is_deep(variant: Variant, seats: int) -> bool:
    """Return whether only `make test-deep` runs the table: it is neither its game's smallest nor has new secrets."""
    return variant.id in SAME_SECRETS or seats != variant.game.seats[0]


TABLES = [
    pytest.param(
        variant, seats, id=f"{variant.id}-{seats}", marks=[pytest.mark.deep] if is_deep(variant, seats) else []
    )
    for variant in all_variants()
    for seats in variant.game.seats
]


@dataclass
class Seen:
    """All that one viewer received."""

    viewer: Viewer
    token: str | None
    watcher: Watcher
    handles: tuple[int, ...] = ()
    """The viewer's handles on a shared Play stream, one for each of ``VIEWS``."""
    answers: list[pb.ActResponse] = field(default_factory=list)
    looks: list[pb.GetSessionResponse] = field(default_factory=list)
    replays: list[pb.GetReplayResponse] = field(default_factory=list)
    refusals: list[bytes] = field(default_factory=list)


class Game:
    """Plays one game at random and keeps what each viewer received."""

    def __init__(self, api: Api, sitting: Sitting, game: str, seats: int) -> None:
        self.api, self.sitting, self.rng = api, sitting, Random(f"{game} {seats}")
        viewers = [*enumerate(sitting.seats), (None, None), (None, sitting.host), (None, sitting.spectator)]
        self.all = [
            Seen(viewer, token, Watcher(api, sitting, token), tuple(range(first, first + len(VIEWS))))
            for first, (viewer, token) in zip(count(1, len(VIEWS)), viewers, strict=False)
        ]
        attached = [
            attach(handle, sitting, seen.token, view=view)
            for seen in self.all
            for handle, view in zip(seen.handles, VIEWS, strict=True)
        ]
        self.player = Player(api, *attached)
        self.moves = 0

    async def play(self) -> RecomputedReplay:
        while to_act := (await self.look(self.all[-1])).position.to_act:
            await self.step(self.all[self.rng.choice(list(to_act))])
        for seen in self.all:
            await seen.watcher.ends()
        await self.player.done()
        return RecomputedReplay((await self.api.stub.GetReplay(pb.GetReplayRequest(name=self.sitting.name))).replay)

    async def step(self, mover: Seen) -> None:
        self.moves += 1
        position = (await self.look(mover)).position
        move = self.rng.choice(list(position.legal_moves))
        if self.moves % 7 == 0:
            for seen in self.all:
                await self.look(seen)
                await self.try_act(seen, self.request(move, position.sequence - 1))
                if seen is not mover:
                    await self.try_act(seen, self.request(move, position.sequence))
            if (await self.look(mover)).position.sequence != position.sequence:
                return  # Accepted: while several seats decide at once, a choice of one does not make another's stale.
        if self.moves % 25 == 0:
            for seen in self.all:
                wanted = pb.GetReplayRequest(name=self.sitting.name)
                seen.replays.append(await self.api.stub.GetReplay(wanted, metadata=bearer(seen.token)))
        request = self.request(move, position.sequence)
        mover.answers.append(await self.api.stub.Act(request, metadata=bearer(mover.token)))

    def request(self, move: payload_pb2.Move, sequence: int) -> pb.ActRequest:
        return act(self.sitting, move, sequence, view=pb.POSITION_VIEW_FULL)

    async def look(self, seen: Seen) -> pb.GetSessionResponse:
        request = pb.GetSessionRequest(name=self.sitting.name)
        seen.looks.append(await self.api.stub.GetSession(request, metadata=bearer(seen.token)))
        return seen.looks[-1]

    async def try_act(self, seen: Seen, request: pb.ActRequest) -> None:
        try:
            seen.answers.append(await self.api.stub.Act(request, metadata=bearer(seen.token)))
        except grpc.aio.AioRpcError as error:
            trailers = [value if isinstance(value, bytes) else value.encode() for _, value in error.trailing_metadata()]
            seen.refusals.append(b"\n".join([(error.details() or "").encode(), *trailers]))


def before_the_end(seen: Seen, last: int) -> list[Message]:
    """Return every message that was received while the game was in play."""
    messages: list[Message] = [message for message in seen.watcher.messages if message.sequence < last]
    messages += [answer for answer in seen.answers if answer.sequence < last]
    messages += [look for look in seen.looks if look.session.sequence < last]
    messages += seen.replays
    return messages


@pytest.mark.parametrize(("variant", "seats"), TABLES)
async def test_each_viewer_receives_exactly_what_the_rules_show(
    api: Api, valkey: EmbeddedServer, variant: Variant, seats: int
) -> None:
    await check_table(api, valkey, variant, seats)


async def check_table(api: Api, valkey: EmbeddedServer, variant: Variant, seats: int) -> None:
    """Play a game, and check everything that each viewer received."""
    game = variant.game
    sitting = await sit_down(api, seats, game=game.id, options=write_options(game, game.options_type()))
    played = Game(api, sitting, variant.id, seats)
    recomputed = await played.play()
    for seen in played.all:
        check_observed(recomputed, seen)
        check_answered(recomputed, seen)
        check_looked_up(recomputed, seen)
        check_independent_of_secrets(recomputed, seen)
        check_played(played.player, seen)
    secrets = await secrets_of(valkey, sitting, recomputed)
    for seen in played.all:
        received = [message.SerializeToString() for message in before_the_end(seen, recomputed.last)]
        assert any(received)
        for bytes_received in (*received, *seen.refusals):
            assert [secret for secret in secrets if secret in bytes_received] == []


def check_observed(recomputed: RecomputedReplay, seen: Seen) -> None:
    sequences = []
    for message in seen.watcher.messages:
        if message.heartbeat:  # sent when a stream is idle
            assert not message.entries
            assert not message.HasField("position")
            continue
        over = message.sequence == recomputed.last
        sequences += [entry.sequence for entry in message.entries]
        for entry in message.entries:
            assert entry == recomputed.entry(entry.sequence, seen.viewer, over=over)
        assert message.position == recomputed.position(message.sequence, seen.viewer)
    assert sequences == list(range(1, recomputed.last + 1))


def check_played(player: Player, seen: Seen) -> None:
    """Check that a shared Play stream sends the same bytes as Observe."""
    entries = [in_bytes(entry) for message in seen.watcher.messages for entry in message.entries]
    for handle in seen.handles:
        assert [in_bytes(entry) for entry in player.entries(handle)][:-1] == entries[:-1]
    observed = {message.sequence: message for message in seen.watcher.messages if message.HasField("position")}
    for message in chain.from_iterable(map(player.observed, seen.handles)):
        same = observed.get(message.sequence)
        if same is not None and message.HasField("position"):
            assert in_bytes(message.position) == in_bytes(same.position)
            assert same.entries[-1:] == message.entries[-1:]


def check_answered(recomputed: RecomputedReplay, seen: Seen) -> None:
    for answer in seen.answers:
        over = answer.sequence == recomputed.last
        for entry in answer.entries:
            assert entry == recomputed.entry(entry.sequence, seen.viewer, over=over)
        assert answer.position == recomputed.position(answer.sequence, seen.viewer)


def check_looked_up(recomputed: RecomputedReplay, seen: Seen) -> None:
    for look in seen.looks:
        assert look.position == recomputed.position(look.position.sequence, seen.viewer)
        assert (look.seat if look.HasField("seat") else None) == seen.viewer
        assert bool(look.session.seed) == (look.session.sequence == recomputed.last)
    for replay in seen.replays:
        entries = replay.replay.entries
        assert [entry.sequence for entry in entries] == list(range(1, replay.replay.session.sequence + 1))
        for entry in entries:
            assert entry == recomputed.entry(entry.sequence, seen.viewer, over=False)


def check_independent_of_secrets(recomputed: RecomputedReplay, seen: Seen) -> None:
    """Check that the received bytes do not depend on secrets.

    Positions are the same after every redeal. Moves and events are the same for every secret choice of other seats and
    of chance.
    """
    received = [answer.position for answer in seen.answers if answer.HasField("position")]
    received += [message.position for message in seen.watcher.messages if message.HasField("position")]
    for position in received:
        redealt = recomputed.redealt(
            position.sequence, seen.viewer, SeededRng(recomputed.session.seed, position.sequence)
        )
        assert in_bytes(position) == in_bytes(redealt)
    for message in seen.watcher.messages:
        for entry in message.entries if message.sequence < recomputed.last else ():
            assert [*recomputed.alternatives(entry, seen.viewer)] == [], f"{entry} reveals a secret choice"


async def secrets_of(valkey: EmbeddedServer, sitting: Sitting, recomputed: RecomputedReplay) -> list[bytes]:
    """Return the secrets that no client may receive during the game, as bytes and in hexadecimal."""
    async with open_store(valkey) as store:
        head = await store.load(sitting.name.removeprefix("sessions/"))
    assert head is not None
    record = unpack_record(head.record)
    assert record.seed == recomputed.session.seed
    tokens = (*sitting.seats, sitting.host, sitting.spectator)
    raw = [record.seed, record.salt, record.request, *map(digest, tokens)]
    assert {seat.token for seat in record.seats} <= set(raw)
    return [*raw, *(secret.hex().encode() for secret in raw), *(token.rpartition("_")[2].encode() for token in tokens)]


async def test_the_check_finds_a_secret_in_a_message(api: Api, valkey: EmbeddedServer) -> None:
    """The final replay contains the seed, and the search finds it."""
    sitting = await sit_down(api)
    recomputed = await Game(api, sitting, "kreta", 2).play()
    final = await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))
    found = [secret for secret in await secrets_of(valkey, sitting, recomputed) if secret in final.SerializeToString()]
    assert found == [recomputed.session.seed]


async def test_in_the_lobby_a_token_is_only_in_the_response_that_grants_it(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN, OPEN)
    watcher, answers = Watcher(api, sitting), []
    for name in ("Ada", "Bob"):
        join = pb.JoinSessionRequest(name=sitting.name, display_name=name)
        joined = await api.stub.JoinSession(join)
        sitting.seats.append(joined.seat_token)
        answers.append(joined)
    first = await watcher.reaches(3)
    await watcher.hang_up()
    look = await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(sitting.host))
    listed = await api.stub.ListSessions(pb.ListSessionsRequest(page_size=100))
    received = [first, look, listed, *watcher.messages]
    for token in (*sitting.seats, sitting.host, sitting.spectator):
        word = token.rpartition("_")[2].encode()
        assert not any(word in message.SerializeToString() for message in received)
        assert sum(word in answer.SerializeToString() for answer in answers) == (token in sitting.seats)
