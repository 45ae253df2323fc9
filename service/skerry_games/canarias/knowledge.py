"""What everybody can count of the cards that lie hidden. The rules tell it what happens; only ``redeal.py`` asks.

When the discard pile becomes the deck, everybody knows its cards. From then on a card that was elsewhere is ``stale``:
it is not in the deck. And who has not drawn since has none of the others, the ``fresh`` ones. What decks before the
present one taught is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct

Counts = int
"""A number of cards for each seat, one byte each: there are 60 cards."""
_BITS: Final = 8
_BYTE: Final = (1 << _BITS) - 1


class Knowledge(Struct, frozen=True, array_like=True, gc=False):
    """What follows from all that has been seen since the deck was last renewed."""

    least: Counts = 0
    """How many fresh cards each seat has at least, that on the ship included until it arrives."""
    most: Counts = 0
    """The same: at most."""
    stale: int = 0
    """Bit set of the cards that cannot be in the deck."""
    first_fresh: bool = True
    """Whether the card that stayed on the ship may be fresh."""
    loaders: int = 0
    """Bit set of the seats that had put a card on the ship that arrived last."""


def counts(numbers: Iterable[int]) -> Counts:
    """Return these numbers, one for each seat, as one."""
    return sum(number << _BITS * seat for seat, number in enumerate(numbers))


def count(of: Counts, seat: int) -> int:
    """Return the number of that seat."""
    return of >> _BITS * seat & _BYTE


def is_fresh(known: Knowledge, card: int) -> bool:
    """Return whether that card, which nobody sees, may have come from the present deck, or be in it."""
    return not known.stale >> card & 1


def drawn(known: Knowledge, seat: int) -> Knowledge:
    """A seat has drawn a card from the deck."""
    one = 1 << _BITS * seat
    # Every other move draws a card: faster as ``replace``.
    return Knowledge(known.least + one, known.most + one, known.stale, known.first_fresh, known.loaders)


def played(known: Knowledge, seat: int, card: int) -> Knowledge:
    """A seat has shown a card of its hand, and has it no more."""
    if known.stale >> card & 1:
        return known
    one = 1 << _BITS * seat
    least = known.least - one if known.least & one * _BYTE else known.least
    return Knowledge(least, known.most - one, known.stale, known.first_fresh, known.loaders)


def arrived(known: Knowledge, loads: Iterable[tuple[int, int]], hands: Iterable[Collection[int]]) -> Knowledge:
    """The ship has come in: from now on its owner alone knows who put which card there.

    ``loads``: the cards that were put on this ship, each with its seat; ``hands``: what the seats have left.
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
    """Return the knowledge after the discard pile has become the deck. ``away``: all cards in hands and on the ship.

    With ``DeckOption.TRIPLES``, copies of a card can lie both in the new deck and elsewhere. Such a copy elsewhere is
    ``loose``: nothing tells it from a card of the deck.
    """
    inside = _set(deck)
    loose = sum([inside >> card & 1 for card in away])
    return Knowledge(0, counts([loose] * seats), _set(away) & ~inside, loose > 0, known.loaders)


def _set(cards: Iterable[int]) -> int:
    """Return the bit set of these cards."""
    return sum([1 << card for card in set(cards)])
