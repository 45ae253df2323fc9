"""Scenes: each viewer receives what its own view shows, and the frames of a stream lead from position to position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from random import Random
from typing import Any

import pytest

from skerry.v1 import payload_pb2, scene_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_client.scene import SceneStream, apply_frame
from skerry_games.api import AnyGame, Viewer
from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill
from skerry_service.api.rendering import View
from tests.api.playing import Player, attach
from tests.api.recomputed import RecomputedReplay, in_bytes
from tests.api.watching import Watcher
from tests.api.wire import BOT, OPEN, Api, Sitting, act, bearer, create, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCENE, BOTH, FULL = pb.POSITION_VIEW_SCENE, pb.POSITION_VIEW_FULL_WITH_SCENE, pb.POSITION_VIEW_FULL
MAX_FRAMES = 32
TABLES = [
    pytest.param(game, seats, id=f"{game.id}-{seats}", marks=[] if seats == 3 else [pytest.mark.deep])
    for game in all_games().values()
    for seats in game.seats
]


async def sit_with_bots(api: Api, game: AnyGame, seats: int) -> Sitting:
    """Let two players join a table. The other seats have bots."""
    sitting = await create(api, OPEN, OPEN, *[BOT] * (seats - 2), game=game.id)
    for name in ("Ada", "Bob"):
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    return sitting


async def position_of(api: Api, sitting: Sitting, token: str | None, **fields: Any) -> session_pb2.Position:
    request = pb.GetSessionRequest(name=sitting.name, **fields)
    return (await api.stub.GetSession(request, metadata=bearer(token))).position


async def play(api: Api, sitting: Sitting, rng: Random) -> list[tuple[Viewer, session_pb2.Position]]:
    """Play a game to its end, at random. Return the positions that the players looked at."""
    looks: list[tuple[Viewer, session_pb2.Position]] = []
    while to_act := (await position_of(api, sitting, sitting.host)).to_act:
        seat = rng.choice(list(to_act))
        position = await position_of(api, sitting, sitting.seats[seat], view=SCENE)
        looks.append((seat, position))
        request = act(sitting, rng.choice(list(position.legal_moves)), position.sequence)
        await api.stub.Act(request, metadata=bearer(sitting.seats[seat]))
    return looks


@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_frames_lead_from_position_to_position(api: Api, game: AnyGame, seats: int) -> None:
    sitting = await sit_with_bots(api, game, seats)
    viewers = [*enumerate(sitting.seats), (None, None)]
    watchers = [(viewer, Watcher(api, sitting, token, None, view=SCENE)) for viewer, token in viewers]
    player = Player(api, attach(1, sitting, None, None, view=BOTH))
    for _, watcher in watchers:
        await watcher.has(1)
    await player.reaches(1, 1)
    looks = await play(api, sitting, Random(f"{game.id} {seats}"))
    await player.done()
    recomputed = RecomputedReplay((await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    assert check_stream(recomputed, None, player.observed(1), BOTH)
    for viewer, watcher in watchers:
        await watcher.ends()
        assert check_stream(recomputed, viewer, watcher.messages, SCENE)
    for viewer, position in looks[:: len(looks) // 10]:
        check_position(recomputed, viewer, position, SCENE)
        assert position.scene.areas


def check_stream(
    recomputed: RecomputedReplay, viewer: Viewer, messages: Sequence[pb.ObserveResponse], wanted: View
) -> int:
    """Check every message of a stream, and every frame. Return the number of frames."""
    pieces: Sequence[scene_pb2.ScenePiece] = ()
    framed, scenes = 0, SceneStream()
    messages = [message for message in messages if not message.heartbeat]
    for number, message in enumerate(messages):
        moves = [entry for entry in message.entries if entry.HasField("moved")]
        expected = moves[-MAX_FRAMES:] if number else []
        assert [entry.sequence for entry in moves if entry.moved.frames] == [entry.sequence for entry in expected]
        for entry in moves:
            if entry.moved.frames:
                assert sum(frame.events for frame in entry.moved.frames) == len(entry.moved.events)
                pieces, framed = reduce(apply_frame, entry.moved.frames, pieces), framed + 1
                state = recomputed.steps[entry.sequence - 1].after
                assert in_bytes(list_of(pieces)) == in_bytes(list_of(scene_of(recomputed, state, viewer).pieces))
        check_effects(recomputed, viewer, message, recomputed.last)
        assert bool(message.position.scene.areas) == bool(message.position.scene.pieces) == (number == 0)
        position = scenes.complete(message).position
        if number % 3 == 0 or message.sequence == recomputed.last:
            check_position(recomputed, viewer, position, wanted)
        if number:
            assert in_bytes(list_of(pieces)) == in_bytes(list_of(position.scene.pieces))
        pieces = position.scene.pieces
    return framed


def list_of(pieces: Sequence[scene_pb2.ScenePiece]) -> scene_pb2.Scene:
    return scene_pb2.Scene(pieces=pieces)


def check_effects(recomputed: RecomputedReplay, viewer: Viewer, message: pb.ObserveResponse, last: int) -> None:
    guide, over = recomputed.game.guide, message.sequence == last
    for entry in message.entries:
        plain = recomputed.entry(entry.sequence, viewer, over=over)
        step = recomputed.steps[entry.sequence - 1]
        shown = [one if over else recomputed.game.show(one, viewer) for one in step.events]
        events = [event for event in shown if event is not None]
        if guide is not None:
            for sent, event in zip(plain.moved.events, events, strict=True):
                sent.effect.touched.extend(guide.touched(event))
                for gain in guide.gains(event):
                    sent.effect.gains.add(seat=gain.seat, points=gain.points, source=gain.source)
        received = session_pb2.Entry()
        received.CopyFrom(entry)
        received.moved.ClearField("frames")
        if not entry.HasField("moved"):
            received = entry
        assert in_bytes(received) == in_bytes(plain)


def check_position(recomputed: RecomputedReplay, viewer: Viewer, received: session_pb2.Position, wanted: View) -> None:
    """Check that a position is exactly what the viewer's view gives, also if all that it cannot see is redealt."""
    state = recomputed.steps[received.sequence - 1].after
    states = [state]
    if received.sequence % 2 == 0:
        rng = SeededRng(recomputed.session.seed, received.sequence)
        states.append(recomputed.game.redeal(state, viewer, rng))
    position = session_pb2.Position()
    position.CopyFrom(received)
    position.scene.ClearField("areas")
    sort_annotations(position.scene)
    plain = recomputed.position(received.sequence, viewer)
    for one in states:
        expected = session_pb2.Position()
        expected.CopyFrom(plain)
        if wanted == SCENE:
            expected.view.Clear()
        view, guide = recomputed.game.view(one, viewer), recomputed.game.guide
        expected.scene.CopyFrom(scene_of(recomputed, one, viewer))
        sort_annotations(expected.scene)
        if guide is not None and viewer is not None and viewer in recomputed.game.to_act(one):
            for sent, move in zip(expected.legal_moves, recomputed.game.legal_moves(one, viewer), strict=True):
                add_choice(sent, guide, move, view)
        assert in_bytes(position) == in_bytes(expected)


