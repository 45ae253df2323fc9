"""Greedy bots play each other: ``python -m tests.games.canarias.simulation [games a number of seats]``.

Prints how long games last, which islands win, how many settlers from ships find no home and how many privileges are
taken: figures to be compared with those of other implementations, not to be relied on.

A greedy seat builds a palace or town whenever it gains a point, builds a house whenever it can, and draws otherwise. It
puts the card on the ship that its own island would win most clearly; all else it chooses at random.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from skerry_games.api import CHANCE
from skerry_games.canarias import GAME
from skerry_games.canarias.actions.construction import free_squares_next_to
from skerry_games.canarias.events import PalaceBuilt, PrivilegeTaken, SettlerChose, TownBuilt
from skerry_games.canarias.moves import Build, BuildPalace, BuildTown, Draw, Load, Move, TakeExtra
from skerry_games.canarias.printed.cards import PRIORITIES
from skerry_games.canarias.state import State, is_pirate
from skerry_games.rng import SeededRng

GAMES = 200


@dataclass
class Figures:
    """What was seen in games of one number of seats."""

    rounds: Counter[int] = field(default_factory=Counter)
    played: Counter[int] = field(default_factory=Counter)
    """By island, as the next two."""
    won: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    homeless: int = 0
    taken: int = 0


def choose(state: State, me: int, rng: SeededRng) -> Move:
    """Return what a greedy seat does."""
    listed = GAME.legal_moves(state, me)
    gains = [move for move in listed if isinstance(move, BuildPalace | BuildTown) and _gains(state, me, move)]
    if gains:
        return rng.choice(gains)
    for wanted in (TakeExtra, Build, Draw):
        if found := [move for move in listed if isinstance(move, wanted)]:
            return rng.choice(found)
    loads = [move for move in listed if isinstance(move, Load)]
    return max(rng.shuffle(loads), key=lambda load: _lead(state, me, load)) if loads else rng.choice(listed)


def _gains(state: State, me: int, move: Move) -> bool:
    """Return whether a palace or town brings a point, whatever is chosen next."""
    after, events = GAME.apply(state, me, move)
    while not any(isinstance(event, PalaceBuilt | TownBuilt) for event in events):
        after, events = GAME.apply(after, me, GAME.legal_moves(after, me)[0])
    return GAME.scores(after)[me] > GAME.scores(state)[me]


def _lead(state: State, me: int, load: Load) -> int:
    """Return how many empty squares more than the best other island one's own has next to the first priority."""
    card = load.card
    if card is None or is_pirate(card):
        return -12
    counts = [free_squares_next_to(seat, PRIORITIES[card][0]).bit_count() for seat in state.seats]
    return counts.pop(me) - max(counts)


def play(seats: int, seed: int, figures: Figures) -> None:
    """Play one game and add it to the figures."""
    rng = SeededRng(seed.to_bytes(32, "big"), seats)
    state = GAME.setup(GAME.options_type(), seats)
    taken = set()
    while actors := GAME.to_act(state):
        actor = actors[0]
        move = GAME.draw(state, rng) if actor == CHANCE else choose(state, actor, rng)
        state, events = GAME.apply(state, actor, move)
        figures.homeless += sum(isinstance(event, SettlerChose) and event.winner is None for event in events)
        taken |= {event.colour for event in events if isinstance(event, PrivilegeTaken)}
    outcome = GAME.outcome(state)
    assert outcome is not None
    winners = outcome.ranks.count(1)
    figures.rounds[state.round] += 1
    figures.taken += len(taken)
    for seat, rank, score in zip(state.seats, outcome.ranks, outcome.scores, strict=True):
        figures.played[seat.island] += 1
        figures.points[seat.island] += score
        figures.won[seat.island] += int(rank == 1) * 60 // winners


def report(seats: int, games: int) -> str:
    """Return the figures of so many games in words."""
    figures = Figures()
    for seed in range(games):
        play(seats, seed, figures)
    shares = sorted(figures.won[island] / 60 / count for island, count in figures.played.items())
    means = sorted(figures.points[island] / count for island, count in figures.played.items())
    rounds = sum(number * count for number, count in figures.rounds.items()) / games
    return (
        f"{seats} seats, {games} games: {rounds:.1f} rounds ({min(figures.rounds)}-{max(figures.rounds)}); "
        f"an island wins {shares[0]:.0%}-{shares[-1]:.0%} with {means[0]:.1f}-{means[-1]:.1f} points; "
        f"{figures.homeless / games:.2f} settlers without a home, {figures.taken / games:.1f} privileges taken"
    )


if __name__ == "__main__":
    for number in GAME.seats:
        print(report(number, int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
