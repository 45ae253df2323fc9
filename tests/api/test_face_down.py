"""Two games that differ only in what one seat lays face down are the same to everybody else, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc
import pytest

from skerry.games.tenerife.v1 import tenerife_pb2 as tenerife
from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.test_secrecy import Game, check_answered, check_looked_up, check_observed
from tests.api.watching import Watcher
from tests.api.wire import Api, Sitting, act, bearer, look, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")

MASON, FARMER, MERCHANT, EXPORTER, THIEVES = range(1, 6)
OWN, SECOND = 1, 2
Laid = tuple[int, int, int]
"""Space, character, colour."""

SEED = bytes(range(32))
# What the seats lay in turn, the secretive seat 0 first; then what seat 0 lays instead, with the same backs.
PLAIN = (
    [(4, MASON, OWN), (1, MASON, OWN), (2, MASON, OWN), (3, FARMER, OWN), (5, THIEVES, OWN), (6, MASON, OWN)],
    [(4, THIEVES, OWN), (3, EXPORTER, OWN)],
)
TURBULENT = (
    [(4, MASON, OWN), (1, MASON, OWN), (2, MASON, SECOND), (3, FARMER, SECOND), (5, MERCHANT, OWN)],
    [(4, EXPORTER, OWN), (2, THIEVES, SECOND), (5, THIEVES, OWN)],
)


@dataclass
class Heard:
    """What the others received, by viewer, without times and names of sessions."""

    entries: list[list[bytes]] = field(default_factory=list)
    laid: list[list[tenerife.Lay]] = field(default_factory=list)
    """The moves of seat 0 among the entries."""
    positions: list[list[bytes]] = field(default_factory=list)
    replays: list[list[bytes]] = field(default_factory=list)
    refusals: list[list[bytes]] = field(default_factory=list)


async def hear(api: Api, seats: int, options: tenerife.Options, laid: list[Laid]) -> Heard:
    """Play those cards; return what every viewer but seat 0 received."""
    game_options = payload_pb2.GameOptions(tenerife=options)
    sitting = await sit_down(api, seats, game="tenerife", options=game_options, seed=SEED)
    others = [*sitting.seats[1:], None, sitting.host, sitting.spectator]
    watchers = [Watcher(api, sitting, token) for token in others]
    heard = Heard()
    for number, (space, character, colour) in enumerate(laid):
        token = sitting.seats[number % seats]
        card = payload_pb2.Move(tenerife=tenerife.Move(lay={"space": space, "character": character, "colour": colour}))  # type: ignore[arg-type]
        position = await look(api, sitting, token)
        await api.stub.Act(act(sitting, card, position.sequence), metadata=bearer(token))
        heard.positions.append([(await look(api, sitting, other)).SerializeToString() for other in others])
        heard.refusals.append([await probed(api, sitting, other) for other in others])
    for watcher, other in zip(watchers, others, strict=True):
        await watcher.reaches((await look(api, sitting)).sequence)
        await watcher.hang_up()
        entries = [entry for message in watcher.messages for entry in message.entries]
        heard.entries.append([timeless(entry) for entry in entries])
        heard.laid.append([entry.moved.move.tenerife.lay for entry in entries if moved_by_seat_0(entry)])
        replay = pb.GetReplayRequest(name=sitting.name)
        received = await api.stub.GetReplay(replay, metadata=bearer(other))
        heard.replays.append([timeless(entry) for entry in received.replay.entries])
    return heard


async def probed(api: Api, sitting: Sitting, token: str | None) -> bytes:
    """Try to lay a mason below the first card of seat 0; return the refusal with all that comes with it."""
    move = payload_pb2.Move(tenerife=tenerife.Move(lay=tenerife.Lay(space=4, character=tenerife.CHARACTER_MASON)))
    position = await look(api, sitting, token)
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))
    trailers = [value if isinstance(value, bytes) else value.encode() for _, value in refusal.value.trailing_metadata()]
    return b"\n".join([(refusal.value.details() or "").encode(), *trailers])


def moved_by_seat_0(entry: session_pb2.Entry) -> bool:
    return entry.HasField("moved") and entry.HasField("seat") and entry.seat == 0


def timeless(entry: session_pb2.Entry) -> bytes:
    copy = session_pb2.Entry.FromString(entry.SerializeToString())
    copy.ClearField("time")
    return copy.SerializeToString()


@pytest.mark.parametrize(
    ("seats", "turbulent", "games"), [(3, False, PLAIN), (2, True, TURBULENT)], ids=["plain", "turbulent"]
)
async def test_what_a_seat_lays_face_down_makes_no_difference_to_the_others(
    api: Api, seats: int, turbulent: bool, games: tuple[list[Laid], list[Laid]]
) -> None:
    """TENERIFE-ROUND-3, TENERIFE-TWO-2: seat 0 lays other cards."""
    first, instead = games
    swapped = iter(instead)
    second = [next(swapped) if number % seats == 0 else card for number, card in enumerate(first)]
    options = tenerife.Options(start_seat=0, turbulent=turbulent)
    one, other = await hear(api, seats, options, first), await hear(api, seats, options, second)
    assert one.entries == other.entries
    assert one.positions == other.positions
    assert one.replays == other.replays
    assert one.refusals == other.refusals
    backs = [tenerife.Lay(space=space, colour=colour) for space, _, colour in first[::seats]]  # type: ignore[arg-type]
    assert one.laid == [backs] * (seats + 2), "everybody is told at once where seat 0 lays, and nobody what"


async def test_a_turbulent_game_tells_everybody_exactly_what_the_rules_show_them(
    api: Api, valkey: EmbeddedServer
) -> None:
    """TENERIFE-TWO-2"""
    options = payload_pb2.GameOptions(tenerife=tenerife.Options(turbulent=True))
    played = Game(api, await sit_down(api, 2, game="tenerife", options=options), "tenerife", 2)
    received = await played.play()
    for seen in played.all:
        check_observed(received, seen)
        check_answered(received, seen)
        check_looked_up(received, seen)
