"""Every shipped player makes legal moves and does not use hidden information, in every game and variant."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skerry_games.api import CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.information_state import seen_from
from skerry_games.players import LEVELS, player, untimed
from skerry_games.position import Position, start
from skerry_games.rng import Dice
from tests.games.conformance.play import dice, play, spread
from tests.games.players.matches import play_match, ticking
from tests.games.variants import all_variants

PLAYERS = ("random", "greedy", "mcts:5", "planner:2")
"""One level of each kind. Other levels only search longer."""
TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    for seats in variant.game.seats
]


def decisions(game: AnyGame, seats: int, seed: int, most: int) -> Iterator[tuple[Any, int]]:
    """Yield states of a random game, evenly spread, each with a seat that has several legal moves."""
    choices = [
        (state, seat)
        for state in play(game, seats, seed).states
        if game.to_act(state) != CHANCE_ACTS
        for seat in game.to_act(state)
        if len(game.legal_moves(state, seat)) > 1
    ]
    yield from spread(choices, most)


def choice(name: str, game: AnyGame, state: Any, seat: int, seed: int) -> Any:
    """Return the choice of a player whose generator has this seed."""
    chooser = player(name)(dice(seed, 0))
    return chooser.choose(seen_from(Position(game, state), seat, dice(seed, 1)), untimed)


def check_hidden_information_is_unused(name: str, game: AnyGame, seats: int, seed: int, most: int) -> None:
    """Check that a choice does not change when hidden information is drawn anew."""
    for number, (state, seat) in enumerate(decisions(game, seats, seed, most)):
        twin = game.redeal(state, seat, dice(seed, number))
        chosen = choice(name, game, state, seat, number)
        assert chosen == choice(name, game, twin, seat, number)
        assert chosen in game.legal_moves(state, seat)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("name", PLAYERS)
def test_players_do_not_use_hidden_information(name: str, game: AnyGame, seats: int) -> None:
    check_hidden_information_is_unused(name, game, seats, 1, 2 if name.startswith("planner") else 4)


@pytest.mark.deep
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("name", [*PLAYERS, "mcts:50", "planner:6"])
def test_players_do_not_use_hidden_information_in_more_positions(name: str, game: AnyGame, seats: int) -> None:
    for seed in (2, 3):
        check_hidden_information_is_unused(name, game, seats, seed, 15 if name.startswith("planner") else 60)


def test_redeals_differ_in_the_tested_states() -> None:
    hiding = {
        game.id
        for game in (variant.game for variant in all_variants())
        for number, (state, seat) in enumerate(decisions(game, game.seats[0], 1, 5))
        if game.redeal(state, seat, dice(1, number)) != state
    }
    assert hiding >= {"canarias", "small_islands", "tenerife"}
    assert "kreta" not in hiding


def test_a_player_that_peeks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(variant.game for variant in all_variants() if variant.id == "tenerife")

    class Peeking:
        def __init__(self, state: Any) -> None:
            self.state = state

        def choose(self, position: Any, clock: Any) -> Any:
            return position.legal_moves[hash(self.state.cards) % len(position.legal_moves)]

    def peek(name: str, game: AnyGame, state: Any, seat: int, seed: int) -> Any:
        return Peeking(state).choose(seen_from(Position(game, state), seat, dice(seed, 1)), untimed)

    monkeypatch.setattr(f"{__name__}.choice", peek)
    with pytest.raises(AssertionError):
        check_hidden_information_is_unused("peeking", game, 2, 1, 20)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_players_play_whole_games(game: AnyGame) -> None:
    seats = game.seats[0]
    outcome = play_match(game, [player(("greedy", "random")[seat % 2]) for seat in range(seats)], 1)
    assert len(outcome.ranks) == seats


@pytest.mark.parametrize("name", PLAYERS)
def test_equal_seeds_give_equal_choices_and_others_not_always(name: str) -> None:
    game = next(variant.game for variant in all_variants() if variant.id == "canarias")
    chosen = [[choice(name, game, state, seat, seed) for state, seat in decisions(game, 3, 1, 8)] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_a_player(level: str) -> None:
    position = start("tenerife", rng=Dice(Random(1)))
    seen = seen_from(position, position.to_act[0], Dice(Random(1)))
    assert player(level)(Dice(Random(1))).choose(seen, ticking(1.0, 0.125)) in seen.legal_moves
