"""The game accepts each listed move, and rejects every other move with a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Any

from msgspec import Struct, msgpack, structs

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, IllegalMove, MalformedMove
from skerry_games.catalogue import all_games
from tests.games.conformance.play import actors_of, advance, dice, play, spread
from tests.games.conformance.texts import is_sentence

MOST_LISTED = 500
_STATES = 60
_POOL = 120


class NoMove(Struct, frozen=True, tag=True):
    """A move of no game."""

    place: int = 0


def check_legal_is_accepted(game: AnyGame, seats: int, seed: int) -> None:
    """The game accepts each legal move in every state."""
    for state in play(game, seats, seed).states:
        for actor in game.to_act(state):
            for move in game.legal_moves(state, actor):
                advance(game, state, actor, move)


def check_unlisted_is_refused(game: AnyGame, seats: int, seed: int) -> None:
    """The game rejects a move that is not listed, by one of its rules or as malformed. The state does not change.

    The check tries moves of other states, of other seats, of chance and of other games, and listed moves with one
    changed field. All actors try them, also those that do not have to decide.
    """
    rules = frozenset(rule.id for rule in game.rules)
    states = play(game, seats, seed).states
    for state in spread(states, _STATES):
        before = msgpack.encode(state)
        for actor in actors_of(seats):
            listed = game.legal_moves(state, actor)
            for move in chain(pool(game, seats, seed), near_misses(listed)):
                if move not in listed:
                    _expect_refusal(game, state, actor, move, rules)
        assert msgpack.encode(state) == before, "a rejected move changed the state"


def check_other_shapes_are_malformed(game: AnyGame, seats: int, seed: int) -> None:
    """The game rejects a value that is not one of its moves as malformed, from every actor."""
    for state in spread(play(game, seats, seed).states, _STATES):
        for actor in actors_of(seats):
            for move in foreign_moves(game):
                refusal = _refusal(game, state, actor, move)
                assert isinstance(refusal, MalformedMove), f"not rejected as malformed but {refusal!r}: {move}"


def check_only_actors_have_moves(game: AnyGame, seats: int, seed: int) -> None:
    """``to_act`` is ascending seats, chance alone, or empty. Other actors have no legal moves."""
    for state in play(game, seats, seed).states:
        actors = game.to_act(state)
        in_order = tuple(sorted(set(actors))) == actors and set(actors) <= set(range(seats))
        assert actors in (CHANCE_ACTS, OVER) or in_order, f"to_act is {actors}"
        for actor in actors_of(seats):
            listed = game.legal_moves(state, actor)
            assert actor in actors or not listed, f"actor {actor} is not to act, but has moves: {listed[0]}"


def check_listings_are_short_and_distinct(game: AnyGame, seats: int, seed: int) -> None:
    """An actor has at most 500 legal moves, all different."""
    for state in play(game, seats, seed).states:
        for actor in game.to_act(state):
            listed = game.legal_moves(state, actor)
            assert len(listed) <= MOST_LISTED, f"{len(listed)} moves are listed for actor {actor}"
            assert len(set(listed)) == len(listed), f"a move is listed twice for actor {actor}"


def check_draws_are_listed(game: AnyGame, seats: int, seed: int) -> None:
    """A drawn move is a legal chance move. Equal generators draw equal moves, others not always the same."""
    choices = varied = 0
    for number, state in enumerate(play(game, seats, seed).states):
        if game.to_act(state) != CHANCE_ACTS:
            continue
        listed = game.legal_moves(state, CHANCE)
        drawn = [game.draw(state, dice(roll, number)) for roll in range(16)]
        for roll, move in enumerate(drawn):
            assert move in listed, f"drawn, but not listed: {move}"
            assert game.draw(state, dice(roll, number)) == move, "the same dice drew another move"
        choices += len(listed) > 1
        varied += len(set(drawn)) > 1
    assert varied or not choices, "chance always draws the same"


@lru_cache(maxsize=64)
def pool(game: AnyGame, seats: int, seed: int) -> tuple[Any, ...]:
    """Return moves from a whole game, chance moves, and moves of other games, to try where they are illegal."""
    played = play(game, seats, seed)
    listed = dict.fromkeys(
        move
        for state in played.states
        for actor in game.to_act(state)
        for move in spread(game.legal_moves(state, actor), 8)
    )
    return (*spread(list(listed), _POOL), *foreign_moves(game))


def foreign_moves(game: AnyGame) -> tuple[Any, ...]:
    """Return values that are no moves of this game: its options, the first moves of other games, nonsense."""
    return (NoMove(), game.options_type(), None, *_first_moves_of_others(game.id))


@lru_cache(maxsize=64)
def _first_moves_of_others(game_id: str) -> tuple[Any, ...]:
    moves = []
    for other in all_games().values():
        if other.id != game_id:
            first = other.setup(other.options_type(), other.seats[0])
            moves += [move for actor in other.to_act(first) for move in other.legal_moves(first, actor)[:3]]
    return tuple(moves)


def near_misses(listed: Iterable[Any]) -> Iterator[Any]:
    """Yield copies of some listed moves, each with one field changed to another value of its type."""
    for move in spread(list(listed), 6):
        for field in move.__struct_fields__:
            for value in _other_values(getattr(move, field)):
                yield structs.replace(move, **{field: value})


def _other_values(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, Enum):
        return tuple(member for member in type(value) if member is not value)
    if isinstance(value, int):
        return (value + 1, value - 1, -1, 10_000)
    if isinstance(value, str):
        return ("", f"{value}x")
    if isinstance(value, tuple):
        return tuple(other for other in ((), value[::-1], value + value, value[1:]) if other != value)
    return ()


def _expect_refusal(game: AnyGame, state: Any, actor: int, move: Any, rules: frozenset[str]) -> None:
    refusal = _refusal(game, state, actor, move)
    assert refusal is not None, f"accepted, but not listed: actor {actor}, {move}"
    if isinstance(refusal, IllegalMove):
        assert refusal.rule in rules, f"rejected by an unknown rule {refusal.rule!r}: {move}"
        assert is_sentence(refusal.sentence), f"rejected without a sentence: {refusal!r}"
    else:
        assert isinstance(refusal, MalformedMove), f"not rejected but broken ({refusal!r}): actor {actor}, {move}"
        assert is_sentence(str(refusal)), f"rejected without a sentence: {refusal!r}"


def _refusal(game: AnyGame, state: Any, actor: int, move: Any) -> Exception | None:
    try:
        game.apply(state, actor, move)
    except Exception as error:  # the check examines every kind of error
        return error
    return None
