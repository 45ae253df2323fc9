"""The commands of ``skerry``: they read arguments, call what does the work, and print what comes of it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from google.protobuf.json_format import MessageToJson, Parse, ParseError
from msgspec.structs import replace
from rich.table import Table

import skerry_service
from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import SkerryError
from skerry_client.aio import DEFAULT_SERVER, SERVER_VARIABLE
from skerry_client.payload import seed_bytes
from skerry_games.catalogue import all_games
from skerry_service.cli.health import health_of
from skerry_service.cli.output import Commentary, console, log_to_stderr
from skerry_service.cli.playing import Plan, play
from skerry_service.cli.protos import Occupied, write_tree
from skerry_service.config import Config
from skerry_service.main import Running, serve
from skerry_service.rest.descriptors import descriptor_set
from skerry_service.rpc.verify import Unverifiable, first_difference
from skerry_service.store.embedded import EmbeddedServerError

DIFFERS = 1
FAILED = 1
MISUSED = 2
INTERRUPTED = 130
SERVING = "serving"
STDOUT = Path("-")

app = typer.Typer(
    help="Skerry: island board games behind one API, gRPC and REST.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Refusal(Exception):
    """A command that cannot do what it was asked to: one line, and the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code


class Fsync(StrEnum):
    """When a server of our own writes to disk."""

    ALWAYS = "always"
    EVERYSEC = "everysec"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 refused or failed, 2 misused. Errors are one line."""
    log_to_stderr()
    try:
        code = app(args=arguments, prog_name="skerry", standalone_mode=False)
    except typer.exceptions.TyperException as error:
        _fail(error.format_message(), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(INTERRUPTED)
    except Exception as error:
        cause = _first_cause(error)
        if isinstance(cause, Refusal):
            _fail(str(cause), cause.code)
        if isinstance(cause, SkerryError | OSError | EmbeddedServerError):
            _fail(str(cause), FAILED)
        raise
    sys.exit(code if isinstance(code, int) else 0)


def _first_cause(error: Exception) -> Exception:
    """Return the error itself, or the first of a group: what several tasks stopped for."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _fail(sentence: str, code: int) -> NoReturn:
    print(f"skerry: {' '.join(sentence.split())}", file=sys.stderr)
    sys.exit(code)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"skerry {skerry_service.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _begin(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(MISUSED)


# ---------------------------------------------------------------- serve


@app.command("serve")
def serve_command(
    host: Annotated[str | None, typer.Option(help="Address to listen on (SKERRY_HOST).")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 for any free one (SKERRY_PORT).")] = None,
    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve REST/JSON there too; port 0 for any (SKERRY_HTTP).")
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(help="An origin whose pages may call over HTTP, or *; repeatable (SKERRY_CORS_ORIGINS)."),
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the games are kept if no Redis is named (SKERRY_DATA_DIR).")
    ] = None,
    redis_url: Annotated[str | None, typer.Option(help="A Redis to keep the games in (REDIS_URL).")] = None,
    fsync: Annotated[
        Fsync | None, typer.Option(help="When games in the data directory reach the disk (SKERRY_FSYNC).")
    ] = None,
) -> None:
    """Serve until SIGTERM or SIGINT. Options go before environment variables."""
    given = {
        "host": host,
        "port": port,
        "http": http,
        "cors_origins": tuple(cors_origin) if cors_origin else None,
        "data_dir": data_dir,
        "redis_url": redis_url,
        "fsync": fsync.value if fsync else None,
    }
    try:
        config = replace(Config.from_environment(), **{name: one for name, one in given.items() if one is not None})
    except ValueError as error:
        raise Refusal(f"an environment variable or option is not understood: {error}", MISUSED) from None
    serve(config, _announce)


def _announce(running: Running) -> None:
    print(f"listening on {running.address}; games are kept in {running.store}")
    if running.http is not None:
        print(f"REST/JSON at http://{running.http}; try it out at http://{running.http}/docs")
    game = next(iter(all_games().values()))
    print(f"play a game: {_command()} play {game.id} --seats {game.seats[0]} --server {running.address}", flush=True)