def sort_annotations(scene: scene_pb2.Scene) -> None:
    """Sort by places and pieces. Their order has no meaning, except that of the annotations of one."""
    ordered = sorted(scene.annotations, key=lambda annotation: annotation.id)
    scene.ClearField("annotations")
    scene.annotations.extend(ordered)


def add_choice(sent: payload_pb2.Move, guide: Any, move: Any, view: Any) -> None:
    heading = guide.heading(move)
    sent.choice.heading, sent.choice.confirm = heading.text, heading.confirm
    for path in guide.paths(move, view):
        sent.choice.paths.add(ids=path)


def scene_of(recomputed: RecomputedReplay, state: Any, viewer: Viewer) -> scene_pb2.Scene:
    """Return the scene of a state, from the game alone."""
    game, scene = recomputed.game, scene_pb2.Scene()
    view, names = game.view(state, viewer), [seat.display_name for seat in recomputed.session.seats]
    for piece in game.look.pieces(view, viewer):
        x, y = (round(value, 1) for value in piece.at)
        fields = {name: getattr(piece, name) for name in piece.__struct_fields__ if name != "at"}
        scene.pieces.add(x=x, y=y, **fields)
    scores, guide = game.scores(state), game.guide
    for seat, score in enumerate(scores):
        facts = () if guide is None else guide.facts(view, seat)
        scene.seats.add(
            seat=seat, score=score, facts=[scene_pb2.Fact(label=one.label, value=one.value) for one in facts]
        )
    if guide is not None:
        scene.task = guide.task(view) if game.outcome(state) is None else ""
        for one in guide.annotations(view, viewer):
            template = one.text if "{" in one.text else None
            of = one.of or None
            scene.annotations.add(id=one.id, text=fill(one.text, names), template=template, badge=one.badge, of=of)
    return scene


