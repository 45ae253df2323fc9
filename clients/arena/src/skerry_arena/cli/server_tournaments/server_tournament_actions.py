"""The work of the commands about tournaments on a server: they call it and print what it answers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

# The core of gRPC writes to standard error. Relevant errors are raised anyway.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from google.protobuf.json_format import MessageToJson
from rich.console import Console
from rich.table import Table

from skerry.v1 import session_pb2
from skerry.v1 import tournament_pb2 as pb
from skerry_arena.cli.errors import INTERRUPTED, MISUSED, CommandError, printable
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.cli.server_tournaments import organizer_file
from skerry_arena.cli.server_tournaments.organizer_file import OrganizedTournament
from skerry_arena.cli.tournament_actions import option_of, remote
from skerry_arena.remote.hosted_tournament import FORMATS
from skerry_arena.remote.tournament_runner import tournament_name
from skerry_arena.reports.page import number
from skerry_arena.settings import BadSettings
from skerry_client import Client, SkerryError
from skerry_client.errors import ServerError, Unavailable
from skerry_client.transport.tls import credentials_from_environment
from skerry_games.pairing.form import Format
from skerry_games.position import game_of, options_of

_PIPE_WIDTH: Final = 160


def request_of(title: str, game: str, seats: int | None, options: Sequence[str]) -> pb.CreateTournamentRequest:
    """Return a request with a game and its options, ``NAME=VALUE``. Raises CommandError."""
    try:
        rules = game_of(game)
        chosen = options_of(rules, dict(map(option_of, options)))
    except KeyError as error:
        raise CommandError(str(error.args[0]), MISUSED) from None
    except BadSettings as error:
        raise CommandError(str(error), MISUSED) from None
    except TypeError as error:
        raise CommandError(f"Invalid options of {game}: {error}.", MISUSED) from None
    request = pb.CreateTournamentRequest(title=title, game=game, seats=rules.seats[0] if seats is None else seats)
    if options:
        codec = remote("skerry_arena.remote.codecs").codec_of(rules)
        getattr(request.options, game).CopyFrom(codec.options_to_proto(chosen))
    return request


def set_form(request: pb.CreateTournamentRequest, form: Format, *, rounds: int, meetings: int, at_once: int) -> None:
    """Set how the entrants are paired."""
    request.format = FORMATS[form]
    request.rounds, request.meetings, request.games_at_once = rounds, meetings, at_once


def set_entry(request: pb.CreateTournamentRequest, *, entrants: int, join_code: bool) -> None:
    """Set how many can enter, and whether they need a join code."""
    request.most_entrants, request.join_code_required = entrants, join_code


def set_times(
    request: pb.CreateTournamentRequest, *, minutes: float, increment: float, days: int | None, start: str | None
) -> None:
    """Set the clock and the time of the start, in ISO 8601. Raises CommandError."""
    if days is not None:
        request.clock.correspondence.days = days
    else:
        bank = session_pb2.Bank(time_ms=round(60_000 * minutes), increment_ms=round(1_000 * increment))
        request.clock.bank.CopyFrom(bank)
    if start is None:
        return
    try:
        begins = datetime.fromisoformat(start)
        request.start_time.FromDatetime(begins)
    except (ValueError, OverflowError):
        raise CommandError(f"--start takes a time such as 2030-05-01T18:00:00Z, not {start!r}.", MISUSED) from None
    if begins.tzinfo is None:
        raise CommandError(f"--start needs a time zone, for example {start}Z.", MISUSED)


@contextmanager
def _calling(server: str, *, tls: bool) -> Iterator[Client]:
    """Yield a client, and turn its errors into CommandError. Every command can be repeated, so none waits."""
    try:
        credentials = credentials_from_environment(wanted=tls)
        with raising_interrupts(), Client(server, credentials=credentials, retry_for=0) as client:
            yield client
    except KeyboardInterrupt:
        raise CommandError("Interrupted.", INTERRUPTED) from None
    except (SkerryError, ValueError) as error:
        raise CommandError(str(error)) from None


def create(server: str, keep: Path, request: pb.CreateTournamentRequest, *, tls: bool) -> None:
    """Create a tournament, store its organizer token in a new file, and print its name."""
    begun, new = organizer_file.begin(keep, server, tls=tls, at_once=request.games_at_once)
    if begun.tournament:
        raise CommandError(f"{keep}: The file has a tournament already. Choose a new file.", MISUSED)
    request.request_id = begun.request_id
    with _calling(server, tls=tls) as client:
        try:
            tournament, token = client.create_tournament(request)
        except SkerryError as error:
            if new and not isinstance(error, Unavailable | ServerError):  # otherwise, the server may have created it
                keep.unlink()
            raise
        organizer_file.complete(keep, begun, tournament.name, token)
        print(f"{tournament.name} is open. The organizer token is in {keep}.")
        if tournament.join_code_required:
            print(_code(client.tournament(tournament.name, token)))


def list_all(server: str, *, tls: bool, as_json: bool) -> None:
    """Print all tournaments, one a line."""
    with _calling(server, tls=tls) as client:
        for one in client.tournaments():
            print(MessageToJson(one, indent=None) if as_json else f"{one.name}  {printable(one.title)}  {_about(one)}")


def show(server: str, tournament: str, organizer: Path | None, *, tls: bool, as_json: bool) -> None:
    """Print a tournament: standings, complete rounds, games in play, and for its organizer the join code.

    ``organizer``: the organizer file, whose token goes to no server but that of the file. Raises CommandError.
    """
    name, token = tournament_name(tournament), None
    if organizer is not None:
        kept = _organized(organizer)
        if kept.tournament != name:
            raise CommandError(f"{organizer}: This is the file of {kept.tournament}, not of {name}.", MISUSED)
        server, tls, token = kept.server, kept.tls, kept.organizer_token
    with _calling(server, tls=tls) as client:
        found = client.tournament(name, token)
        if as_json:
            print(MessageToJson(found))
            return
        playing = list(client.tournament_games(name, playing=True))
    one = found.tournament
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    console.print(f"{printable(one.title)}: {_about(one)}", soft_wrap=True)
    if one.reason:
        console.print(one.reason, soft_wrap=True)
    if found.join_code:
        console.print(_code(found))
    if found.standings:
        console.print(_standings(found.standings))
    for line in _rounds(found):
        console.print(line, soft_wrap=True)
    console.print(f"{found.games_finished} games finished, {found.games_playing} in play.")
    for game in playing:
        seats = ", ".join(printable(seat.display_name) for seat in game.seats)
        console.print(f"{game.session}  {seats}", soft_wrap=True)


def _code(found: pb.GetTournamentResponse) -> str:
    return f"Entrants need the join code {found.join_code}."


def _about(one: pb.Tournament) -> str:
    form = _word(pb.TournamentFormat.Name(one.format), "TOURNAMENT_FORMAT_")
    state = _word(pb.TournamentState.Name(one.state), "TOURNAMENT_STATE_")
    return f"{one.game}, {one.seats} seats, {form}, {len(one.entrants)} of {one.most_entrants} entrants, {state}"


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", "-")


def _standings(standings: Sequence[pb.TournamentStanding]) -> Table:
    in_shares = any(one.HasField("result") for one in standings)
    table = Table("place", "entrant", *(("result", "Buchholz") if in_shares else ()), "points", "games")
    table.box, table.pad_edge = None, False
    for one in standings:
        shares = (number(one.result, 3), number(one.buchholz, 3)) if one.HasField("result") else ("", "")
        place = f"{one.place}." if one.place else ""
        points = number(one.points, 1)
        table.add_row(place, printable(one.display_name), *(shares if in_shares else ()), points, str(one.games))
    return table


def _rounds(found: pb.GetTournamentResponse) -> Iterator[str]:
    """Yield lines with the shares at the tables of each round, with the round in play last."""
    names = {one.number: printable(one.display_name) for one in found.tournament.entrants}
    rounds, begun = [(one, "") for one in found.rounds], 0
    if found.HasField("current_round"):
        rounds.append((found.current_round, ", not complete"))
    for one, addition in rounds:
        begun += one.playoff == 0
        title = f"Round {begun}, play-off {one.playoff}" if one.playoff else f"Round {begun}"
        yield title + addition
        for table in one.tables:
            shares = ("-" if share < 0 else number(share, 2) for share in table.shares)
            players = zip(table.entrants, shares, strict=True)
            yield "  " + ", ".join(f"{names.get(player, player)} {share}" for player, share in players)


def _organized(file: Path) -> OrganizedTournament:
    one = organizer_file.read(file)
    if not one.tournament:
        raise CommandError(f"{file}: The tournament is not created. Repeat skerry tournament create.", MISUSED)
    return one


def start(file: Path) -> None:
    """Start the tournament of an organizer file."""
    one = _organized(file)
    with _calling(one.server, tls=one.tls) as client:
        started = client.start_tournament(one.tournament, one.organizer_token)
    print(f"{started.name} is running with {len(started.entrants)} entrants.")


def remove(file: Path, display_name: str) -> None:
    """Remove an entrant, by name, from the tournament of an organizer file."""
    one = _organized(file)
    with _calling(one.server, tls=one.tls) as client:
        entrants = client.tournament(one.tournament).tournament.entrants
        found = next((entrant.number for entrant in entrants if entrant.display_name == display_name), None)
        if found is None:
            raise CommandError(f"{one.tournament} has no entrant {display_name!r}.")
        left = client.leave_tournament(one.tournament, one.organizer_token, entrant=found)
    print(f"{printable(display_name)} is removed. {left.name} has {len(left.entrants)} entrants.")


def cancel(file: Path) -> None:
    """Cancel the tournament of an organizer file."""
    one = _organized(file)
    with _calling(one.server, tls=one.tls) as client:
        cancelled = client.cancel_tournament(one.tournament, one.organizer_token)
    print(f"{cancelled.name} is cancelled.")
