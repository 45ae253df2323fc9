"""Examples of request bodies, made from the catalogue, so that they can be sent as they are."""

from __future__ import annotations

from typing import Any

import msgspec
from google.protobuf.message import Message

from skerry.v1 import service_pb2 as pb
from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import SEED_BYTES, SeededRng
from skerry_service.rest.json_writer import to_json
from skerry_service.rest.routes import Route
from skerry_service.rpc.codecs import write_move

_SEED = bytes(SEED_BYTES)
_NAMES = ("Ada", "Bob")


def example_of(route: Route) -> Any:
    """Return the JSON value of a request body, or ``None`` if there is nothing to show."""
    game = next(iter(all_games().values()))
    seats = game.seats[0]
    requests: dict[str, Message] = {
        "CreateSession": pb.CreateSessionRequest(game=game.id, seats=[pb.SeatSetup()] * seats),
        "JoinSession": pb.JoinSessionRequest(display_name="Ada"),
        "StartSession": pb.StartSessionRequest(fill_with_bots=True),
        "LabelSession": pb.LabelSessionRequest(labels={"event": "spring-cup"}),
        "LeaveSession": pb.LeaveSessionRequest(),
        "Act": _first_act(game, seats),
    }
    request = requests.get(route.rpc.name)
    return None if request is None else msgspec.json.decode(to_json(request))


def _first_act(game: AnyGame, seats: int) -> pb.ActRequest:
    """Return the first move that a seat can make, as far as chance lets one know beforehand."""
    state, sequence = game.setup(game.options_type(), seats), 2 + seats
    while game.to_act(state) == CHANCE_ACTS:
        state, _ = game.apply(state, CHANCE, game.draw(state, SeededRng(_SEED, sequence)))
        sequence += 1
    move = game.legal_moves(state, game.to_act(state)[0])[0]
    return pb.ActRequest(
        move=write_move(game, move, _NAMES),
        expected_sequence=sequence,
        view=pb.POSITION_VIEW_FULL,
    )
