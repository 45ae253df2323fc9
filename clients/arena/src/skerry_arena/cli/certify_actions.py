"""What ``skerry certify`` does, and what a tournament does that admits none but the certified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import typer

from skerry_arena.certification import json_lines
from skerry_arena.certification.check_result import CheckResult
from skerry_arena.cli.errors import FAILED, MISUSED, CommandError, printable
from skerry_arena.cli.tournament_actions import command_errors, remote
from skerry_arena.entrants import Entrant, entrant, make_shipped
from skerry_arena.settings import Limits, Service, Settings, require_playable

_OTHER: Final = Entrant("a random player", "random")
_SEED: Final = "00" * 32
"""Every certification plays the same games."""


def settings_of(
    player: str, game: str, seats: int | None, server: str | None, *, tls: bool, limits: tuple[float, int]
) -> Settings:
    """Return what the player is certified for: it comes first. Refuses what cannot be."""
    move_seconds, memory_mib = limits
    with command_errors():
        settings = Settings(
            game=game,
            players=(entrant(player), _OTHER),
            seats=seats,
            seed=_SEED,
            limits=Limits(move_seconds=move_seconds, memory_mib=memory_mib),
            service=Service(server, tls) if server else None,
        )
        require_playable(settings)
        if make_shipped(settings.players[0]) is not None:
            raise CommandError("A player that comes with the rules needs no certificate.", MISUSED)
    return settings


def certify(settings: Settings, at_once: int) -> None:
    """Certify the first player, and print what became of each check."""
    failed = 0
    for finding in findings(settings.players[0], settings, at_once):
        failed += finding.failure is not None
        how = "passed" if finding.failure is None else "FAILED"
        said = finding.failure or finding.note
        print(f"{how}  {finding.check}{': ' if said else ''}{printable(said)}", flush=True)
    if failed:
        print(f"{settings.players[0].name} failed {failed} of the checks.")
        raise typer.Exit(FAILED)
    print(f"{settings.players[0].name} passed all checks.")


def require_certified(settings: Settings, at_once: int) -> None:
    """Refuse a tournament with a player that fails a check. Those that come with the rules need no certificate."""
    for one in settings.players:
        if make_shipped(one) is not None:
            continue
        failed = [finding for finding in findings(one, settings, at_once) if finding.failure is not None]
        if failed:
            raise CommandError(f"{one.name} is not admitted: {failed[0].check}: {printable(failed[0].failure or '')}")


def findings(one: Entrant, settings: Settings, at_once: int) -> Iterable[CheckResult]:
    """Return what becomes of each check, in this game and with these limits."""
    if not one.uses_api:
        return json_lines.certify(one, settings)
    assert settings.service is not None
    suite = remote("skerry_arena.remote.certification.suite")
    try:
        found: list[CheckResult] = suite.certify(one, settings, settings.service, at_once)
    except remote("skerry_client").SkerryError as error:
        # That tells nothing of the player: the code is not the one of who has failed.
        raise CommandError(f"{settings.service.server}: {error}", MISUSED) from None
    except ValueError as error:  # the client's, of an address that is none
        raise CommandError(str(error), MISUSED) from None
    return found
