"""The commands of ``skerry``. They read arguments, call other modules, and print the results."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToJson

import skerry_service
from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import SkerryError
from skerry_client.aio import DEFAULT_SERVER, SERVER_VARIABLE
from skerry_client.payload import seed_bytes
from skerry_games.catalogue import all_games
from skerry_games.editions.edition_files import EDITIONS_VARIABLE, EditionsUnusable, load_named_editions
from skerry_games.rulebook import matching_rules
from skerry_service.cli import interrupts, plugins
from skerry_service.cli.applications.keys_command import app as keys_app
from skerry_service.cli.applications.webhooks_command import app as webhooks_app
from skerry_service.cli.config_command import config_command, with_options
from skerry_service.cli.games_command import games_as_json, print_games, print_instructions, print_rules
from skerry_service.cli.health_command import health_of
from skerry_service.cli.mcp_command import mcp_command
from skerry_service.cli.new_game.new_game_command import new_game_command
from skerry_service.cli.operators.admin_command import app as admin_app
from skerry_service.cli.operators.backup_commands import backup_command, restore_command
from skerry_service.cli.operators.ban_command import app as ban_app
from skerry_service.cli.operators.doctor import doctor_command
from skerry_service.cli.operators.edition_command import app as edition_app
from skerry_service.cli.operators.export_command import export_command
from skerry_service.cli.operators.forget_command import forget_command
from skerry_service.cli.operators.ladder_command import app as ladder_app
from skerry_service.cli.operators.migrate_command import migrate_command, repair_command
from skerry_service.cli.output import Commentary, OutputClosed, console
from skerry_service.cli.play.commentary import Dialogue
from skerry_service.cli.play.line_reader import LineReader
from skerry_service.cli.play.person import play_seat
from skerry_service.cli.play.random_game import Plan, play
from skerry_service.cli.protos_command import FolderNotEmpty, write_tree
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.cli.tls_options import (
    Ca,
    ClientCertificate,
    ClientKey,
    Tls,
    connect_with,
    require_usable_address,
    require_usable_key,
)
from skerry_service.cli.validate_command import validate_command
from skerry_service.cli.verify_command import verify_command
from skerry_service.edge.admin.admin_port import is_loopback
from skerry_service.edge.rest import web_page_files
from skerry_service.edge.rest.descriptor_set import descriptor_set
from skerry_service.store.embedded.embedded_server import EmbeddedServerError
from skerry_service.telemetry import service_log
from skerry_service.wiring.config import EffectiveSettings
from skerry_service.wiring.server import RunningServer, running_server, serve
from skerry_service.wiring.workers.supervisor import running_workers

SERVING = "serving"
STDOUT = Path("-")

app = typer.Typer(
    help="Skerry: island board games behind one API, gRPC and REST.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 success, 1 failure, 2 misuse. An error is one line on stderr."""
    service_log.configure(service_log.TEXT, "warning")  # stdout is for what commands answer
    try:
        code = app(args=arguments, prog_name="skerry", standalone_mode=False)
    except typer.exceptions.TyperException as error:
        return _fail(error.format_message(), error.exit_code)
    except (interrupts.Interrupted, KeyboardInterrupt, typer.Abort):
        return interrupts.INTERRUPTED
    except Exception as error:
        cause = _first_cause(error)
        if isinstance(cause, OutputClosed):
            return FAILED
        if isinstance(cause, Refusal):
            return _fail(str(cause), cause.code)
        if isinstance(cause, EditionsUnusable):  # each problem on a line of its own
            print(f"skerry: {cause}", file=sys.stderr)
            return FAILED
        if isinstance(cause, SkerryError | OSError | EmbeddedServerError):
            return _fail(_sentence_of(cause), FAILED)
        if (
            isinstance(cause, UnicodeEncodeError) and cause.encoding == "utf-8"
        ):  # a path may be, other arguments may not
            return _fail(f"{cause.object!r} is not UTF-8.", MISUSED)
        raise
    return code if isinstance(code, int) else 0


