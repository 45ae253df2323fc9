"""Whose decision it is, what it can be, and carrying it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, IllegalMove, MalformedMove, Outcome, Step
from skerry_games.canarias.actions.construction import choose_colour, colour_moves, place, place_moves
from skerry_games.canarias.actions.deck import deal_card, draw_cards, go_on_drawing, known_card, take_extra
from skerry_games.canarias.actions.pirates import divert, divert_moves, give_up, give_up_moves, next_victim
from skerry_games.canarias.actions.settler_house import build
from skerry_games.canarias.actions.ship_arrival import MOST_ROUNDS, end_round, turn_up
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
from skerry_games.sentences import player

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# A turn: build (with colour and square) or draw (with 5 cards), an extra card (2), load; and out of 12 houses at most
# 6 palaces (with colour and square). A card of the ship: turn it up, then colour and square, or a name and 5 houses.
MAX_MOVES: Final = 1 + max(SEATS) * 6 + 1 + MOST_ROUNDS * max(SEATS) * (6 + 2 + 1 + 6 * 3 + 7)

Handler = Callable[[State, int, Any], Step[State, Event]]
_WORKING: Final = (Phase.BUILD_OR_DRAW, Phase.LOAD)
"""The phases of one's own turn in which palaces and towns can be built, and the extra card taken."""
# What carries out a kind of move, in which phases.
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
# The same by phase: to find out what may be done and what does it is one step then.
_HANDLERS: Final[dict[Phase, dict[type, Handler]]] = {
    phase: {kind: handler for kind, (handler, phases) in _MOVES.items() if phase in phases} for phase in Phase
}
# What lists the moves of a seat; none where chance acts, or nobody.
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
# What goes on by itself in a phase; the same state comes back when somebody, or chance, has to act.
_BY_ITSELF: Final[dict[Phase, Callable[[State, tuple[Event, ...]], Step[State, Event]] | None]] = {
    **dict.fromkeys(Phase),
    Phase.DRAW_CARD: go_on_drawing,
    Phase.LOAD: load_nothing,
    Phase.GIVE_UP: next_victim,
    Phase.TURN_UP: end_round,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat that decides, chance, or nobody."""
    if state.phase <= LAST_CHANCE_PHASE:
        return CHANCE_ACTS
    return _ACTS[state.actor] if state.phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return every move of that actor; empty when it is not to act."""
    listing = _LISTINGS[state.phase]
    if listing:
        return listing(state, actor) if actor == state.actor else ()
    return chance_moves(state) if actor == CHANCE and state.phase is not GAME_OVER else ()


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Carry out one move. Raises IllegalMove with the rule that forbids it, or MalformedMove."""
    phase = state.phase
    handler = _HANDLERS[phase].get(type(move))
    if handler is None or actor != (CHANCE if phase <= LAST_CHANCE_PHASE else state.actor):
        raise _refuse(state, actor, move)
    after, events = handler(state, actor, move)
    while go_on := _BY_ITSELF[after.phase]:
        before = after
        after, events = go_on(before, events)
        if after is before:
            break
    return after, events


def _refuse(state: State, actor: int, move: Move) -> IllegalMove:
    """Say why this move cannot be made now, or not by this actor. Raises MalformedMove for what is no move."""
    if type(move) not in _MOVES:
        raise MalformedMove(f"{move!r} is not a move of Islas Canarias.")
    if isinstance(move, Load | DealCard | StartShip):
        known_card(move.card)  # a masked move is malformed whoever sends it, whatever is due
    return _refuse_kind(state, move) if actor in to_act(state) else _refuse_actor(state)


def _refuse_actor(state: State) -> IllegalMove:
    """Say that it is not this actor's decision."""
    if state.phase is GAME_OVER:
        return IllegalMove(_ended_by(state), "The game is over.")
    if state.phase <= LAST_CHANCE_PHASE:
        return IllegalMove("CANARIAS-TURN-1", "Nobody has a decision to make now: chance comes next.")
    return IllegalMove("CANARIAS-TURN-1", f"It is {player(state.actor)}'s decision now.")


def _refuse_kind(state: State, move: Move) -> IllegalMove:
    """Say why this kind of move is not what has to be decided now."""
    if isinstance(move, Build | Draw) and state.phase is Phase.LOAD:
        return IllegalMove("CANARIAS-TURN-1", "You have already built or drawn: put a card on the ship now.")
    if isinstance(move, Load) and state.phase is Phase.BUILD_OR_DRAW:
        return IllegalMove("CANARIAS-TURN-1", "Build a house or draw cards first, and then put a card on the ship.")
    if isinstance(move, TakeIsland | DealIsland):
        return IllegalMove("CANARIAS-SETUP-3", "Islands are taken only once, before the first round.")
    if isinstance(move, TurnUp):
        return IllegalMove("CANARIAS-ARRIVE-1", "No card of the ship is turned up now.")
    if isinstance(move, StartShip):
        return IllegalMove("CANARIAS-SETUP-4", "The first ship is begun only once, after the hands are dealt.")
    return IllegalMove("CANARIAS-TURN-1", _OWED.get(state.phase, "Something else is drawn now."))


_OWED: Final = {
    Phase.TAKE_ISLAND: "First take an island.",
    Phase.BUILD_OR_DRAW: "Build a house or draw cards now.",
    Phase.LOAD: "Put a card on the ship now.",
    Phase.COLOUR: "First choose the colour of what you are building.",
    Phase.PLACE: "First choose the square of what you are building.",
    Phase.GIVE_UP: "First choose the house that you give up to the pirate.",
    Phase.DIVERT: "First name the player whom the pirate robs instead of you.",
}


def scores(state: State) -> tuple[int, ...]:
    """Return the points of each seat so far (CANARIAS-SCORE-1)."""
    return tuple(map(score, state.seats))


def outcome(state: State) -> Outcome | None:
    """Return the ranking once the game is over (CANARIAS-END-1); tied seats share a rank."""
    if state.phase is not GAME_OVER:
        return None
    points, rule = scores(state), _ended_by(state)
    return Outcome(dense_ranks(points), points, f"{rule}: {_ENDS[rule]}")


_ENDS: Final = {
    "CANARIAS-END-1": "the round after somebody had 19 points has been played.",
    "CANARIAS-END-2": f"{MOST_ROUNDS} rounds have been played.",
}


def _ended_by(state: State) -> str:
    """Return the rule that ended a game that is over."""
    return "CANARIAS-END-1" if state.round < MOST_ROUNDS else "CANARIAS-END-2"
