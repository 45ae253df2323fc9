"""The work of ``skerry certify``, and of tournaments that admit only certified players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import typer

from skerry_arena.certification import json_lines
from skerry_arena.certification.check_result import CheckResult
from skerry_arena.cli.errors import FAILED, MISUSED, CommandError, printable
from skerry_arena.cli.tournament_actions import command_errors, option_of, remote
from skerry_arena.entrants import Entrant, builtin_factory, parse_entrant
from skerry_arena.programs.containment import sentences
from skerry_arena.settings import Limits, Service, Settings, require_playable

_OTHER: Final = Entrant("a random player", "random")
_SEED: Final = "00" * 32
"""A fixed seed, so that every certification plays the same games."""


def settings_of(
    player: str,
    game: str,
    seats: int | None,
    options: Sequence[str],
    server: str | None,
    *,
    tls: bool,
    limits: Limits,
) -> Settings:
    """Return the settings of the certification, with the player in the first place. Raises CommandError.

    ``options``: those of the game, ``NAME=VALUE``.
    """
    with command_errors():
        settings = Settings(
            game=game,
            players=(parse_entrant(player), _OTHER),
            seats=seats,
            options=dict(map(option_of, options)),
            seed=_SEED,
            limits=limits,
            service=Service(server, tls) if server else None,
        )
        require_playable(settings)
        if builtin_factory(settings.players[0]) is not None:
            raise CommandError("Built-in players need no certificate.", MISUSED)
    return settings


def certify(settings: Settings, at_once: int) -> None:
    """Certify the first player and print the result of each check."""
    failed = 0
    for finding in findings(settings.players[0], settings, at_once):
        failed += finding.failure is not None
        how = "passed" if finding.failure is None else "FAILED"
        said = finding.failure or finding.note
        print(f"{how}  {finding.check}{': ' if said else ''}{printable(said)}", flush=True)
    if failed:
        print(sentences(settings)[0])
        print(f"{settings.players[0].name} failed {failed} of the checks.")
        raise typer.Exit(FAILED)
    print(f"{settings.players[0].name} passed all checks.")


def require_certified(settings: Settings, at_once: int) -> None:
    """Raise CommandError if a player fails a check. Built-in players need no certificate."""
    for one in settings.players:
        if builtin_factory(one) is not None:
            continue
        failed = [finding for finding in findings(one, settings, at_once) if finding.failure is not None]
        if failed:
            failure = printable(failed[0].failure or "")
            raise CommandError(f"{one.name} is not admitted. Failed check: {failed[0].check}: {failure}")


def findings(one: Entrant, settings: Settings, at_once: int) -> Iterable[CheckResult]:
    """Return the result of each check, in the game and with the limits of the settings."""
    if not one.uses_api:
        return json_lines.certify(one, settings)
    assert settings.service is not None
    suite = remote("skerry_arena.remote.certification.suite")
    try:
        found: list[CheckResult] = suite.certify(one, settings, settings.service, at_once)
    except remote("skerry_client").SkerryError as error:
        # The service is at fault, not the player, so the exit code is not FAILED.
        raise CommandError(f"{settings.service.server}: {error}", MISUSED) from None
    except ValueError as error:  # the client rejects the address
        raise CommandError(str(error), MISUSED) from None
    return found