def _command() -> str:
    """Return how this program was called, so that what is printed can be typed."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "skerry" else "skerry"


# ---------------------------------------------------------------- play


@app.command("play")
def play_command(
    game: Annotated[str, typer.Argument(help="The game's id, for example kreta.")],
    seats: Annotated[int | None, typer.Option(help="How many seats; as few as possible if not given.")] = None,
    seed: Annotated[
        str | None, typer.Option(help="64 hexadecimal digits that fix the game, its players included.")
    ] = None,
    server: Annotated[
        str | None, typer.Option(help="HOST:PORT of a running server; one for this game alone if not given.")
    ] = None,
    replay: Annotated[Path | None, typer.Option(help="Write the replay to this file, for `skerry verify`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object, nothing else.")] = False,
) -> None:
    """Let random players play a whole game through the API, and tell it."""
    try:
        seed_given = seed_bytes(seed) or None
    except ValueError as error:
        raise Refusal(f"--seed: {error}", MISUSED) from None
    if replay is not None and not replay.parent.is_dir():
        raise Refusal(f"--replay: there is no folder {replay.parent}", MISUSED)
    commentary = Commentary(console())
    plan = Plan(game, seats, seed_given, server)
    told = asyncio.run(play(plan, None if as_json else commentary.tell))
    if replay is not None:
        replay.write_text(MessageToJson(api.GetReplayResponse(replay=told)) + "\n", encoding="utf-8")
    if as_json:
        print(_as_json(told.session))
    else:
        commentary.conclude(told.session)


def _as_json(session: session_pb2.Session) -> str:
    return json.dumps(
        {
            "game": session.game,
            "seats": len(session.seats),
            "seed": session.seed.hex(),
            "sequence": session.sequence,
            "scores": list(session.outcome.scores),
            "ranks": list(session.outcome.ranks),
        }
    )


# ---------------------------------------------------------------- verify


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(help="A replay in protobuf JSON, as `skerry play --replay` writes it.")],
) -> None:
    """Retell a finished game from its replay: does it follow from its seed and the rules? Exits with 1 if not."""
    replay = _read_replay(file)
    try:
        difference = first_difference(replay)
    except Unverifiable as error:
        raise Refusal(f"{file}: cannot be verified: {error}", MISUSED) from None
    if difference is not None:
        print(f"{file}: entry {difference.sequence}: {difference.sentence}")
        raise typer.Exit(DIFFERS)
    session = replay.session
    print(
        f"{file}: all {session.sequence} entries of {session.ruleset} agree:"
        " commitment, chance, random bots, rules, events, outcome"
    )


def _read_replay(file: Path) -> session_pb2.Replay:
    try:
        answer = Parse(file.read_text(encoding="utf-8"), api.GetReplayResponse())
    except (ParseError, UnicodeDecodeError) as error:
        raise Refusal(f"{file}: not a replay: {error}", MISUSED) from None
    if not answer.HasField("replay"):
        raise Refusal(f"{file}: not a replay: it has no field 'replay'", MISUSED)
    return answer.replay


# ---------------------------------------------------------------- games and rules


@app.command("games")
def games_command() -> None:
    """List the games."""
    table = Table("id", "title", "author", "seats", "ruleset", "editions", box=None, pad_edge=False)
    for game in all_games().values():
        seats = ", ".join(map(str, game.seats))
        table.add_row(game.id, game.title, game.author, seats, game.ruleset, ", ".join(game.editions))
    console().print(table)


@app.command("rules")
def rules_command(
    game: Annotated[str, typer.Argument(help="The game's id, for example kreta.")],
    rule: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A rule's id, or its beginning: KRETA-ABBOT.")
    ] = None,
) -> None:
    """Print the numbered rules of a game, or those with this id."""
    found = all_games().get(game)
    if found is None:
        raise Refusal(f"there is no game {game!r}; there are {', '.join(all_games())}")
    rules = [one for one in found.rules if rule is None or f"{one.id}-".startswith(f"{rule.upper()}-")]
    if not rules:
        raise Refusal(f"{found.title} has no rule {rule!r}")
    out, section = console(), ""
    for one in rules:
        if one.section != section:
            section = one.section
            out.print(section, style="bold")
        out.print(f"  {one.id}  {one.text}", soft_wrap=not out.is_terminal)


# ---------------------------------------------------------------- protos


@app.command("protos")
def protos_command(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", file_okay=False, help="A new folder for the .proto files.")
    ] = None,
    set_file: Annotated[
        Path | None,
        typer.Option("--descriptor-set", metavar="FILE", help="Write them as one FileDescriptorSet too; - for stdout."),
    ] = None,
) -> None:
    """Write the API's .proto files, with all that they import, for buf and protoc."""
    if folder is None and set_file is None:
        raise Refusal("Name a folder for the .proto files, or a file with --descriptor-set.", MISUSED)
    if folder is not None:
        try:
            written = write_tree(folder)
        except Occupied as error:
            raise Refusal(str(error), MISUSED) from None
        print(f"wrote {len(written)} files to {folder}; `buf build {folder}` builds them", file=sys.stderr)
    if set_file == STDOUT:
        sys.stdout.buffer.write(descriptor_set())
    elif set_file is not None:
        set_file.write_bytes(descriptor_set())


# ---------------------------------------------------------------- health


@app.command("health")
def health_command(
    server: Annotated[str, typer.Option(envvar=SERVER_VARIABLE, help="HOST:PORT of the server.")] = DEFAULT_SERVER,
) -> None:
    """Ask a server whether it serves. Exits with 1 if not, for containers."""
    status = asyncio.run(health_of(server))
    print(f"{server}: {status}")
    raise typer.Exit(0 if status == SERVING else FAILED)