def _first_cause(error: Exception) -> Exception:
    """Return the error itself, or the first error of a group that several tasks raised."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _sentence_of(error: Exception) -> str:
    """Return an error of the operating system as a sentence. Other errors are sentences already."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return str(error)


def _fail(message: str, code: int) -> int:
    """Print an error message as one line that begins and ends like a sentence, and return the exit code."""
    sentence = " ".join(message.split())
    first, space, rest = sentence.partition(" ")
    if first.isalpha():
        sentence = f"{first[0].upper()}{first[1:]}{space}{rest}"
    print(f"skerry: {sentence}{'' if sentence.endswith(('.', '?', '!')) else '.'}", file=sys.stderr)
    return code


def _print_version(given: bool) -> None:
    if given:
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
    if context.invoked_subcommand != "edition":  # which finds what is wrong with an edition
        load_named_editions(os.environ.get(EDITIONS_VARIABLE, ""))


# ---------------------------------------------------------------- serve


@app.command("serve")
@with_options
def serve_command(settings: EffectiveSettings) -> None:
    """Serve until SIGTERM or SIGINT. Options override environment variables."""
    service_log.configure(settings.config.log_form, settings.config.log_from)
    try:
        serve(settings.config, _announce, running_workers if settings.config.workers > 1 else running_server)
    finally:
        interrupts.install()


def _announce(server: RunningServer) -> None:
    version = skerry_service.__version__
    print(f"Listening on {server.address} (Skerry {version}). Games are stored in {server.store}.")
    if server.http is not None:
        url = f"{'https' if server.secure else 'http'}://{server.http}"
        print(f"REST/JSON at {url} (try it at {url}/docs)")
        if web_page_files.is_built():
            print(f"Play in the browser: {url}/")
    if server.admin is not None:
        secure = "" if is_loopback(server.admin.rpartition(":")[0]) else " --tls"
        print(f"Operators: {_command()} admin --server {server.admin}{secure} list")
    game = next(iter(all_games().values()))
    options = f"--server {server.address}{' --tls' if server.secure else ''}"
    print(f"Play a game: {_command()} play {game.id} --seats {game.seats[0]} {options}", flush=True)


def _command() -> str:
    """Return the command by which this program was called, for commands to copy."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "skerry" else "skerry"


# ---------------------------------------------------------------- play


@app.command("play")
def play_command(
    game: Annotated[str, typer.Argument(help="The game's id, for example kreta.")],
    seats: Annotated[
        int | None, typer.Option(help="Number of seats; by default the fewest that the game allows.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=15, help="Play this seat yourself, against bots. The first seat is 0.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="64 hexadecimal digits that determine the game and the random players.")
    ] = None,
    server: Annotated[
        str | None, typer.Option(help="HOST:PORT of a running server; by default a server for this game alone.")
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    replay: Annotated[Path | None, typer.Option(help="Write the replay to this file, for `skerry verify`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the result, as one JSON object.")] = False,
) -> None:
    """Play a seat in the terminal, or watch random players play a whole game."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_key()
    if server is not None:
        require_usable_address(server)
    if seat is not None and as_json:
        raise Refusal("--json: You cannot combine --json with --seat. Leave one of them out.", MISUSED)
    if seat is not None and seats is not None and seat >= seats:
        raise Refusal(f"--seat: Seat {seat} does not exist. The {seats} seats are numbered 0 to {seats - 1}.", MISUSED)
    if replay is not None and not replay.parent.is_dir():
        raise Refusal(f"--replay: The folder {replay.parent} does not exist.", MISUSED)
    plan = Plan(game, seats, _seed(seed), server)
    played = _play_at_random(plan, as_json) if seat is None else _play_in_person(plan, seat)
    if replay is not None and played is not None:
        replay.write_text(MessageToJson(api.GetReplayResponse(replay=played)) + "\n", encoding="utf-8")


def _seed(text: str | None) -> bytes | None:
    try:
        return seed_bytes(text) or None
    except ValueError as error:
        raise Refusal(f"--{error}", MISUSED) from None


