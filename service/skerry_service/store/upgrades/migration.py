"""Migration of a store from an earlier format to that of this build.

A migration changes each session at most once and changes the format number last. So it can be interrupted at any step
and started again, and several processes can run it at once. Until its last step, builds of the earlier format can
still use the store.

From format 0 to 1: sessions keep their form. Their entries are written to the indexes of this build, TTLs become
lifetimes, and a snapshot that this build cannot read is rebuilt from the log. At last, earlier indexes are deleted.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from msgspec import MsgspecError, Struct

from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged
from skerry_service.domain.packed import Head, head_of, unpack_head
from skerry_service.sessions.loader import replay, report_damage
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import all_sessions
from skerry_service.store.upgrades.store_format import FORMAT, StoreFormat, UnsupportedFormat, begin_format, format_of
from skerry_service.store.uptime import TICK_SECONDS

_log = logging.getLogger(__name__)

_BATCH = 50
_TICKS_SECONDS = 2 * TICK_SECONDS
"""Within this time a running service advances the store's uptime."""
Outcome = Literal["kept", "rebuilt", "unsupported", "damaged"]


class MigratedSession(Struct, frozen=True):
    """What a migration finds of one session."""

    session: str
    outcome: Outcome
    """``kept``: this build can read it. ``rebuilt``: its snapshot follows from its log. ``unsupported``: the build
    lacks its game or ruleset. ``damaged``: neither its head nor its log can be read."""
    indexed: bool
    """Whether the indexes of this build had its entries before."""
    sentence: str = ""
    """The problem of an unsupported or damaged session."""


class MigrationReport(Struct, frozen=True):
    """What a migration has done, or a dry run would do."""

    number: int
    """The format before."""
    sessions: tuple[MigratedSession, ...]

    def count(self, outcome: Outcome) -> int:
        """Return the number of sessions with that outcome."""
        return sum(one.outcome == outcome for one in self.sessions)

    @property
    def problems(self) -> tuple[MigratedSession, ...]:
        """The sessions that this build cannot continue. They stay in the store."""
        return tuple(one for one in self.sessions if one.sentence)

    @property
    def sentence(self) -> str:
        """The report in one sentence."""
        return (
            f"{len(self.sessions):,} sessions of format {self.number}: {self.count('kept'):,} can be read, "
            f"{self.count('rebuilt'):,} need a snapshot from the log, {self.count('unsupported'):,} have rulesets that "
            f"this build does not support, {self.count('damaged'):,} are damaged."
        )


async def prepare(store: RedisStore, build: str) -> MigrationReport | None:
    """Make sure that a store has the format of this build: begin it, or migrate the store.

    Return the report of a migration; ``None`` without one. Raises UnsupportedFormat, StoreUnavailable, StoreFull.
    """
    found = await format_of(store, build)
    if found is None:
        await begin_format(store, build)
    elif found.number < FORMAT:
        _log.warning("the store has format %d; migrating it to format %d", found.number, FORMAT)
        report = await migrate(store, build, found)
        for problem in report.problems:
            _log.warning("session %s cannot be continued: %s", problem.session, problem.sentence)
        _log.warning("migrated the store to format %d: %s", FORMAT, report.sentence)
        return report
    return None


async def migrate(
    store: RedisStore, build: str, found: StoreFormat, *, dry_run: bool = False, watch_seconds: float = _TICKS_SECONDS
) -> MigrationReport:
    """Migrate a store of an earlier format. ``dry_run``: report what would be done, and write nothing.

    ``watch_seconds``: how long to look for running services of builds whose indexes differ. Raises UnsupportedFormat
    if there is one; StoreUnavailable, StoreFull.
    """
    differs = await store.upgrades.has_indexes_of_format_0()
    if differs and not dry_run:
        await _require_no_service(store, watch_seconds)
        await store.upgrades.copy_presence_of_format_0()
    sessions: list[MigratedSession] = []
    found_sessions = await all_sessions(store)
    for at in range(0, len(found_sessions), _BATCH):
        page = found_sessions[at : at + _BATCH]
        sessions += await asyncio.gather(*(_migrate_session(store, one, dry_run=dry_run) for one in page))
    if not dry_run:
        await store.upgrades.delete_indexes_of_format_0()
        before = str(found.number).encode() if await store.upgrades.stored_format() else b""
        if not await store.upgrades.set_format(before, FORMAT, build):
            await format_of(store, build)  # raises if a later build was faster
    return MigrationReport(found.number, tuple(sessions))


async def _require_no_service(store: RedisStore, watch_seconds: float) -> None:
    """Raise UnsupportedFormat if a service of an earlier build uses the store, which shows in its growing uptime.

    Replicas of this build do not advance it before the store is migrated.
    """
    before = await store.upgrades.stored_uptime()
    await asyncio.sleep(watch_seconds)
    if await store.upgrades.stored_uptime() != before and not await store.upgrades.stored_format():
        raise UnsupportedFormat(
            "A service of an earlier build is using the store, and its indexes differ from those of this build. "
            "Stop all of its replicas first (docs/how-to/upgrading.md)."
        )


async def _migrate_session(store: RedisStore, session: str, *, dry_run: bool) -> MigratedSession:
    indexed = not await store.indexes.missing(session)
    if not dry_run:
        await store.upgrades.persist(session, await store.uptime_ms())
        await store.indexes.restore(session)
    try:
        head = await store.load(session)
        if head is None:
            return MigratedSession(session, "kept", indexed)  # it has expired meanwhile
        if _is_readable(head):
            return MigratedSession(session, "kept", indexed)
        rebuilt = await _rebuilt_head(store, session, head)
    except (GameNotFound, RulesetUnsupported) as error:
        return MigratedSession(session, "unsupported", indexed, str(error))
    except SessionDamaged:
        return MigratedSession(session, "damaged", indexed, "Neither its head nor its log can be read.")
    if not dry_run:
        await store.upgrades.replace_head(session, rebuilt)
    return MigratedSession(session, "rebuilt", indexed)


def _is_readable(head: Head) -> bool:
    """Return whether this build can decode a head. Raises GameNotFound, RulesetUnsupported."""
    try:
        unpack_head(head)
    except (MsgspecError, ValueError):
        return False
    return True


async def _rebuilt_head(store: RedisStore, session: str, head: Head) -> Head:
    """Return the head to which a session's log leads. Raises SessionDamaged, GameNotFound, RulesetUnsupported."""
    changes = run_to_completion(replay(session, await store.batches(session, 0)))
    rebuilt = head_of(changes[-1].table) if changes else None
    if rebuilt is None or (rebuilt.sequence, rebuilt.chained_hash) != (head.sequence, head.chained_hash):
        raise report_damage(session, f"its log does not lead to entry {head.sequence} of its head")
    return rebuilt
