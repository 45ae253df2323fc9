"""How many sequences of legal moves there are from fixed positions: a change of the rules shows as a number.

``move_counts.txt`` lists them. ``python -m tests.games.small_islands.test_move_counts`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

from skerry_games.small_islands import GAME
from skerry_games.small_islands.state import Mode, Options, State
from tests.games.small_islands.random_games import states

COUNTS = Path(__file__).with_name("move_counts.txt")
SEED = 0
MOVES_BEFORE = (0, 13, 25, 40, 60, 90, 120, 150)
DEPTH = 2


def count(state: State, depth: int) -> int:
    """Return the number of sequences of that many legal moves, of seats and of chance."""
    listed = [(actor, move) for actor in GAME.to_act(state) for move in GAME.legal_moves(state, actor)]
    if depth == 1:
        return len(listed)
    return sum(count(GAME.apply(state, actor, move)[0], depth - 1) for actor, move in listed)


def counted() -> str:
    """Return the counts at some positions of one random game for each mode and number of seats."""
    lines = ["mode, seats, moves made before, sequences of 1 and 2 moves"]
    for mode in Mode:
        for seats in GAME.seats:
            for made, state in enumerate(states(Options(mode=mode), seats, SEED)):
                if made in MOVES_BEFORE:
                    counts = [count(state, depth) for depth in range(1, DEPTH + 1)]
                    lines.append(" ".join(map(str, [mode.name.lower(), seats, made, *counts])))
    return "\n".join([*lines, ""])


def test_there_are_as_many_move_sequences_as_ever() -> None:
    assert counted().splitlines() == COUNTS.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    COUNTS.write_text(counted(), encoding="utf-8")
