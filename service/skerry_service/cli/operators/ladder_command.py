"""``skerry ladder``: ladders of a running server, over the operator API at the address of ``SKERRY_ADMIN``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToJson, ParseDict, ParseError
from google.protobuf.message import Message

from skerry.admin.v1 import admin_pb2 as pb
from skerry.v1 import ladder_pb2
from skerry_service.cli.operators.admin_command import Calls, begin, call_operators
from skerry_service.cli.refusal import MISUSED, Refusal

app = typer.Typer(
    help="Create and manage ladders of a running server. See docs/how-to/ladders.md.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.callback()(begin)
_SECONDS = 30.0

LadderName = Annotated[str, typer.Argument(metavar="LADDER", help="The ladder's id, for example kreta-2.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("create")
def create_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    context: typer.Context,
    ladder: LadderName,
    game: Annotated[str, typer.Option(help="The game's id.")],
    seats: Annotated[int, typer.Option(min=1, max=16, help="The number of seats.")],
    options: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A JSON file with the options of the game, as CreateSession.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, max=1440, help="Thinking time of a seat for the whole game.")] = 5,
    increment: Annotated[float, typer.Option(min=0, max=3600, help="Seconds added after each turn.")] = 5,
    people: Annotated[bool, typer.Option("--people", help="Rank people at rated tables instead of bots.")] = False,
) -> None:
    """Create a ladder. Repeating the command is safe."""
    request = pb.CreateLadderRequest(
        name=f"ladders/{ladder}",
        game=game,
        seats=seats,
        kind=ladder_pb2.LADDER_KIND_PEOPLE if people else ladder_pb2.LADDER_KIND_BOTS,
    )
    request.clock.bank.time_ms, request.clock.bank.increment_ms = round(60_000 * minutes), round(1_000 * increment)
    if options is not None:
        _read_options(options, request)
    response = call_operators(context, lambda stub, meta: stub.CreateLadder(request, metadata=meta, timeout=_SECONDS))
    print(f"{response.ladder.name} plays season {response.ladder.seasons[0].season}.")


@app.command("list")
def list_command(context: typer.Context, as_json: AsJson = False) -> None:
    """List all ladders."""
    response = call_operators(context, _list)
    for ladder in response.ladders:
        print(MessageToJson(ladder, indent=None) if as_json else _as_line(ladder))


@app.command("show")
def show_command(context: typer.Context, ladder: LadderName) -> None:
    """Print a ladder as JSON."""
    found = [one for one in call_operators(context, _list).ladders if one.name == f"ladders/{ladder}"]
    if not found:
        raise Refusal(f"There is no ladder {ladder!r}. skerry ladder list prints all.")
    print(MessageToJson(found[0]))


@app.command("close")
def close_command(context: typer.Context, ladder: LadderName) -> None:
    """Close a ladder. Games in play end and count."""
    request = pb.CloseLadderRequest(name=f"ladders/{ladder}")
    call_operators(context, lambda stub, meta: stub.CloseLadder(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name} is closed.")


@app.command("new-season")
def new_season_command(
    context: typer.Context,
    ladder: LadderName,
    season: Annotated[int, typer.Argument(min=2, help="The number of the new season, one more than the present one.")],
) -> None:
    """Start a season under the newest ruleset. Earlier seasons stay readable."""
    request = pb.StartLadderSeasonRequest(name=f"ladders/{ladder}", season=season)
    call_operators(context, lambda stub, meta: stub.StartLadderSeason(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name} plays season {season}.")


@app.command("bots")
def bots_command(context: typer.Context, as_json: AsJson = False) -> None:
    """List all registered bots with their API keys and contacts."""
    request = pb.ListBotsRequest(page_size=500)
    while True:
        page = call_operators(context, lambda stub, meta: stub.ListBots(request, metadata=meta, timeout=_SECONDS))
        for one in page.bots:
            line = f"{one.bot.name}  {one.bot.version.hash[:12]}  {one.key}  {one.contact}"
            print(MessageToJson(one, indent=None) if as_json else line)
        request.page_token = page.next_page_token
        if not request.page_token:
            return


_list: Calls[pb.ListAllLaddersResponse] = lambda stub, meta: stub.ListAllLadders(  # noqa: E731 - one call
    pb.ListAllLaddersRequest(), metadata=meta, timeout=_SECONDS
)


def _as_line(ladder: ladder_pb2.Ladder) -> str:
    state = ladder_pb2.LadderState.Name(ladder.state).removeprefix("LADDER_STATE_").lower()
    season = ladder.seasons[0]
    return (
        f"{ladder.name}  {ladder.game}, {ladder.seats} seats  {state}  season {season.season} ({season.ruleset})  "
        f"{ladder.playing} playing, {ladder.waiting} waiting"
    )


def _read_options(path: Path, request: pb.CreateLadderRequest) -> None:
    try:
        message: Message = ParseDict(json.loads(path.read_text(encoding="utf-8")), request.options)
    except (OSError, ValueError, ParseError) as error:
        raise Refusal(f"--options: Cannot read {path}: {error}", MISUSED) from None
    assert message is request.options
