"""Faulty copies of Pairs, each with one fault. The conformance suite must catch every one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from skerry_games.api import IllegalMove, MalformedMove, Outcome, Rule
from skerry_games.rng import Rng
from tests.games.pairs import GAME, rules, view
from tests.games.pairs.leaky import LEAKY
from tests.games.pairs.spoiling import Applied, apply_with, spoil
from tests.games.pairs.state import (
    NO_CARD,
    Bury,
    Deal,
    Lay,
    Move,
    Options,
    Scored,
    Stage,
    State,
    Stay,
    Stayed,
)

# Moves --------------------------------------------------------------------------------------------------------------


def _lay_any_card(state: State, actor: int, move: Move) -> Applied:
    if isinstance(move, Lay) and actor in rules.to_act(state) and state.stage is Stage.LAY:
        return rules.apply(state, actor, Lay(state.hands[actor][0]))
    return rules.apply(state, actor, move)


def _lay_out_of_turn(state: State, actor: int, move: Move) -> Applied:
    if isinstance(move, Stay) and state.stage is Stage.SWAP:
        return rules.apply(state, rules.to_act(state)[0], move)
    return rules.apply(state, actor, move)


def _refuse_fives(state: State, actor: int, move: Move) -> Applied:
    if move == Lay(5):
        raise IllegalMove("PAIRS-LAY-1", "Fives are heavy.")
    return rules.apply(state, actor, move)


def _refuse_by_no_rule(state: State, actor: int, move: Move) -> Applied:
    try:
        return rules.apply(state, actor, move)
    except IllegalMove as refusal:
        raise IllegalMove("PAIRS-NONE-1", refusal.sentence) from refusal


def _refuse_with_a_word(state: State, actor: int, move: Move) -> Applied:
    try:
        return rules.apply(state, actor, move)
    except IllegalMove as refusal:
        raise IllegalMove(refusal.rule, "illegal") from refusal


def _break_on_high_cards(state: State, actor: int, move: Move) -> Applied:
    if isinstance(move, Lay):
        _ = "-12345"[move.card]
    return rules.apply(state, actor, move)


def _call_everything_illegal(state: State, actor: int, move: Move) -> Applied:
    try:
        return rules.apply(state, actor, move)
    except MalformedMove as refusal:
        raise IllegalMove("PAIRS-TURN-1", str(refusal)) from refusal


def _list_for_all_actors(state: State, actor: int) -> Sequence[Move]:
    return (Stay(),) if state.stage is Stage.SWAP and actor >= 0 else rules.legal_moves(state, actor)


def _list_each_copy(state: State, actor: int) -> Sequence[Move]:
    listed = rules.legal_moves(state, actor)
    return [Deal(card) for card in state.deck] if listed and actor < 0 else listed


def _list_too_many(state: State, actor: int) -> Sequence[Move]:
    return [*rules.legal_moves(state, actor)] * 501


def _list_nothing_without_a_low_card(state: State, actor: int) -> Sequence[Move]:
    """A seat with only cards above 2 has no legal move."""
    listed = rules.legal_moves(state, actor)
    stuck = state.stage is Stage.LAY and actor >= 0 and min(state.hands[actor], default=0) > 2
    return () if stuck else listed


def _list_in_order_of_hashes(state: State, actor: int) -> Sequence[Move]:
    return sorted(rules.legal_moves(state, actor), key=lambda move: hash(repr(move)))


def _draw_a_missing_card(state: State, rng: Rng) -> Move:
    return Deal(rng.below(5) + 2)


def _draw_the_first(state: State, rng: Rng) -> Move:
    return Deal(state.deck[0])


_count = 0
"""Memory outside the state, which no game may have."""


def _draw_another_each_time(state: State, rng: Rng) -> Move:
    global _count  # noqa: PLW0603 - that is the fault
    _count += 1
    return Deal(state.deck[_count % len(state.deck)])


# Endings and counts -------------------------------------------------------------------------------------------------


def _never_end(state: State, actor: int, move: Move) -> Applied:
    """A seat that stays has to decide again."""
    if isinstance(move, Stay | Bury) and actor in rules.to_act(state) and move in rules.legal_moves(state, actor):
        return state, (Stayed(actor),)
    return rules.apply(state, actor, move)


def _outcome_early(state: State) -> Outcome | None:
    return rules.outcome(replace(state, stage=Stage.OVER)) if state.round else None


def _outcome_with(ranks: Callable[[Outcome], tuple[int, ...]]) -> Any:
    def outcome(state: State) -> Outcome | None:
        result = rules.outcome(state)
        return result and replace(result, ranks=ranks(result))

    return spoil(outcome=outcome)


def _outcome_with_a_bonus(state: State) -> Outcome | None:
    result = rules.outcome(state)
    return result and replace(result, scores=tuple(score + 1 for score in result.scores))


def _lose_a_card(state: State, actor: int, move: Move, done: Applied) -> Applied:
    after, events = done
    return replace(after, buried=state.buried), events


def _score_in_silence(state: State, actor: int, move: Move, done: Applied) -> Applied:
    after, events = done
    return after, tuple(event for event in events if not isinstance(event, Scored))


# Values -------------------------------------------------------------------------------------------------------------


def _remember_elsewhere(state: State, actor: int, move: Move, done: Applied) -> Applied:
    """Every other call of ``apply`` returns one more event."""
    global _count  # noqa: PLW0603 - that is the fault
    _count += 1
    return (done[0], (*done[1], Stayed(actor))) if _count % 2 else done


def _change_the_argument(state: State, actor: int, move: Move, done: Applied) -> Applied:
    if isinstance(move, Stay):
        force_setattr(state, "scores", tuple(score + 1 for score in state.scores))
    return done


class Forgetful(State, frozen=True):
    """A state that hashes by identity."""

    def __hash__(self) -> int:
        return id(self)


class SomeMove(Struct, frozen=True):
    """The type of all moves after decoding, without tags."""

    card: int = NO_CARD


def _setup_forgetful(options: Options, seats: int) -> State:
    state = rules.setup(options, seats)
    return Forgetful(**{field: getattr(state, field) for field in State.__struct_fields__})


def _view_of_a_function(state: State, viewer: int | None) -> Any:
    return lambda: view.view(state, viewer)


class Unequal(Options, frozen=True, eq=False):
    """Options that are equal only to themselves."""


class Trick(Struct, frozen=True):
    """An option without a default."""

    cards: int
    edition: str = "house"


class Pointed(Struct, frozen=True):
    """An option that names a seat."""

    edition: str = "house"
    start_seat: int | None = None


# Words -------------------------------------------------------------------------------------------------------


def _setup_any_seats(options: Options, seats: int) -> State:
    return rules.setup(options, min(max(seats, 2), 4))


def _setup_any_edition(options: Options, seats: int) -> State:
    return rules.setup(Options(), seats)


def _swallow(function: Any, word: str) -> Callable[[Any], str]:
    return lambda thing: function(thing).replace(word, "")


IN_ORDER_OF_HASHES = spoil(legal_moves=_list_in_order_of_hashes)
"""Plays equal games only within one process."""

SPOILED: dict[str, Any] = LEAKY | {
    "an unlisted move is accepted": spoil(apply=_lay_any_card),
    "a move out of turn is accepted": spoil(apply=_lay_out_of_turn),
    "a listed move is refused": spoil(apply=_refuse_fives),
    "a refusal cites no rule": spoil(apply=_refuse_by_no_rule),
    "a refusal is no sentence": spoil(apply=_refuse_with_a_word),
    "an unknown card breaks the rules": spoil(apply=_break_on_high_cards),
    "a move of another game is illegal": spoil(apply=_call_everything_illegal),
    "a seat out of turn has moves": spoil(legal_moves=_list_for_all_actors),
    "a move is listed twice": spoil(legal_moves=_list_each_copy),
    "a listing is too long": spoil(legal_moves=_list_too_many),
    "there is a dead end": spoil(legal_moves=_list_nothing_without_a_low_card),
    "seats are out of order": spoil(to_act=lambda state: rules.to_act(state)[::-1]),
    "chance is to act twice": spoil(to_act=lambda state: rules.to_act(state) * (2 if state.stage is Stage.DEAL else 1)),
    "chance draws a card that is not in the deck": spoil(draw=_draw_a_missing_card),
    "chance always draws the same": spoil(draw=_draw_the_first),
    "chance ignores its dice": spoil(draw=_draw_another_each_time),
    "a game does not end": spoil(apply=_never_end),
    "there is an outcome before the end": spoil(outcome=_outcome_early),
    "there is no outcome": spoil(outcome=lambda state: None),
    "ranks have gaps": _outcome_with(lambda result: tuple(2 * rank for rank in result.ranks)),
    "the last wins": _outcome_with(lambda result: tuple(max(result.ranks) + 1 - rank for rank in result.ranks)),
    "the outcome adds points": spoil(outcome=_outcome_with_a_bonus),
    "a piece vanishes": apply_with(_lose_a_card),
    "points come without an event": apply_with(_score_in_silence),
    "apply remembers its calls": apply_with(_remember_elsewhere),
    "apply changes its argument": apply_with(_change_the_argument),
    "states decode to something else": spoil(state_type=Any),
    "states hash by identity": spoil(setup=_setup_forgetful, state_type=Forgetful),
    "moves decode to something else": spoil(move_type=SomeMove),
    "a view cannot be sent": spoil(view=_view_of_a_function),
    "any number of seats is taken": spoil(setup=_setup_any_seats),
    "any edition is taken": spoil(setup=_setup_any_edition),
    "equal options differ": spoil(options_type=Unequal),
    "an option has no default": spoil(options_type=Trick),
    "an option names a seat in silence": spoil(options_type=Pointed),
    "any seat can be named": spoil(options_type=Pointed, seat_options=("start_seat",)),
    "the default edition is another": spoil(boards=GAME.boards[::-1]),
    "a rule is there twice": spoil(rules=GAME.rules + GAME.rules[:1]),
    "a rule has no proper id": spoil(rules=(*GAME.rules, Rule("pairs 7", "End", "Seven."))),
    "the id is no folder": spoil(id="Pairs!"),
    "two moves read the same": spoil(say_move=lambda move: "play a card"),
    "a move has a full stop": spoil(say_move=lambda move: f"{view.say_move(move)}."),
    "an event has no full stop": spoil(say=_swallow(view.say, ".")),
    "an event has two lines": spoil(say=lambda event: f"Something happens:\n{view.say(event)}"),
}
"""The faulty copies, by a description of the fault."""
