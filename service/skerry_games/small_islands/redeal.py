"""Samples the hidden part of a state: hands, cards and discovery tokens. Everything the viewer has seen stays.

Tiles are simple: a tile that the viewer saw in a hand stays there. Cards and discovery tokens return to their piles, so
a viewer knows more than it sees now. For example, a card that its seat returned cannot be the card that another seat
had put aside. Therefore the sample includes the whole history, consistent with all that the viewer saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.rng import Rng
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import Discovery, ObjectiveDeck, Phase, SeatState, State, without
from skerry_games.small_islands.tabletop.table import fits

_MAX_CANDIDATES: Final = 256
"""Candidates of one search. Nearly every search needs fewer, and few positions need more for one draw in six."""
_ATTEMPTS: Final = 16
"""Searches with that limit. One without a limit would follow, so that a search always ends."""
_Held: TypeAlias = tuple[tuple[int, ...], int | None]
"""A seat's cards of a round, and the one it had put aside in the previous round (``None`` in the first round)."""


def redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return a sampled state that this viewer cannot distinguish from the real one.

    A finished game hides nothing, so its state is returned unchanged.
    """
    if state.phase is Phase.OVER:
        return state
    decks = tuple(_DeckSampler(state, deck, viewer, rng).deck() for deck in state.decks)
    discoveries = _discoveries(state, viewer, rng)
    return _hands(replace(state, decks=decks, discoveries=discoveries), viewer, rng)


def _hands(state: State, viewer: Viewer, rng: Rng) -> State:
    """Exchange the unknown tiles in hands with the tiles that no viewer has seen, at random."""
    while True:
        hidden = [_hidden(state, seat, viewer) for seat in range(len(state.seats))]
        tiles = list(rng.shuffle(sorted([*state.unseen, *(tile for tiles in hidden for tile in tiles)])))
        seats = tuple(_with_fresh(seat, away, tiles) for seat, away in zip(state.seats, hidden, strict=True))
        dealt = replace(state, seats=seats, unseen=tuple(sorted(tiles)))
        # SMALL-EXPLORE-3: the acting seat did not show its hand, so a tile of it must fit. The real hand satisfies
        # this, so the loop ends.
        if state.phase is not Phase.PICK_TILE or any(fits(state.table, tile) for tile in seats[state.turn].hand):
            return dealt


def _hidden(state: State, seat: int, viewer: Viewer) -> tuple[int, ...]:
    """Return the tiles in the seat's hand that the viewer has not seen."""
    if seat == viewer:
        return ()
    return tuple(tile for tile in state.seats[seat].hand if not state.open_tiles >> tile & 1)


def _with_fresh(seat: SeatState, away: tuple[int, ...], tiles: list[int]) -> SeatState:
    """Return the seat with the tiles ``away`` replaced by tiles from the end of the list."""
    known = [tile for tile in seat.hand if tile not in away]
    return replace(seat, hand=tuple(sorted([*known, *(tiles.pop() for _ in away)])))


def _search(choices: Sequence[Callable[[tuple[Any, ...]], Iterator[Any]]]) -> tuple[Any, ...]:
    """Return one item per choice by depth-first search. Each choice gets the previous items and yields candidates.

    An early item can leave nothing for a late choice, and the search would try all items between them first, thousands
    of them. So it starts over with other random items when it has tried more than it usually needs.
    """
    for _ in range(_ATTEMPTS):
        if (found := _attempt(choices, _MAX_CANDIDATES)) is not None:
            return found
    found = _attempt(choices)
    assert found is not None, "no history is consistent with the real one"
    return found


def _attempt(
    choices: Sequence[Callable[[tuple[Any, ...]], Iterator[Any]]], most: int | None = None
) -> tuple[Any, ...] | None:
    """Return one item per choice; ``None`` if none fit, or not among the first ``most`` candidates."""
    chosen: tuple[Any, ...] = ()
    candidates: list[Iterator[Any]] = []
    tried = 0
    while len(chosen) < len(choices):
        if len(candidates) == len(chosen):
            candidates.append(choices[len(chosen)](chosen))
        item = next(candidates[-1], None)
        if item is not None:
            chosen, tried = (*chosen, item), tried + 1
        elif len(candidates) == 1:
            return None
        else:
            candidates.pop()
            chosen = chosen[:-1]
        if tried == most:
            return None
    return chosen


