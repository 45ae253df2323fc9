"""Games played on by the players that come with the rules."""

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
from skerry_service.processes.engine_refusals import impossible
from skerry_service.processes.engine_states import fill_state, game_named, read_state

RANDOM = "random"
Choose = Callable[[Any, int], Any]
"""Returns the move of a seat in a state."""


def play_out(request: pb.PlayOutRequest) -> pb.PlayOutResponse:
    """Play each snapshot out, as often as asked for."""
    game, response = game_named(request.name), pb.PlayOutResponse()
    count, most = request.count or 1, request.max_decisions or None
    for number, snapshot in enumerate(request.snapshots):
        field = f"snapshots[{number}]"
        state = read_state(game, snapshot, field)
        with impossible(field, game.id):
            for again in range(count):
                dice = FastDice(SeededRng(request.seed, number * count + again))
                end, decisions = _played(game, state, _chooser(game, request.player, dice), dice, most)
                played = response.play_outs.add(index=number, decisions=decisions)
                fill_state(played.state, game, end)
    return response


def _played(game: AnyGame, state: Any, choose: Choose, dice: Rng, most: int | None) -> tuple[Any, int]:
    """Return where the play-out ends, and how many decisions seats made. Raises ValueError if it does not end."""
    decisions = 0
    for _ in range(game.max_moves + 1):
        actors = game.to_act(state)
        if not actors:
            return state, decisions
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
        elif decisions == most:
            return state, decisions
        else:
            state, _ = game.apply(state, actors[0], choose(state, actors[0]))
            decisions += 1
    raise ValueError("a game that goes on for ever")


def _chooser(game: AnyGame, name: str, dice: Rng) -> Choose:
    """Return who decides, in all seats: on what the seat may know, dealt anew from what it cannot."""
    if name in (
        "",
        RANDOM,
    ):  # it looks at the legal moves alone, which are the same in all that the seat holds possible
        return lambda state, seat: dice.choice(game.legal_moves(state, seat))
    make: PlayerFactory = shipped_player(name)
    player = make(dice)

    def choose(state: Any, seat: int) -> Any:
        return player.choose(seen_from(Position(game, state), seat, dice), untimed)

    return choose