async def test_a_request_without_scenes_receives_none(api: Api) -> None:
    sitting = await sit_down(api)
    watcher = Watcher(api, sitting)
    answer = await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    message = await watcher.has(1)
    await watcher.hang_up()
    for position in (answer.position, message.position):
        assert not position.HasField("scene")
        assert not any(move.HasField("choice") for move in position.legal_moves)
    events = [event for entry in message.entries for event in entry.moved.events]
    assert events
    assert not any(event.HasField("effect") for event in events)


async def test_a_stream_that_begins_in_the_lobby_receives_areas_when_the_game_begins(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    watcher = Watcher(api, sitting, view=SCENE)
    first = await watcher.has(1)
    assert not first.HasField("position")
    for name in ("Ada", "Bob"):
        await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
    begun = await watcher.reaches(4)
    await watcher.hang_up()
    assert begun.position.scene.areas
    assert not any(entry.moved.frames for entry in begun.entries)


@pytest.mark.parametrize("game", ["kreta", "canarias"])
async def test_a_delayed_spectator_receives_the_scenes_of_its_time(api: Api, game: str) -> None:
    sitting = await create(api, OPEN, OPEN, BOT, game=game, delay={"entries": 3})
    for name in ("Ada", "Bob"):
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    watcher = Watcher(api, sitting, view=SCENE)
    begun = (await watcher.has(1)).sequence
    rng, seen = Random(1), session_pb2.Position()
    for _ in range(12):
        to_act = (await position_of(api, sitting, sitting.host)).to_act
        token = sitting.seats[to_act[0]]
        position = await position_of(api, sitting, token)
        request = act(sitting, rng.choice(list(position.legal_moves)), position.sequence)
        await api.stub.Act(request, metadata=bearer(token))
        live = await position_of(api, sitting, sitting.host, view=SCENE)
        seen = await position_of(api, sitting, None, view=SCENE)
        assert seen.sequence == max(begun, live.sequence - 3)
        past = await position_of(api, sitting, sitting.host, view=SCENE, sequence=seen.sequence)
        assert in_bytes(list_of(seen.scene.pieces)) == in_bytes(list_of(past.scene.pieces))
    await watcher.reaches(seen.sequence)
    await watcher.hang_up()
    pieces: Sequence[scene_pb2.ScenePiece] = watcher.messages[0].position.scene.pieces
    for message in watcher.messages[1:]:
        for entry in message.entries:
            pieces = reduce(apply_frame, entry.moved.frames, pieces)
    assert in_bytes(list_of(pieces)) == in_bytes(list_of(seen.scene.pieces))
