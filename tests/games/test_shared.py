"""Functions that the games share: ranks and sentences."""

from __future__ import annotations

from skerry_games.ranking import dense_ranks
from skerry_games.sentences import counted, listed, winners_sentence


def test_ranks_are_dense_and_equal_standings_share_one() -> None:
    assert dense_ranks((5, 9, 5, 2)) == (2, 1, 2, 3)
    assert dense_ranks([(5, 1), (5, 2)]) == (2, 1)


def test_sentences_with_lists_counts_and_winners() -> None:
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]
    assert [counted(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert counted(0, "point", none="no") == "no points"
    assert winners_sentence((1,), "7 points") == "The game is over: {1} is ahead with 7 points."
    assert winners_sentence((0, 2), "7 points") == "The game is over: {0} and {2} are ahead with 7 points each."
