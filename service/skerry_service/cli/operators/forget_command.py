"""``skerry forget``: erase a player's name and id from finished games, on request."""

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
from skerry_service.cli.operators.reachable_store import store_at
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.domain.errors import SkerryError, StoreUnavailable
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.people.ladder_erasure import LadderEraser
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.redis_store import RedisStore
from skerry_service.tournaments.tournament_erasure import TournamentEraser
from skerry_service.tournaments.tournament_store import TournamentData
from skerry_service.wiring.store_probe import root_cause

_SENTENCES: dict[Outcome, str] = {
    "forgotten": "The name and the id are erased.",
    "nobody": "The session has no such player.",
    "missing": "The session does not exist.",
    "in play": "The game is not over. Try again after its end.",
    "ends soon": "The game is over and not archived. It expires within hours, with all names.",
}
_DONE: tuple[Outcome, ...] = ("forgotten", "ends soon")


def forget_command(
    session: Annotated[str | None, typer.Argument(help="The session's id, or sessions/ID.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Erase the player of this seat.")] = None,
    name: Annotated[str, typer.Option(help="Erase the player with this display name.")] = "",
    player_id: Annotated[
        str, typer.Option(help="Erase the player with this id: in the session if one is given, otherwise in all.")
    ] = "",
    archive: Annotated[str | None, typer.Option(help="Directory or URL of the archive (SKERRY_ARCHIVE).")] = None,
    redis_url: Annotated[str | None, typer.Option(help="Redis that stores the sessions (REDIS_URL).")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data directory of a running service (SKERRY_DATA_DIR).")
    ] = None,
    archive_only: Annotated[bool, typer.Option("--archive-only", help="Skip the store.")] = False,
) -> None:
    """Erase a player's display name and id from finished games. The games and the hashes of their logs stay.

    Finished games that are still in the store move to the archive first. The exit code is 1 if a name remains.
    """
    if [seat is not None, bool(name), bool(player_id)].count(True) != 1 or (session is None and not player_id):
        raise Refusal("Pass a session with --seat or --name, or a player with --player-id.", MISUSED)
    config = read_settings().config
    place = archive or config.archive
    if place is None:
        raise Refusal("Pass the archive with --archive or SKERRY_ARCHIVE.", MISUSED)
    url = None if archive_only else store_at(config, redis_url, data_dir)
    session_id = session.removeprefix("sessions/") if session else None
    counts = asyncio.run(_forget(place, url, session_id, ErasureSubject(player_id, name, seat)))
    if not counts:
        print("No session has such a player.")
    if sum(counts[outcome] for outcome in _DONE) < counts.total():
        raise typer.Exit(FAILED)


async def _forget(place: str, url: str | None, session: str | None, subject: ErasureSubject) -> Counter[Outcome]:
    counts: Counter[Outcome] = Counter()
    try:
        store = RedisStore(url) if url else None
    except ValueError as error:
        raise Refusal(f"The store at {without_secrets(url or '')} cannot be used: {error}", MISUSED) from None
    try:
        eraser = Eraser(store, archive_at(place))
        if store is not None and await _erase_from_tournaments(store, session, subject):  # they create sessions
            print("Tournaments: The name is erased.", flush=True)
        async for result in _erase(eraser, session, subject):
            counts[result.outcome] += 1
            print(f"sessions/{result.session}: {result.sentence or _SENTENCES[result.outcome]}", flush=True)
        if store is not None and await _erase_from_ladders(store, session, subject):
            print("Ladders: The name is erased.", flush=True)
    except StoreUnavailable as error:  # its second sentence asks callers to repeat the call
        first_sentence, _, _ = str(error).partition(". ")
        raise Refusal(f"Not all games were checked: {first_sentence}: {root_cause(error)}") from error
    except (SkerryError, WrongArchive) as error:
        raise Refusal(f"Not all games were checked: {error}") from error
    except ObjectExists:
        raise Refusal("The archive has another session under that id. Nothing was changed.") from None
    finally:
        if store is not None:
            await store.close()
    return counts


async def _erase_from_ladders(store: RedisStore, session: str | None, subject: ErasureSubject) -> int:
    eraser = LadderEraser(LadderData(store.resources))
    if session is None:
        return await eraser.everywhere(subject.player_id)
    return await eraser.in_session(session, subject.player_id, subject.name, subject.seat)


async def _erase_from_tournaments(store: RedisStore, session: str | None, subject: ErasureSubject) -> int:
    eraser = TournamentEraser(TournamentData(store.resources))
    if session is None:
        return await eraser.everywhere(subject.player_id)
    return await eraser.in_session(session, subject.player_id, subject.name, subject.seat)


async def _erase(eraser: Eraser, session: str | None, subject: ErasureSubject) -> AsyncIterator[ErasureResult]:
    if session is not None:
        yield await eraser.in_session(session, subject)
        return
    async for one in eraser.everywhere(subject.player_id):
        yield one
