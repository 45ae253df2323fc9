"""Every game ends with an outcome."""

from __future__ import annotations

from itertools import pairwise

from skerry_games.api import OVER, AnyGame, Outcome
from tests.games.conformance.play import actors_of, play
from tests.games.conformance.texts import one_line


def check_game_ends(game: AnyGame, seats: int, seed: int) -> None:
    """A random game is over after at most ``max_moves`` moves. No actor has a legal move then."""
    played = play(game, seats, seed)
    assert 0 < len(played.steps) <= game.max_moves
    assert game.to_act(played.last) == OVER
    assert not any(game.legal_moves(played.last, actor) for actor in actors_of(seats))


def check_no_dead_end(game: AnyGame, seats: int, seed: int) -> None:
    """Each seat that has to decide has a legal move: in every state, and in every state one move further."""
    for step in play(game, seats, seed).steps:
        for actor in game.to_act(step.before):
            listed = game.legal_moves(step.before, actor)
            assert listed, f"dead end: actor {actor} is to act and has no legal move"
            for move in listed:
                after, _ = game.apply(step.before, actor, move)
                stuck = [owing for owing in game.to_act(after) if not game.legal_moves(after, owing)]
                assert not stuck, f"dead end for {stuck} after actor {actor} made the move {move}"


def check_outcome_comes_with_the_end(game: AnyGame, seats: int, seed: int) -> None:
    """A game has no outcome before its end. The outcome has a rank and a score for each seat, and a reason."""
    played = play(game, seats, seed)
    for state in played.states[:-1]:
        assert game.outcome(state) is None, "an outcome before the end"
    outcome = game.outcome(played.last)
    assert isinstance(outcome, Outcome), "no outcome at the end"
    assert len(outcome.ranks) == len(outcome.scores) == seats, f"not one rank and one score for each seat: {outcome}"
    assert one_line(outcome.reason), "the outcome has no reason"


def check_ranks_follow_scores(game: AnyGame, seats: int, seed: int) -> None:
    """Ranks are dense from 1. A seat with more points has a better rank. A rule may break a tie in points."""
    outcome = game.outcome(play(game, seats, seed).last)
    assert outcome is not None, "no outcome at the end"
    assert set(outcome.ranks) == set(range(1, max(outcome.ranks) + 1)), f"ranks are not dense: {outcome.ranks}"
    placed = sorted(zip(outcome.scores, outcome.ranks, strict=True), key=lambda place: (-place[0], place[1]))
    ranks = [rank for _, rank in placed]
    assert ranks == sorted(ranks), f"more points, but a worse rank: {outcome}"
    parted = all(one[0] == other[0] or one[1] < other[1] for one, other in pairwise(placed))
    assert parted, f"more points, but no better rank: {outcome}"
