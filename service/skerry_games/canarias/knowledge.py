"""Public knowledge about hidden cards. The rules update it; only ``redeal.py`` reads it.

When the discard pile becomes the deck, all seats know the cards of the deck. From then on a card that was elsewhere is
``stale``: it is not in the deck. The cards of the deck are ``fresh``: a seat that has not drawn since has none of them.
Knowledge about earlier decks is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct

Counts = int
"""A number of cards per seat, packed into one byte each: there are 60 cards."""
_BITS: Final = 8
_BYTE: Final = (1 << _BITS) - 1


class Knowledge(Struct, frozen=True, array_like=True, gc=False):
    """The facts that follow from public events since the deck was last renewed."""

    least: Counts = 0
    """Per seat: the least number of its fresh cards, with its card on the ship until the ship arrives."""
    most: Counts = 0
    """Per seat: the greatest number of its fresh cards, counted likewise."""
    stale: int = 0
    """Bit set of the cards that cannot be in the deck."""
    first_fresh: bool = True
    """Whether the card that stayed on the ship may be fresh."""
    loaders: int = 0
    """Bit set of the seats that had put a card on the last ship that arrived."""


def counts(numbers: Iterable[int]) -> Counts:
    """Return the numbers, one per seat, packed into one."""
    return sum(number << _BITS * seat for seat, number in enumerate(numbers))


def count(of: Counts, seat: int) -> int:
    """Return the number of that seat."""
    return of >> _BITS * seat & _BYTE


def is_fresh(known: Knowledge, card: int) -> bool:
    """Return whether that hidden card may be in the deck, or have been drawn from it."""
    return not known.stale >> card & 1


def drawn(known: Knowledge, seat: int) -> Knowledge:
    """Return the knowledge after a seat has drawn a card from the deck."""
    one = 1 << _BITS * seat
    # Every second move draws a card, and this is faster than ``replace``.
    return Knowledge(known.least + one, known.most + one, known.stale, known.first_fresh, known.loaders)


def played(known: Knowledge, seat: int, card: int) -> Knowledge:
    """Return the knowledge after a seat has played a card from its hand face up."""
    if known.stale >> card & 1:
        return known
    one = 1 << _BITS * seat
    least = known.least - one if known.least & one * _BYTE else known.least
    return Knowledge(least, known.most - one, known.stale, known.first_fresh, known.loaders)


def arrived(known: Knowledge, loads: Iterable[tuple[int, int]], hands: Iterable[Collection[int]]) -> Knowledge:
    """Return the knowledge after the ship has arrived. From now on only its seat knows which card a seat put there.

    ``loads``: the cards that were put on this ship, each with its seat. ``hands``: the hands of all seats now.
    """
    least, most, loaders = known.least, known.most, 0
    for _, seat in loads:
        loaders |= 1 << seat
        one = 1 << _BITS * seat
        if least & one * _BYTE:
            least -= one
    for seat, hand in enumerate(hands):
        too_many = count(most, seat) - len(hand)
        if too_many > 0:
            most -= too_many << _BITS * seat
    return Knowledge(least, most, known.stale, True, loaders)


def renewed(known: Knowledge, deck: Iterable[int], away: Collection[int], seats: int) -> Knowledge:
    """Return the knowledge after the discard pile has become the deck. ``away``: the cards in hands and on the ship.

    With ``DeckOption.TRIPLES``, copies of a card can be both in the new deck and elsewhere. A copy elsewhere is
    ``loose``: it looks like a card of the deck.
    """
    inside = _set(deck)
    loose = sum([inside >> card & 1 for card in away])
    return Knowledge(0, counts([loose] * seats), _set(away) & ~inside, loose > 0, known.loaders)


def _set(cards: Iterable[int]) -> int:
    """Return the bit set of the cards."""
    return sum([1 << card for card in set(cards)])
