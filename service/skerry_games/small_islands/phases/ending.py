"""The end: what is added to the points, and who wins."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import Outcome, Step
from skerry_games.ranking import dense_ranks
from skerry_games.small_islands.components import Symbol
from skerry_games.small_islands.events import BonusScored, Event, GameEnded, SecretsShown
from skerry_games.small_islands.state import (
    ASIDE,
    NOTHING,
    RETURNED,
    Discovery,
    End,
    Phase,
    State,
    cards_of,
    held_by,
)
from skerry_games.small_islands.tabletop.cells import around

_REASONS: Final[dict[End, tuple[str, str]]] = {
    End.RESERVE: ("SMALL-END-1", "the reserve has fewer than 6 tiles for the navigation stack."),
    End.STUCK: ("SMALL-END-2", "the display was empty and no ship could be placed."),
    End.SHIPS: ("SMALL-END-3", "all 4 ships have been placed."),
}


def kept_by(state: State, seat: int) -> tuple[int, ...]:
    """Return the values of the discovery tokens that the seat has kept, in the order of keeping."""
    return tuple([each.kept for each in state.discoveries if each.seat == seat and each.kept])


def ports_around(state: State, seat: int) -> int:
    """Return how many ports are on the tiles around the seat's own ship, 0 without a ship (SMALL-SCORE-1)."""
    ship = state.seats[seat].ship
    return state.table.chart.count(Symbol.PORT, around(ship)) if ship != NOTHING else 0


def finish(state: State, end: End) -> Step[State, Event]:
    """Show all secrets, add the last points and end the game (SMALL-SCORE-1)."""
    shown = [_secrets(state, seat) for seat in range(len(state.seats))]
    scored = [_bonus(state, seat) for seat in range(len(state.seats))]
    seats = [replace(seat, score=seat.score + bonus.points) for seat, bonus in zip(state.seats, scored, strict=True)]
    over = replace(
        state,
        phase=Phase.OVER,
        seats=tuple(seats),
        end=end,
        # Nothing is kept that only some have seen: all that lies is open now.
        open_tiles=sum([1 << tile for seat in seats for tile in seat.hand]),
        decks=tuple([replace(deck, past=()) for deck in state.decks]),
        discoveries=tuple([Discovery(each.seat, (each.kept,), each.kept) for each in state.discoveries]),
    )
    return over, (*shown, *scored, GameEnded(end, scores(over), _ranked(over, [bonus.ports for bonus in scored])))


def _secrets(state: State, seat: int) -> SecretsShown:
    hand = state.seats[seat].hand
    if state.chosen >> seat & 1:
        return SecretsShown(seat, hand, cards_of(state, seat, ASIDE), cards_of(state, seat, RETURNED))
    # Before a round that does not begin each seat has nothing but what it has put aside.
    return SecretsShown(seat, hand, held_by(state, seat), ())


def _bonus(state: State, seat: int) -> BonusScored:
    discoveries, ports = kept_by(state, seat), ports_around(state, seat)
    return BonusScored(seat, discoveries, ports, sum(discoveries) + ports)


def ranks(state: State) -> tuple[int, ...]:
    """Return the rank of each seat: by points, then by the tie-breaks (SMALL-TIE-1).

    Seats that have laid nothing at all may share one.
    """
    return _ranked(state, [ports_around(state, seat) for seat in range(len(state.seats))])


def _ranked(state: State, ports: list[int]) -> tuple[int, ...]:
    """Return the ranks, given how many ports are around the ship of each seat."""
    return dense_ranks(
        [
            (seat.score, len(seat.houses), around_ship, seat.laid)
            for seat, around_ship in zip(state.seats, ports, strict=True)
        ]
    )


def scores(state: State) -> tuple[int, ...]:
    """Return the points of each seat so far; discovery tokens and ports are added when the game is over."""
    return tuple([seat.score for seat in state.seats])


def outcome(state: State) -> Outcome | None:
    """Return the ranking once the game is over."""
    if state.phase is not Phase.OVER:
        return None
    rule, sentence = reason(state)
    return Outcome(ranks(state), scores(state), f"{rule}: {sentence}")


def reason(state: State) -> tuple[str, str]:
    """Return the rule that ended a game that is over, and what it found."""
    assert state.end is not None
    return _REASONS[state.end]
