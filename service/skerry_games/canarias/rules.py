"""The rules: the actor, its legal moves, the effect of a move, and the outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, IllegalMove, MalformedMove, Outcome, Step
from skerry_games.canarias.actions.construction import choose_colour, colour_moves, place, place_moves
from skerry_games.canarias.actions.deck import continue_drawing, deal_card, draw_cards, known_card, take_extra
from skerry_games.canarias.actions.pirates import divert, divert_moves, give_up, give_up_moves, next_victim
from skerry_games.canarias.actions.settler_house import build
from skerry_games.canarias.actions.ship_arrival import MOST_ROUNDS, come_ashore, end_round, turn_up
from skerry_games.canarias.actions.ship_loading import load, load_nothing
from skerry_games.canarias.actions.turn import load_moves, turn_moves
from skerry_games.canarias.actions.upgrading import build_palace, build_town
from skerry_games.canarias.chance import (
    chance_moves,
    draw_start_seat,
    start_ship,
    take_island,
    take_moves,
)
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import (
    Build,
    BuildPalace,
    BuildTown,
    ChooseColour,
    DealCard,
    DealIsland,
    Divert,
    Draw,
    DrawStartSeat,
    GiveUp,
    Load,
    Move,
    Place,
    StartShip,
    TakeExtra,
    TakeIsland,
    TurnUp,
)
from skerry_games.canarias.state import GAME_OVER, LAST_CHANCE_PHASE, SEATS, Phase, State, score
from skerry_games.ranking import dense_ranks
from skerry_games.sentences import phrase, player

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# Moves per turn: build (with colour and square) or draw (with 5 cards), the extra card (2), load, and at most 6 palaces
# from 12 houses (each with colour and square). Per card of the ship: turn it up, then colour and square, or the name of
# a victim and 5 houses.
MAX_MOVES: Final = 1 + max(SEATS) * 6 + 1 + MOST_ROUNDS * max(SEATS) * (6 + 2 + 1 + 6 * 3 + 7)

Handler = Callable[[State, int, Any], Step[State, Event]]
_WORKING: Final = (Phase.BUILD_OR_DRAW, Phase.LOAD)
"""The phases of a turn in which the seat can build palaces and towns and take the extra card."""
# The handler of each move type, and the phases that allow it.
_MOVES: Final[dict[type, tuple[Handler, tuple[Phase, ...]]]] = {
    TakeIsland: (take_island, (Phase.TAKE_ISLAND,)),
    Build: (build, (Phase.BUILD_OR_DRAW,)),
    Draw: (draw_cards, (Phase.BUILD_OR_DRAW,)),
    TakeExtra: (take_extra, _WORKING),
    BuildPalace: (build_palace, _WORKING),
    BuildTown: (build_town, _WORKING),
    Load: (load, (Phase.LOAD,)),
    ChooseColour: (choose_colour, (Phase.COLOUR,)),
    Place: (place, (Phase.PLACE,)),
    GiveUp: (give_up, (Phase.GIVE_UP,)),
    Divert: (divert, (Phase.DIVERT,)),
    DrawStartSeat: (draw_start_seat, (Phase.START_SEAT,)),
    DealIsland: (take_island, (Phase.DEAL_ISLAND,)),
    DealCard: (deal_card, (Phase.DRAW_CARD,)),
    StartShip: (start_ship, (Phase.START_SHIP,)),
    TurnUp: (turn_up, (Phase.TURN_UP,)),
}
# The same by phase, so that one lookup checks the phase and finds the handler.
_HANDLERS: Final[dict[Phase, dict[type, Handler]]] = {
    phase: {kind: handler for kind, (handler, phases) in _MOVES.items() if phase in phases} for phase in Phase
}
# The listing of a seat's moves per phase; ``None`` where no seat acts.
_LISTINGS: Final[dict[Phase, Callable[[State, int], tuple[Move, ...]] | None]] = {
    **dict.fromkeys(Phase),
    Phase.TAKE_ISLAND: take_moves,
    Phase.BUILD_OR_DRAW: turn_moves,
    Phase.LOAD: load_moves,
    Phase.COLOUR: colour_moves,
    Phase.PLACE: place_moves,
    Phase.GIVE_UP: give_up_moves,
    Phase.DIVERT: divert_moves,
}
# The automatic step of a phase. It returns the same state object if a seat or chance has to act.
_AUTOMATIC: Final[dict[Phase, Callable[[State, tuple[Event, ...]], Step[State, Event]] | None]] = {
    **dict.fromkeys(Phase),
    Phase.DRAW_CARD: continue_drawing,
    Phase.LOAD: load_nothing,
    Phase.GIVE_UP: next_victim,
    Phase.TURN_UP: end_round,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the acting seat, ``CHANCE_ACTS``, or ``OVER``."""
    if state.phase <= LAST_CHANCE_PHASE:
        return CHANCE_ACTS
    return _ACTS[state.actor] if state.phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return all moves of the actor. Empty if the actor is not to act."""
    listing = _LISTINGS[state.phase]
    if listing:
        return listing(state, actor) if actor == state.actor else ()
    return chance_moves(state) if actor == CHANCE and state.phase is not GAME_OVER else ()


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Return the state after the move, and its events.

    Raises IllegalMove with the rule that forbids the move, or MalformedMove.
    """
    phase = state.phase
    handler = _HANDLERS[phase].get(type(move))
    if handler is None or actor != (CHANCE if phase <= LAST_CHANCE_PHASE else state.actor):
        raise _refuse(state, actor, move)
    after, events = handler(state, actor, move)
    while step := _AUTOMATIC[after.phase]:
        before = after
        after, events = step(before, events)
        if after is before:
            break
    return after, events


