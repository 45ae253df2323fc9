"""Secrecy of states (non-interference): what a viewer sees depends only on what it may know.

The game itself defines what a viewer may know, with ``redeal``. Two states are *alike* to a viewer if one is a redeal
of the other for it. The checks compare alike states, for each seat and for a spectator.

A viewer sees the *position* of a state: the view, the actors, its own legal moves in their order, the scores and the
outcome. Alike states have equal positions. They also treat each move of the viewer equally, legal or not: both accept
it, or both reject it with the same error, rule and sentence. ``step_secrecy.py`` checks moves and events.
"""

from __future__ import annotations

from typing import Any

from msgspec import msgpack

from skerry_games.api import AnyGame, GameError, Viewer
from tests.games.conformance.moves import pool
from tests.games.conformance.play import dice, play, play_on, spread, viewers_of
from tests.games.conformance.totals import count_pieces

_STATES = 40
_POSITION = ("view", "to_act", "legal-move list", "scores", "outcome")


def position(game: AnyGame, state: Any, viewer: Viewer) -> tuple[Any, ...]:
    """Return what a viewer sees of a state: view, actors, own legal moves, scores, outcome."""
    listed = () if viewer is None else tuple(game.legal_moves(state, viewer))
    return (game.view(state, viewer), game.to_act(state), listed, game.scores(state), game.outcome(state))


def check_nothing_hidden_is_seen(game: AnyGame, seats: int, seed: int) -> None:
    """Alike states have equal positions. A spectator does not know more than a seat."""
    for number, state in enumerate(play(game, seats, seed).states):
        for viewer in viewers_of(seats):
            twin = game.redeal(state, viewer, dice(seed, number))
            real, dealt = position(game, state, viewer), position(game, twin, viewer)
            for name, here, there in zip(_POSITION, real, dealt, strict=True):
                assert here == there, f"the {name} of viewer {viewer} leaks a secret: {here} becomes {there}"
            assert game.view(twin, None) == game.view(state, None), f"a spectator knows more than viewer {viewer}"


def check_refusals_hide_secrets(game: AnyGame, seats: int, seed: int) -> None:
    """Two alike states both accept a seat's own move, or both reject it with the same words."""
    tried = spread(pool(game, seats, seed), 40)
    for number, state in enumerate(spread(play(game, seats, seed).states, _STATES)):
        for seat in range(seats):
            twin = game.redeal(state, seat, dice(seed, number))
            for move in tried:
                real, dealt = _refusal(game, state, seat, move), _refusal(game, twin, seat, move)
                assert real == dealt, f"the refusal of {move} leaks a secret: {real} becomes {dealt}"


def check_redealt_games_play_on(game: AnyGame, seats: int, seed: int) -> None:
    """A redealt state is a normal state: it survives encoding, has the same pieces, and can be played to the end."""
    states = play(game, seats, seed).states
    for number, state in enumerate(spread(states, 4 * (seats + 1))):
        viewer = viewers_of(seats)[number % (seats + 1)]
        twin = game.redeal(state, viewer, dice(seed, number))
        assert msgpack.decode(msgpack.encode(twin), type=game.state_type) == twin
        same_pieces = count_pieces(game, twin) == count_pieces(game, state)
        assert same_pieces, f"redealing for viewer {viewer} changes the pieces"
        last = twin
        for step in play_on(game, twin, seed):
            last = step.after
        assert game.outcome(last) is not None, f"a game redealt for viewer {viewer} has no outcome"


def _refusal(game: AnyGame, state: Any, seat: int, move: Any) -> tuple[Any, ...] | None:
    try:
        game.apply(state, seat, move)
    except GameError as refusal:
        return type(refusal), refusal.args, vars(refusal)
    return None
