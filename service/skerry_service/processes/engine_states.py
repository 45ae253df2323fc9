"""Reading and writing of snapshots, moves and events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import MsgspecError, msgpack

from skerry.v1 import engine_pb2 as pb
from skerry.v1 import payload_pb2, session_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games, find_game
from skerry_games.rng import SeededRng
from skerry_service.domain.languages.phrases import grouped, phrase, quoted, verbatim
from skerry_service.processes.engine_refusals import invalid_field
from skerry_service.wire.payloads import legal_moves_to_wire, moved_to_wire
from skerry_service.wire.session_messages import write_outcome

NAMES: tuple[str, ...] = tuple(f"Seat {seat}" for seat in range(16))
"""Names of players in sentences, since the engine knows no players."""
_LARGEST_SNAPSHOT = 8 * 1024
"""Bytes. Games need less than a tenth. Caches keep parts of states, so larger ones could fill the memory."""


def game_named(name: str, ruleset: str = "") -> AnyGame:
    """Return the game named ``games/{id}``, by default under its newest ruleset.

    The service has checked that it exists. Raises EngineRefusal if this process lacks the ruleset.
    """
    newest = all_games()[name.removeprefix("games/")]
    game = find_game(newest.id, ruleset or newest.ruleset)
    if game is None:
        raise invalid_field("ruleset", phrase("engine-ruleset", ruleset=quoted(ruleset[:80])))
    return game


def read_state(game: AnyGame, snapshot: bytes, field: str) -> Any:
    """Return the state in a snapshot. The state is well formed but may be impossible. Raises EngineRefusal."""
    try:
        if len(snapshot) > _LARGEST_SNAPSHOT:
            raise ValueError("larger than any state")
        return msgpack.decode(snapshot, type=game.state_type)
    except (MsgspecError, ValueError, RecursionError):
        sentence = phrase(
            "engine-snapshot", bytes=grouped(len(snapshot)), game=verbatim(game.id), ruleset=verbatim(game.ruleset)
        )
        raise invalid_field(field, sentence) from None


def fill_state(message: pb.GameState, game: AnyGame, state: Any, *, whole: bool = True) -> None:
    """Write a state into a message; ``whole``: with its snapshot."""
    if whole:
        message.snapshot = msgpack.encode(state)
    to_act = game.to_act(state)
    message.chance_to_act = to_act == CHANCE_ACTS
    if not message.chance_to_act:
        message.to_act.extend(to_act)
    message.scores.extend(game.scores(state))
    outcome = game.outcome(state)
    if outcome is not None:
        message.outcome.CopyFrom(write_outcome(outcome))


def move_messages(game: AnyGame, moves: Sequence[Any]) -> Sequence[payload_pb2.Move]:
    """Return moves as messages."""
    return session_pb2.Position.FromString(legal_moves_to_wire(game, moves, NAMES)).legal_moves


def event_messages(game: AnyGame, events: Sequence[Any]) -> Sequence[payload_pb2.Event]:
    """Return events as messages."""
    return session_pb2.Moved.FromString(moved_to_wire(game, None, events, NAMES)).events


def draw_chance(game: AnyGame, state: Any, rng: SeededRng) -> tuple[Any, list[Any]]:
    """Draw until a seat is to act or the game is over. Return the state and the events.

    Raises ValueError if chance never stops drawing.
    """
    events: list[Any] = []
    for _ in range(game.max_moves + 1):
        if game.to_act(state) != CHANCE_ACTS:
            return state, events
        state, draw_events = game.apply(state, CHANCE, game.draw(state, rng))
        events += draw_events
    raise ValueError("chance never stops drawing")
