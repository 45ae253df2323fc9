"""How many sequences of legal moves there are from fixed positions: a change of the rules shows as a number.

``move_counts.txt`` lists them. ``python -m tests.games.tenerife.test_move_counts`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

from skerry_games.tenerife import GAME
from skerry_games.tenerife.state import State
from tests.games.tenerife.random_games import TABLES, states

COUNTS = Path(__file__).with_name("move_counts.txt")
SEED = 0
MOVES_BEFORE = (0, 2, 6, 9, 13, 25, 40, 55, 70, 85, 100)
DEPTH = 2


def count(state: State, depth: int) -> int:
    """Return the number of sequences of that many legal moves, of seats and of chance."""
    listed = [(actor, move) for actor in GAME.to_act(state) for move in GAME.legal_moves(state, actor)]
    if depth == 1:
        return len(listed)
    return sum(count(GAME.apply(state, actor, move)[0], depth - 1) for actor, move in listed)


def counted() -> str:
    """Return the counts at some positions of one random game for each kind of table."""
    lines = ["seats, moves made before, sequences of 1 and 2 moves"]
    for seats, options in TABLES:
        name = f"{seats}{' turbulent' if options.turbulent else ''}{' puerto' if options.puerto_farmer else ''}"
        for made, state in enumerate(states(seats, SEED, options)):
            if made in MOVES_BEFORE:
                lines.append(" ".join([name, str(made), *(str(count(state, depth)) for depth in range(1, DEPTH + 1))]))
    return "\n".join([*lines, ""])


def test_the_numbers_of_move_sequences_are_unchanged() -> None:
    assert counted().splitlines() == COUNTS.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    COUNTS.write_text(counted(), encoding="utf-8")
