"""The rules of Pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, BadOptions, IllegalMove, MalformedMove, Outcome
from skerry_games.rng import Rng
from tests.games.pairs.state import (
    COPIES,
    HAND,
    NO_CARD,
    VALUES,
    Buried,
    Bury,
    Deal,
    Dealt,
    Event,
    Laid,
    Lay,
    Move,
    Options,
    Revealed,
    Scored,
    Stage,
    State,
    Stay,
    Stayed,
)

SEATS = (2, 3, 4)
EDITIONS = ("house", "mirror")
_RULE_OF = {Deal: "PAIRS-TURN-1", Lay: "PAIRS-LAY-1", Bury: "PAIRS-SWAP-1", Stay: "PAIRS-TURN-1"}


def setup(options: Options, seats: int) -> State:
    """Return the table before the deal. PAIRS-SETUP-1, PAIRS-SETUP-2."""
    if seats not in SEATS:
        raise BadOptions("seats", "Pairs is a game for 2, 3 or 4 players.")
    if options.edition not in EDITIONS:
        raise BadOptions("edition", "There is no such edition.")
    empty: tuple[tuple[int, ...], ...] = ((),) * seats
    deck = tuple(value for value in VALUES for _ in range(COPIES))
    return State(Stage.DEAL, 0, empty, (NO_CARD,) * seats, empty, deck, (), (0,) * seats)


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that have to decide. PAIRS-TURN-1."""
    if state.stage is Stage.DEAL:
        return CHANCE_ACTS
    if state.stage is Stage.LAY:
        return tuple(seat for seat, card in enumerate(state.laid) if card == NO_CARD)
    return (state.round % len(state.hands),) if state.stage is Stage.SWAP else OVER


def legal_moves(state: State, actor: int) -> Sequence[Move]:
    """Return all legal moves of an actor."""
    if actor not in to_act(state):
        return ()
    if actor == CHANCE:
        return tuple(Deal(card) for card in sorted(set(state.deck)))
    hand = sorted(set(state.hands[actor]))
    if state.stage is Stage.LAY:
        return tuple(Lay(card) for card in hand)
    return (*(Bury(card) for card in hand), Stay())


def apply(state: State, actor: int, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Apply a move. Raises IllegalMove or MalformedMove."""
    if type(move) not in _RULE_OF or getattr(move, "card", 1) not in VALUES:
        raise MalformedMove("This is no move of Pairs.")
    if actor not in to_act(state):
        raise IllegalMove("PAIRS-TURN-1", "It is not your turn.")
    if move not in legal_moves(state, actor):
        raise IllegalMove(_RULE_OF[type(move)], "This cannot be done now.")
    if isinstance(move, Deal):
        return _deal(state, move.card)
    if isinstance(move, Lay):
        return _lay(state, actor, move.card)
    if isinstance(move, Bury):
        return _bury(state, actor, move.card)
    return replace(state, stage=Stage.LAY), (Stayed(actor),)


def draw(state: State, rng: Rng) -> Move:
    """Draw a uniformly random card of the deck."""
    return Deal(rng.choice(state.deck))


def outcome(state: State) -> Outcome | None:
    """Return the result after the third turning up. PAIRS-END-1."""
    if state.stage is not Stage.OVER:
        return None
    best_first = sorted(set(state.scores), reverse=True)
    ranks = tuple(best_first.index(score) + 1 for score in state.scores)
    return Outcome(ranks, state.scores, "PAIRS-END-1: the hands are empty.")


def redeal(state: State, viewer: int | None, rng: Rng) -> State:
    """Draw each card that the viewer has not seen anew: other hands, laid and buried cards, the deck."""
    unseen = list(rng.shuffle(_unseen(state, viewer)))

    def fresh(seat: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards if seat == viewer else tuple(sorted(unseen.pop() for _ in cards))

    hands = tuple(fresh(seat, cards) for seat, cards in enumerate(state.hands))
    buried = tuple(fresh(seat, cards) for seat, cards in enumerate(state.buried))
    laid = tuple(card if card == NO_CARD else fresh(seat, (card,))[0] for seat, card in enumerate(state.laid))
    return replace(state, hands=hands, buried=buried, laid=laid, deck=tuple(sorted(unseen)))


def _unseen(state: State, viewer: int | None) -> tuple[int, ...]:
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    groups = [group[seat] for group in (state.hands, state.buried) for seat in others]
    laid = tuple(state.laid[seat] for seat in others if state.laid[seat] != NO_CARD)
    return tuple(sorted(sum(groups, laid + state.deck)))


def _deal(state: State, card: int) -> tuple[State, tuple[Event, ...]]:
    due = HAND - state.round
    seat = next(seat for seat, hand in enumerate(state.hands) if len(hand) < due)
    hands = _put(state.hands, seat, tuple(sorted((*state.hands[seat], card))))
    stage = Stage.LAY if all(len(hand) == due for hand in hands) else Stage.DEAL
    return replace(state, hands=hands, deck=_without(state.deck, card), stage=stage), (Dealt(seat, card),)


def _lay(state: State, seat: int, card: int) -> tuple[State, tuple[Event, ...]]:
    hands = _put(state.hands, seat, _without(state.hands[seat], card))
    laid = (*state.laid[:seat], card, *state.laid[seat + 1 :])
    after = replace(state, hands=hands, laid=laid)
    if NO_CARD in laid:
        return after, (Laid(seat, card),)
    after, events = _turn_up(after)
    return after, (Laid(seat, card), *events)


def _turn_up(state: State) -> tuple[State, tuple[Event, ...]]:
    """PAIRS-LAY-2: pairs give 2, the highest single card 1."""
    count = Counter(state.laid)
    best = max((card for card in state.laid if count[card] == 1), default=NO_CARD)
    gains = tuple(2 if count[card] > 1 else int(card == best) for card in state.laid)
    after = replace(
        state,
        stage=Stage.OVER if state.round + 1 == HAND else Stage.SWAP,
        round=state.round + 1,
        laid=(NO_CARD,) * len(state.laid),
        shown=tuple(sorted(state.shown + state.laid)),
        scores=tuple(score + gain for score, gain in zip(state.scores, gains, strict=True)),
    )
    scored = (Scored(seat, gain) for seat, gain in enumerate(gains) if gain)
    return after, (Revealed(state.laid), *scored)


def _bury(state: State, seat: int, card: int) -> tuple[State, tuple[Event, ...]]:
    """PAIRS-SWAP-1: chance deals the new card next."""
    hands = _put(state.hands, seat, _without(state.hands[seat], card))
    buried = _put(state.buried, seat, tuple(sorted((*state.buried[seat], card))))
    return replace(state, stage=Stage.DEAL, hands=hands, buried=buried), (Buried(seat, card),)


def _put(groups: tuple[tuple[int, ...], ...], seat: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*groups[:seat], cards, *groups[seat + 1 :])


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
