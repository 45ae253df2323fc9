"""Games of a player that plays the best turn by an evaluation, and samples of its decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any, Final, NamedTuple

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, IllegalMove
from skerry_games.evaluation import Advice, Features
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.turn_search import WholeTurn, whole_turns
from skerry_games.players.utility import advice_of, outcome_utilities

WIDTH: Final = 4
"""The width of the search for a turn."""
OPENING: Final = 12
"""A game begins with up to so many random turns."""
BLUNDER: Final = 0.1
"""The share of random turns after the opening."""
SAMPLED: Final = 0.15
"""The share of decisions whose turns are compared."""
SIBLINGS: Final = 6
"""So many turns of a decision are compared: half of them the best, half of them random."""
_SEEDS: Final = 1 << 53

Rows = list[list[float]]


class Sample(NamedTuple):
    """A state, and what a play-out from it showed."""

    decision: int
    """States with equal numbers, 0 or more, follow from one decision. -1: a state of a game."""
    seat: int
    """The seat that decided."""
    stage: int
    numbers: Sequence[Sequence[float]]
    """The features of each seat."""
    worths: Sequence[float]
    """The worth of each seat at the end of the play-out, if the game was not over then."""
    ranks: Sequence[int]
    """The ranks if the game was over."""


class SelfPlay:
    """Plays games in which each seat plays the best turn by an evaluation, with what the seat may know."""

    def __init__(self, game: AnyGame, advices: Sequence[Advice], dice: FastDice) -> None:
        """``advices``: the evaluation of each seat."""
        self.game = game
        self.advices = advices
        self.dice = dice

    def start(self) -> Any:
        """Return the state before the first decision of a game."""
        return self.drawn(self.game.setup(self.game.options_type(), len(self.advices)))

    def drawn(self, state: Any) -> Any:
        """Return the state after all chance moves."""
        game = self.game
        while game.to_act(state) == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, self.dice))
        return state

    def turns(self, state: Any, seat: int) -> list[WholeTurn]:
        """Return the turns of a seat, the best first, in a state that the seat cannot tell from this one."""
        possible = self.game.redeal(state, seat, self.dice)
        return whole_turns(self.game, self.advices[seat], possible, seat, WIDTH)

    def turn(self, state: Any, seat: int) -> Any:
        """Return the state after the best turn of a seat."""
        return self.replay(state, seat, self.turns(state, seat)[0].moves)

    def replay(self, state: Any, seat: int, moves: Sequence[Any]) -> Any:
        """Return the state after a turn. If it cannot be played to its end here, finish it at random."""
        game, own = self.game, (seat,)
        for move in moves:
            try:
                state, _ = game.apply(state, seat, move)
            except IllegalMove:
                break
            state = self.drawn(state)
            if game.to_act(state) != own:
                return state
        return self.random_turn(state, seat)

    def random_turn(self, state: Any, seat: int) -> Any:
        """Return the state after a random turn."""
        game = self.game
        while True:
            state, _ = game.apply(state, seat, self.dice.choice(game.legal_moves(state, seat)))
            state = self.drawn(state)
            if game.to_act(state) != (seat,):
                return state

    def ranks(self) -> Sequence[float]:
        """Play a game. Return the share of opponents that each seat beats."""
        state = self.start()
        while actors := self.game.to_act(state):
            state = self.turn(state, actors[0])
        outcome = self.game.outcome(state)
        assert outcome is not None
        return outcome_utilities(outcome)


def samples(play: SelfPlay, features: Features, first_decision: int, turns_on: int) -> Iterator[Sample]:
    """Play a game with some random turns. Yield states of it, and states after turns of one decision.

    ``turns_on``: the number of turns that play-outs from these play.
    """
    game, dice = play.game, play.dice
    state, met, decision = play.start(), list[tuple[int, Any]](), first_decision
    opening = dice.below(OPENING + 1)
    turn = 0
    while actors := game.to_act(state):
        seat, turn = actors[0], turn + 1
        if turn > opening // 2 and dice.below(1000) < 1000 * SAMPLED:
            compared = list(_compared(play, features, state, seat, decision, turns_on))
            decision += len(compared) > 1
            yield from compared
        if turn <= opening or dice.below(1000) < 1000 * BLUNDER:
            state = play.random_turn(state, seat)
        else:
            state = play.turn(state, seat)
        met.append((seat, state))
    worths = points_in_odds(game, state)
    for seat, each in met[opening:-1]:
        yield Sample(-1, seat, features.stage(each), features.of(each), worths, ())


def points_in_odds(game: AnyGame, state: Any) -> list[float]:
    """Return the points of each seat as logarithms of odds. They say more than the ranks: how near the others were."""
    lead = advice_of(game).lead
    return [log(3) / lead * points for points in game.scores(state)]


def play_out_samples(play: SelfPlay, features: Features) -> Iterator[Sample]:
    """Play a game by play-outs of the game's own. Yield the states between them, for each seat."""
    game, state, met = play.game, play.start(), list[Any]()
    assert features.play_out
    while game.to_act(state):
        met.append(state)
        state = play.drawn(features.play_out(state, play.dice))
    outcome = game.outcome(state)
    assert outcome is not None
    for each in met:
        stage, numbers = features.stage(each), features.of(each)
        for seat in range(len(numbers)):
            yield Sample(-1, seat, stage, numbers, (), outcome.ranks)


def valued(play: SelfPlay, features: Features) -> Iterator[Sample]:
    """Play a random game. Yield its states, with the worths by the evaluation of the first seat, in log-odds."""
    game, advice = play.game, play.advices[0]
    state = play.start()
    while actors := game.to_act(state):
        state = play.random_turn(state, actors[0]) if play.dice.below(2) else play.turn(state, actors[0])
        if game.to_act(state):
            worths = [worth * log(3) / advice.lead for worth in advice.worth(state)]
            yield Sample(-1, actors[0], features.stage(state), features.of(state), worths, ())


def _compared(
    play: SelfPlay, features: Features, state: Any, seat: int, decision: int, turns_on: int
) -> Iterator[Sample]:
    """Yield the states after some turns of a seat, with a play-out from each."""
    game, dice = play.game, play.dice
    possible = game.redeal(state, seat, dice)
    turns = whole_turns(game, play.advices[seat], possible, seat, WIDTH)
    if len(turns) < 2:
        return
    best, rest = turns[: SIBLINGS // 2], turns[SIBLINGS // 2 :]
    seed = dice.below(_SEEDS)
    for each in [*best, *dice.shuffle(rest)[: SIBLINGS - len(best)]]:
        after = each.state
        if not game.to_act(after):
            continue
        # Equal draws after all turns: their differences say more then.
        on = SelfPlay(game, play.advices, FastDice.seeded(seed))
        end = on.drawn(after)
        actors, played = game.to_act(end), 0
        while actors and (played < turns_on or not features.settled(end)):
            end, played = on.turn(end, actors[0]), played + 1
            actors = game.to_act(end)
        worths = play.advices[seat].worth(end) if actors else points_in_odds(game, end)
        yield Sample(decision, seat, features.stage(after), features.of(after), worths, ())
