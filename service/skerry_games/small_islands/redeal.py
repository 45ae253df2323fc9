"""Deals anew what a viewer cannot know: hands, cards, discovery tokens. What it has ever seen stays.

Tiles are simple: whoever saw a tile in a hand may go on knowing it there. Cards and discovery tokens move in and out
of hidden places, so a viewer knows more than it sees: a card that it has returned cannot have been another seat's
card put aside. Therefore the whole history is dealt anew, such that everything the viewer saw could have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.rng import Rng
from skerry_games.small_islands.components import COMPONENTS
from skerry_games.small_islands.state import Discovery, ObjectiveDeck, Phase, SeatState, State, without
from skerry_games.small_islands.tabletop.table import fits

_Held: TypeAlias = tuple[tuple[int, ...], int | None]
"""A seat's cards of a round, and which of them it had put aside in the round before; ``None`` in the first."""


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

    def __init__(self, state: State, deck: ObjectiveDeck, viewer: Viewer, rng: Rng) -> None:
        self.state, self.real, self.viewer, self.rng = state, deck, viewer, rng
        self.seats: Final = len(state.seats)
        self.rounds: tuple[tuple[tuple[int, ...], ...], ...] = (*deck.past, deck.cards)
        self.all = sorted([*deck.pile, *(card for cards in deck.cards for card in cards)])
        self.seen = [
            {card for seat in range(self.seats) for card in self.known(number, seat)}
            for number in range(len(self.rounds))
        ]
        """For each round the cards of which the viewer knows whose they were."""

    def known(self, number: int, seat: int) -> tuple[int, ...]:
        """Return which of the seat's cards of that round the viewer knows: its own, and those revealed."""
        cards = self.rounds[number][seat]
        if seat == self.viewer:
            return cards
        shown = number < len(self.rounds) - 1 or self.state.revealed >> seat & 1
        return cards[:1] if shown else ()

    def deck(self) -> ObjectiveDeck:
        """Return the deck as it could be as well, from the last round to the first: each history is equally likely."""
        places = [(number, seat) for number in reversed(range(len(self.rounds))) for seat in range(self.seats)]
        found = [cards for cards, _ in _search([self.choice(number, seat) for number, seat in places])]
        *past, now = reversed([tuple(found[begin : begin + self.seats]) for begin in range(0, len(found), self.seats)])
        held = {card for cards in now for card in cards}
        pile = tuple(card for card in self.all if card not in held)
        return replace(self.real, pile=pile, cards=now, past=tuple(past))

    def choice(self, number: int, seat: int) -> Callable[[tuple[_Held, ...]], Iterator[_Held]]:
        """Return what offers the seat's cards of that round, in random order."""

        def offer(chosen: tuple[_Held, ...]) -> Iterator[_Held]:
            if seat == self.viewer:
                yield self.rounds[number][seat], self.rounds[number - 1][seat][1] if number else None
                return
            begin = len(chosen) - seat  # of this round; behind it in time, and before it here, lies the next one
            asides = [card for _, card in chosen[max(0, begin - self.seats) : begin] if card is not None]
            used = {*asides, *(card for cards, _ in chosen[begin:] for card in cards)}
            shown = (*self.known(number, seat), *asides[seat : seat + 1])
            free = [card for card in self.all if card not in used and card not in self.seen[number]]
            yield from self.hands(number, seat, shown, self.rng.shuffle(free))

        return offer

    def hands(self, number: int, seat: int, shown: tuple[int, ...], rest: Sequence[int]) -> Iterator[_Held]:
        """Yield the cards that a seat could have had: those ``shown``, then some of the ``rest``."""
        size = len(self.rounds[number][seat]) - len(shown)
        if not number:
            yield from (((*shown, *cards), None) for cards in permutations(rest, size))
            return
        chose = number + 1 < len(self.rounds) or self.state.chosen >> seat & 1
        for before in self.befores(number, shown, rest, size):
            if before in shown:
                yield from (((*shown, *cards), before) for cards in permutations(rest, size))
                continue
            others = [card for card in rest if card != before]
            for place in self.rng.shuffle(range(size)) if chose else (0,):
                for cards in permutations(others, size - 1):
                    yield (*shown, *cards[:place], before, *cards[place:]), before

    def befores(self, number: int, shown: tuple[int, ...], rest: Sequence[int], size: int) -> Iterable[int]:
        """Return what the seat can have put aside in the round before, as often first as there are hands with it.

        With a card that is shown there are as many as the rest fills the ``size`` places that are left; any other card
        lies at one of these places, and there is one less to fill.
        """
        known = self.seen[number - 1]
        first, others = [card for card in shown if card not in known], [card for card in rest if card not in known]
        drawn = self.rng.below(max(1, len(first) * len(rest) + len(others) * size))
        at = drawn // len(rest) if rest else 0
        return dict.fromkeys((*first[at : at + 1], *others, *first))


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
