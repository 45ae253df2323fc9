"""What the leader does for tournaments that are broken, cancelled or old."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from uuid import uuid4

import pytest

from skerry.admin.v1 import admin_pb2 as admin
from skerry.v1 import tournament_pb2 as pb
from skerry_client.errors import InvalidField, JoinCodeWrong, LimitReached, NotAllowed, TokenInvalid, TournamentClosed
from skerry_service.cli.app import run
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.tournaments import tournament_creation, tournaments
from skerry_service.tournaments.tournament_rounds import TournamentRounds
from tests.ladders.bots import AS_OPERATOR, OPERATOR, PATIENCE, LadderService, serving, until, version
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


async def test_an_operator_lists_tournaments_and_cancels_one(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SKERRY_API_KEY", OPERATOR)

    async def admin(*arguments: str) -> tuple[int, str]:
        """Run a command; return its exit code and all that it prints."""
        code = await asyncio.to_thread(run, ["admin", "--server", service.operators_address, *arguments])
        return code, "".join(capsys.readouterr())

    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, _ = await client.create_tournament(cup())
        other, _ = await client.create_tournament(cup(title="Other"))
        code, printed = await admin("tournaments")
        assert code == 0
        lines = {line.split()[0]: line for line in printed.splitlines()}
        assert lines.keys() == {made.name, other.name}
        assert "open  0 of 16 entrants" in lines[made.name]
        short = made.name.removeprefix("tournaments/")
        for name in (short, made.name):  # a repeat is safe
            code, printed = await admin("end-tournament", name)
            assert (code, printed.splitlines()[0]) == (0, f"{made.name} is cancelled.")
        found = (await client.tournament(made.name)).tournament
        assert (found.state, found.reason) == (pb.TOURNAMENT_STATE_CANCELLED, "An operator cancelled it.")
        assert (await client.tournament(other.name)).tournament.state == pb.TOURNAMENT_STATE_OPEN
        code, printed = await admin("end-tournament", "aaaaaaaaaaaaaaaa")
        assert code == 1
        assert "aaaaaaaaaaaaaaaa" in printed
        _, printed = await admin("tournaments", "--json")
        assert [json.loads(line)["name"] for line in printed.splitlines()] == [other.name, made.name]


async def test_only_those_with_the_join_code_enter(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup(join_code_required=True))
        assert made.join_code_required
        assert not (await client.tournament(made.name)).HasField("join_code")
        code = (await client.tournament(made.name, organizer)).join_code
        assert len(code) == 6
        await client.register_bot("gull", version("gull"))
        for wrong in ("", "ABCDEF", code[:5], code * 2):
            with pytest.raises(JoinCodeWrong):
                await client.enter_tournament(made.name, "Ada", join_code=wrong)
            with pytest.raises(JoinCodeWrong):
                await client.enter_tournament(made.name, bot="bots/gull", join_code=wrong)
        entry = str(uuid4())
        ada = await client.enter_tournament(made.name, "Ada", join_code=code.lower(), request_id=entry)
        assert await client.enter_tournament(made.name, "Ada", request_id=entry) == ada  # a repeat needs no code
        await client.enter_tournament(made.name, bot="bots/gull", join_code=f"{code[:3]}-{code[3:]}")
        assert not (await client.tournament(made.name, ada[1])).HasField("join_code")
        for unknown in (f"{organizer[:-1]}!", "x" * 100):
            with pytest.raises(TokenInvalid):
                await client.tournament(made.name, unknown)
        assert len((await client.tournament(made.name)).tournament.entrants) == 2


async def test_the_organizer_removes_entrants_before_the_start(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup(most_entrants=2))
        (one, token), (two, _) = [await client.enter_tournament(made.name, name) for name in ("Eve", "Eve's friend")]
        for wrong in (0, 3, -1):
            with pytest.raises(InvalidField, match="number of the entrant"):
                await client.leave_tournament(made.name, organizer, entrant=wrong)
        with pytest.raises(NotAllowed, match="organizer"):
            await client.leave_tournament(made.name, token, entrant=two)
        for _ in range(2):  # a repeat is safe
            left = await client.leave_tournament(made.name, organizer, entrant=two)
            assert [entrant.number for entrant in left.entrants] == [one]
        assert (await client.enter_tournament(made.name, "Bob"))[0] == two + 1
        await client.start_tournament(made.name, organizer)
        with pytest.raises(TournamentClosed, match="running"):
            await client.leave_tournament(made.name, organizer, entrant=one)


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


async def test_a_game_that_an_operator_ends_is_void_and_the_tournament_goes_on(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        name, _, entry = await started(service, games_at_once=2)
        ended, played = await client.tournament_seats(name, *entry, wait_for=PATIENCE)
        await service.operators.EndSession(admin.EndSessionRequest(name=ended.name), metadata=AS_OPERATOR)
        await played.resign()

        async def finished() -> bool:
            return (await client.tournament(name)).tournament.state == pb.TOURNAMENT_STATE_FINISHED

        await until(finished)
        found = await client.tournament(name)
        assert found.games_finished == 2
        assert [(one.games, one.points) for one in found.standings] == [(1, 1), (1, 0)]
        games = {game.session: game async for game in client.tournament_games(name)}
        assert (games[ended.name].void, games[played.name].void) == (True, False)


async def test_creating_and_cancelling_does_not_remove_results(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "MOST_ENDED", 2)
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        played, organizer, entry = await started(service)
        (seat,) = await client.tournament_seats(played, *entry, wait_for=PATIENCE)
        for _ in range(3):
            made, other = await client.create_tournament(cup())
            await client.cancel_tournament(made.name, other)
        await client.cancel_tournament(played, organizer)
        await seat.resign()

        async def listed() -> list[str]:
            """Return what is left, once a later look has removed what is too much."""
            names = [one.name async for one in client.tournaments()]
            return names if len(names) == 2 else []

        async def settled() -> bool:
            return (await client.tournament(played)).games_playing == 0

        await until(settled)
        assert (await until(listed))[0] == played


async def test_one_caller_does_not_take_all_places_for_tournaments(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_creation, "MOST_OF_CALLER", 2)
    monkeypatch.setattr(tournament_creation, "MOST_ACTIVE", 3)
    async with (
        serving(valkey, tmp_path) as service,
        service.client("ada") as client,
        service.client("bob") as other,
    ):
        made = await asyncio.gather(*[client.create_tournament(cup()) for _ in range(4)], return_exceptions=True)
        refused = [one for one in made if isinstance(one, LimitReached)]
        assert len(refused) == 2
        assert "Cancel one" in str(refused[0])
        await other.create_tournament(cup())
        with pytest.raises(LimitReached, match="This server has 3 tournaments"):
            await other.create_tournament(cup())
        first, organizer = next(one for one in made if not isinstance(one, BaseException))
        await client.cancel_tournament(first.name, organizer)
        last = cup(request_id=str(uuid4()))
        repeats = await asyncio.gather(*[client.create_tournament(last) for _ in range(3)])
        assert len({name.name for name, _ in repeats}) == 1