def _play_at_random(plan: Plan, as_json: bool) -> session_pb2.Replay:
    commentary = Commentary(console())
    replay, text = interrupts.run(play(plan, None if as_json else commentary.show))
    if as_json:
        print(_as_json(replay.session))
    else:
        commentary.conclude(replay.session, text)
    return replay


def _play_in_person(plan: Plan, seat: int) -> session_pb2.Replay | None:
    dialogue = Dialogue(console())
    played = interrupts.run(play_seat(plan, seat, dialogue, LineReader(sys.stdin.fileno())))
    if played is None:
        dialogue.say("You have left the game.")
        return None
    dialogue.conclude(played.replay.session, played.text)
    return played.replay


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


# ---------------------------------------------------------------- games and rules


@app.command("games")
def games_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List the games."""
    if as_json:
        print(games_as_json(all_games()))
    else:
        print_games(console(), all_games())


@app.command("rules")
def rules_command(
    game: Annotated[str, typer.Argument(help="The game's id, for example kreta.")],
    rule: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The id of a rule, or its beginning, for example KRETA-ABBOT.")
    ] = None,
    numbered: Annotated[
        bool, typer.Option("--numbered", help="Print all numbered rules, and what their marks mean.")
    ] = False,
) -> None:
    """Print how to play a game, its numbered rules, or those whose ids match."""
    known = all_games().get(game)
    if known is None:
        raise Refusal(f"Unknown game {game!r}. The games are {', '.join(all_games())}.")
    if rule is None and not numbered and known.how_to_play is not None:
        print_instructions(console(), known)
        return
    rules = matching_rules(known.rules, rule or "")
    if not rules:
        raise Refusal(f"{known.title} has no rule {rule!r}. `skerry rules {game} --numbered` lists its rules.")
    print_rules(console(), rules)


# ---------------------------------------------------------------- protos


@app.command("protos")
def protos_command(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", file_okay=False, help="A new folder for the .proto files.")
    ] = None,
    set_file: Annotated[
        Path | None,
        typer.Option("--descriptor-set", metavar="FILE", help="Also write one FileDescriptorSet; - for stdout."),
    ] = None,
) -> None:
    """Write the API's .proto files and their imports, for buf and protoc."""
    if folder is None and set_file is None:
        raise Refusal("Pass a folder for the .proto files, or a file with --descriptor-set.", MISUSED)
    if folder is not None:
        try:
            written = write_tree(folder)
        except FolderNotEmpty as error:
            raise Refusal(str(error), MISUSED) from None
        print(f"Wrote {len(written)} files to {folder}. `buf build {folder}` builds them.", file=sys.stderr)
    if set_file == STDOUT:
        sys.stdout.buffer.write(descriptor_set())
    elif set_file is not None:
        set_file.write_bytes(descriptor_set())


# ---------------------------------------------------------------- health


@app.command("health")
def health_command(
    server: Annotated[str, typer.Option(envvar=SERVER_VARIABLE, help="HOST:PORT of the server.")] = DEFAULT_SERVER,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Check whether a server serves. The exit code is 0 if it does, otherwise 1."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_address(server)
    status = asyncio.run(health_of(server))
    print(f"{server} is {status}.")
    raise typer.Exit(0 if status == SERVING else FAILED)


app.add_typer(keys_app, name="keys")
app.add_typer(admin_app, name="admin")
app.add_typer(ban_app, name="ban")
app.add_typer(ladder_app, name="ladder")
app.add_typer(edition_app, name="edition")
app.add_typer(webhooks_app, name="webhooks")
app.command("mcp")(mcp_command)
app.command("config")(with_options(config_command))
app.command("doctor")(with_options(doctor_command))
app.command("validate")(validate_command)
app.command("verify")(verify_command)
app.command("forget")(forget_command)
app.command("export")(export_command)
app.command("backup")(backup_command)
app.command("restore")(restore_command)
app.command("migrate")(migrate_command)
app.command("repair")(repair_command)
app.command("new-game")(new_game_command)
plugins.add_to(app)