class _DeckSampler:
    """Samples a history of one deck that is consistent with all that the viewer knows.

    The history has the cards of each seat in each round: chosen, put aside and returned. While a seat still chooses,
    these are the card that it had put aside and those drawn. The card put aside in a round is a card of the next round.
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
        """For each round, the cards whose owner the viewer knows."""

    def known(self, number: int, seat: int) -> tuple[int, ...]:
        """Return the seat's cards of that round that the viewer knows: all of its own, and revealed ones."""
        cards = self.rounds[number][seat]
        if seat == self.viewer:
            return cards
        shown = number < len(self.rounds) - 1 or self.state.revealed >> seat & 1
        return cards[:1] if shown else ()

    def deck(self) -> ObjectiveDeck:
        """Return a sampled deck. Rounds are sampled from last to first.

        All histories are equally likely if every card leaves candidates for the later choices. Otherwise the search
        goes back or starts over, and histories that it finds sooner are likelier.
        """
        places = [(number, seat) for number in reversed(range(len(self.rounds))) for seat in range(self.seats)]
        found = [cards for cards, _ in _search([self.choice(number, seat) for number, seat in places])]
        *past, now = reversed([tuple(found[begin : begin + self.seats]) for begin in range(0, len(found), self.seats)])
        held = {card for cards in now for card in cards}
        pile = tuple(card for card in self.all if card not in held)
        return replace(self.real, pile=pile, cards=now, past=tuple(past))

    def choice(self, number: int, seat: int) -> Callable[[tuple[_Held, ...]], Iterator[_Held]]:
        """Return a function that yields the seat's possible cards of that round in random order."""

        def offer(chosen: tuple[_Held, ...]) -> Iterator[_Held]:
            if seat == self.viewer:
                yield self.rounds[number][seat], self.rounds[number - 1][seat][1] if number else None
                return
            # Index of this round in ``chosen``. The next round comes before it, because rounds are sampled backwards.
            begin = len(chosen) - seat
            asides = [card for _, card in chosen[max(0, begin - self.seats) : begin] if card is not None]
            used = {*asides, *(card for cards, _ in chosen[begin:] for card in cards)}
            shown = (*self.known(number, seat), *asides[seat : seat + 1])
            free = [card for card in self.all if card not in used and card not in self.seen[number]]
            yield from self.hands(number, seat, shown, self.rng.shuffle(free))

        return offer

    def hands(self, number: int, seat: int, shown: tuple[int, ...], rest: Sequence[int]) -> Iterator[_Held]:
        """Yield the cards that a seat could have had: the ``shown`` ones, followed by some of the ``rest``."""
        size = len(self.rounds[number][seat]) - len(shown)
        if not number:
            yield from (((*shown, *cards), None) for cards in permutations(rest, size))
            return
        chose = number + 1 < len(self.rounds) or self.state.chosen >> seat & 1
        for before in self.aside_candidates(number, shown, rest, size):
            if before in shown:
                yield from (((*shown, *cards), before) for cards in permutations(rest, size))
                continue
            others = [card for card in rest if card != before]
            for place in self.rng.shuffle(range(size)) if chose else (0,):
                for cards in permutations(others, size - 1):
                    yield (*shown, *cards[:place], before, *cards[place:]), before

    def aside_candidates(self, number: int, shown: tuple[int, ...], rest: Sequence[int], size: int) -> Iterable[int]:
        """Return the cards that the seat can have put aside in the previous round.

        The probability that a card comes first is proportional to the number of hands with it. With a shown card, the
        rest fills all ``size`` free places. Any other card takes one of these places, and the rest fills one less.
        """
        known = self.seen[number - 1]
        first, others = [card for card in shown if card not in known], [card for card in rest if card not in known]
        drawn = self.rng.below(max(1, len(first) * len(rest) + len(others) * size))
        at = drawn // len(rest) if rest else 0
        return dict.fromkeys((*first[at : at + 1], *others, *first))


def _discoveries(state: State, viewer: Viewer, rng: Rng) -> tuple[Discovery, ...]:
    """Sample the discovery tokens of other seats, consistent with the viewer's own draws."""

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
    """Yield draws of the same number of tokens, one for each value of ``keepable`` that could have been kept."""
    for kept in dict.fromkeys(keepable):
        others = rng.shuffle(without(pool, kept))[: len(real.drawn) - 1]
        yield Discovery(real.seat, tuple(sorted((kept, *others))), kept if real.kept else 0)
