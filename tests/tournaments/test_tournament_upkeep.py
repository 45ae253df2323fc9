"""What the leader does for tournaments that are broken, cancelled or old."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.tournaments.tournament_rounds import TournamentRounds
from tests.ladders.bots import PATIENCE, LadderService, serving, until
from tests.tournaments.test_tournament_service import cup


async def started(service: LadderService, **fields: object) -> tuple[str, str, tuple[int, str]]:
    """Start a tournament of two people. Return its name, the organizer token and the entry of the first."""
    async with service.client("ada") as client:
        made, organizer = await client.create_tournament(cup(**fields))
        entry = await client.enter_tournament(made.name, "Ada")
        await client.enter_tournament(made.name, "Bob")
        await client.start_tournament(made.name, organizer)
        return made.name, organizer, entry


async def test_a_broken_tournament_does_not_stop_the_others(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = TournamentRounds.advance

    async def failing(self: TournamentRounds, name: str, tournament: object) -> None:
        if tournament.title == "Broken":  # type: ignore[attr-defined]
            raise ValueError("broken")
        await advance(self, name, tournament)  # type: ignore[arg-type]

    monkeypatch.setattr(TournamentRounds, "advance", failing)
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        whole, _, entry = await started(service)
        await started(service, title="Broken")  # the newest comes first
        assert len(await client.tournament_seats(whole, *entry, wait_for=PATIENCE)) == 1


async def test_the_games_of_a_cancelled_tournament_go_on_to_their_results(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        name, organizer, entry = await started(service)
        (seat,) = await client.tournament_seats(name, *entry, wait_for=PATIENCE)
        await client.cancel_tournament(name, organizer)
        await seat.resign()

        async def settled() -> bool:
            found = await client.tournament(name)
            return (found.games_finished, found.games_playing) == (1, 0)

        await until(settled)
        assert await client.tournament_seats(name, *entry, wait_for=PATIENCE) == []
        assert name in [one.name async for one in client.tournaments()]
