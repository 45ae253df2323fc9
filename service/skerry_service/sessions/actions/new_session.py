"""The settings of a new session, and its first record."""

from __future__ import annotations

from secrets import token_bytes
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import AnyGame
from skerry_games.rng import SEED_BYTES
from skerry_service.domain.log import pack
from skerry_service.domain.record import (
    RANDOM,
    AbandonmentPolicy,
    Clock,
    Delay,
    Labels,
    Phase,
    Record,
    SeatRecord,
    Spectating,
    UndoPolicy,
    Visibility,
)
from skerry_service.domain.tokens import Role, digest, new_token
from skerry_service.sessions.request_identity import identify, session_id


class NewSession(Struct, frozen=True):
    """The settings of a new session."""

    game: AnyGame
    options: Any
    seats: tuple[SeatRecord, ...]
    visibility: Visibility = Visibility.PUBLIC
    spectating: Spectating = Spectating.ANYONE
    seed: bytes | None = None
    """32 bytes that all chance draws from; ``None`` for a secret random seed."""
    labels: Labels = ()
    public_player_ids: bool = False
    requires_join_code: bool = False
    abandonment: AbandonmentPolicy = AbandonmentPolicy()
    usual_level: str = RANDOM
    """The level of substitutes if ``abandonment`` names none. A repeat of the request may find another one."""
    clock: Clock | None = None
    delay: Delay | None = None
    share: int = 0
    """See ``Record.share``. A repeat of the request may come from another address."""
    lesson: bool = False
    hints: bool = False
    undo: UndoPolicy = UndoPolicy.NONE
    rated: bool = False
    applications: tuple[str, ...] = ()
    """See ``Record.applications``."""
    cell: str = ""
    """The cell of the session's id; empty in an installation without one."""


def new_record(new: NewSession, request_id: bytes, now_ms: int, *source: object, salt: bytes = b"") -> Record:
    """Return the record that a request creates. Seed and salt are random unless given.

    ``source``: further content of the request, such as the source of a fork.
    """
    access = (
        new.seats,
        new.visibility,
        new.spectating,
        new.public_player_ids,
        *([True] if new.requires_join_code else []),
    )
    rare = [setting for setting in (new.delay, new.lesson) if setting] + ["hints"] * new.hints
    rare += ["undo"] * (new.undo is UndoPolicy.OWN_MOVES)
    rare += ["rated"] * new.rated
    content = (new.game.id, new.options, access, new.seed, new.labels, new.abandonment, new.clock, *rare, *source)
    salt = salt or token_bytes(16)
    level = new.abandonment.level or new.usual_level
    return Record(
        id=session_id(request_id, new.cell),
        game=new.game.id,
        ruleset=new.game.ruleset,
        options=pack(new.options),
        phase=Phase.LOBBY,
        seats=new.seats,
        visibility=new.visibility,
        spectating=new.spectating,
        seed=new.seed or token_bytes(SEED_BYTES),
        seeded=new.seed is not None,
        salt=salt,
        host_token=digest(new_token(Role.HOST, salt, request_id)),
        spectator_token=digest(new_token(Role.SPECTATOR, salt, request_id)),
        created_ms=now_ms,
        request=identify(request_id, "create", content).payload,
        labels=new.labels,
        public_player_ids=new.public_player_ids,
        requires_join_code=new.requires_join_code,
        abandonment=replace(new.abandonment, level=level),
        clock=new.clock,
        delay=new.delay,
        share=new.share,
        lesson=new.lesson,
        hints=new.hints,
        undo=new.undo,
        rated=new.rated,
        applications=new.applications,
    )
