"""The rules as pure functions: who acts, which moves are legal, and what a move does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase, player
from skerry_games.small_islands.chance import (
    chance_moves,
    deal_card,
    deal_tile,
    draw_start_seat,
    turn_up_tile,
)
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.moves import (
    ChooseObjective,
    DealCard,
    DealTile,
    DrawDiscovery,
    DrawStartSeat,
    KeepDiscovery,
    LandShip,
    LayStart,
    LayTile,
    Move,
    NoToken,
    PickResource,
    PickTile,
    PlaceHouse,
    PlaceToken,
    StopBuilding,
    TakeTile,
    TakeToken,
    TurnUpTile,
    check_whole,
)
from skerry_games.small_islands.phases.bonus_tokens import no_token, place_moves, place_token, take_token, token_moves
from skerry_games.small_islands.phases.ending import reason
from skerry_games.small_islands.phases.exploration_turns import turn_moves
from skerry_games.small_islands.phases.exploring import lay_moves, lay_tile, pick_moves, pick_tile, take_tile
from skerry_games.small_islands.phases.landing import land_ship
from skerry_games.small_islands.phases.preparation import choose_objective, objective_moves, seats_choosing
from skerry_games.small_islands.phases.reward_phase import (
    build_on,
    cannot_build,
    draw_discovery,
    end_building,
    house_moves,
    keep_discovery,
    keep_moves,
    pick_resource,
    place_house,
    resource_moves,
    stop_building,
)
from skerry_games.small_islands.phases.starting_tiles import START_TILES, lay_start, start_moves
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import (
    AT_HAND,
    CARDS_EACH,
    CHOOSING,
    DISPLAY,
    GAME_OVER,
    HAND,
    LAST_CHANCE_PHASE,
    SEATS,
    SHIPS,
    Phase,
    State,
)

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# A tile costs at most 6 moves: turn up, take, pick, lay, choose a token, place the token. A round adds the cards of two
# kinds and a choice for each seat, up to three moves for each house, and a stop.
_A_ROUND: Final = max(SEATS) * (2 * CARDS_EACH + 1 + 3 * AT_HAND + 1) + 1
MAX_MOVES: Final = (
    1 + START_TILES + HAND * max(SEATS) + DISPLAY + 2 * max(SEATS) + 6 * COMPONENTS.landscape + SHIPS * _A_ROUND
)

Handler = Callable[[State, int, Any], Step[State, Event]]
_BUILDING: Final[dict[type, Handler]] = {
    LandShip: land_ship,
    PlaceHouse: place_house,
    PickResource: pick_resource,
    DrawDiscovery: draw_discovery,
    KeepDiscovery: keep_discovery,
}
"""The moves after which the seat builds on, or its turn ends: what they do before that."""


def _and_build_on(kind: type) -> Handler:
    handler = _BUILDING[kind]
    return lambda state, actor, move: build_on(handler(state, actor, move))


_MOVES: Final[dict[type, tuple[Handler, Phase]]] = {
    DrawStartSeat: (draw_start_seat, Phase.START_SEAT),
    DealTile: (deal_tile, Phase.DEAL_TILES),
    TurnUpTile: (turn_up_tile, Phase.TURN_UP),
    DealCard: (deal_card, Phase.DEAL_CARDS),
    DrawDiscovery: (_and_build_on(DrawDiscovery), Phase.DRAW_DISCOVERY),
    LayStart: (lay_start, Phase.LAY_START),
    ChooseObjective: (choose_objective, Phase.CHOOSE_OBJECTIVE),
    TakeTile: (take_tile, Phase.TURN),
    LandShip: (_and_build_on(LandShip), Phase.TURN),
    PickTile: (pick_tile, Phase.PICK_TILE),
    LayTile: (lay_tile, Phase.LAY_TILE),
    TakeToken: (take_token, Phase.CHOOSE_TOKEN),
    NoToken: (no_token, Phase.CHOOSE_TOKEN),
    PlaceToken: (place_token, Phase.PLACE_TOKEN),
    PlaceHouse: (_and_build_on(PlaceHouse), Phase.PLACE_HOUSES),
    StopBuilding: (stop_building, Phase.PLACE_HOUSES),
    PickResource: (_and_build_on(PickResource), Phase.PICK_RESOURCE),
    KeepDiscovery: (_and_build_on(KeepDiscovery), Phase.KEEP_DISCOVERY),
}
_HANDLERS: Final[dict[type, tuple[Handler, Phase, bool]]] = {
    kind: (handler, phase, phase <= LAST_CHANCE_PHASE) for kind, (handler, phase) in _MOVES.items()
}
"""For each type of move: its handler, its phase, and whether chance makes it."""

_LISTINGS: Final[dict[Phase, Callable[[State, int], tuple[Move, ...]]]] = {
    Phase.LAY_START: start_moves,
    Phase.TURN: turn_moves,
    Phase.PICK_TILE: pick_moves,
    Phase.LAY_TILE: lay_moves,
    Phase.CHOOSE_TOKEN: token_moves,
    Phase.PLACE_TOKEN: place_moves,
    Phase.PLACE_HOUSES: house_moves,
    Phase.PICK_RESOURCE: resource_moves,
    Phase.KEEP_DISCOVERY: keep_moves,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is, all seats that still choose an objective, or chance. Empty at the end."""
    phase = state.phase
    if phase in _LISTINGS:
        return _ACTS[state.turn]
    if phase is CHOOSING:
        return seats_choosing(state)
    return CHANCE_ACTS if phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return every legal move of that actor. Empty if the actor is not to act."""
    phase = state.phase
    if actor == state.turn and (listing := _LISTINGS.get(phase)):
        return listing(state, actor)
    if phase is CHOOSING:
        return objective_moves(state, actor) if actor in seats_choosing(state) else ()
    return chance_moves(state) if actor == CHANCE and phase <= LAST_CHANCE_PHASE else ()


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Apply one move. Raises IllegalMove with the rule that forbids the move, or MalformedMove."""
    try:
        handler, phase, by_chance = _HANDLERS[type(move)]
    except KeyError:
        raise MalformedMove(phrase("common-not-a-move", move=repr(move), game="Small Islands")) from None
    # The same test as ``actor in to_act(state)``, inlined for speed. In this phase the game is not over.
    if state.phase is not phase or (
        actor != (CHANCE if by_chance else state.turn) if phase is not CHOOSING else actor not in seats_choosing(state)
    ):
        check_whole(move)
        raise _refuse_move_type(state) if actor in to_act(state) else _refuse_actor(state, actor)
    return handler(state, actor, move)


