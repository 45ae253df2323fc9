"""A game replays identically: from its log, and in processes with other hash seeds."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import run

from msgspec import msgpack

from skerry_games.api import AnyGame
from tests.games.conformance.play import play

_ROOT = Path(__file__).parents[3]
_HASH_SEEDS = ("0", "1", "4242")


def check_log_replays(game: AnyGame, seats: int, seed: int) -> None:
    """The encoded moves alone reproduce each state and each event, without the seed."""
    played = play(game, seats, seed)
    state = game.setup(game.options_type(), seats)
    assert state == played.first, "the same options set up another game"
    for step in played.steps:
        stored = msgpack.encode(step.move)
        state, events = game.apply(state, step.actor, msgpack.decode(stored, type=game.move_type))
        assert (state, events) == (step.after, step.events), f"replayed, the move {step.move} does something else"


def check_replays_identically(source: str, seats: Sequence[int], seeds: Sequence[int]) -> None:
    """Whole games give the same digest (``digest.py``) in processes with different hash seeds.

    ``source`` is the name from which the other processes import the game: ``package.module:NAME``.
    """
    arguments = [source, *(f"{number}:{seed}" for number in seats for seed in seeds)]
    digests = {_digest_elsewhere(arguments, hash_seed) for hash_seed in _HASH_SEEDS}
    assert len(digests) == 1, f"{source} plays differently when hashes differ"


def _digest_elsewhere(arguments: Sequence[str], hash_seed: str) -> str:
    done = run(
        [sys.executable, "-m", "tests.games.conformance.digest", *arguments],
        cwd=_ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"the game breaks in another process:\n{done.stderr}"
    return done.stdout
