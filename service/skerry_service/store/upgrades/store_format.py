"""The format of a store: a number that says how sessions and indexes are stored.

A build supports one format. It migrates stores of earlier formats (``migration.py``), and rejects those of later ones,
which it could damage. A store with sessions and without a number has format 0.
"""

from __future__ import annotations

from msgspec import Struct

from skerry_service.store.redis_store import RedisStore

FORMAT = 1
"""The format of this build."""
_PAGE = 500


class UnsupportedFormat(Exception):
    """This build cannot use the store. The message is one or more sentences."""


class StoreFormat(Struct, frozen=True):
    """The format of a store that has one."""

    number: int
    build: str = ""
    """The build that wrote the store in that format; empty if unknown."""


async def format_of(store: RedisStore, build: str) -> StoreFormat | None:
    """Return the format of a store; ``None`` for a new store.

    ``build``: this one. Raises UnsupportedFormat for a later or damaged number, StoreUnavailable.
    """
    stored = await store.upgrades.stored_format()
    if stored is None:
        return StoreFormat(0) if await _has_sessions(store) else None
    number = int(stored.number) if stored.number.isdigit() and len(stored.number) < 10 else None
    if number is None:
        raise UnsupportedFormat(
            f"The store names its format {stored.number[:20]!r}, which is no number. "
            f"Restore a backup (docs/how-to/backups.md)."
        )
    if number > FORMAT:
        raise UnsupportedFormat(
            f"The store has format {number}, which Skerry {stored.build} wrote. "
            f"This build, {build}, supports format {FORMAT} and earlier ones. "
            f"Start a build that supports format {number}, or restore a backup from before the upgrade "
            f"(docs/how-to/upgrading.md)."
        )
    return StoreFormat(number, stored.build)


async def begin_format(store: RedisStore, build: str) -> None:
    """Set the format of a new store to that of this build. Raises StoreUnavailable."""
    await store.upgrades.set_format(b"", FORMAT, build)


async def _has_sessions(store: RedisStore) -> bool:
    async for page in store.heads(_PAGE):
        if page:
            return True
    return False
