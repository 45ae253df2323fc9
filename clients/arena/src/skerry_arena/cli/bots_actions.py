"""The work of ``skerry bots``: connect, play, and report on standard output."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from secrets import token_hex
from typing import Any

import typer

# The core of gRPC writes to standard error. Relevant errors are raised anyway.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


from skerry_arena.cli.errors import FAILED, INTERRUPTED, MISUSED, CommandError, os_error_text
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.entrants import UnusablePlayer, checked, parse_entrant
from skerry_arena.remote.bot_runner import BotRunner, BotSettings
from skerry_arena.remote.codecs import require_codecs
from skerry_arena.remote.identity import Identity, new_token
from skerry_arena.remote.ladder_runner import LadderRunner
from skerry_arena.remote.seat_player import UnsupportedGame
from skerry_arena.remote.seat_store import SeatStore
from skerry_arena.remote.tournament_runner import TournamentRunner
from skerry_arena.settings import Limits
from skerry_client import AsyncClient, SkerryError
from skerry_client.transport.tls import credentials_from_environment
from skerry_games.rng import SEED_BYTES


def require_extra() -> None:
    """Check that the extra ``remote`` is installed. Raises CommandError."""
    try:
        require_codecs()
    except ImportError as error:
        raise CommandError(str(error), MISUSED) from None


def wanted(
    player: str, seed: str | None, limits: Limits, name: str | None, token: str | None, **rest: Any
) -> BotSettings:
    """Return the settings of the options; ``rest`` are fields of ``BotSettings``. Raises CommandError."""
    seed = seed or token_hex(SEED_BYTES)
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", seed):
        raise CommandError(
            f"The seed has to be {2 * SEED_BYTES} hexadecimal digits in lower case, not {seed!r}.", MISUSED
        )
    try:
        one = checked(parse_entrant(player))
    except UnusablePlayer as error:
        raise CommandError(str(error), MISUSED) from None
    if one.uses_api:
        raise CommandError("skerry bots does not run programs that use the API. Start the program itself.", MISUSED)
    return BotSettings(entrant=one, limits=limits, seed=bytes.fromhex(seed), identity=_identity(name, token), **rest)


def _identity(name: str | None, token: str | None) -> Identity | None:
    if name is None:
        return None  # the environment may have a token without a name
    if token is None:
        raise CommandError("A bot with a name needs a token: --new-token prints a new one.", MISUSED)
    try:
        return Identity(name, token)
    except ValueError as error:
        raise CommandError(str(error), MISUSED) from None


def print_token() -> None:
    """Print a token for a new bot."""
    print(new_token())


Play = Callable[[AsyncClient, BotSettings], Coroutine[Any, Any, None]]
"""Plays the games of a registered bot."""


def play_of(ladder: str | None, tournament: str | None, name: str | None) -> Play | None:
    """Return the play on a ladder or in a tournament; ``None`` without both. Raises CommandError."""
    if ladder is None and tournament is None:
        return None
    if ladder is not None and tournament is not None:
        raise CommandError("--ladder and --tournament exclude each other.", MISUSED)
    if not name:
        option = "--ladder" if ladder is not None else "--tournament"
        raise CommandError(f"{option} needs the name of the bot: --name gull.", MISUSED)
    if ladder is not None:
        return lambda client, wanted: LadderRunner(client, wanted, ladder, name, _report).run()
    assert tournament is not None
    return lambda client, wanted: TournamentRunner(client, wanted, tournament, name, _report).run()


def serve(server: str, wanted: BotSettings, keep: Path | None, play: Play | None = None, *, tls: bool) -> None:
    """Run the bots until all their games are over, or until SIGINT or SIGTERM.

    ``play``: the play of a registered bot. Default: the seats that ``wanted`` describes.

    Exits with 1 if a session of ``--session`` had no seat for them.
    """
    try:
        with raising_interrupts(), SeatStore(keep) as kept:
            asyncio.run(_serve(server, wanted, kept, play, tls=tls))
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise CommandError("Interrupted.", INTERRUPTED) from None
    except (SkerryError, UnsupportedGame, UnusablePlayer, ValueError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(os_error_text(error)) from None


async def _serve(server: str, wanted: BotSettings, kept: SeatStore, play: Play | None, *, tls: bool) -> None:
    if (task := asyncio.current_task()) is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    credentials = credentials_from_environment(wanted=tls)
    # An unreachable server is an error at the start. Later the bots wait for a server that restarts.
    async with AsyncClient(server, credentials=credentials, retry_for=0) as first_look:
        await first_look.games()
    if wanted.identity is not None:
        _report(f"Playing seats that are reserved for {wanted.identity.handle}.")
    async with AsyncClient(server, credentials=credentials, retry_for=600) as client:
        if play is not None:
            await play(client, wanted)
            return
        bots = BotRunner(client, wanted, kept, _report)
        await bots.run()
    if wanted.sessions and bots.refused:
        raise typer.Exit(FAILED)


def _report(line: str) -> None:
    print(line, flush=True)
