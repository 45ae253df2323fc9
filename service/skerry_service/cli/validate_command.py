"""``skerry validate``: check whether this build can continue the stored games."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import MsgspecError, Struct

from skerry_service.cli.config_command import read_settings
from skerry_service.cli.refusal import MISUSED, Refusal
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SkerryError, StoreUnavailable
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Phase, unpack_record
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.embedded.embedded_server import socket_path
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.config import Config
from skerry_service.wiring.store_probe import root_cause

DIFFERS = 1
UNKNOWN = 3
_PAGE = 100
Verdict = Literal["passes", "differs", "unknown"]


class ValidationResult(Struct, frozen=True):
    """The result for one session."""

    session: str
    verdict: Verdict
    sentence: str = ""


def validate_command(
    redis_url: Annotated[str | None, typer.Option(help="Redis that stores the sessions (REDIS_URL).")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data directory of a running service (SKERRY_DATA_DIR).")
    ] = None,
    per_second: Annotated[int, typer.Option(min=1, help="Maximum number of sessions to read per second.")] = 100,
    finished: Annotated[bool, typer.Option("--finished", help="Include finished games.")] = False,
) -> None:
    """Replay every stored session with the rules of this build, before you start it on the store. Writes nothing.

    The exit code is 0 if all pass, 1 if one differs, and 3 if none differs but some have unsupported rulesets.
    """
    config = read_settings().config
    url = store_at(config, redis_url, data_dir)
    try:
        counts = asyncio.run(_validate(url, per_second, finished=finished))
    except (StoreUnavailable, ValueError) as error:
        raise Refusal(f"The store at {without_secrets(url)} cannot be read: {root_cause(error)}", MISUSED) from None
    print(f"{counts.total():,} sessions: {counts['passes']:,} pass, {counts['differs']:,} differ,", end=" ")
    print(f"{counts['unknown']:,} have rulesets that this build does not support.")
    if counts["differs"]:
        raise typer.Exit(DIFFERS)
    if counts["unknown"]:
        raise typer.Exit(UNKNOWN)


def store_at(config: Config, redis_url: str | None, data_dir: Path | None) -> str:
    """Return the URL of the store: from these options, otherwise from the settings."""
    directory = (data_dir or config.data_dir).resolve()
    return redis_url or (None if data_dir else config.redis_url) or f"unix://{socket_path(directory)}"


async def _validate(url: str, per_second: int, *, finished: bool) -> Counter[Verdict]:
    counts: Counter[Verdict] = Counter()
    store = RedisStore(url)
    try:
        async for result in validation_results(store, per_second, finished=finished):
            counts[result.verdict] += 1
            if result.verdict != "passes":
                print(f"sessions/{result.session}: {result.sentence}", flush=True)
    finally:
        await store.close()
    return counts


async def validation_results(store: RedisStore, per_second: int, *, finished: bool) -> AsyncIterator[ValidationResult]:
    """Yield the result of each session, at most ``per_second`` a second. Raises StoreUnavailable."""
    place, checked = 0, set[str]()
    while True:
        place, sessions = await store.scan(place, _PAGE)
        for session in sessions:
            if session in checked:
                continue
            checked.add(session)
            result = await _check(store, session, finished=finished)
            await asyncio.sleep(1 / per_second)
            if result is not None:
                yield result
        if not place:
            return


async def _check(store: RedisStore, session: str, *, finished: bool) -> ValidationResult | None:
    """Return the result of a session; ``None`` if it is over, or no longer stored."""
    try:
        head = await store.load(session)
        if head is None or (not finished and _is_over(head)):
            return None
        difference = first_difference(head, await store.batches(session, 0))
    except (GameNotFound, RulesetUnsupported) as error:
        return ValidationResult(session, "unknown", str(error))
    except StoreUnavailable:
        raise
    except SkerryError as error:  # damaged
        return ValidationResult(session, "differs", str(error))
    if difference is None:
        return ValidationResult(session, "passes")
    return ValidationResult(session, "differs", f"at entry {difference.sequence} {difference.sentence}.")


def _is_over(head: Head) -> bool:
    try:
        return unpack_record(head.record).phase is Phase.FINISHED
    except (MsgspecError, ValueError):
        return False  # the replay reports the damage
