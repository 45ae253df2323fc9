"""``skerry migrate`` and ``skerry repair``: bring a store to the format of this build, and rebuild its indexes."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry_service import __version__
from skerry_service.cli.operators.reachable_store import DataDir, RedisUrl, run_on_store
from skerry_service.cli.refusal import FAILED
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import RepairReport, repair
from skerry_service.store.upgrades.migration import MigrationReport, migrate
from skerry_service.store.upgrades.store_format import FORMAT, UnsupportedFormat, begin_format, format_of

UNKNOWN = 3


def migrate_command(
    redis_url: RedisUrl = None,
    data_dir: DataDir = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what a migration would do. Write nothing.")
    ] = False,
) -> None:
    """Migrate a store of an earlier build to the format of this build, as `serve` does at its start.

    You can interrupt a migration and start it again. The exit code is 0 if this build can continue every session, 1 if
    a session is damaged, and 3 if none is damaged but some have unsupported rulesets. Those stay in the store.
    """

    async def run(store: RedisStore) -> MigrationReport | None:
        found = await format_of(store, __version__)
        if found is not None and found.number < FORMAT:
            return await migrate(store, __version__, found, dry_run=dry_run)
        if found is None and not dry_run:
            await begin_format(store, __version__)
        return None

    report = run_on_store(run, redis_url, data_dir)
    if report is None:
        print(f"The store has format {FORMAT}, that of this build. There is nothing to migrate.")
        return
    for problem in report.problems:
        print(f"sessions/{problem.session}: {problem.sentence}")
    print(report.sentence)
    print(f"A migration to format {FORMAT} is possible." if dry_run else f"The store has format {FORMAT} now.")
    if report.count("damaged"):
        raise typer.Exit(FAILED)
    if report.count("unsupported"):
        raise typer.Exit(UNKNOWN)


def repair_command(redis_url: RedisUrl = None, data_dir: DataDir = None) -> None:
    """Rebuild the indexes of a store (lists, timers, expiry) from its sessions, with or without a running service.

    Changes no session. You can repeat it at any time.
    """

    async def run(store: RedisStore) -> RepairReport:
        found = await format_of(store, __version__)
        if found is not None and found.number < FORMAT:
            raise UnsupportedFormat(f"The store has format {found.number}. Migrate it first (`skerry migrate`).")
        return await repair(store)

    report = run_on_store(run, redis_url, data_dir)
    print(
        f"{report.sessions:,} sessions: {report.restored:,} were missing in an index and are restored. "
        f"{report.removed:,} entries without a session are removed."
    )
