"""Tournaments and games for the tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skerry_arena.entrants import parse_entrant
from skerry_arena.play.record import Record
from skerry_arena.settings import Limits, Sandbox, Settings, require_playable
from skerry_games.pairing.plan import PlannedGame, games

SEED = "5a" * 32
FAULTY_PROGRAM = Path(__file__).with_name("faulty_program.py")
PATIENT = Limits(start_seconds=60, move_seconds=60, sandbox=Sandbox.OFF)
"""Without a sandbox, the tests are the same with and without bubblewrap; ``test_sandbox`` tests it."""


def settings(*players: str, **more: Any) -> Settings:
    """Return a small tournament of these players, with Islas Canarias by default."""
    made = Settings(
        **{"game": "canarias", "seed": SEED, "limits": PATIENT, "players": tuple(map(parse_entrant, players)), **more}
    )
    require_playable(made)
    return made


def faulty(how: str) -> str:
    """Return a player with the given fault."""
    return f"{how}=program:{sys.executable} {FAULTY_PROGRAM} {how}"


def records(tournament: Settings, ranks: Sequence[tuple[int, ...]]) -> list[Record]:
    """Return a log in which the games of the plan ended with these ranks."""
    return [record_of(tournament, game, ranked) for game, ranked in zip(games(tournament), ranks, strict=True)]


def record_of(tournament: Settings, game: PlannedGame, ranks: tuple[int, ...]) -> Record:
    """Return the record of a game that ended with these ranks."""
    return Record(
        game=game.number,
        block=game.block,
        lineup=tuple([tournament.players[one].name for one in game.lineup]),
        ranks=ranks,
        scores=tuple([10 - rank for rank in ranks]),
        reason="It is over.",
        counts=True,
        failures=(),
        choices=(),
        seed=game.seed.hex(),
        seconds=tuple([1.0 for _ in ranks]),
    )
