"""``skerry validate``: check whether this build can continue the stored games."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import typer
from msgspec import MsgspecError, Struct

from skerry_service import __version__
from skerry_service.cli import interrupts
from skerry_service.cli.operators.reachable_store import DataDir, RedisUrl, opened_store, store_of
from skerry_service.cli.refusal import MISUSED, Refusal
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SkerryError, StoreUnavailable
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Phase, unpack_record
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.embedded.embedded_server import EmbeddedServerError
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import all_sessions, survey
from skerry_service.store.upgrades.store_format import FORMAT, UnsupportedFormat, format_of
from skerry_service.wiring.config import Config
from skerry_service.wiring.store.store_probe import root_cause

DIFFERS = 1
UNKNOWN = 3
Verdict = Literal["passes", "differs", "unknown"]


class Validation(Struct):
    """What the validation of a store has found."""

    counts: Counter[Verdict]
    notes: list[str]
    """Sentences about the whole store."""
    indexed: bool = True
    """Whether the indexes have all sessions and no others."""


class ValidationResult(Struct, frozen=True):
    """The result for one session."""

    session: str
    verdict: Verdict
    sentence: str = ""


def validate_command(
    redis_url: RedisUrl = None,
    data_dir: DataDir = None,
    per_second: Annotated[int, typer.Option(min=1, help="Maximum number of sessions to read per second.")] = 100,
    finished: Annotated[bool, typer.Option("--finished", help="Include finished games.")] = False,
) -> None:
    """Replay every stored session with the rules of this build, before you start it on the store. Writes nothing.

    The exit code is 0 if all pass, 1 if one differs or the indexes lack a session, and 3 if none differs but some have
    unsupported rulesets.
    """
    config, url = store_of(redis_url, data_dir)
    shown = without_secrets(url or str(config.data_dir))
    try:
        found = interrupts.run(_validate(config, url, per_second, finished=finished))
    except UnsupportedFormat as error:
        raise Refusal(str(error), MISUSED) from None
    except (StoreUnavailable, EmbeddedServerError, OSError, ValueError) as error:
        raise Refusal(f"The store at {shown} cannot be read: {root_cause(error)}", MISUSED) from None
    counts = found.counts
    print(f"{counts.total():,} sessions: {counts['passes']:,} pass, {counts['differs']:,} differ,", end=" ")
    print(f"{counts['unknown']:,} have rulesets that this build does not support.")
    for note in found.notes:
        print(note)
    if counts["differs"] or not found.indexed:
        raise typer.Exit(DIFFERS)
    if counts["unknown"]:
        raise typer.Exit(UNKNOWN)


async def _validate(config: Config, url: str | None, per_second: int, *, finished: bool) -> Validation:
    found = Validation(Counter(), [])
    async with opened_store(config, url) as store:
        stored = await format_of(store, __version__)
        async for result in validation_results(store, per_second, finished=finished):
            found.counts[result.verdict] += 1
            if result.verdict != "passes":
                print(f"sessions/{result.session}: {result.sentence}", flush=True)
        if stored is not None and stored.number < FORMAT:
            found.notes.append(
                f"The store has format {stored.number}. This build migrates it to format {FORMAT} when it starts, or "
                f"with `skerry migrate`."
            )
        elif not (compared := await survey(store)).agrees:
            found.indexed = False
            found.notes.append(f"{compared.sentence} Run `skerry repair`.")
    return found


async def validation_results(store: RedisStore, per_second: int, *, finished: bool) -> AsyncIterator[ValidationResult]:
    """Yield the result of each session, at most ``per_second`` a second. Raises StoreUnavailable."""
    for session in await all_sessions(store):
        result = await _check(store, session, finished=finished)
        await asyncio.sleep(1 / per_second)
        if result is not None:
            yield result


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
