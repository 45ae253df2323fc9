"""Sampling of the hidden state: the hands of other seats, the cards on the ship and the deck are dealt anew.

A sample keeps what the viewer knows: its own hand, its own cards on the ship, and the public knowledge about the other
hidden cards (``knowledge.py``).
"""

from __future__ import annotations

from math import comb

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.canarias.knowledge import count, is_fresh
from skerry_games.canarias.state import NO_SEAT, Phase, Ship, State, at_sea, loaders
from skerry_games.rng import Rng

Hands = dict[int, list[int]]

_PRECISION = 1 << 53


class _Group(Struct, frozen=True):
    """Hidden cards that the viewer cannot separate: a hand with its card on the ship, or the rest of the ship."""

    size: int
    least: int
    """The least number of its cards that came from the current deck."""
    most: int
    """The greatest number of its cards that came from the current deck."""


def redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return a state that the viewer cannot tell from the real one. All possible states are about equally likely.

    A finished game stays as it is, because all of it is public.
    """
    if state.phase is Phase.OVER:
        return state
    groups = _groups(state, viewer)
    fresh, stale = _hidden(state, viewer, rng)
    shares = _shares(groups, len(fresh) - len(state.deck), rng)
    dealt = []
    for group, share in zip(groups, shares, strict=True):
        cards = [fresh.pop() for _ in range(share)] + [stale.pop() for _ in range(group.size - share)]
        dealt.append(list(rng.shuffle(cards)))
    unknown = dealt.pop()
    hands = dict(zip(_others(state, viewer), dealt, strict=True))
    ship = (_ship_at_sea if at_sea(state) else _ship_in_port)(state, viewer, hands, unknown, rng)
    seats = tuple([replace(seat, hand=tuple(sorted(hands.get(me, seat.hand)))) for me, seat in enumerate(state.seats)])
    extra = _extra(state, viewer, hands, rng)
    return replace(state, seats=seats, ship=ship, deck=tuple(sorted(fresh)), extra=extra)


def _others(state: State, viewer: Viewer) -> list[int]:
    return [seat for seat in range(len(state.seats)) if seat != viewer]


def _hidden(state: State, viewer: Viewer, rng: Rng) -> tuple[list[int], list[int]]:
    """Return the cards hidden from the viewer, shuffled: those that may be in the deck, and the others."""
    hidden = [*state.deck, *(card for card, loader in state.ship if loader != viewer)]
    for seat in _others(state, viewer):
        hidden += state.seats[seat].hand
    hidden.sort()
    fresh = [card for card in hidden if is_fresh(state.known, card)]
    stale = [card for card in hidden if not is_fresh(state.known, card)]
    return list(rng.shuffle(fresh)), list(rng.shuffle(stale))


def _groups(state: State, viewer: Viewer) -> list[_Group]:
    """Return the groups of hidden cards: one per other seat, and one for the other unknown cards on the ship."""
    others, known = _others(state, viewer), state.known
    at_hand = loaders(state) if at_sea(state) else 0
    loaded = [at_hand >> seat & 1 for seat in others]
    hands = [
        _Group(len(state.seats[seat].hand) + on_ship, count(known.least, seat), count(known.most, seat))
        for seat, on_ship in zip(others, loaded, strict=True)
    ]
    own = sum([loader == viewer for _, loader in state.ship])
    unknown = len(state.ship) - own - sum(loaded)
    return [*hands, _Group(unknown, 0, unknown if known.first_fresh else 0)]


def _shares(groups: list[_Group], total: int, rng: Rng) -> list[int]:
    """Return for each group how many of its cards come from the current deck, ``total`` in sum.

    Each way to choose the cards is equally likely. The probability of a share is therefore proportional to the number
    of ways that lead on from it.
    """
    ways = [[0] * (total + 1) for _ in groups] + [[1] + [0] * total]
    for number in reversed(range(len(groups))):
        for owed in range(total + 1):
            ways[number][owed] = sum(
                comb(groups[number].size, share) * ways[number + 1][owed - share]
                for share in _possible(groups[number], owed)
            )
    shares = []
    for number, group in enumerate(groups):
        pick = ways[number][total] * rng.below(_PRECISION) // _PRECISION
        for share in _possible(group, total):
            pick -= comb(group.size, share) * ways[number + 1][total - share]
            if pick < 0:
                break
        shares.append(share)
        total -= share
    return shares


def _possible(group: _Group, owed: int) -> range:
    return range(group.least, min(group.most, group.size, owed) + 1)


def _ship_at_sea(state: State, viewer: Viewer, hands: Hands, unknown: list[int], rng: Rng) -> Ship:
    """Return the ship before it arrives. The seat of each card is known, except that of the first card.

    Moves each other seat's card from its hand in ``hands`` to the ship.
    """
    if not state.ship:
        return ()
    (first, loader), *others = state.ship
    if unknown:
        first, loader = unknown[0], _any_loader(state, viewer, rng)
    return ((first, loader), *[(card if seat == viewer else hands[seat].pop(), seat) for card, seat in others])


def _ship_in_port(state: State, viewer: Viewer, hands: Hands, unknown: list[int], rng: Rng) -> Ship:
    """Return the ship while its cards are turned up: the viewer's own cards, and unknown cards with possible seats."""
    strangers = [seat for seat in _others(state, viewer) if loaders(state) >> seat & 1]
    knowers = [*rng.shuffle([*strangers, _any_loader(state, viewer, rng)]), *[NO_SEAT] * len(unknown)]
    known = [(card, loader) for card, loader in state.ship if loader == viewer]
    return tuple(sorted([*known, *zip(unknown, knowers, strict=False)]))


def _any_loader(state: State, viewer: Viewer, rng: Rng) -> int:
    """Return a random seat for the card that stayed on the ship: NO_SEAT or, after the first ship, any other seat."""
    return rng.choice([NO_SEAT, *_others(state, viewer)]) if state.round > 1 else NO_SEAT


def _extra(state: State, viewer: Viewer, hands: Hands, rng: Rng) -> int:
    """Return the extra card of the turn: any card that its owner may have drawn in this turn."""
    if state.extra < 0 or state.turn == viewer:
        return state.extra
    return rng.choice([card for card in sorted(hands[state.turn]) if is_fresh(state.known, card)])
