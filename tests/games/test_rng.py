"""``SeededRng`` conforms to ``docs/explanation/randomness.md`` and its vectors, and is unbiased."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry_games.rng import SEED_BYTES, Rng, SeededRng, commitment

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("rng_vectors.json").read_text(encoding="utf-8"))
PAGE = Path(__file__).parents[2].joinpath("docs", "explanation", "randomness.md").read_text(encoding="utf-8")
WORDS = 2**64
SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
NUMBERS = st.integers(min_value=0, max_value=WORDS - 1)


def words_of(seed: bytes, draw: int) -> Iterator[int]:
    """The words of a draw: a second implementation of the page."""
    block = 0
    while True:
        hashed = sha256(seed + draw.to_bytes(8, "big") + block.to_bytes(8, "big")).hexdigest()
        yield from (int(hashed[at : at + 16], 16) for at in range(0, 64, 16))
        block += 1


def below(words: Iterator[int], count: int) -> int:
    limit = WORDS - WORDS % count
    return next(word for word in words if word < limit) % count


def shuffle(words: Iterator[int], count: int) -> list[int]:
    order = list(range(count))
    for last in reversed(range(1, count)):
        pick = below(words, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return order


class FedRng(SeededRng):
    """The real generator with given words."""

    __slots__ = ("fed",)

    def __init__(self, *fed: int) -> None:
        super().__init__(bytes(SEED_BYTES), 0)
        self.fed = list(fed)

    def _next_word(self) -> int:
        return self.fed.pop(0)


class ChosenRng(Rng):
    """Returns given numbers from ``below``, to go through all possible results."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers = list(answers)

    def below(self, count: int) -> int:
        answer = self.answers.pop(0)
        assert answer < count
        return answer


# Vectors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitment_vectors(vector: dict[str, Any]) -> None:
    seed, session = bytes.fromhex(vector["seed"]), vector["session"]
    assert sha256(seed + session.encode("ascii")).hexdigest() == vector["commitment"]
    assert commitment(seed, session).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["blocks"])
def test_block_vectors(vector: dict[str, Any]) -> None:
    seed, draw, block = bytes.fromhex(vector["seed"]), int(vector["draw"]), int(vector["block"])
    words = [int(word) for word in vector["words"]]
    assert b"".join(word.to_bytes(8, "big") for word in words).hex() == vector["sha256"]
    assert list(islice(words_of(seed, draw), 4 * block, 4 * block + 4)) == words
    rng = SeededRng(seed, draw)
    assert [rng.below(WORDS) for _ in range(4 * block + 4)][-4:] == words


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_below_vectors(vector: dict[str, Any]) -> None:
    seed, draw = bytes.fromhex(vector["seed"]), int(vector["draw"])
    rng, words = SeededRng(seed, draw), words_of(seed, draw)
    counts = [int(count) for count in vector["counts"]]
    results = [int(result) for result in vector["results"]]
    assert [rng.below(count) for count in counts] == results
    assert [below(words, count) for count in counts] == results
    assert rng.below(WORDS) == next(islice(words_of(seed, draw), vector["words_read"], None))


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffle_vectors(vector: dict[str, Any]) -> None:
    seed, draw, count = bytes.fromhex(vector["seed"]), int(vector["draw"]), vector["count"]
    rng = SeededRng(seed, draw)
    assert list(rng.shuffle(range(count))) == vector["order"] == shuffle(words_of(seed, draw), count)
    assert rng.below(WORDS) == next(islice(words_of(seed, draw), vector["words_read"], None))


def test_some_vectors_drop_words() -> None:
    assert any(vector["words_read"] > len(vector["counts"]) for vector in VECTORS["below"])


def test_the_hashes_of_the_page_are_those_of_the_vectors() -> None:
    known = {block["sha256"] for block in VECTORS["blocks"]} | {one["commitment"] for one in VECTORS["commitments"]}
    written = set(re.findall(r"`([0-9a-f]{64})`", PAGE))
    assert written
    assert written <= known


def test_the_words_of_the_page_are_those_of_the_generator() -> None:
    rows = re.findall(r"\| (\d) \| `([0-9a-f]{16})` \| (\d+) \|", PAGE)
    rng = SeededRng(bytes(SEED_BYTES), 1)
    assert len(rows) == 5
    for _, hexadecimal, decimal in rows:
        assert int(hexadecimal, 16) == int(decimal) == rng.below(WORDS)


