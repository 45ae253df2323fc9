"""``skerry forget``: takes a player's name and id out of finished games, on request."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

import typer

from skerry_service.archive.archive import ObjectExists, archive_at
from skerry_service.archive.erasure import Eraser, ErasureResult, ErasureSubject, Outcome
from skerry_service.archive.mover import WrongArchive
from skerry_service.cli.config_command import read_settings
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.cli.validate_command import store_at
from skerry_service.domain.errors import SkerryError, StoreUnavailable
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.store_probe import root_cause

_SAID: dict[Outcome, str] = {
    "forgotten": "The name and the id are gone.",
    "nobody": "There is nobody like that in it.",
    "missing": "There is no such session.",
    "in play": "It is not over: ask again when it is.",
    "ends soon": "It is over and is not archived: it ends within some hours, with all names.",
}
_DONE: tuple[Outcome, ...] = ("forgotten", "ends soon")


def forget_command(
    session: Annotated[str | None, typer.Argument(help="The session: its id, or sessions/ID.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Who played on this seat of the session.")] = None,
    name: Annotated[str, typer.Option(help="Who had this name in the session.")] = "",
    player_id: Annotated[str, typer.Option(help="Who is known by this id: in the session, or in all.")] = "",
    archive: Annotated[str | None, typer.Option(help="The archive (SKERRY_ARCHIVE).")] = None,
    redis_url: Annotated[str | None, typer.Option(help="The Redis that holds the games (REDIS_URL).")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="The data directory of a service that runs (SKERRY_DATA_DIR).")
    ] = None,
    archive_only: Annotated[bool, typer.Option("--archive-only", help="Leave the store out.")] = False,
) -> None:
    """Take a player's display name and id out of finished games. The games, and the hashes of their logs, stay.

    What is finished and still in the store moves to the archive for that. Exits with 1 if somebody is left.
    """
    if [seat is not None, bool(name), bool(player_id)].count(True) != 1 or (session is None and not player_id):
        raise Refusal("Name a session with --seat or --name, or a player with --player-id.", MISUSED)
    config = read_settings().config
    place = archive or config.archive
    if place is None:
        raise Refusal("Name the archive with --archive or SKERRY_ARCHIVE.", MISUSED)
    url = None if archive_only else store_at(config, redis_url, data_dir)
    wanted = session.removeprefix("sessions/") if session else None
    counts = asyncio.run(_forget(place, url, wanted, ErasureSubject(player_id, name, seat)))
    if not counts:
        print("No session has such a player.")
    if sum(counts[outcome] for outcome in _DONE) < counts.total():
        raise typer.Exit(FAILED)


async def _forget(place: str, url: str | None, session: str | None, who: ErasureSubject) -> Counter[Outcome]:
    counts: Counter[Outcome] = Counter()
    try:
        store = RedisStore(url) if url else None
    except ValueError as error:
        raise Refusal(f"The store at {without_secrets(url or '')} cannot be used: {error}", MISUSED) from None
    try:
        forgetting = Eraser(store, archive_at(place))
        async for one in _findings(forgetting, session, who):
            counts[one.outcome] += 1
            print(f"sessions/{one.session}: {one.sentence or _SAID[one.outcome]}", flush=True)
    except StoreUnavailable as error:  # no caller is to repeat a call, as its second sentence says
        away, _, _ = str(error).partition(". ")
        raise Refusal(f"Not everything was looked at: {away}: {root_cause(error)}") from error
    except (SkerryError, WrongArchive) as error:
        raise Refusal(f"Not everything was looked at: {error}") from error
    except ObjectExists:
        raise Refusal("Another session lies in the archive under that id; nothing was done.") from None
    finally:
        if store is not None:
            await store.close()
    return counts


async def _findings(forgetting: Eraser, session: str | None, who: ErasureSubject) -> AsyncIterator[ErasureResult]:
    if session is not None:
        yield await forgetting.in_session(session, who)
        return
    async for one in forgetting.everywhere(who.player_id):
        yield one