def steps(state: State, actor: int, move: Move) -> tuple[Step[State, Event], ...]:
    """Return what ``apply`` does: the card of the ship, what it does, each house that is given up, the next round."""
    after, events = _HANDLERS[state.phase][type(move)](state, actor, move)
    so_far = [(come_ashore(state, move.card), events[:1])] if isinstance(move, TurnUp) else []
    so_far.append((after, events))
    while step := _AUTOMATIC[after.phase]:
        before = after
        after, events = step(before, events)
        if after is before:
            break
        so_far.append((after, events))
    counts = [0, *[len(events) for _, events in so_far]]
    return tuple([(each, events[count:]) for (each, events), count in zip(so_far, counts, strict=False)])


def _refuse(state: State, actor: int, move: Move) -> IllegalMove:
    """Return the reason why this actor cannot make this move now. Raises MalformedMove for a malformed move."""
    if type(move) not in _MOVES:
        raise MalformedMove(phrase("common-not-a-move", move=repr(move), game="Islas Canarias"))
    if isinstance(move, Load | DealCard | StartShip):
        known_card(move.card)  # A masked move is malformed for every actor, in every phase.
    return _refuse_kind(state, move) if actor in to_act(state) else _refuse_actor(state)


def _refuse_actor(state: State) -> IllegalMove:
    """Return the refusal for an actor that is not to act."""
    if state.phase is GAME_OVER:
        return IllegalMove(_ended_by(state), "The game is over.")
    if state.phase <= LAST_CHANCE_PHASE:
        return IllegalMove("CANARIAS-TURN-1", "No player can move now: the next move is a chance move.")
    return IllegalMove("CANARIAS-TURN-1", phrase("canarias-s-turn-decide", actor=player(state.actor)))


def _refuse_kind(state: State, move: Move) -> IllegalMove:
    """Return the refusal for a type of move that does not fit the phase."""
    if isinstance(move, Build | Draw) and state.phase is Phase.LOAD:
        return IllegalMove("CANARIAS-TURN-1", "You have already built or drawn: now put a card on the ship.")
    if isinstance(move, Load) and state.phase is Phase.BUILD_OR_DRAW:
        return IllegalMove("CANARIAS-TURN-1", "First build a house or draw cards, then put a card on the ship.")
    if isinstance(move, TakeIsland | DealIsland):
        return IllegalMove("CANARIAS-SETUP-3", "Each seat takes its island once, before the first round.")
    if isinstance(move, TurnUp):
        return IllegalMove("CANARIAS-ARRIVE-1", "Cards of the ship are turned up only after it has arrived.")
    if isinstance(move, StartShip):
        return IllegalMove("CANARIAS-SETUP-4", "The first ship is started once, after the hands are dealt.")
    return IllegalMove("CANARIAS-TURN-1", _OWED.get(state.phase, "Another chance move comes next."))


_OWED: Final = {
    Phase.TAKE_ISLAND: "First take an island.",
    Phase.BUILD_OR_DRAW: "First build a house or draw cards.",
    Phase.LOAD: "First put a card on the ship.",
    Phase.COLOUR: "First choose the colour of the piece that you build.",
    Phase.PLACE: "First choose the square of the piece that you build.",
    Phase.GIVE_UP: "First choose the house that you give up to the pirate.",
    Phase.DIVERT: "First name the player that the pirate robs instead of you.",
}


def scores(state: State) -> tuple[int, ...]:
    """Return the points per seat so far (CANARIAS-SCORE-1)."""
    return tuple(map(score, state.seats))


def outcome(state: State) -> Outcome | None:
    """Return the ranking of a finished game, else ``None``. Tied seats share a rank (CANARIAS-END-1)."""
    if state.phase is not GAME_OVER:
        return None
    points, rule = scores(state), _ended_by(state)
    return Outcome(dense_ranks(points), points, f"{rule}: {_ENDS[rule]}")


_ENDS: Final = {
    "CANARIAS-END-1": "the last round, after a player had 19 points, has been played.",
    "CANARIAS-END-2": phrase("canarias-rounds-have-been-played", most_rounds=MOST_ROUNDS),
}


def _ended_by(state: State) -> str:
    """Return the id of the rule that ended a finished game."""
    return "CANARIAS-END-1" if state.round < MOST_ROUNDS else "CANARIAS-END-2"