def steps(state: State, actor: int, move: Move) -> tuple[Step[State, Event], ...]:
    """Return what ``apply`` does. In a reward phase: a house, the objective of each next seat, the end of the round."""
    if isinstance(move, StopBuilding):
        return tuple(end_building(state, automatic=False))
    if type(move) not in _BUILDING:
        return (apply(state, actor, move),)
    after, events = _BUILDING[type(move)](state, actor, move)
    return (after, events), *(end_building(after, automatic=True) if cannot_build(after) else ())


def _refuse_actor(state: State, actor: int) -> IllegalMove:
    """Return the refusal of an actor that is not to act."""
    if state.phase is GAME_OVER:
        rule, sentence = reason(state)
        return IllegalMove(rule, phrase("small_islands-game-over", sentence=sentence))
    if state.phase <= LAST_CHANCE_PHASE:
        return _refuse_move_type(state)
    if state.phase is Phase.LAY_START:
        return IllegalMove("SMALL-SETUP-4", phrase("small_islands-lays-starting-tiles", turn=player(state.turn)))
    if state.phase is CHOOSING:
        return IllegalMove(
            "SMALL-PREP-2", "You have already chosen your objective. Exploration begins when all seats have chosen."
        )
    if state.phase in (Phase.PLACE_HOUSES, Phase.PICK_RESOURCE, Phase.KEEP_DISCOVERY):
        return IllegalMove("SMALL-REWARD-1", phrase("small_islands-placing-houses", turn=player(state.turn)))
    return IllegalMove("SMALL-EXPLORE-1", phrase("small_islands-s-turn-not-yours", turn=player(state.turn)))


_NEXT_DECISION: Final[dict[Phase, tuple[str, str]]] = {
    Phase.START_SEAT: ("SMALL-SETUP-4", "The start seat must be drawn first."),
    Phase.DEAL_TILES: ("SMALL-SETUP-3", "Tiles must be dealt to the hands first."),
    Phase.TURN_UP: ("SMALL-EXPLORE-2", "A tile must be turned up for the display first."),
    Phase.DEAL_CARDS: ("SMALL-PREP-2", "Cards must be dealt first."),
    Phase.DRAW_DISCOVERY: ("SMALL-PAY-1", "Discovery tokens must be drawn first."),
    Phase.LAY_START: ("SMALL-SETUP-4", "Lay the starting tiles first."),
    Phase.CHOOSE_OBJECTIVE: ("SMALL-PREP-2", "Choose your objective for this round first."),
    Phase.TURN: ("SMALL-EXPLORE-1", "Take a tile from the display or land first."),
    Phase.PICK_TILE: ("SMALL-EXPLORE-2", "Pick the tile of your hand that you will lay first."),
    Phase.LAY_TILE: ("SMALL-EXPLORE-2", "Lay the tile that you picked first."),
    Phase.CHOOSE_TOKEN: ("SMALL-TOKEN-1", "Decide whether to use a bonus token first."),
    Phase.PLACE_TOKEN: ("SMALL-TOKEN-1", "Place the bonus token that you chose first."),
    Phase.PLACE_HOUSES: ("SMALL-REWARD-1", "Place a house or stop placing houses first."),
    Phase.PICK_RESOURCE: ("SMALL-PAY-1", "Pick the resource that your house scores first."),
    Phase.KEEP_DISCOVERY: ("SMALL-PAY-1", "Keep one of your drawn discovery tokens first."),
}


def _refuse_move_type(state: State) -> IllegalMove:
    """Return the refusal of a move that does not fit the current decision."""
    return IllegalMove(*_NEXT_DECISION[state.phase])
