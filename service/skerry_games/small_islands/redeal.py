"""Deals anew what a viewer cannot know: hands, cards, discovery tokens. What it has ever seen stays.

Tiles are simple: whoever saw a tile in a hand may go on knowing it there. Cards and discovery tokens move in and out
of hidden places, so a viewer knows more than it sees: a card that it has returned cannot have been another seat's
card put aside. Therefore the whole history is dealt anew, such that everything the viewer saw could have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any, Final

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.rng import Rng
from skerry_games.small_islands.components import COMPONENTS
from skerry_games.small_islands.state import Deck, Discovery, Phase, SeatState, State, without
from skerry_games.small_islands.table import fits


def redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return a state that this viewer cannot tell from the real one, all else drawn anew.

    In a finished one nothing is hidden.
    """
    if state.phase is Phase.OVER:
        return state
    decks = tuple(_Dealing(state, deck, viewer, rng).deck() for deck in state.decks)
    discoveries = _discoveries(state, viewer, rng)
    return _hands(replace(state, decks=decks, discoveries=discoveries), viewer, rng)


def _hands(state: State, viewer: Viewer, rng: Rng) -> State:
    """Deal the tiles in hands that the viewer has not seen, with those that nobody has seen."""
    while True:
        hidden = [_hidden(state, seat, viewer) for seat in range(len(state.seats))]
        tiles = list(rng.shuffle(sorted([*state.unseen, *(tile for tiles in hidden for tile in tiles)])))
        seats = tuple(_with_fresh(seat, away, tiles) for seat, away in zip(state.seats, hidden, strict=True))
        dealt = replace(state, seats=seats, unseen=tuple(sorted(tiles)))
        # SMALL-EXPLORE-3: that the hand was not shown tells that something in it fits. The real hand does.
        if state.phase is not Phase.PICK_TILE or any(fits(state.table, tile) for tile in seats[state.turn].hand):
            return dealt


def _hidden(state: State, seat: int, viewer: Viewer) -> tuple[int, ...]:
    """Return the tiles in the seat's hand that the viewer has not seen."""
    if seat == viewer:
        return ()
    return tuple(tile for tile in state.seats[seat].hand if not state.open_tiles >> tile & 1)


def _with_fresh(seat: SeatState, away: tuple[int, ...], tiles: list[int]) -> SeatState:
    """Return the seat with other tiles in the place of some, taken from the list."""
    known = [tile for tile in seat.hand if tile not in away]
    return replace(seat, hand=tuple(sorted([*known, *(tiles.pop() for _ in away)])))


