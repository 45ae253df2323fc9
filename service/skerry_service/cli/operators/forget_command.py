"""``skerry forget``: erase what the service stores about a player, on request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from skerry_service.access.api_key_file import read_keys
from skerry_service.archive.archive import Archive, ObjectExists, archive_at
from skerry_service.archive.erasure import ErasureResult, ErasureSubject, Outcome, SessionEraser
from skerry_service.archive.mover import WrongArchive
from skerry_service.cli import interrupts
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
from skerry_service.wiring.config import Config
from skerry_service.wiring.operators.player_erasure import Erased, Place, PlayerErasure
from skerry_service.wiring.store.store_probe import root_cause

_SENTENCES: dict[Outcome, str] = {
    "forgotten": "The name and the id are erased.",
    "nobody": "The session has no such player.",
    "missing": "The session does not exist.",
}
_PLACES: dict[Place, str] = {
    "tournaments": "Tournaments: The name is erased.",
    "ladders": "Ladders: The name is erased.",
    "matchmaking": "Matchmaking: The missed proposals are erased.",
}


def forget_command(
    player_id: Annotated[str, typer.Argument(help="The player's id.")] = "",
    session: Annotated[
        str | None, typer.Option(help="Erase the player from this session alone: its id, or sessions/ID.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="In the session, erase the player of this seat.")] = None,
    name: Annotated[str, typer.Option(help="In the session, erase the player with this display name.")] = "",
    archive: Annotated[str | None, typer.Option(help="Directory or URL of the archive (SKERRY_ARCHIVE).")] = None,
    redis_url: Annotated[str | None, typer.Option(help="Redis that stores the sessions (REDIS_URL).")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data directory of a running service (SKERRY_DATA_DIR).")
    ] = None,
    archive_only: Annotated[bool, typer.Option("--archive-only", help="Skip the store.")] = False,
) -> None:
    """Erase a player's display names and id: from sessions, the archive, tournaments, ladders and matchmaking.

    The games stay, with a neutral name. Repeat the command if it stops. The exit code is 1 if something remains.
    """
    ways = [bool(player_id), seat is not None, bool(name)]
    if ways.count(True) != 1 or (session is None and not player_id):
        raise Refusal("Pass a player's id, or --session with --seat or --name.", MISUSED)
    config = read_settings().config
    where = archive or config.archive
    if archive_only and where is None:
        raise Refusal("Pass the archive with --archive or SKERRY_ARCHIVE.", MISUSED)
    url = None if archive_only else store_at(config, redis_url, data_dir)
    subject = ErasureSubject(player_id, name, seat)
    session_id = session.removeprefix("sessions/") if session else None
    found, remaining = interrupts.run(_forget(where, url, session_id, subject, _key_names(config)))
    if not found:
        print("Nothing is stored about this player.")
    if remaining:
        raise typer.Exit(FAILED)


def _key_names(config: Config) -> Sequence[str]:
    """Return the names of the API keys, under which players may have waited for a match."""
    try:
        return tuple(read_keys(config.keys.read_text("utf-8")).by_name) if config.keys else ()
    except (OSError, ValueError) as error:
        raise Refusal(f"{config.keys}: {error}", MISUSED) from None


async def _forget(
    where: str | None, url: str | None, session: str | None, subject: ErasureSubject, keys: Sequence[str]
) -> tuple[int, int]:
    """Erase, and print each step. Return the number of steps, and of those that leave something."""
    try:
        store = RedisStore(url) if url else None
    except ValueError as error:
        raise Refusal(f"The store at {without_secrets(url or '')} cannot be used: {error}", MISUSED) from None
    found = remaining = 0
    try:
        async for step in _steps(store, archive_at(where) if where else None, session, subject, keys):
            found, remaining = found + 1, remaining + bool(step.problem)
            done = step.problem or _PLACES.get(step.place) or _SENTENCES["forgotten"]
            print(f"sessions/{step.session}: {done}" if step.session else done, flush=True)
    except StoreUnavailable as error:  # its second sentence asks callers to repeat the call
        first_sentence, _, _ = str(error).partition(". ")
        cause = f": {root_cause(error)}" if error.__cause__ else ""
        raise Refusal(f"Not all games were checked: {first_sentence}{cause}") from error
    except (SkerryError, WrongArchive) as error:
        raise Refusal(f"Not all games were checked: {error}") from error
    except ObjectExists:
        raise Refusal("The archive has another session under that id. Nothing was changed.") from None
    finally:
        if store is not None:
            await store.close()
    return found, remaining


async def _steps(
    store: RedisStore | None,
    archive: Archive | None,
    session: str | None,
    subject: ErasureSubject,
    keys: Sequence[str],
) -> AsyncIterator[Erased]:
    if store is not None and session is None:
        async for step in PlayerErasure(store, archive, lambda: keys).everywhere(subject.player_id):
            yield step
        return
    eraser = SessionEraser(store, archive)
    if session is None:
        async for result in eraser.everywhere(subject.player_id):
            yield _step(result)
        return
    if store is not None and await _erase_from_tournaments(store, session, subject):  # they create sessions
        yield Erased("tournaments", 1)
    yield _step(await eraser.in_session(session, subject))
    if store is not None and await _erase_from_ladders(store, session, subject):
        yield Erased("ladders", 1)


def _step(result: ErasureResult) -> Erased:
    done = result.outcome == "forgotten"
    problem = "" if done else result.sentence or _SENTENCES[result.outcome]
    return Erased("sessions", int(done), result.session, problem)


async def _erase_from_ladders(store: RedisStore, session: str, subject: ErasureSubject) -> int:
    eraser = LadderEraser(LadderData(store.resources))
    return await eraser.in_session(session, subject.player_id, subject.name, subject.seat)


async def _erase_from_tournaments(store: RedisStore, session: str, subject: ErasureSubject) -> int:
    eraser = TournamentEraser(TournamentData(store.resources))
    return await eraser.in_session(session, subject.player_id, subject.name, subject.seat)
