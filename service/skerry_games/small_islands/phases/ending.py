"""The end of the game: final points, tie-breaks and the reason for the end."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import Outcome, Step
from skerry_games.ranking import dense_ranks
from skerry_games.small_islands.events import BonusScored, Event, GameEnded, SecretsShown
from skerry_games.small_islands.printed.components import Symbol
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
    """Return the values of the seat's discovery tokens, in the order in which it kept them."""
    return tuple([each.kept for each in state.discoveries if each.seat == seat and each.kept])


def ports_around(state: State, seat: int) -> int:
    """Return the number of ports on the tiles around the seat's own ship, 0 without a ship (SMALL-SCORE-1)."""
    ship = state.seats[seat].ship
    return state.table.chart.count(Symbol.PORT, around(ship)) if ship != NOTHING else 0


def finish(state: State, end: End) -> Step[State, Event]:
    """Reveal all secrets, add the final points and end the game (SMALL-SCORE-1)."""
    shown = [_secrets(state, seat) for seat in range(len(state.seats))]
    scored = [_bonus(state, seat) for seat in range(len(state.seats))]
    seats = [replace(seat, score=seat.score + bonus.points) for seat, bonus in zip(state.seats, scored, strict=True)]
    over = replace(
        state,
        phase=Phase.OVER,
        seats=tuple(seats),
        end=end,
        # All views show everything now, so knowledge of single seats is dropped.
        open_tiles=sum([1 << tile for seat in seats for tile in seat.hand]),
        decks=tuple([replace(deck, past=()) for deck in state.decks]),
        discoveries=tuple([Discovery(each.seat, (each.kept,), each.kept) for each in state.discoveries]),
    )
    return over, (*shown, *scored, GameEnded(end, scores(over), _ranked(over, [bonus.ports for bonus in scored])))


def _secrets(state: State, seat: int) -> SecretsShown:
    hand = state.seats[seat].hand
    if state.chosen >> seat & 1:
        return SecretsShown(seat, hand, cards_of(state, seat, ASIDE), cards_of(state, seat, RETURNED))
    # If no further round begins, a seat has only the cards that it put aside.
    return SecretsShown(seat, hand, held_by(state, seat), ())


def _bonus(state: State, seat: int) -> BonusScored:
    discoveries, ports = kept_by(state, seat), ports_around(state, seat)
    return BonusScored(seat, discoveries, ports, sum(discoveries) + ports)


def ranks(state: State) -> tuple[int, ...]:
    """Return the rank of each seat, by points and then by the tie-breaks (SMALL-TIE-1).

    Only seats that have laid nothing can share a rank.
    """
    return _ranked(state, [ports_around(state, seat) for seat in range(len(state.seats))])


def _ranked(state: State, ports: list[int]) -> tuple[int, ...]:
    """Return the ranks. ``ports`` has the number of ports around each seat's ship."""
    return dense_ranks(
        [
            (seat.score, len(seat.houses), around_ship, seat.laid)
            for seat, around_ship in zip(state.seats, ports, strict=True)
        ]
    )


def scores(state: State) -> tuple[int, ...]:
    """Return the current points of each seat. Discovery tokens and ports are added when the game is over."""
    return tuple([seat.score for seat in state.seats])


def outcome(state: State) -> Outcome | None:
    """Return the ranking, or ``None`` until the game is over."""
    if state.phase is not Phase.OVER:
        return None
    rule, sentence = reason(state)
    return Outcome(ranks(state), scores(state), f"{rule}: {sentence}")


def reason(state: State) -> tuple[str, str]:
    """Return the rule that ended the game, and the reason in words. The game must be over."""
    assert state.end is not None
    return _REASONS[state.end]