def _search(choices: Sequence[Callable[[tuple[Any, ...]], Iterator[Any]]]) -> tuple[Any, ...]:
    """Return one item for each choice; each is offered what was chosen before, and a choice may find nothing."""

    def go_on(chosen: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if len(chosen) == len(choices):
            return chosen
        for item in choices[len(chosen)](chosen):
            found = go_on((*chosen, item))
            if found is not None:
                return found
        return None

    found = go_on(())
    assert found is not None, "what happened could not have happened"
    return found


class _Dealing:
    """Deals the cards of one deck anew, round by round and seat by seat, so that all the viewer knows is kept.

    A round of a seat is its cards of that round: chosen, put aside, returned; while it still chooses, the one that
    it had put aside and those drawn. The card put aside in a round is among the cards of the next one.
    """

    def __init__(self, state: State, deck: Deck, viewer: Viewer, rng: Rng) -> None:
        self.state, self.real, self.viewer, self.rng = state, deck, viewer, rng
        self.seats: Final = len(state.seats)
        self.rounds: tuple[tuple[tuple[int, ...], ...], ...] = (*deck.past, deck.cards)
        self.all = sorted([*deck.pile, *(card for cards in deck.cards for card in cards)])
        self.owners = [
            {card: seat for seat in range(self.seats) for card in self.known(number, seat)}
            for number in range(len(self.rounds))
        ]
        """For each round the cards of which the viewer knows in whose hands they were."""

    def known(self, number: int, seat: int) -> tuple[int, ...]:
        """Return which of the seat's cards of that round the viewer knows: its own, and those revealed."""
        cards = self.rounds[number][seat]
        if seat == self.viewer:
            return cards
        shown = number < len(self.rounds) - 1 or self.state.revealed >> seat & 1
        return cards[:1] if shown else ()

    def deck(self) -> Deck:
        """Return the deck as it could be as well."""
        places = [(number, seat) for number in range(len(self.rounds)) for seat in range(self.seats)]
        found = _search([self.choice(number, seat) for number, seat in places])
        rounds = [found[number * self.seats : (number + 1) * self.seats] for number in range(len(self.rounds))]
        held = {card for cards in rounds[-1] for card in cards}
        pile = tuple(card for card in self.all if card not in held)
        return replace(self.real, pile=pile, cards=tuple(rounds[-1]), past=tuple(rounds[:-1]))

    def choice(self, number: int, seat: int) -> Callable[[tuple[Any, ...]], Iterator[tuple[int, ...]]]:
        """Return what offers the seat's cards of that round, in random order."""

        def offer(chosen: tuple[Any, ...]) -> Iterator[tuple[int, ...]]:
            if seat == self.viewer:
                yield self.rounds[number][seat]
                return
            asides = [cards[1] for cards in chosen[(number - 1) * self.seats : number * self.seats]] if number else []
            before = asides.pop(seat) if asides else None
            used = {*asides, *(card for cards in chosen[number * self.seats :] for card in cards)}
            yield from self.hands(number, seat, used, before)

        return offer

    def hands(self, number: int, seat: int, used: set[int], before: int | None) -> Iterator[tuple[int, ...]]:
        """Yield the cards that a seat could have had; ``before`` is the one that it had put aside."""
        shown = self.known(number, seat)
        size = len(self.rounds[number][seat])
        chose = number < len(self.rounds) - 1 or self.state.chosen >> seat & 1
        free = [card for card in self.all if card not in used and self.owners[number].get(card, seat) == seat]
        if before is not None and not chose:
            shown = (before,)
        rest = self.rng.shuffle([card for card in free if card not in shown])
        for cards in self.orders(rest, size - len(shown), None if before in shown else before):
            hand = (*shown, *cards)
            # What is put aside now is among the seat's next cards: not where the viewer knows it elsewhere.
            if number + 1 < len(self.rounds) and self.owners[number + 1].get(hand[1], seat) != seat:
                continue
            yield hand

    def orders(self, rest: Sequence[int], count: int, with_card: int | None) -> Iterator[tuple[int, ...]]:
        """Yield so many of these cards in every order; with one of them in all, if it is named.

        Each place of that card is equally likely to come first: what was put aside is chosen as often as returned.
        """
        if with_card is None:
            yield from permutations(rest, count)
            return
        others = [card for card in rest if card != with_card]
        for place in self.rng.shuffle(range(count)):
            for cards in permutations(others, count - 1):
                yield (*cards[:place], with_card, *cards[place:])


def _discoveries(state: State, viewer: Viewer, rng: Rng) -> tuple[Discovery, ...]:
    """Deal the discovery tokens of others anew, so that the viewer could have drawn what it drew."""

    def choice(each: Discovery) -> Callable[[tuple[Any, ...]], Iterator[Discovery]]:
        def offer(chosen: tuple[Any, ...]) -> Iterator[Discovery]:
            pool = COMPONENTS.discovery_tokens
            for before in chosen:
                pool = without(pool, before.kept)
            if each.seat != viewer:
                yield from _draws(pool, each, rng, rng.shuffle(pool))
            elif all(pool.count(value) >= each.drawn.count(value) for value in each.drawn):
                yield each

        return offer

    return _search([choice(each) for each in state.discoveries])


def _draws(pool: tuple[int, ...], real: Discovery, rng: Rng, keepable: tuple[int, ...]) -> Iterator[Discovery]:
    """Yield other draws of as many tokens: one for each token that could have been kept, in their order."""
    for kept in dict.fromkeys(keepable):
        others = rng.shuffle(without(pool, kept))[: len(real.drawn) - 1]
        yield Discovery(real.seat, tuple(sorted((kept, *others))), kept if real.kept else 0)
