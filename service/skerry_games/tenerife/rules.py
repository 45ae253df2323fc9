"""Whose decision it is, what it can be, and carrying it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, GameError, IllegalMove, MalformedMove, Outcome, Step
from skerry_games.ranking import dense_ranks
from skerry_games.sentences import player
from skerry_games.tenerife.actions.activation import ended_by, go_on, reason
from skerry_games.tenerife.actions.character_column import character_at
from skerry_games.tenerife.actions.laying import lay, laying_moves
from skerry_games.tenerife.actions.mason import build_element, build_mansion, plot_moves, town_moves
from skerry_games.tenerife.actions.merchant import destination_moves, move_merchant
from skerry_games.tenerife.actions.storage import export, warehouse_moves
from skerry_games.tenerife.chance import SEATS, chance_moves, draw_start_seat, turn_up_town
from skerry_games.tenerife.events import Event
from skerry_games.tenerife.moves import (
    BuildElement,
    BuildMansion,
    DrawStartSeat,
    Export,
    Lay,
    Move,
    MoveMerchant,
    TurnUpTown,
)
from skerry_games.tenerife.state import (
    ACTIVATE,
    GAME_OVER,
    LAST_CHANCE_PHASE,
    MOST_HALL_ROUNDS,
    SPACES,
    TOWNS,
    Character,
    Phase,
    State,
    revealed,
)

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# The start seat; in each round a town card, each space once laid and once decided for.
MAX_MOVES: Final = 1 + (len(TOWNS) + MOST_HALL_ROUNDS) * (1 + 2 * max(SPACES.values()))

Handler = Callable[[State, int, Any], Step[State, Event]]
# What carries out a kind of move, and in which phase.
_HANDLERS: Final[dict[type, tuple[Handler, Phase]]] = {
    Lay: (lay, Phase.LAY),
    BuildElement: (build_element, Phase.CHOOSE_PLOT),
    BuildMansion: (build_mansion, Phase.CHOOSE_TOWN),
    Export: (export, Phase.CHOOSE_WAREHOUSE),
    MoveMerchant: (move_merchant, Phase.CHOOSE_DESTINATION),
    TurnUpTown: (turn_up_town, Phase.TURN_UP),
    DrawStartSeat: (draw_start_seat, Phase.START_SEAT),
}

_LISTINGS: Final[dict[Phase, Callable[[State, int], tuple[Move, ...]]]] = {
    Phase.LAY: laying_moves,
    Phase.CHOOSE_PLOT: plot_moves,
    Phase.CHOOSE_TOWN: town_moves,
    Phase.CHOOSE_WAREHOUSE: warehouse_moves,
    Phase.CHOOSE_DESTINATION: destination_moves,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat that decides, chance, or nobody."""
    phase = state.phase
    if phase <= LAST_CHANCE_PHASE:
        return CHANCE_ACTS
    return _ACTS[state.turn] if phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return every move of that actor; empty when it is not to act."""
    phase = state.phase
    if phase <= LAST_CHANCE_PHASE:
        return chance_moves(state) if actor == CHANCE else ()
    if actor != state.turn or phase is GAME_OVER:
        return ()
    return _LISTINGS[phase](state, actor)


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Carry out one move. Raises IllegalMove with the rule that forbids it, or MalformedMove.

    With the last character of a round all are revealed, and act by themselves until a seat has to decide.
    """
    try:
        handler, phase = _HANDLERS[type(move)]
    except KeyError:
        raise MalformedMove(f"{move!r} is not a move of Tenerife.") from None
    # What ``to_act`` says, where the phase is known and not that of a game that is over.
    if state.phase is not phase or actor != (CHANCE if phase <= LAST_CHANCE_PHASE else state.turn):
        raise _refuse(state, actor, move)
    after, events = handler(state, actor, move)
    return go_on(after, events) if after.phase is ACTIVATE else (after, events)


def _refuse(state: State, actor: int, move: Move) -> GameError:
    """Say why it is not this actor's decision, or not this one. A masked move is no move at all, whoever sends it."""
    if isinstance(move, Lay) and move.character is None:
        return MalformedMove("Your move does not say which character to lay.")
    return _refuse_kind(state, move) if actor in to_act(state) else _refuse_actor(state)


def _refuse_actor(state: State) -> IllegalMove:
    """Say that it is not this actor's decision."""
    if state.phase is GAME_OVER:
        return IllegalMove(ended_by(state), "The game is over.")
    if state.phase <= LAST_CHANCE_PHASE:
        return IllegalMove("TENERIFE-ROUND-1", "Chance comes next: nobody has anything to decide now.")
    if revealed(state):
        sentence = f"It is {player(state.turn)}'s turn to choose what their character does."
        return IllegalMove("TENERIFE-ROUND-5", sentence)
    return IllegalMove("TENERIFE-ROUND-2", f"It is {player(state.turn)}'s turn to lay a character.")


def _refuse_kind(state: State, move: Move) -> IllegalMove:
    """Say why this kind of move is not what has to be decided now."""
    if isinstance(move, TurnUpTown | DrawStartSeat) or state.phase <= LAST_CHANCE_PHASE:
        sentence = "Who goes first is drawn once, and one town card is turned up for each round."
        return IllegalMove("TENERIFE-ROUND-1", sentence)
    if not revealed(state):
        return IllegalMove("TENERIFE-ROUND-4", "Characters act only once all of them have been laid and revealed.")
    character = character_at(state, state.active)
    does = f"{'do' if character is Character.THIEVES else 'does'}."
    sentence = f"You have to choose what your {character.name.lower()} below space {state.active} {does}"
    return IllegalMove("TENERIFE-ROUND-5", sentence)


def scores(state: State) -> tuple[int, ...]:
    """Return the points of each seat so far."""
    return tuple(seat.score for seat in state.seats)


def outcome(state: State) -> Outcome | None:
    """Return the ranking once the game is over; tied seats share a rank (TENERIFE-END-1)."""
    if state.phase is not GAME_OVER:
        return None
    points = scores(state)
    return Outcome(dense_ranks(points), points, reason(state))
