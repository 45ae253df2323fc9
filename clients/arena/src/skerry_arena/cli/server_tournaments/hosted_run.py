"""The work of ``skerry tournament run --hosted``: it plays a tournament that a server holds, into a folder."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path
from typing import Final

import msgspec
from google.protobuf.json_format import MessageToJson

from skerry.v1.service_pb2 import GetReplayResponse
from skerry_arena.cli import tournament_actions as actions
from skerry_arena.cli.errors import INTERRUPTED, MISUSED, CommandError
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.cli.server_tournaments import organizer_file
from skerry_arena.cli.server_tournaments.organizer_file import OrganizedTournament
from skerry_arena.play.record import Result
from skerry_arena.programs.sandbox import require_sandbox
from skerry_arena.remote.hosted_tournament import HostedTournament, PlayedTournament, request_of
from skerry_arena.remote.seat_player import UnsupportedGame, require_supported
from skerry_arena.remote.session_record import InvalidReplay
from skerry_arena.reports import report_files
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import Log, read
from skerry_arena.running.pool import Halted
from skerry_arena.running.runner import results_of
from skerry_arena.settings import Service, Settings
from skerry_arena.statistics.cup import planned
from skerry_client import AsyncClient, SkerryError
from skerry_client.errors import BadRequest, InvalidField, TournamentClosed
from skerry_client.transport.tls import credentials_from_environment

ORGANIZER: Final = "organizer.json"
"""The organizer token. Only the owner may read the file."""
_RETRY_FOR: Final = 600.0
_MOST_AT_ONCE: Final = 32
_FINAL: Final = (BadRequest, TournamentClosed, InvalidReplay, Halted)
"""Errors that a repeat would only meet again."""


def resume(
    folder: Path,
    workers: int | None,
    server: str | None = None,
    *,
    parquet: bool = False,
    pages: int = 0,
    accept_changed: bool = False,
) -> None:
    """Play the tournament of a folder to its end, and write its log and report. A repeat goes on with the tournament.

    ``workers``: about as many games at a time; only the first run sets it. ``server``: the service's new address.
    Raises CommandError.
    """
    with actions.command_errors():
        report_files.require_parquet(folder, parquet)
        with Log(folder / folders.LOG) as log:
            if not _is_complete(folder):
                require_sandbox(folders.read_tournament(folder).settings.limits)
                folders.accept_code(folder, 0, accept_changed=accept_changed)
                _keep(folder, log, _played(folder, actions.many(workers), server))
    actions.report(folder, parquet=parquet, pages=pages)


def _is_complete(folder: Path) -> bool:
    settings = folders.read_tournament(folder).settings
    if not (folder / folders.LOG).stat().st_size:
        return False  # the plan is unknown before the server has published its seed
    results = results_of(settings, folder / folders.LOG, Result)
    return len(results) == planned(settings, results)


def _played(folder: Path, workers: int, server: str | None) -> PlayedTournament:
    """Play on a server to the end."""
    hint = f"To go on, run: skerry tournament resume {shlex.quote(str(folder))}"
    try:
        with raising_interrupts():
            return asyncio.run(_play(folder, workers, server))
    except KeyboardInterrupt:
        raise CommandError(f"Interrupted. The clocks of the games go on. {hint}", INTERRUPTED) from None
    except _FINAL as error:
        raise CommandError(str(error)) from None
    except ExceptionGroup as group:
        first = group.exceptions[0]
        raise CommandError(str(first) if isinstance(first, _FINAL) else f"{first} {hint}") from None
    except (SkerryError, UnsupportedGame) as error:
        raise CommandError(f"{error} {hint}") from None


async def _play(folder: Path, workers: int, server: str | None) -> PlayedTournament:
    settings = folders.read_tournament(folder).settings
    assert settings.service is not None
    service = msgspec.structs.replace(settings.service, server=server or settings.service.server)
    at_once = max(1, min(_MOST_AT_ONCE, workers * settings.table // len(settings.players)))
    credentials = credentials_from_environment(wanted=service.tls)
    # An unreachable server is an error at the start. Later the players wait for a server that restarts.
    async with AsyncClient(service.server, credentials=credentials, retry_for=0) as first_look:
        await require_supported(first_look, settings)
        organized = await _organized(folder / ORGANIZER, first_look, settings, service, at_once)
    _tell(f"{organized.tournament} is on {service.server}.")
    async with AsyncClient(service.server, credentials=credentials, retry_for=_RETRY_FOR) as client:
        hosted = HostedTournament(client, settings, organized.tournament, organized.organizer_token, _tell)
        await hosted.play(organized.at_once)
        return await hosted.played()


async def _organized(
    path: Path, client: AsyncClient, settings: Settings, service: Service, at_once: int
) -> OrganizedTournament:
    """Return the tournament of the file. Create it if there is none. Raises SkerryError, CommandError."""
    begun, _ = organizer_file.begin(path, service.server, tls=service.tls, at_once=at_once)
    if begun.tournament:
        return begun
    request = request_of(settings, f"{settings.rules.title}, {settings.format}", begun.at_once)
    request.request_id = begun.request_id
    try:
        made, token = await client.create_tournament(request)
    except InvalidField as error:
        made_of = ""
        if error.metadata.get("field") in {"meetings", "most_entrants"}:
            made_of = f" --games {settings.games} means {settings.meetings} meetings."
        raise CommandError(f"{error}{made_of} Choose other settings and a new folder.", MISUSED) from None
    return organizer_file.complete(path, begun, made.name, token)


def _keep(folder: Path, log: Log, played: PlayedTournament) -> None:
    """Write the replays, the settings with the published seed, and the games that the log lacks."""
    for number, replay in played.replays.items():
        path = folders.replay_of(folder, number)
        path.parent.mkdir(exist_ok=True)
        folders.write_whole(path, (MessageToJson(GetReplayResponse(replay=replay)) + "\n").encode())
    begun = folders.read_tournament(folder)
    folders.write_tournament(folder, msgspec.structs.replace(begun, settings=played.settings))
    logged = {one.game for one in read(folder / folders.LOG, Result)}
    log.write([one for one in played.records if one.game not in logged])


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
