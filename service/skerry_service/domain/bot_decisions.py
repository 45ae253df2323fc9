"""Decisions of thinking bots.

When a thinking bot is to act, the table stops as it does for a player, and the decision is *due*. ``due_decisions``
lists them. A bot worker that knows the bot's level passes it the result of ``decision_for`` and submits the move with
``MoveActions.decide``. Several workers may compute the same decision; only one move is stored. A thinking bot delays
its own game only, never a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from hashlib import blake2b
from typing import Any, Protocol

from msgspec import Struct

from skerry_games.players import LEVELS
from skerry_games.players.chances import Chances
from skerry_games.rng import SEED_BYTES, SeededRng
from skerry_service.domain.lessons.course import scripted_move
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.record import Record
from skerry_service.domain.table import Table


class DueDecision(Struct, frozen=True):
    """A decision that a bot owes. Equal on every replica until it is made."""

    session: str
    seat: int
    since: int
    """The entry since which the bot owes it. Unrelated entries may have followed."""
    level: str


class Decision(Struct, frozen=True):
    """The input of a level: all that the seat may know, as a value that can be sent to another process.

    It does not depend on what is hidden from the seat. So a level that uses nothing else chooses the same move
    whatever is hidden.
    """

    game: str
    """The game's id. Its rules are ``skerry_games.catalogue.find_game(game, ruleset)``."""
    ruleset: str
    seat: int
    view: Any
    legal_moves: tuple[Any, ...]
    samples: tuple[Any, ...]
    """States that the seat cannot distinguish from the true one."""
    seed: bytes
    """32 bytes to draw from (draw 0). They reveal nothing of the session's seed."""
    scripted: Any = None
    """The seat's move by the lesson; ``None`` outside of lessons and of their course."""


class Thinker(Protocol):
    """A level's way to decide."""

    samples: int
    """Number of samples that it needs."""

    async def __call__(self, decision: Decision) -> Any:
        """Return one of the legal moves. Await long computations: the event loop serves other calls meanwhile."""


LEVEL_WITHOUT_PLAYERS = "medium"
"""The strongest level that thinks in a game that all its players have left: stronger ones cost a minute of processor
time a game, and nobody waits for them."""
_STRONGER = frozenset(list(LEVELS)[list(LEVELS).index(LEVEL_WITHOUT_PLAYERS) + 1 :])
HINT_LEVEL = "hard"
"""The level that gives hints."""
RankedMoves = Sequence[tuple[Any, float]]
"""Legal moves, the best first, each with the share of other seats that the seat can expect to beat with it."""


class OpenPosition(Struct, frozen=True):
    """A position of a finished game, whose secrets are visible, as a value that can be sent to another process."""

    game: str
    """The game's id."""
    ruleset: str
    state: Any
    """The full state."""
    lost: tuple[int, ...]
    """The seats that have lost already."""
    seed: bytes
    """32 bytes to draw from (draw 0)."""
    simulations: int
    """How often the bot plays on from the position."""


class SpareBots(Protocol):
    """The bots of a server, for work that lets games with players go first."""

    def slot(self, share: int) -> AbstractAsyncContextManager[None]:
        """Return a context that waits for a bot and holds it. ``share``: whose work it is."""

    def analysis_slot(self, share: int) -> AbstractAsyncContextManager[None]:
        """Return a context that holds one of a few slots for analyses, which shares get in turn."""

    async def rank(self, decision: Decision) -> RankedMoves:
        """Return the legal moves as the level ``HINT_LEVEL`` ranks them. Call it within a slot."""

    async def chances(self, position: OpenPosition) -> Chances:
        """Return the estimated chances to win. Call it within a slot."""


def due_decisions(table: Table) -> tuple[DueDecision, ...]:
    """Return the decisions that thinking bots owe at this table."""
    record = table.record
    thinking = [seat for seat in table.to_act if record.seats[seat].thinks]
    if not thinking or record.is_paused:  # most tables have no such bot
        return ()
    return tuple([DueDecision(record.id, seat, table.open_since[seat], level_of(record, seat)) for seat in thinking])


def level_of(record: Record, seat: int) -> str:
    """Return the level at which the bot of a seat plays now."""
    level = record.seats[seat].level
    return LEVEL_WITHOUT_PLAYERS if level in _STRONGER and record.is_left else level


def decision_for(table: Table, due: DueDecision, samples: int) -> Decision:
    """Return the input for a due decision, with so many samples.

    Many samples take long: call this outside of the event loop.
    """
    game, state, seat = table.game, table.state, due.seat
    seed = _seed(table.record, due)
    return Decision(
        game=game.id,
        ruleset=game.ruleset,
        seat=seat,
        view=game.view(state, seat),
        legal_moves=tuple(game.legal_moves(state, seat)),
        samples=tuple([game.redeal(state, seat, SeededRng(seed, draw)) for draw in range(1, samples + 1)]),
        seed=seed,
        scripted=scripted_move(game, state, seat) if table.record.lesson else None,
    )


def share_of_bots(record: Record) -> int:
    """Return the share that a session's bots use: that of its creator, or one of its own if the creator is unknown."""
    return record.share or int.from_bytes(record.host_token[:2], "big")


def decision_request(record: Record, due: DueDecision) -> Request:
    """Return the request identity of a due decision.

    It depends neither on the worker nor on the chosen move, so the first stored move wins.
    """
    hashed = blake2b(pack(due), digest_size=8, key=record.salt, person=b"skerry due").digest()
    return Request(id=hashed, payload=hashed)


def _seed(record: Record, due: DueDecision) -> bytes:
    """Return the bot's seed for a decision. It is equal in every process and does not reveal the session's seed."""
    return blake2b(pack(due), digest_size=SEED_BYTES, key=record.seed, person=b"skerry thinking").digest()
