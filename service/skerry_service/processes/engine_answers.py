"""What the engine answers. Runs in a process of its own; ``methods`` has looked at what needs no rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from skerry.v1 import engine_pb2 as pb
from skerry_games.api import CHANCE, AnyGame, BadOptions, IllegalMove, MalformedMove
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill
from skerry_service.domain.errors import InvalidField
from skerry_service.processes.engine_refusals import Wrong, impossible, wrong
from skerry_service.processes.engine_states import (
    NAMES,
    drawn,
    events_told,
    fill_state,
    game_named,
    moves_told,
    read_state,
)
from skerry_service.processes.playouts import play_out
from skerry_service.wire.payloads import codec_of, read_options, view_to_wire


def new_state(request: pb.NewStateRequest) -> pb.NewStateResponse:
    """Set a game up."""
    game = game_named(request.name)
    try:
        options = read_options(request.options, game)
        state = game.setup(options, request.seats or game.seats[0])
    except BadOptions as refused:
        raise Wrong(BadOptions, refused.field, refused.sentence) from None
    except InvalidField as refused:
        raise wrong("options", f"These are not options of {game.id}.") from refused
    if request.seed:
        state, _ = drawn(game, state, SeededRng(request.seed, 0))
    response = pb.NewStateResponse(ruleset=game.ruleset)
    fill_state(response.state, game, state)
    return response


def apply_moves(request: pb.ApplyMovesRequest) -> pb.ApplyMovesResponse:
    """Make moves on each of several snapshots."""
    game, response = game_named(request.name), pb.ApplyMovesResponse()
    for number, branch in enumerate(request.branches):
        field = f"branches[{number}]"
        state = read_state(game, branch.snapshot, f"{field}.snapshot")
        rng = SeededRng(request.seed, number) if request.seed else None
        with impossible(f"{field}.snapshot", game.id):
            state, events = _applied(game, state, branch, rng, field)
            applied = response.branches.add()
            fill_state(applied.state, game, state)
            applied.events.extend(events_told(game, events))
    return response


def _applied(game: AnyGame, state: Any, branch: pb.Branch, rng: SeededRng | None, field: str) -> tuple[Any, list[Any]]:
    """Return the state after the moves of a branch, and what happened."""
    events: list[Any] = []
    if rng is not None:
        state, events = drawn(game, state, rng)
    for number, one in enumerate(branch.moves):
        at = f"{field}.moves[{number}]"
        actor = _actor(game.to_act(state), one, at)
        try:
            state, brought = game.apply(state, actor, _read_move(game, one, at))
        except MalformedMove as refused:
            raise Wrong(MalformedMove, f"Of {at}: {refused}") from None
        except IllegalMove as refused:
            raise Wrong(IllegalMove, refused.rule, f"Of {at}: {fill(refused.sentence, NAMES)}") from None
        events += brought
        if rng is not None:
            state, drew = drawn(game, state, rng)
            events += drew
    return state, events


def _actor(to_act: tuple[int, ...], move: pb.ActorMove, at: str) -> int:
    """Return who makes a move. Raises Wrong."""
    if not to_act:
        raise wrong(at, "The game is over before this move.")
    if not move.HasField("seat"):
        if len(to_act) > 1:
            raise wrong(f"{at}.seat", "Several seats decide at once: name the one that makes this move.")
        return to_act[0]
    if move.seat == CHANCE or move.seat not in to_act:
        raise wrong(f"{at}.seat", f"Seat {move.seat} is not to act at this move.")
    return move.seat


def _read_move(game: AnyGame, one: pb.ActorMove, at: str) -> Any:
    case = one.move.WhichOneof("game")
    if case != game.id:
        raise wrong(f"{at}.move", f"Send a move of {game.id}.")
    return codec_of(game.id).move_from_proto(getattr(one.move, case))


def read_states(request: pb.ReadStatesRequest) -> pb.ReadStatesResponse:
    """Tell of each snapshot who is to act with which moves, and what a seat sees."""
    game, response = game_named(request.name), pb.ReadStatesResponse()
    viewer = request.view_of if request.HasField("view_of") else None
    for number, snapshot in enumerate(request.snapshots):
        field = f"snapshots[{number}]"
        state = read_state(game, snapshot, field)
        with impossible(field, game.id):
            reading = response.readings.add()
            fill_state(reading.state, game, state, whole=False)
            if viewer is not None:
                if not 0 <= viewer < len(reading.state.scores):
                    raise wrong("view_of", f"There is no seat {viewer} in {field}.")
                reading.view.MergeFromString(view_to_wire(game, game.view(state, viewer)))
            if not request.without_moves:
                _fill_moves(reading, game, state)
    return response


def _fill_moves(reading: pb.StateReading, game: AnyGame, state: Any) -> None:
    for actor in game.to_act(state):
        listed = reading.moves.add(seat=None if actor == CHANCE else actor)
        listed.legal_moves.extend(moves_told(game, game.legal_moves(state, actor)))


ANSWERS: Mapping[str, tuple[type[Message], Callable[[Any], Message]]] = {
    "NewState": (pb.NewStateRequest, new_state),
    "ApplyMoves": (pb.ApplyMovesRequest, apply_moves),
    "ReadStates": (pb.ReadStatesRequest, read_states),
    "PlayOut": (pb.PlayOutRequest, play_out),
}
"""By RPC: what is asked with, and what answers."""
