"""Faulty copies of Pairs that show too much hidden information, or hide too much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from skerry_games.api import IllegalMove
from skerry_games.rng import Rng
from tests.games.pairs import GAME, rules, view
from tests.games.pairs.spoiling import Applied, apply_with, spoil
from tests.games.pairs.state import (
    NO_CARD,
    Bury,
    Deal,
    Event,
    Laid,
    Lay,
    Move,
    Revealed,
    Scored,
    Stage,
    State,
    Stay,
    View,
)


def _next_seat(state: State, seat: int) -> int:
    return (seat + 1) % len(state.hands)


def _view_of_a_hand(state: State, viewer: int | None) -> View:
    """The view shows the highest card of each hand as the size of the hand."""
    return replace(view.view(state, viewer), hand_sizes=tuple(max(hand, default=0) for hand in state.hands))


def _view_for_spectators_of_a_hand(state: State, viewer: int | None) -> View:
    return view.view(state, 0 if viewer is None else viewer)


def _show_all(event: Event, viewer: int | None) -> Event:
    return event


def _show_laid_cards(event: Event, viewer: int | None) -> Event:
    return event if isinstance(event, Laid) else view.show(event, viewer)


def _show_no_revelation(event: Event, viewer: int | None) -> Event | None:
    return None if isinstance(event, Revealed) else view.show(event, viewer)


def _show_revelations_to_others(event: Event, viewer: int | None) -> Event | None:
    return None if isinstance(event, Revealed) and viewer == 0 else view.show(event, viewer)


def _show_points_to_their_seat(event: Event, viewer: int | None) -> Event | None:
    return None if isinstance(event, Scored) and event.seat != viewer else view.show(event, viewer)


def _may_not_bury_what_the_next_seat_holds(state: State, actor: int) -> Sequence[Move]:
    listed = rules.legal_moves(state, actor)
    foreign = state.hands[_next_seat(state, actor)] if state.stage is Stage.SWAP and listed else ()
    return [move for move in listed if not (isinstance(move, Bury) and move.card in foreign)]


def _may_not_lay_what_lies(state: State, actor: int) -> Sequence[Move]:
    listed = rules.legal_moves(state, actor)
    return [move for move in listed if not (isinstance(move, Lay) and move.card in state.laid)] or listed


def _refuse_with_a_secret(state: State, actor: int, move: Move) -> Applied:
    try:
        return rules.apply(state, actor, move)
    except IllegalMove as refusal:
        raise IllegalMove(refusal.rule, f"There is a {state.deck[0]} in the deck.") from refusal


def _refuse_by_a_secret(state: State, actor: int, move: Move) -> Applied:
    """The next seat's hand decides which rule the error cites."""
    try:
        return rules.apply(state, actor, move)
    except IllegalMove as refusal:
        raise IllegalMove(GAME.rules[sum(state.hands[_next_seat(state, actor)]) % 2].id, "No.") from refusal


def _redeal_nothing(state: State, viewer: int | None, rng: Rng) -> State:
    return state


def _redeal_all_but_hands(state: State, viewer: int | None, rng: Rng) -> State:
    cards = list(rng.shuffle([*state.deck, *(card for seat, card in enumerate(state.laid) if card and seat != viewer)]))
    laid = tuple(cards.pop() if card and seat != viewer else card for seat, card in enumerate(state.laid))
    return replace(state, laid=laid, deck=tuple(sorted(cards)))


def _redeal_everything(state: State, viewer: int | None, rng: Rng) -> State:
    return rules.redeal(state, None, rng)


def _redeal_other_cards(state: State, viewer: int | None, rng: Rng) -> State:
    """A redeal gives other seats only fives, more than there are."""
    fives = tuple(hand if seat == viewer else (5,) * len(hand) for seat, hand in enumerate(state.hands))
    return replace(rules.redeal(state, viewer, rng), hands=fives)


def _reveal_the_next_hand(state: State, actor: int, move: Move, done: Applied) -> Applied:
    """A seat that stays sees the lowest card of the next seat."""
    after, events = done
    revealed = Revealed(state.hands[_next_seat(state, actor)][:1])
    return after, (*events, revealed) if isinstance(move, Stay) else events


def _turn_up_each_card_at_once(state: State, actor: int, move: Move, done: Applied) -> Applied:
    return done[0], tuple(Revealed((event.card,)) if isinstance(event, Laid) else event for event in done[1])


