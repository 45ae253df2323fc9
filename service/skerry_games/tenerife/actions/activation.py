"""The course of a round: its start, the activation of all characters, its end, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.sentences import phrase
from skerry_games.tenerife.actions.mason import act_mason
from skerry_games.tenerife.actions.merchant import act_merchant
from skerry_games.tenerife.actions.storage import act_exporter, act_farmer
from skerry_games.tenerife.actions.thieves import act_thieves, effect_of_thieves
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.events import CharacterRobbed, Event, GameEnded, HallScored, RoundBegun, RoundEnded
from skerry_games.tenerife.state import (
    ACTIVATE,
    CHARACTER,
    LA_LAGUNA,
    MOST_HALL_ROUNDS,
    NO_SEAT,
    THIEVES,
    Character,
    CharacterCard,
    Phase,
    State,
    all_spaces,
    full_hand,
    hall_round,
)

_ENDS: Final = {
    "TENERIFE-END-1": "the Town Hall is complete.",
    "TENERIFE-END-2": "two or more players have no mansion left.",
    "TENERIFE-END-3": phrase("tenerife-town-hall-has-had", most_hall_rounds=MOST_HALL_ROUNDS),
}

Act = Callable[[State, int], Step[State, Event]]
_BY_CHARACTER: Final[dict[Character, Act]] = {
    Character.MASON: act_mason,
    Character.FARMER: act_farmer,
    Character.MERCHANT: act_merchant,
    Character.EXPORTER: act_exporter,
    Character.THIEVES: act_thieves,
}
_ACT: Final[dict[CharacterCard | None, Act]] = {card: _BY_CHARACTER[character] for card, character in CHARACTER.items()}


def begin_round(state: State, place: int) -> tuple[State, RoundBegun]:
    """Begin a round at that place (TENERIFE-ROUND-1). The next seat clockwise becomes the start seat."""
    start = (state.start + 1) % len(state.seats) if state.round else state.start
    begun = replace(state, phase=Phase.LAY, turn=start, start=start, round=state.round + 1, place=place)
    return begun, RoundBegun(begun.round, place, start, hall_round(begun))


def activate(state: State, earlier: tuple[Event, ...]) -> Step[State, Event]:
    """Let the characters behind the active space act, until a seat has to decide or all have acted.

    TENERIFE-ROUND-4, TENERIFE-ROUND-5. Returns the ``earlier`` events and then the new ones.
    """
    after, events = state, [*earlier]
    for _, (acted, happened) in activations(state):
        after = acted
        events += happened
    return after, tuple(events)


def activations(state: State) -> Iterator[tuple[int, Step[State, Event]]]:
    """Yield each space whose character acts, with the state and the events; then 0 with the end of the round."""
    for space in range(state.active + 1, len(state.cards) + 1):
        state, happened = act_at(state, space)
        yield space, (state, happened)
        if state.phase is not ACTIVATE:
            return
    yield 0, _end_round(state)


def act_at(state: State, space: int) -> Step[State, Event]:
    """Let one character act, unless thieves rob it."""
    cards = state.cards
    act = _ACT[cards[space - 1]]
    if space == len(cards) or cards[space] not in THIEVES:
        return act(state, space)
    effect = effect_of_thieves(state, space)
    if isinstance(effect, CharacterRobbed):
        return state, (effect,)
    acted, events = act(state, space)
    return acted, (effect, *events) if effect else events


def _end_round(state: State) -> Step[State, Event]:
    """Return the characters to the hands (TENERIFE-ROUND-4), and begin the next round or end the game."""
    hand = full_hand(state.turbulent)
    spaces = len(state.cards)
    ended = replace(
        state,
        phase=Phase.TURN_UP,
        turn=NO_SEAT,
        seats=tuple([replace(seat, hand=hand) for seat in state.seats]),
        owners=(NO_SEAT,) * spaces,
        cards=(None,) * spaces,
        vacant=all_spaces(len(state.seats)),
        active=0,
        transport=(),
    )
    over = RoundEnded(state.round)
    if ending(ended):
        return _end_game(ended, [over])
    if ended.undrawn:
        return ended, (over,)
    begun, event = begin_round(ended, LA_LAGUNA)
    return begun, (over, event)


def ending(state: State) -> str | None:
    """Return the id of the rule that ends the game after this round, or ``None``."""
    if NO_SEAT not in state.hall:
        return "TENERIFE-END-1"
    if sum([not seat.mansions for seat in state.seats]) >= 2:
        return "TENERIFE-END-2"
    return "TENERIFE-END-3" if hall_round(state) == MOST_HALL_ROUNDS else None


def ended_by(state: State) -> str:
    """Return the id of the rule that ended a finished game."""
    rule = ending(state)
    assert rule is not None
    return rule


def reason(state: State) -> str:
    """Return a sentence that says why a finished game ended."""
    rule = ended_by(state)
    return f"{rule}: {_ENDS[rule]}"


def _end_game(state: State, events: list[Event]) -> Step[State, Event]:
    """Score the Town Hall, complete or not (TENERIFE-HALL-1). Seats with the most points win together."""
    seats = []
    for number, seat in enumerate(state.seats):
        points, lines = split_of(state.hall, number)
        events.append(HallScored(number, lines, points))
        seats.append(replace(seat, score=seat.score + points))
    scores = tuple(seat.score for seat in seats)
    winners = tuple(number for number, score in enumerate(scores) if score == max(scores))
    return replace(state, phase=Phase.OVER, seats=tuple(seats)), (*events, GameEnded(scores, winners))
