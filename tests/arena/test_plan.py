"""The plan: line-ups, seats and deals."""

from __future__ import annotations

from collections import Counter

import pytest

from skerry_arena.settings import BadSettings, require_playable
from skerry_games.pairing.form import Format
from skerry_games.pairing.plan import games, lineups, seat_seed, total
from tests.arena.samples import settings

FOUR = ("random", "greedy", "mcts:50", "other=random")


def test_a_block_is_one_deal_and_one_line_up_in_every_rotation() -> None:
    plan = list(games(settings(*FOUR, seats=3, games=60)))
    for block in range(20):
        one, two, three = plan[3 * block : 3 * block + 3]
        assert {game.block for game in (one, two, three)} == {block}
        assert one.seed == two.seed == three.seed
        assert two.lineup == one.lineup[1:] + one.lineup[:1]
        assert three.lineup == two.lineup[1:] + two.lineup[:1]
    assert len({game.seed for game in plan}) == 20


def test_all_players_meet_equally_often_and_have_every_seat() -> None:
    plan = list(games(settings(*FOUR, seats=3, games=3 * 12)))
    met = Counter(frozenset(game.lineup) for game in plan)
    assert len(met) == 4 and set(met.values()) == {9}
    seats = Counter((player, seat) for game in plan for seat, player in enumerate(game.lineup))
    assert len(seats) == 12 and set(seats.values()) == {9}


def test_the_number_of_games_is_rounded_up_to_whole_blocks() -> None:
    for wanted, planned in ((1, 3), (3, 3), (4, 6)):
        tournament = settings(*FOUR, seats=3, games=wanted)
        assert total(tournament) == len(list(games(tournament))) == planned


def test_in_a_gauntlet_the_first_player_meets_each_of_the_others_alone() -> None:
    assert lineups(Format.GAUNTLET, 3, 4) == [(0, 1, 1, 1), (0, 2, 2, 2)]


def test_with_few_players_all_of_them_sit_at_each_table() -> None:
    assert lineups(Format.ROUND_ROBIN, 2, 3) == [(0, 0, 1), (0, 1, 1)]


def test_the_plan_follows_from_the_seed() -> None:
    one, other = settings(*FOUR, games=20), settings(*FOUR, games=20, seed="5b" * 32)
    assert list(games(one)) == list(games(one))
    assert {game.seed for game in games(one)}.isdisjoint({game.seed for game in games(other)})


def test_the_seeds_of_players_are_independent_of_the_seeds_of_chance() -> None:
    tournament = settings(*FOUR, games=20)
    drawn = {game.seed for game in games(tournament)}
    seats = [
        seat_seed(tournament, game, seat, what)
        for game in range(20)
        for seat in range(2)
        for what in ("player", "substitute", "view")
    ]
    assert len(set(seats)) == len(seats)
    assert drawn.isdisjoint(seats)


@pytest.mark.parametrize(
    ("players", "more", "said"),
    [
        (("random", "random"), {}, "Two players have the name 'random'"),
        (("random",), {}, "2 to 32 players"),
        (("random", "mcts:0"), {}, "Unknown player 'mcts:0'"),
        (("random", "stockfish"), {}, "Unknown player 'stockfish'"),
        (("random", "no_such:Bot"), {}, "There is no module 'no_such' in this folder"),
        (("random", "__main__:Bot"), {}, "There is no module '__main__' in this folder"),
        (("random", "program:no-such-thing -x"), {}, "The program 'no-such-thing' does not exist"),
        (("random", "program:'"), {}, "is malformed"),
        (("random", "a\tb=greedy"), {}, "printable"),
        (("random", "greedy"), {"game": "chess"}, "Unknown game 'chess'"),
        (("random", "greedy"), {"seats": 6}, "has 2, 3, 4, 5 seats"),
        (("random", "greedy"), {"seats": 0}, "has 2, 3, 4, 5 seats, not 0"),
        (("random", "greedy"), {"seed": "1"}, "64 hexadecimal digits"),
        (("random", "greedy"), {"options": {"colour": 1}}, "Invalid options of canarias"),
        (("random", "greedy"), {"options": {"edition": "first"}}, "Unknown edition 'first'. Available: house."),
        (("random", "greedy"), {"options": {"start_seat": 1.0}}, r"Invalid options of canarias: .+start_seat"),
        (("random", "greedy"), {"options": {"islands": 3}}, r"Invalid options of canarias: .+islands"),
    ],
)
def test_invalid_settings_are_rejected(players: tuple[str, ...], more: dict[str, object], said: str) -> None:
    with pytest.raises(BadSettings, match=said) as refused:
        require_playable(settings(*players, **more))
    assert str(refused.value).endswith(".")
