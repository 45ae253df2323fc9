"""Functions that the games share: ranks, sentences, and loading of component data."""

from __future__ import annotations

import pytest
from msgspec import Struct

from skerry_games.component_data import Problem, decode_entries, raise_first_problem
from skerry_games.ranking import dense_ranks
from skerry_games.sentences import counted, listed, winners_sentence

TEXT = '{\n "one": {"size": 1},\n "two": {"size": 2}\n}'


class Entry(Struct, forbid_unknown_fields=True):
    size: int


class DataError(ValueError):
    pass


def test_ranks_are_dense_and_equal_standings_share_one() -> None:
    assert dense_ranks((5, 9, 5, 2)) == (2, 1, 2, 3)
    assert dense_ranks([(5, 1), (5, 2)]) == (2, 1)


def test_sentences_with_lists_counts_and_winners() -> None:
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]
    assert [counted(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert counted(0, "point", none="no") == "no points"
    assert winners_sentence((1,), "7 points") == "The game is over: {1} is ahead with 7 points."
    assert winners_sentence((0, 2), "7 points") == "The game is over: {0} and {2} are ahead with 7 points each."


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (("two", "two is too big"), "house.json, line 3: two is too big"),
        ((None, "there are too many"), "house.json: there are too many"),
        (("three", "three is missing"), "house.json: three is missing"),
    ],
)
def test_the_error_names_the_first_problem_and_its_line(problem: Problem, sentence: str) -> None:
    with pytest.raises(DataError) as refusal:
        raise_first_problem([problem, ("one", "one is wrong, too")], TEXT, DataError)
    assert str(refusal.value) == sentence


def test_malformed_data_raises_an_error_that_names_the_file() -> None:
    assert decode_entries(TEXT, dict[str, Entry], DataError)["two"] == Entry(2)
    for wrong in (TEXT[:-1], TEXT.replace("size", "width")):
        with pytest.raises(DataError, match=r"^house\.json: "):
            decode_entries(wrong, dict[str, Entry], DataError)