def _end_the_choice_of_others(state: State, actor: int, move: Move, done: Applied) -> Applied:
    after, events = done
    if isinstance(move, Lay) and NO_CARD in after.laid:
        laid = tuple(card or max(hand) for card, hand in zip(after.laid, after.hands, strict=True))
        after = replace(after, laid=laid)
    return after, events


def _reward_who_lays_first(state: State, actor: int, move: Move, done: Applied) -> Applied:
    after, events = done
    first = isinstance(move, Lay) and not any(state.laid)
    scores = tuple(score + (first and seat == actor) for seat, score in enumerate(after.scores))
    return replace(after, scores=scores), events


def _show_move_whole(*kinds: type[Move]) -> Callable[[Move, int, int | None], Move]:
    return lambda move, actor, viewer: move if isinstance(move, kinds) else view.show_move(move, actor, viewer)


def _show_only_low_lays(move: Move, actor: int, viewer: int | None) -> Move | None:
    hidden = isinstance(move, Lay) and move.card > 2 and actor != viewer
    return None if hidden else view.show_move(move, actor, viewer)


def _mask_own_moves(move: Move, actor: int, viewer: int | None) -> Move:
    return view.show_move(move, actor, None)


def _mask_with_a_card(move: Move, actor: int, viewer: int | None) -> Move:
    """A masked card is a one."""
    shown = view.show_move(move, actor, viewer)
    return shown if shown == move else replace(shown, card=1)


def _call_masks_illegal(state: State, actor: int, move: Move) -> Applied:
    if isinstance(move, Lay) and move.card == NO_CARD:
        raise IllegalMove("PAIRS-LAY-1", "No card was named.")
    return rules.apply(state, actor, move)


def _mask_with_a_function(move: Move, actor: int, viewer: int | None) -> Any:
    return move if actor == viewer else lambda: move


def _say_nothing_of_masks(move: Move) -> str:
    return "" if getattr(move, "card", 1) == NO_CARD else view.say_move(move)


LEAKY: dict[str, Any] = {
    "a view shows a hand": spoil(view=_view_of_a_hand),
    "a spectator sees a hand": spoil(view=_view_for_spectators_of_a_hand),
    "a dealt card is shown to all": spoil(show=_show_all),
    "a laid card is shown to all": spoil(show=_show_laid_cards),
    "a revelation is not shown": spoil(show=_show_no_revelation),
    "a revelation is not shown to a seat": spoil(show=_show_revelations_to_others),
    "points are shown to their seat alone": spoil(show=_show_points_to_their_seat),
    "a listing depends on another hand": spoil(legal_moves=_may_not_bury_what_the_next_seat_holds),
    "a listing depends on laid cards": spoil(legal_moves=_may_not_lay_what_lies),
    "a refusal names a secret": spoil(apply=_refuse_with_a_secret),
    "a secret decides which rule is broken": spoil(apply=_refuse_by_a_secret),
    "a redeal changes nothing": spoil(redeal=_redeal_nothing),
    "a redeal keeps hands": spoil(redeal=_redeal_all_but_hands),
    "a redeal changes the own hand": spoil(redeal=_redeal_everything),
    "a redeal invents cards": spoil(redeal=_redeal_other_cards),
    "an own move reveals another hand": apply_with(_reveal_the_next_hand),
    "a move that turns cards up can be taken back": spoil(reveals=lambda before, actor, after: False),
    "choices are turned up one by one": apply_with(_turn_up_each_card_at_once),
    "one choice ends the choice of others": apply_with(_end_the_choice_of_others),
    "the order of choices matters": apply_with(_reward_who_lays_first),
    "a deal shows its card": spoil(show_move=_show_move_whole(Deal)),
    "a lay shows its card": spoil(show_move=_show_move_whole(Lay)),
    "a bury shows its card": spoil(show_move=_show_move_whole(Bury)),
    "a lay is shown if its card is low": spoil(show_move=_show_only_low_lays),
    "own moves are masked": spoil(show_move=_mask_own_moves),
    "a mask names a card": spoil(show_move=_mask_with_a_card),
    "a mask breaks a rule": spoil(apply=_call_masks_illegal),
    "a mask cannot be sent": spoil(show_move=_mask_with_a_function),
    "a mask has no words": spoil(say_move=_say_nothing_of_masks),
}
"""The faulty copies, by a description of the fault."""
