"""Moves that can be taken back (``Game.reveals``) show their seat nothing that it did not know before.

The move that ends a game cannot be taken back, whatever the game says.
"""

from __future__ import annotations

from skerry_games.api import CHANCE, OVER, AnyGame
from tests.games.conformance.play import dice, play, spread
from tests.games.conformance.secrecy import position
from tests.games.conformance.step_secrecy import shown

_STEPS = 40
_REDEALS = 6


def check_undone_moves_reveal_nothing(game: AnyGame, seats: int, seed: int) -> None:
    """A move that claims to reveal nothing leads to equal positions and events from all states alike to its seat."""
    made = [step for step in play(game, seats, seed).steps if step.actor != CHANCE and game.to_act(step.after) != OVER]
    claims = [step for step in made if not game.reveals(step.before, step.actor, step.after)]
    for number, step in enumerate(spread(claims, _STEPS)):
        seat = step.actor
        now = position(game, step.after, seat), shown(game, step.events, seat)
        for draw in range(_REDEALS):
            twin = game.redeal(step.before, seat, dice(seed, number * _REDEALS + draw))
            after, events = game.apply(twin, seat, step.move)
            assert (position(game, after, seat), shown(game, events, seat)) == now, (
                f"{step.move} of seat {seat} shows it something hidden, so it must not be taken back"
            )
            assert not game.reveals(twin, seat, after), f"whether {step.move} can be taken back shows something hidden"
