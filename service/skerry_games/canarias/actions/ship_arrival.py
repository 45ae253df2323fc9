"""The arrival of the ship: turning up its cards, settlers that choose islands, and the end of the round."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.canarias.actions.construction import begin_piece, free_squares_next_to
from skerry_games.canarias.actions.deck import known_card
from skerry_games.canarias.actions.pirates import strike
from skerry_games.canarias.actions.turn import begin_turn
from skerry_games.canarias.events import (
    Comparison,
    Event,
    GameEnded,
    HandRevealed,
    RoundEnded,
    SettlerChose,
    ShipCardTurnedUp,
    ShipRevealed,
)
from skerry_games.canarias.moves import TURN_UP, Move, TurnUp
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, HOUSE_COLOUR, PRIORITIES
from skerry_games.canarias.printed.terms import FEATURES, HOUSE, Power
from skerry_games.canarias.state import NO_SEAT, PLACING, Phase, Ship, State, score, with_card

GOAL: Final = 19
"""The points of a seat that bring about the last round (CANARIAS-END-1)."""
MOST_ROUNDS: Final = 50
"""The greatest number of rounds in a game (CANARIAS-END-2)."""
TIES: Final = COLOUR_OF[Power.TIES]


def turn_up_moves(state: State) -> tuple[Move, ...]:
    """Return a move per kind of card on the ship (CANARIAS-ARRIVE-1)."""
    return tuple([TURN_UP[card] for card in dict.fromkeys([card for card, _ in state.ship])])


def turn_up(state: State, actor: int, move: TurnUp) -> Step[State, Event]:
    """Turn up a card of the ship and carry it out. Raises IllegalMove (CANARIAS-ARRIVE-1) or MalformedMove."""
    card, ship = move.card, _ship_without(state.ship, move.card)
    discard = with_card(state.discard, card)
    turned_up = ShipCardTurnedUp(card)
    if card >= FIRST_PIRATE:
        return strike(replace(state, ship=ship, discard=discard, card=card), (turned_up,))
    # CANARIAS-ARRIVE-2 to CANARIAS-ARRIVE-4
    chose = choose_island(state, card)
    if chose.winner is None:
        return replace(state, ship=ship, discard=discard), (turned_up, chose)
    settling = replace(
        state,
        phase=PLACING,
        actor=chose.winner,
        discard=discard,
        ship=ship,
        card=card,
        piece=HOUSE,
        colour=HOUSE_COLOUR[card],
    )
    return begin_piece(settling, state.houses_left, (turned_up, chose))


def come_ashore(state: State, card: int) -> State:
    """Return the state in which a card of the ship lies face up, and has not taken effect. Only shown."""
    return replace(state, ship=_ship_without(state.ship, card), discard=with_card(state.discard, card), card=card)


def _ship_without(ship: Ship, card: int) -> Ship:
    """Return the ship without a card. Raises IllegalMove (CANARIAS-ARRIVE-1) or MalformedMove."""
    others = tuple([entry for entry in ship if entry[0] != card])
    alike = len(ship) - len(others)
    if not alike:
        known_card(card)
        raise IllegalMove("CANARIAS-ARRIVE-1", "That card is not on the ship.")
    return others if alike == 1 else _without_one_of(ship, others, card)


def _without_one_of(ship: Ship, others: Ship, card: int) -> Ship:
    """Return the ship without one of several equal cards. ``others``: the entries with other cards.

    A seat that loaded one of the equal cards cannot know whether it was turned up, so the ship no longer names this
    seat. A seat that loaded several knows that all but one are left.
    """
    loaders = sorted([loader for each, loader in ship if each == card])
    knowing = [loader for loader, following in pairwise(loaders) if loader == following]
    unknown = [NO_SEAT] * (len(loaders) - 1 - len(knowing))
    return tuple(sorted([*others, *[(card, loader) for loader in knowing + unknown]]))


def choose_island(state: State, card: int) -> SettlerChose:
    """Return the settler's choice: compare the islands, priority by priority, until one seat is left.

    CANARIAS-ARRIVE-2, CANARIAS-ARRIVE-3.
    """
    seats, favoured = state.seats, state.privileges[TIES]
    compared = [*range(len(seats))]
    comparisons: list[Comparison] = []
    for feature in PRIORITIES[card]:
        counts, most, best = [], 0, []
        for seat in compared:
            count = free_squares_next_to(seats[seat], feature).bit_count()
            counts.append((seat, count))
            if count > most:
                most, best = count, [seat]
            elif count == most:
                best.append(seat)
        comparisons.append(Comparison(FEATURES[feature], tuple(counts)))
        if not most:
            continue
        if len(best) == 1:
            return SettlerChose(card, tuple(comparisons), best[0], False)
        if favoured in best:  # CANARIAS-PRIV-TIES
            return SettlerChose(card, tuple(comparisons), favoured, True)
        compared = best
    return SettlerChose(card, tuple(comparisons), None, False)


def end_round(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """End the round when one card is left on the ship (CANARIAS-ARRIVE-1, CANARIAS-ARRIVE-5)."""
    if len(state.ship) > 1:
        return state, events
    scores = tuple([score(seat) for seat in state.seats])
    follows = not state.last and (max(scores) >= GOAL or state.round + 1 == MOST_ROUNDS)
    start = (state.start + 1) % len(state.seats)
    events = (*events, RoundEnded(state.round, scores, follows, state.start, None if state.last else start))
    if state.last:
        return _end(state, scores, events)
    following = replace(state, start=start, round=state.round + 1, last=follows)
    return begin_turn(following, start, state.seats, state.ship, events)


def _end(state: State, scores: tuple[int, ...], events: tuple[Event, ...]) -> Step[State, Event]:
    """End the game and reveal the hands and the ship: the log, which is public now, reveals them anyway."""
    hands = [HandRevealed(me, seat.hand) for me, seat in enumerate(state.seats) if seat.hand]
    ship = [ShipRevealed(card, None if loader == NO_SEAT else loader) for card, loader in state.ship]
    winners = tuple([seat for seat, points in enumerate(scores) if points == max(scores)])
    return replace(state, phase=Phase.OVER), (*events, *hands, *ship, GameEnded(scores, winners))
