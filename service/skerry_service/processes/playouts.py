"""Play-outs by the players of ``skerry_games``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.v1 import engine_pb2 as pb
from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.information_state import seen_from
from skerry_games.players import PlayerFactory, shipped_player, untimed
from skerry_games.players.fast_dice import FastDice
from skerry_games.position import Position
from skerry_games.rng import Rng, SeededRng
from skerry_service.processes.engine_refusals import refuse_impossible_state
from skerry_service.processes.engine_states import fill_state, game_named, read_state

RANDOM = "random"
Choose = Callable[[Any, int], Any]
"""Returns the move of a seat (the second argument) in a state."""


def play_out(request: pb.PlayOutRequest) -> pb.PlayOutResponse:
    """Play out each snapshot ``request.count`` times."""
    game, response = game_named(request.name, request.ruleset), pb.PlayOutResponse()
    count, max_decisions = request.count or 1, request.max_decisions or None
    for number, snapshot in enumerate(request.snapshots):
        field = f"snapshots[{number}]"
        state = read_state(game, snapshot, field)
        with refuse_impossible_state(field, game.id):
            for repetition in range(count):
                dice = FastDice(SeededRng(request.seed, number * count + repetition))
                choose = _chooser(game, request.player, dice)
                end, decisions = _play_out(game, state, choose, dice, max_decisions)
                message = response.play_outs.add(index=number, decisions=decisions)
                fill_state(message.state, game, end)
    return response


def _play_out(game: AnyGame, state: Any, choose: Choose, dice: Rng, max_decisions: int | None) -> tuple[Any, int]:
    """Return the last state and the number of decisions by seats. Raises ValueError if the game does not end."""
    decisions = 0
    for _ in range(game.max_moves + 1):
        actors = game.to_act(state)
        if not actors:
            return state, decisions
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
        elif decisions == max_decisions:
            return state, decisions
        else:
            state, _ = game.apply(state, actors[0], choose(state, actors[0]))
            decisions += 1
    raise ValueError("the game does not end")


def _chooser(game: AnyGame, name: str, dice: Rng) -> Choose:
    """Return the player of all seats. It sees a sample of what the deciding seat cannot know."""
    if name in ("", RANDOM):  # it needs the legal moves alone, which are equal in all samples
        return lambda state, seat: dice.choice(game.legal_moves(state, seat))
    make: PlayerFactory = shipped_player(name)
    player = make(dice)

    def choose(state: Any, seat: int) -> Any:
        return player.choose(seen_from(Position(game, state), seat, dice), untimed)

    return choose
