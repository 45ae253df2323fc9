"""The rules as pure functions: who acts, which moves are legal, and what a move does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, IllegalMove, MalformedMove, Outcome, Step
from skerry_games.kreta.actions.abbot import move_abbot, place_abbot
from skerry_games.kreta.actions.admiral import place_ship, sail
from skerry_games.kreta.actions.architect import build_fort, build_village
from skerry_games.kreta.actions.card_play import action_moves, play_card, play_moves
from skerry_games.kreta.actions.castellan import keep_fort, keep_or_replace_moves, replace_fort
from skerry_games.kreta.actions.commander import halt, march, marching_moves, recruit
from skerry_games.kreta.actions.farmer import harvest
from skerry_games.kreta.chance import (
    SEATS,
    chance_moves,
    deal_hills,
    deal_mountains,
    draw_start_seat,
    turn_up_fort,
)
from skerry_games.kreta.events import Event, ProvinceScored
from skerry_games.kreta.moves import (
    BuildFort,
    BuildVillage,
    DealHills,
    DealMountains,
    DrawStartSeat,
    Halt,
    Harvest,
    KeepFort,
    March,
    Move,
    MoveAbbot,
    PlaceAbbot,
    PlaceShip,
    PlayCard,
    Recruit,
    ReplaceFort,
    Sail,
    TurnUpFort,
)
from skerry_games.kreta.state import CASTELLAN, GAME_OVER, LAST_CHANCE_PHASE, ROW, KretaCard, Phase, State, with_seat
from skerry_games.ranking import dense_ranks
from skerry_games.sentences import phrase, player

_ACTS: Final = tuple((seat,) for seat in range(max(SEATS)))

# Between two scorings a seat plays at most 6 cards. The king and the commander take a card move and 4 marches each (a
# halt replaces the last march), the other 4 a card move and one more. A scoring adds the castellan, two fort cards and
# a decision.
MAX_MOVES: Final = 5 + ROW * (max(SEATS) * (2 * 5 + 4 * 2) + 4)

Handler = Callable[[State, int, Any], Step[State, Event]]
# For each type of move: its handler, the phases that allow it, and the card whose action it is.
_HANDLERS: Final[dict[type, tuple[Handler, tuple[Phase, ...], KretaCard | None]]] = {
    PlayCard: (play_card, (Phase.PLAY_CARD,), None),
    PlaceShip: (place_ship, (Phase.ACTION,), KretaCard.ADMIRAL),
    Sail: (sail, (Phase.ACTION,), KretaCard.ADMIRAL),
    Recruit: (recruit, (Phase.ACTION,), KretaCard.COMMANDER),
    March: (march, (Phase.ACTION, Phase.MARCH), KretaCard.COMMANDER),
    Halt: (halt, (Phase.MARCH,), KretaCard.COMMANDER),
    PlaceAbbot: (place_abbot, (Phase.ACTION,), KretaCard.ABBOT),
    MoveAbbot: (move_abbot, (Phase.ACTION,), KretaCard.ABBOT),
    Harvest: (harvest, (Phase.ACTION,), KretaCard.FARMER),
    BuildFort: (build_fort, (Phase.ACTION,), KretaCard.ARCHITECT),
    BuildVillage: (build_village, (Phase.ACTION,), KretaCard.ARCHITECT),
    KeepFort: (keep_fort, (Phase.KEEP_OR_REPLACE,), None),
    ReplaceFort: (replace_fort, (Phase.KEEP_OR_REPLACE,), None),
    DealHills: (deal_hills, (Phase.DEAL_HILLS,), None),
    DealMountains: (deal_mountains, (Phase.DEAL_MOUNTAINS,), None),
    TurnUpFort: (turn_up_fort, (Phase.TURN_UP, Phase.TURN_UP_REPLACEMENT), None),
    DrawStartSeat: (draw_start_seat, (Phase.START_SEAT,), None),
}


_LISTINGS: Final[dict[Phase, Callable[[State, int], tuple[Move, ...]]]] = {
    Phase.PLAY_CARD: play_moves,
    Phase.ACTION: action_moves,
    Phase.MARCH: marching_moves,
    Phase.KEEP_OR_REPLACE: keep_or_replace_moves,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is or chance, or an empty tuple when the game is over."""
    if state.phase <= LAST_CHANCE_PHASE:
        return CHANCE_ACTS
    return _ACTS[state.turn] if state.phase is not GAME_OVER else OVER


