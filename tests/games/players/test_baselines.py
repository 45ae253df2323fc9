"""The fixed opponents of the ladder play well enough to measure others, and fairly."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_games.information_state import seen_from
from skerry_games.players import PlayerFactory, player, untimed
from skerry_games.position import Position
from tests.games.conformance.play import dice
from tests.games.players.kreta_three_plies import KretaThreePlies
from tests.games.players.ladder import BASELINE, factory_of, rung_of
from tests.games.players.matches import play_block
from tests.games.players.tenerife_monte_carlo import TenerifeMonteCarlo
from tests.games.players.test_players import decisions

QUICK: dict[str, PlayerFactory] = {"kreta": KretaThreePlies, "tenerife": partial(TenerifeMonteCarlo, play_outs=60)}
BLOCKS = {"kreta": 1, "tenerife": 4}


def choice(game: str, state: Any, seat: int, seed: int) -> Any:
    """Return the choice of the fixed opponent of a game."""
    position = seen_from(Position(all_games()[game], state), seat, dice(seed, 1))
    return QUICK[game](dice(seed, 0)).choose(position, untimed)


@pytest.mark.parametrize(("name", "seats"), [("kreta", 2), ("tenerife", 3)])
def test_a_baseline_makes_legal_moves_and_does_not_use_hidden_information(name: str, seats: int) -> None:
    game = all_games()[name]
    for number, (state, seat) in enumerate(decisions(game, seats, 1, 3)):
        twin = game.redeal(state, seat, dice(1, number))
        chosen = choice(name, state, seat, number)
        assert chosen == choice(name, twin, seat, number)
        assert chosen in game.legal_moves(state, seat)


def test_a_baseline_plays_at_the_tables_of_its_game_only() -> None:
    assert rung_of("hard", BASELINE).tables == tuple(
        (name, seats) for name in QUICK for seats in all_games()[name].seats
    )
    assert rung_of("hard", "easy").tables == ()
    assert [factory_of(BASELINE, name) for name in QUICK] == [KretaThreePlies, TenerifeMonteCarlo]


@pytest.mark.deep
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", list(QUICK))
def test_a_baseline_beats_greedy(name: str) -> None:
    shares = [play_block(all_games()[name], 2, QUICK[name], player("greedy"), block) for block in range(BLOCKS[name])]
    assert sum(shares) / len(shares) > 0.5