def test_the_shuffle_of_the_page() -> None:
    picks = [int(pick) for pick in re.findall(r"^\| [321] \| (\d) \|", PAGE, re.MULTILINE)]
    rng = SeededRng(bytes(SEED_BYTES), 1)
    assert [rng.below(count) for count in (4, 3, 2)] == picks
    assert SeededRng(bytes(SEED_BYTES), 1).shuffle(range(4)) == (1, 0, 3, 2)
    assert "| 1 | 0 | 1, 0, 3, 2 |" in PAGE


# No favours ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 1000, 2**32 + 1, 2**63 + 1, WORDS - 1, WORDS])
def test_accepted_words_are_a_multiple_of_the_count(count: int) -> None:
    limit = WORDS - WORDS % count
    assert limit % count == 0
    assert FedRng(limit - 1).below(count) == count - 1
    assert FedRng(0).below(count) == 0


@pytest.mark.parametrize("count", [3, 6, 7, 1000, 2**32 + 1, 2**63 + 1, WORDS - 1])
def test_words_from_the_limit_on_are_dropped(count: int) -> None:
    limit = WORDS - WORDS % count
    rng = FedRng(limit, WORDS - 1, count - 1, 5)
    assert rng.below(count) == count - 1
    assert rng.fed == [5]


def test_no_word_is_dropped_for_a_power_of_two() -> None:
    assert [FedRng(WORDS - 1).below(2**bits) for bits in range(65)] == [2**bits - 1 for bits in range(65)]


@given(st.integers(min_value=1, max_value=300), st.integers(min_value=0, max_value=2**50))
def test_consecutive_words_give_each_answer_once(count: int, start: int) -> None:
    rng = FedRng(*range(start, start + count))
    assert sorted(rng.below(count) for _ in range(count)) == list(range(count))


@pytest.mark.parametrize("count", range(6))
def test_shuffle_reaches_each_order_in_exactly_one_way(count: int) -> None:
    answers = product(*(range(places) for places in range(count, 1, -1)))
    orders = Counter(ChosenRng(picks).shuffle(range(count)) for picks in answers)
    assert orders == Counter(permutations(range(count)))


def test_choice_reaches_each_item_in_exactly_one_way() -> None:
    assert [ChosenRng((at,)).choice("abc") for at in range(3)] == ["a", "b", "c"]


# The same for everybody ---------------------------------------------------------------------------------------------


@given(SEEDS, NUMBERS, st.lists(st.integers(min_value=1, max_value=WORDS), max_size=12))
def test_below_conforms_to_the_page(seed: bytes, draw: int, counts: list[int]) -> None:
    rng, words = SeededRng(seed, draw), words_of(seed, draw)
    assert [rng.below(count) for count in counts] == [below(words, count) for count in counts]


@given(SEEDS, NUMBERS, st.integers(min_value=0, max_value=60))
def test_shuffle_conforms_to_the_page(seed: bytes, draw: int, count: int) -> None:
    assert list(SeededRng(seed, draw).shuffle(range(count))) == shuffle(words_of(seed, draw), count)


def test_shuffle_leaves_its_argument_alone() -> None:
    items = ["a", "b", "c", "d"]
    assert sorted(SeededRng(bytes(SEED_BYTES), 1).shuffle(items)) == items == ["a", "b", "c", "d"]


@given(SEEDS, st.integers(min_value=0, max_value=WORDS - 2))
def test_neighbouring_draws_differ(seed: bytes, draw: int) -> None:
    assert SeededRng(seed, draw).below(WORDS) != SeededRng(seed, draw + 1).below(WORDS)


# Errors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_a_seed_of_another_size_raises(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
        SeededRng(bytes(size), 1)


@pytest.mark.parametrize("draw", [-1, WORDS])
def test_a_draw_number_out_of_range_raises(draw: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        SeededRng(bytes(SEED_BYTES), draw)


@pytest.mark.parametrize("count", [-1, 0, WORDS + 1])
def test_a_count_out_of_range_raises(count: int) -> None:
    with pytest.raises(ValueError, match="Cannot choose below"):
        SeededRng(bytes(SEED_BYTES), 1).below(count)


def test_choice_from_an_empty_sequence_raises() -> None:
    with pytest.raises(ValueError, match="Cannot choose below 0"):
        SeededRng(bytes(SEED_BYTES), 1).choice(())