def legal_moves(state: State, actor: int) -> tuple[Move, ...]:
    """Return every legal move of that actor. Empty if the actor is not to act."""
    if state.phase <= LAST_CHANCE_PHASE:
        return chance_moves(state) if actor == CHANCE else ()
    if actor != state.turn or state.phase is GAME_OVER:
        return ()
    return _LISTINGS[state.phase](state, actor)


def apply(state: State, actor: int, move: Move) -> Step[State, Event]:
    """Apply one move. Raises IllegalMove with the rule that forbids the move, or MalformedMove."""
    try:
        handler, phases, card = _HANDLERS[type(move)]
    except KeyError:
        raise MalformedMove(phrase("common-not-a-move", move=type(move).__name__, game="Kreta")) from None
    if actor not in to_act(state):
        raise _refuse_actor(state, actor)
    if state.phase not in phases or (card is not None and card is not state.action):
        raise _refuse_move_type(state, move)
    return handler(state, actor, move)


def steps(state: State, actor: int, move: Move) -> tuple[Step[State, Event], ...]:
    """Return what ``apply`` does. A scoring: the castellan, each province, and then the return of the cards."""
    after, events = apply(state, actor, move)
    awarded = [event for event in events if isinstance(event, ProvinceScored)]
    if not awarded:
        return ((after, events),)
    first = events.index(awarded[0])
    seat = state.seats[actor]
    scored = replace(state, seats=with_seat(state, actor, replace(seat, hand=seat.hand & ~(1 << CASTELLAN))))
    shown = [(scored, events[:first])]
    for event in awarded:
        seats = zip(scored.seats, event.awards, strict=True)
        scored = replace(scored, seats=tuple([replace(seat, score=seat.score + award) for seat, award in seats]))
        shown.append((scored, (event,)))
    return (*shown, (after, events[first + len(awarded) :]))


def _refuse_actor(state: State, actor: int) -> IllegalMove:
    """Return the refusal of an actor that is not to act."""
    if state.phase is GAME_OVER:
        return IllegalMove("KRETA-END-1", "The game is over.")
    if state.phase <= LAST_CHANCE_PHASE:
        return IllegalMove("KRETA-TURN-1", "It is no player's turn. The next deal or draw comes first.")
    return IllegalMove("KRETA-TURN-1", phrase("kreta-s-turn", turn=player(state.turn)))


def _refuse_move_type(state: State, move: Move) -> IllegalMove:
    """Return the refusal of a type of move that does not fit the current decision."""
    if isinstance(move, KeepFort | ReplaceFort):
        return IllegalMove("KRETA-CASTELLAN-3", "A fort card can be kept or replaced only right after it is turned up.")
    if isinstance(move, DealHills | DealMountains):
        return IllegalMove(
            "KRETA-SETUP-4", "Tiles are dealt once before the first turn, first to the hills, then to the mountains."
        )
    if isinstance(move, TurnUpFort):
        return IllegalMove("KRETA-SETUP-5", "No fort card can be turned up now.")
    if isinstance(move, Halt) and state.action is KretaCard.COMMANDER:
        return IllegalMove("KRETA-COMMANDER-5", "At least one villager must march before you halt.")
    if isinstance(move, Recruit) and state.phase is Phase.MARCH:
        return IllegalMove("KRETA-COMMANDER-1", "Your villagers are already marching, so you can no longer add one.")
    return IllegalMove("KRETA-TURN-1", _next_decision(state))


def _next_decision(state: State) -> str:
    if state.action is not None:
        return phrase("kreta-carry-out-action-first", card=state.action.name.lower())
    if state.phase is Phase.PLAY_CARD:
        return "Play a card from your hand first."
    if state.phase is Phase.KEEP_OR_REPLACE:
        return "Keep or replace the fort card that was turned up first."
    return "A different deal or draw comes next."


def scores(state: State) -> tuple[int, ...]:
    """Return the current points of each seat."""
    return tuple(seat.score for seat in state.seats)


def outcome(state: State) -> Outcome | None:
    """Return the ranking, or ``None`` until the game is over (KRETA-END-1). Tied seats share a rank."""
    if state.phase is not GAME_OVER:
        return None
    points = scores(state)
    return Outcome(dense_ranks(points), points, "KRETA-END-1: the 11th fort card has been scored.")
