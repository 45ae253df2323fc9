"""A program that hosts a player class: ``python -m skerry_arena.programs.host module:Class``.

A class that hangs or uses too much memory then affects no other player. Its output goes to standard error.
"""

from __future__ import annotations

import os
import sys
from base64 import b64decode
from typing import Any, BinaryIO

from msgspec import json, msgpack

from skerry_arena.play.clock import player_clock
from skerry_games.api import AnyGame
from skerry_games.editions import add_edition
from skerry_games.information_state import seen_from
from skerry_games.players import PlayerFactory, UnknownPlayer, player
from skerry_games.position import Position, game_of
from skerry_games.rng import SeededRng

_NO_MOVE = -1


class Host:
    """Answers lines of the arena with a player."""

    def __init__(self, make: PlayerFactory) -> None:
        self._make = make

    def answer(self, line: Any) -> Any:
        """Return the answer to a line; ``None`` for a line without an answer."""
        match line["type"]:
            case "hello":
                return {"type": "hello", "wants": ["sample"]}
            case "new_game":
                self._game, self._seat = _game_of(line), line["seat"]
                self._rng = SeededRng(bytes.fromhex(line["seed"]), 0)
                self._player = self._make(self._rng)
                return {"type": "ready"}
            case "choose":
                return {"type": "move", "decision": line["decision"], **self._choice(line)}
            case _:
                return None

    def _choice(self, line: Any) -> dict[str, Any]:
        """Return the move by its number; as JSON, if moves are not listed."""
        clock = player_clock(line["seconds"])
        state = msgpack.decode(b64decode(line["sample"]), type=self._game.state_type)
        # The sample is not the true state, and the player's information state is resampled from it.
        position = seen_from(Position(self._game, state), self._seat, self._rng)
        move = self._player.choose(position, clock)
        moves = tuple(position.legal_moves)
        if "legal_moves" not in line:
            return {"move": move}
        return {"choice": moves.index(move) if move in moves else _NO_MOVE}


def _game_of(line: Any) -> AnyGame:
    """Return the game of a ``new_game``, with the components that it has."""
    edition = line.get("edition")
    return game_of(line["game"]) if edition is None else add_edition(line["game"], edition)


def serve(host: Host, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer lines until the input ends."""
    for line in lines:
        if (answer := host.answer(json.decode(line))) is not None:
            answers.write(json.encode(answer) + b"\n")
            answers.flush()


def main() -> None:
    """Serve the player of the command line."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        make = player(sys.argv[1])
    except UnknownPlayer as error:
        sys.exit(str(error))
    serve(Host(make), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
