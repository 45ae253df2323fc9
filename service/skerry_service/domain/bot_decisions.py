"""Bots that think. Where one is to act, the table stops as it does at a player, and the decision is *due*.

``due`` finds such decisions. Whoever knows the level makes one of them out of what ``decision_on`` gives it, and hands
the move to ``Sessions.decide``, which carries it out once however many have thought about it. ``worker`` does so in
this process. So a bot that thinks holds up its own game alone, and never a call.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Protocol

from msgspec import Struct

from skerry_games.rng import SEED_BYTES, SeededRng
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.record import Record
from skerry_service.domain.table import Table


class DueDecision(Struct, frozen=True):
    """A decision that a bot owes. The same to all who find it, until it is made."""

    session: str
    seat: int
    since: int
    """The entry since which it is owed. Entries that do not concern it may have followed."""
    level: str


class Decision(Struct, frozen=True):
    """All that a level gets to decide on: what the seat may know, as a value that can be sent to another process.

    It is the same whatever is hidden from the seat, and so is the choice of a level that depends on nothing else.
    """

    game: str
    """The game's id; its rules are ``skerry_games.catalogue.find_game(game, ruleset)``."""
    ruleset: str
    seat: int
    view: Any
    legal_moves: tuple[Any, ...]
    samples: tuple[Any, ...]
    """States that the seat cannot tell from the true one."""
    seed: bytes
    """32 bytes to draw from (draw 0). They tell nothing of what the game draws."""


class Thinker(Protocol):
    """How a level decides."""

    samples: int
    """How many samples it wants."""

    async def __call__(self, decision: Decision) -> Any:
        """Return one of the legal moves. What takes long is awaited: the event loop serves everybody."""


def due_decisions(table: Table) -> tuple[DueDecision, ...]:
    """Return the decisions that bots owe at this table."""
    record = table.record
    thinking = [seat for seat in table.to_act if record.seats[seat].thinks]
    if not thinking or table.record.is_paused:  # most tables have no such bot
        return ()
    return tuple([DueDecision(record.id, seat, table.open_since[seat], record.seats[seat].level) for seat in thinking])


def decision_for(table: Table, one: DueDecision, samples: int) -> Decision:
    """Return what the seat may know, with that many samples. Pure, and slow with many: keep it off the event loop."""
    game, state, seat = table.game, table.state, one.seat
    seed = _seed(table.record, one)
    return Decision(
        game=game.id,
        ruleset=game.ruleset,
        seat=seat,
        view=game.view(state, seat),
        legal_moves=tuple(game.legal_moves(state, seat)),
        samples=tuple([game.redeal(state, seat, SeededRng(seed, draw)) for draw in range(1, samples + 1)]),
        seed=seed,
    )


def decision_request(record: Record, one: DueDecision) -> Request:
    """Return the identity under which the decision is made, by whomever: no token, and no move, is part of it."""
    hashed = blake2b(pack(one), digest_size=8, key=record.salt, person=b"skerry due").digest()
    return Request(id=hashed, payload=hashed)


def _seed(record: Record, one: DueDecision) -> bytes:
    """Return what the bot draws from here: the same in every process, and no way back to the session's seed."""
    return blake2b(pack(one), digest_size=SEED_BYTES, key=record.seed, person=b"skerry thinking").digest()
