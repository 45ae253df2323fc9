"""Public knowledge about hidden cards, card by card through a game."""

from __future__ import annotations

from skerry_games.canarias.knowledge import Knowledge, arrived, count, counts, drawn, is_fresh, played, renewed


def bounds(known: Knowledge, seats: int = 2) -> list[tuple[int, int]]:
    """Return for each seat how many fresh cards it has at least and at most."""
    return [(count(known.least, seat), count(known.most, seat)) for seat in range(seats)]


def test_a_card_from_the_deck_is_fresh() -> None:
    known = drawn(drawn(drawn(Knowledge(), 1), 0), 1)
    assert bounds(known) == [(1, 1), (2, 2)]


def test_playing_a_fresh_card_lowers_the_counts_and_playing_a_stale_card_does_not() -> None:
    known = renewed(Knowledge(), deck=(3, 5), away=(7,), seats=2)
    assert (is_fresh(known, 3), is_fresh(known, 7)) == (True, False)
    known = drawn(known, 0)
    assert bounds(played(known, 0, 7)) == [(1, 1), (0, 0)]
    assert bounds(played(known, 0, 3)) == [(0, 0), (0, 0)]


def test_the_least_number_of_fresh_cards_is_never_negative() -> None:
    known = Knowledge(least=counts((0, 2)), most=counts((1, 2)))
    assert bounds(played(known, 0, 3)) == [(0, 0), (2, 2)]


def test_after_the_arrival_it_is_unknown_whether_a_card_on_the_ship_was_fresh() -> None:
    at_sea = Knowledge(least=counts((2, 1)), most=counts((2, 3)), first_fresh=False)
    known = arrived(at_sea, [(9, 0)], [(4,), (6, 8, 9)])
    assert bounds(known) == [(1, 1), (1, 3)]
    assert (known.loaders, known.first_fresh) == (0b01, True)


def test_a_new_deck_makes_cards_elsewhere_stale() -> None:
    known = renewed(Knowledge(least=counts((5, 5)), most=counts((5, 5))), deck=(3, 5), away=(7, 8), seats=2)
    assert bounds(known) == [(0, 0), (0, 0)]
    assert [card for card in (3, 5, 7, 8) if is_fresh(known, card)] == [3, 5]
    assert not known.first_fresh


def test_a_card_with_a_copy_in_the_new_deck_may_be_anywhere() -> None:
    known = renewed(Knowledge(), deck=(3, 5), away=(5, 5, 8), seats=2)
    assert bounds(known) == [(0, 2), (0, 2)]
    assert (is_fresh(known, 5), is_fresh(known, 8), known.first_fresh) == (True, False, True)
