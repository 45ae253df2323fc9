"""The rules: the actor, its legal moves, the effect of a move, and the outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, GameError, IllegalMove, MalformedMove, Outcome, Step
from skerry_games.ranking import dense_ranks
from skerry_games.sentences import phrase, player
from skerry_games.tenerife.actions.activation import activate, activations, ended_by, reason
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
    NO_SEAT,
    SPACES,
    TOWNS,
    Character,
    Phase,
    State,
    revealed,
)

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# Chance draws the start seat. Each round has a town card, and per space one laying and at most one decision.
MAX_MOVES: Final = 1 + (len(TOWNS) + MOST_HALL_ROUNDS) * (1 + 2 * max(SPACES.values()))

Handler = Callable[[State, int, Any], Step[State, Event]]
# The handler of each move type, and the phase that allows it.
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
    """Return the acting seat, ``CHANCE_ACTS``, or ``OVER``."""
    phase = state.phase
    if phase <= LAST_CHANCE_PHASE:
        return CHANCE_ACTS
    return _ACTS[state.turn] if phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return all moves of the actor. Empty if the actor is not to act."""
    phase = state.phase
    if phase <= LAST_CHANCE_PHASE:
        return chance_moves(state) if actor == CHANCE else ()
    if actor != state.turn or phase is GAME_OVER:
        return ()
    return _LISTINGS[phase](state, actor)


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Return the state after the move, and its events.

    After the last character of a round is laid, all characters act in turn until a seat has to decide.
    Raises IllegalMove with the rule that forbids the move, or MalformedMove.
    """
    try:
        handler, phase = _HANDLERS[type(move)]
    except KeyError:
        raise MalformedMove(phrase("common-not-a-move", move=repr(move), game="Tenerife")) from None
    # The same check as ``to_act``, but faster: here the phase is known and never OVER.
    if state.phase is not phase or actor != (CHANCE if phase <= LAST_CHANCE_PHASE else state.turn):
        raise _refuse(state, actor, move)
    after, events = handler(state, actor, move)
    return activate(after, events) if after.phase is ACTIVATE else (after, events)


def steps(state: State, actor: int, move: Move) -> tuple[Step[State, Event], ...]:
    """Return what ``apply`` does: the card laid, the cards turned, each character acting, and the end of the round."""
    handler, _ = _HANDLERS[type(move)]
    after, events = handler(state, actor, move)
    if after.phase is not ACTIVATE:
        return ((after, events),)
    shown = [(after, events)]
    if isinstance(move, Lay):
        shown = [(replace(after, phase=Phase.LAY, turn=NO_SEAT), events[:1]), (replace(after, active=1), events[1:])]
    for space, (acted, happened) in activations(after):
        lit = replace(acted, active=space) if acted.phase is ACTIVATE else acted
        shown.append((lit, happened))
    return tuple(shown)


def _refuse(state: State, actor: int, move: Move) -> GameError:
    """Return the reason why this actor cannot make this move now. A masked move is malformed for every actor."""
    if isinstance(move, Lay) and move.character is None:
        return MalformedMove("The move names no character: name one from your hand.")
    return _refuse_kind(state, move) if actor in to_act(state) else _refuse_actor(state)


def _refuse_actor(state: State) -> IllegalMove:
    """Return the refusal for an actor that is not to act."""
    if state.phase is GAME_OVER:
        return IllegalMove(ended_by(state), "The game is over.")
    if state.phase <= LAST_CHANCE_PHASE:
        return IllegalMove("TENERIFE-ROUND-1", "No player can move now: the next move is a chance move.")
    if revealed(state):
        sentence = phrase("tenerife-s-turn-choose-what", turn=player(state.turn))
        return IllegalMove("TENERIFE-ROUND-5", sentence)
    return IllegalMove("TENERIFE-ROUND-2", phrase("tenerife-s-turn-lay-character", turn=player(state.turn)))


def _refuse_kind(state: State, move: Move) -> IllegalMove:
    """Return the refusal for a type of move that does not fit the phase."""
    if isinstance(move, TurnUpTown | DrawStartSeat) or state.phase <= LAST_CHANCE_PHASE:
        sentence = "The start seat is drawn once, and one town card is turned up per round."
        return IllegalMove("TENERIFE-ROUND-1", sentence)
    if not revealed(state):
        return IllegalMove("TENERIFE-ROUND-4", "Characters act only after all of them are laid and revealed.")
    character = character_at(state, state.active)
    verb = "do" if character is Character.THIEVES else "does"
    sentence = phrase(
        "tenerife-first-choose-what-below", character=character.name.lower(), active=state.active, verb=verb
    )
    return IllegalMove("TENERIFE-ROUND-5", sentence)


def scores(state: State) -> tuple[int, ...]:
    """Return the points per seat so far."""
    return tuple(seat.score for seat in state.seats)


def outcome(state: State) -> Outcome | None:
    """Return the ranking of a finished game, else ``None``. Tied seats share a rank (TENERIFE-END-1)."""
    if state.phase is not GAME_OVER:
        return None
    points = scores(state)
    return Outcome(dense_ranks(points), points, reason(state))
