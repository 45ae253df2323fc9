"""States, moves and events are values: they survive encoding, compare, hash, and never change."""

from __future__ import annotations

from typing import Any

from msgspec import msgpack

from skerry_games.api import AnyGame
from tests.games.conformance.play import play, spread, viewers_of


def check_states_survive_encoding(game: AnyGame, seats: int, seed: int) -> None:
    """A state that is encoded and decoded is equal, and has the same hash and the same encoding."""
    decoder = msgpack.Decoder(game.state_type)
    for state in play(game, seats, seed).states:
        encoded = msgpack.encode(state)
        _expect_twin(state, decoder.decode(encoded))
        assert msgpack.encode(decoder.decode(encoded)) == encoded, "encoding again gives other bytes"


def check_moves_survive_encoding(game: AnyGame, seats: int, seed: int) -> None:
    """The same for every legal move of seats and of chance."""
    decoder: msgpack.Decoder[Any] = msgpack.Decoder(game.move_type)
    for state in play(game, seats, seed).states:
        for actor in game.to_act(state):
            for move in game.legal_moves(state, actor):
                _expect_twin(move, decoder.decode(msgpack.encode(move)))


def check_options_survive_encoding(game: AnyGame, seats: int, seed: int) -> None:
    """The same for the default options. The decoded options set up the same game."""
    options = game.options_type()
    decoded = msgpack.decode(msgpack.encode(options), type=game.options_type)
    _expect_twin(options, decoded)
    assert game.setup(decoded, seats) == play(game, seats, seed).first, "decoded options set up another game"


def check_apply_changes_nothing(game: AnyGame, seats: int, seed: int) -> None:
    """``apply``, ``legal_moves`` and ``view`` do not change the state."""
    for state in spread(play(game, seats, seed).states, 80):
        before = msgpack.encode(state)
        for actor in game.to_act(state):
            for move in game.legal_moves(state, actor):
                game.apply(state, actor, move)
        for viewer in viewers_of(seats):
            game.view(state, viewer)
        assert msgpack.encode(state) == before, "a function changed its argument"


def check_everything_shown_can_be_sent(game: AnyGame, seats: int, seed: int) -> None:
    """Outcomes, and the views, moves and events of every viewer, can be encoded and hashed."""
    played = play(game, seats, seed)
    for viewer in viewers_of(seats):
        for state in played.states:
            _expect_encodable(game.view(state, viewer))
        for step in played.steps:
            _expect_encodable(game.show_move(step.move, step.actor, viewer))
            for event in step.events:
                _expect_encodable(game.show(event, viewer))
    _expect_encodable(game.outcome(played.last))


def _expect_twin(value: Any, decoded: Any) -> None:
    assert type(decoded) is type(value), f"{type(value).__name__} decodes to {type(decoded).__name__}"
    assert decoded == value, f"decoding gives another value: {decoded} for {value}"
    assert hash(decoded) == hash(value), f"an equal value has another hash: {value}"


def _expect_encodable(value: Any) -> None:
    try:
        assert msgpack.encode(value)
        hash(value)
    except TypeError as error:
        raise AssertionError(f"cannot be encoded and hashed: {value}") from error
