"""Games as rows for analysis: one row per game, or one per legal move of each decision. Without names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import json, to_builtins

from skerry_games.api import CHANCE
from skerry_games.sentences import fill
from skerry_service.archive.archived_session import ArchivedSession, restored
from skerry_service.domain.bot_decisions import level_of
from skerry_service.domain.log import Moved, TimedMove, Undone, unpack_batch
from skerry_service.domain.record import Occupant, Record
from skerry_service.domain.table import Table, apply_entry, move_of, options_of, require_table

Rows = Literal["games", "options"]
Row = dict[str, Any]

PLAYER = "player"
"""What ``by`` says where no bot has the seat; otherwise it is the level of the bot."""

COLUMNS: dict[Rows, dict[str, type | tuple[type]]] = {
    "games": {
        "session": str,
        "game": str,
        "ruleset": str,
        "created": str,
        "ended": str,
        "seats": int,
        "by": (str,),
        "ranks": (int,),
        "scores": (int,),
        "lost": (int,),
        "reason": str,
        "entries": int,
        "moves": int,
        "seed": str,
        "options": str,
        "labels": str,
    },
    "options": {
        "session": str,
        "game": str,
        "sequence": int,
        "seat": int,
        "by": str,
        "option": int,
        "options": int,
        "chosen": bool,
        "move": str,
        "text": str,
        "charged_ms": int,
    },
}
"""The columns of each kind of row with their types. ``(int,)`` is a list of numbers. Times are ISO 8601 in UTC."""


def rows_of(kept: ArchivedSession, kind: Rows) -> Iterator[Row]:
    """Yield a game's rows. Raises ValueError if it is damaged, GameNotFound, RulesetUnsupported."""
    table: Table | None = None
    moves = entries = 0
    for packed in restored(kept, nameless=True):
        for entry in unpack_batch(packed).entries:
            move, entries = None, entries + 1
            if isinstance(entry, Moved):
                table = require_table(table)
                move = move_of(table, entry)
                if entry.actor != CHANCE:
                    moves += 1
                    if kind == "options":
                        yield from _options(table, entry, move)
            elif isinstance(entry, Undone):
                moves -= 1
            table, _ = apply_entry(table, entry, move)
    if kind == "games":
        yield _game(kept, require_table(table).record, entries, moves)


def _game(kept: ArchivedSession, record: Record, entries: int, moves: int) -> Row:
    outcome = record.outcome
    if outcome is None:
        raise ValueError("it has no outcome")
    return {
        "session": record.id,
        "game": record.game,
        "ruleset": record.ruleset,
        "created": _time(record.created_ms),
        "ended": _time(kept.ended_ms),
        "seats": len(record.seats),
        "by": [one.level if _is_bot(record, seat) else PLAYER for seat, one in enumerate(record.seats)],
        "ranks": list(outcome.ranks),
        "scores": list(outcome.scores),
        "lost": list(record.lost),
        "reason": outcome.reason,
        "entries": entries,
        "moves": moves,
        "seed": record.seed.hex(),
        "options": json.encode(options_of(record)).decode(),
        "labels": json.encode(dict(record.labels)).decode(),
    }


def _options(table: Table, entry: Moved, move: Any) -> Iterator[Row]:
    """Yield the legal moves of the seat, in the game's order."""
    game, record = table.game, table.record
    names = tuple([f"seat {seat}" for seat in range(len(record.seats))])
    legal = game.legal_moves(table.state, entry.actor)
    for option, legal_move in enumerate(legal):
        yield {
            "session": record.id,
            "game": record.game,
            "sequence": table.sequence + 1,
            "seat": entry.actor,
            "by": level_of(record, entry.actor) if _is_bot(record, entry.actor) else PLAYER,
            "option": option,
            "options": len(legal),
            "chosen": legal_move == move,
            "move": json.encode(to_builtins(legal_move)).decode(),
            "text": fill(game.say_move(legal_move), names),
            "charged_ms": entry.charged_ms if isinstance(entry, TimedMove) else None,
        }


def _is_bot(record: Record, seat: int) -> bool:
    return record.seats[seat].occupant is Occupant.BOT


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
