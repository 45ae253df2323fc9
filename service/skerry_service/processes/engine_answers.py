"""The engine's answers to requests. They run in a child process, after the checks of ``engine_methods``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from skerry.v1 import engine_pb2 as pb
from skerry.v1 import payload_pb2
from skerry_games.api import CHANCE, AnyGame, BadOptions, IllegalMove, MalformedMove
from skerry_games.editions import edition_of
from skerry_games.rng import SeededRng
from skerry_games.sentences import Sentence, fill
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.processes.engine_refusals import EngineRefusal, invalid_field, refuse_impossible_state
from skerry_service.processes.engine_states import (
    NAMES,
    draw_chance,
    event_messages,
    fill_state,
    game_named,
    move_messages,
    read_state,
)
from skerry_service.processes.playouts import play_out
from skerry_service.wire.payloads import codec_of, read_options, view_to_wire


def new_state(request: pb.NewStateRequest) -> pb.NewStateResponse:
    """Set up a game."""
    game = game_named(request.name)
    try:
        game = _with_edition(game, request.options)
        options = read_options(request.options, game)
        state = game.setup(options, request.seats or game.seats[0])
    except BadOptions as error:
        raise EngineRefusal(BadOptions, error.field, error.sentence) from None
    except InvalidField as error:
        raise invalid_field("options", phrase("engine-options", game=verbatim(game.id))) from error
    if request.seed:
        state, _ = draw_chance(game, state, SeededRng(request.seed, 0))
    response = pb.NewStateResponse(ruleset=game.ruleset)
    fill_state(response.state, game, state)
    return response


def _with_edition(game: AnyGame, options: payload_pb2.GameOptions) -> AnyGame:
    """Return the game with the components of the edition that the options name. Raises BadOptions."""
    edition = getattr(options, game.id).edition if options.WhichOneof("game") == game.id else ""
    return edition_of(game, edition)


def apply_moves(request: pb.ApplyMovesRequest) -> pb.ApplyMovesResponse:
    """Apply the moves of each branch to its snapshot."""
    game, response = game_named(request.name, request.ruleset), pb.ApplyMovesResponse()
    for number, branch in enumerate(request.branches):
        field = f"branches[{number}]"
        state = read_state(game, branch.snapshot, f"{field}.snapshot")
        rng = SeededRng(request.seed, number) if request.seed else None
        with refuse_impossible_state(f"{field}.snapshot", game.id):
            state, events = _applied(game, state, branch, rng, field)
            applied = response.branches.add()
            fill_state(applied.state, game, state)
            applied.events.extend(event_messages(game, events))
    return response


def _applied(game: AnyGame, state: Any, branch: pb.Branch, rng: SeededRng | None, field: str) -> tuple[Any, list[Any]]:
    """Return the state after the moves of a branch, and the events."""
    events: list[Any] = []
    if rng is not None:
        state, events = draw_chance(game, state, rng)
    for number, move in enumerate(branch.moves):
        move_field = f"{field}.moves[{number}]"
        actor = _actor(game.to_act(state), move, move_field)
        try:
            state, move_events = game.apply(state, actor, _read_move(game, move, move_field))
        except MalformedMove as error:
            raise EngineRefusal(MalformedMove, _in(move_field, error.args[0])) from None
        except IllegalMove as error:
            template = _in(move_field, error.template)
            raise EngineRefusal(IllegalMove, error.rule, fill(template, NAMES), template, NAMES) from None
        events += move_events
        if rng is not None:
            state, chance_events = draw_chance(game, state, rng)
            events += chance_events
    return state, events


def _in(field: str, sentence: str) -> Sentence:
    return phrase("engine-in", field=verbatim(field), sentence=sentence)


def _actor(to_act: tuple[int, ...], move: pb.ActorMove, field: str) -> int:
    """Return the seat that makes a move, or ``CHANCE``. Raises EngineRefusal."""
    if not to_act:
        raise invalid_field(field, "The game is over before this move.")
    if not move.HasField("seat"):
        if len(to_act) > 1:
            raise invalid_field(f"{field}.seat", "Several seats are to act. Set the seat that makes this move.")
        return to_act[0]
    if move.seat == CHANCE or move.seat not in to_act:
        raise invalid_field(f"{field}.seat", phrase("engine-not-to-act", seat=move.seat))
    return move.seat


def _read_move(game: AnyGame, message: pb.ActorMove, field: str) -> Any:
    case = message.move.WhichOneof("game")
    if case != game.id:
        raise invalid_field(f"{field}.move", phrase("engine-move", game=verbatim(game.id)))
    return codec_of(game.id, game.ruleset).move_from_proto(getattr(message.move, case))


def read_states(request: pb.ReadStatesRequest) -> pb.ReadStatesResponse:
    """Read from each snapshot the actors, their legal moves, and the view of a seat if asked."""
    game, response = game_named(request.name, request.ruleset), pb.ReadStatesResponse()
    viewer = request.view_of if request.HasField("view_of") else None
    for number, snapshot in enumerate(request.snapshots):
        field = f"snapshots[{number}]"
        state = read_state(game, snapshot, field)
        with refuse_impossible_state(field, game.id):
            reading = response.readings.add()
            fill_state(reading.state, game, state, whole=False)
            if viewer is not None:
                if not 0 <= viewer < len(reading.state.scores):
                    raise invalid_field("view_of", phrase("engine-no-seat", seat=viewer, field=verbatim(field)))
                reading.view.MergeFromString(view_to_wire(game, game.view(state, viewer)))
            if not request.without_moves:
                _fill_moves(reading, game, state)
    return response


def _fill_moves(reading: pb.StateReading, game: AnyGame, state: Any) -> None:
    for actor in game.to_act(state):
        actor_moves = reading.moves.add(seat=None if actor == CHANCE else actor)
        actor_moves.legal_moves.extend(move_messages(game, game.legal_moves(state, actor)))


ANSWERS: Mapping[str, tuple[type[Message], Callable[[Any], Message]]] = {
    "NewState": (pb.NewStateRequest, new_state),
    "ApplyMoves": (pb.ApplyMovesRequest, apply_moves),
    "ReadStates": (pb.ReadStatesRequest, read_states),
    "PlayOut": (pb.PlayOutRequest, play_out),
}
"""By RPC: the request type, and the function that answers."""
