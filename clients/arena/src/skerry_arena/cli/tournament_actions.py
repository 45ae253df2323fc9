"""The work of ``skerry tournament``: it calls the arena, shows the progress and turns errors into one line."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from skerry_arena.cli.errors import FAILED, INTERRUPTED, MISUSED, CommandError, os_error_text, printable
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.entrants import parse_entrant
from skerry_arena.learning.encoding.bounds import BoundsMissing
from skerry_arena.live.live_server import BadAddress, address_of, serving
from skerry_arena.live.progress_lines import ProgressLines
from skerry_arena.live.tournament_watch import TournamentWatch
from skerry_arena.play.record import Record, Result
from skerry_arena.programs.sandbox import require_sandbox
from skerry_arena.reports import report_files, verification
from skerry_arena.reports.page import between, number, verdict
from skerry_arena.running import runner
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import DamagedLog, TournamentInUse
from skerry_arena.running.pool import Halted, play_all
from skerry_arena.settings import BadSettings, Settings, read_settings, require_playable, settings_from
from skerry_arena.statistics.summary import Summary
from skerry_games.rng import SEED_BYTES

_PIPE_WIDTH: Final = 160


@contextmanager
def command_errors() -> Iterator[None]:
    """Turn errors of the arena into CommandError."""
    try:
        yield
    except (BadSettings, BoundsMissing, folders.FolderNotEmpty, report_files.ParquetUnavailable) as error:
        raise CommandError(str(error), MISUSED) from None
    except (TournamentInUse, DamagedLog) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(os_error_text(error)) from None


def settings_of(
    config: Path | None,
    given: Mapping[str, Any],
    limits: Mapping[str, Any],
    players: Sequence[str],
    options: Sequence[str],
) -> Settings:
    """Return the settings of the file, if there is one, overridden by the options. Raises CommandError."""
    with command_errors():
        read = msgspec.to_builtins(read_settings(config)) if config else {"players": []}
        read.update(given)
        read["limits"] = {**read.get("limits", {}), **limits}
        read["options"] = {**read.get("options", {}), **dict(map(option_of, options))}
        if players:
            read["players"] = msgspec.to_builtins([parse_entrant(text) for text in players])
        if "game" not in read:
            raise BadSettings("The game is missing. Add it, for example: --game kreta")
        settings = settings_from({**read, "seed": read.get("seed") or token_hex(SEED_BYTES)})
        require_playable(settings)
        return settings


def stop_of(text: str) -> dict[str, float]:
    """Return the fields of ``Stop`` from a text such as ``0.5:0.55``."""
    low, _, high = text.partition(":")
    try:
        return {"low": float(low), "high": float(high)}
    except ValueError:
        raise CommandError(f"--stop takes two shares, for example 0.5:0.55, not {text!r}.", MISUSED) from None


def option_of(text: str) -> tuple[str, Any]:
    """Return the name and the value of ``NAME=VALUE``. Raises BadSettings."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadSettings(f"--option takes a name and a value: {text}=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def begin(folder: Path, settings: Settings, *, parquet: bool) -> None:
    """Create the folder of a new tournament."""
    with command_errors():
        report_files.require_parquet(folder, parquet)
        require_sandbox(settings.limits)
        folders.begin(folder, settings)


EngineName = Literal["pool", "ray"]
OpenEngine = AbstractContextManager[runner.Engine]
"""An engine, open within a ``with`` statement."""


def engine_of(folder: Path, workers: int | None, kind: EngineName, server: str | None = None) -> OpenEngine:
    """Return the engine for a folder: local processes, a Ray cluster, or the service of its settings.

    ``workers``: the number of workers. Default: the number of processors. ``server``: the service's new address.
    """
    service = settings_in(folder).service
    if service is None:
        if server is not None:
            raise CommandError("This tournament does not use a service. Omit --server.", MISUSED)
        return _ray(workers) if kind == "ray" else nullcontext(partial(play_all, workers=many(workers)))
    if kind != "pool":
        raise CommandError("A tournament on a service cannot use a cluster. Omit --engine.", MISUSED)
    moved = msgspec.structs.replace(service, server=server or service.server)
    engine: runner.Engine = remote("skerry_arena.remote.service_engine").ServiceEngine(folder, moved, many(workers))
    return nullcontext(engine)


def settings_in(folder: Path) -> Settings:
    """Return the settings of a folder. Raises CommandError."""
    with command_errors():
        return folders.read_tournament(folder).settings


def is_hosted(settings: Settings, live: str | None, kind: EngineName) -> bool:
    """Return whether a service holds the tournament. Raises CommandError for options that it then does not have."""
    if settings.service is None or not settings.service.hosted:
        return False
    if live is not None:
        raise CommandError("The service shows a tournament that it holds. Omit --live.", MISUSED)
    if kind != "pool":
        raise CommandError("A tournament on a service cannot use a cluster. Omit --engine.", MISUSED)
    return True


def _ray(workers: int | None) -> OpenEngine:
    try:
        engine: OpenEngine = import_module("skerry_arena.running.ray_engine").RayEngine(workers or None)
    except ImportError as error:
        raise CommandError(f"Ray is missing: pip install 'skerry-arena[ray]' ({error}).", MISUSED) from None
    return engine


def many(workers: int | None) -> int:
    """Return the number of workers. Default: the number of processors."""
    return (os.cpu_count() or 1) if workers is None else workers


def remote(module: str) -> Any:
    """Import a module that needs the codecs of the service. Raises CommandError without them."""
    # The core of gRPC writes to standard error. Relevant errors are raised anyway.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        import_module("skerry_arena.remote.codecs").require_codecs()
    except ImportError as error:
        raise CommandError(str(error), MISUSED) from None
    return import_module(module)


class Shown(NamedTuple):
    """How a tournament shows itself while it runs."""

    live: tuple[str, int] | None
    """The address of the live page."""
    at_once: int
    """The number of games at a time."""
    seconds: float
    """The least time between lines on a pipe."""


def shown(live: str | None, workers: int | None, seconds: float) -> Shown:
    """Return how a tournament shows itself. Raises CommandError for an invalid address."""
    try:
        return Shown(None if live is None else address_of(live), max(1, many(workers)), seconds)
    except BadAddress as error:
        raise CommandError(str(error), MISUSED) from None


def resume(
    folder: Path,
    engine: OpenEngine,
    how: Shown,
    *,
    parquet: bool = False,
    pages: int = 0,
    accept_changed: bool = False,
) -> None:
    """Play the missing games and write the report. Finished games stay in the log, also after an error."""
    with command_errors():
        report_files.require_parquet(folder, parquet)
    hint = f"Finished games are kept. To play the rest, run: skerry tournament resume {shlex.quote(str(folder))}"
    try:
        with raising_interrupts(), _watched(folder, how) as watch:
            with command_errors(), engine as opened, _progress(watch, how.seconds):
                runner.play_missing(folder, opened, watch, accept_changed=accept_changed)
            report(folder, parquet=parquet, pages=pages)
    except KeyboardInterrupt:
        raise CommandError(f"Interrupted. {hint}", INTERRUPTED) from None
    except Halted as error:
        raise CommandError(f"{error} {hint}") from None
    except CommandError as refused:
        if isinstance(refused.__context__, OSError):
            raise CommandError(f"{refused} {hint}") from None
        raise


@contextmanager
def _watched(folder: Path, how: Shown) -> Iterator[TournamentWatch]:
    """Yield the watch of a tournament, and serve its page until the report is written."""
    with ExitStack() as stack:
        with command_errors():
            watch = TournamentWatch(folders.read_tournament(folder).settings, how.at_once)
            url = None if how.live is None else stack.enter_context(serving(watch, how.live))
        if url is not None:
            _say(f"Live page: {url}")
        yield watch


@contextmanager
def _progress(watch: TournamentWatch, seconds: float) -> Iterator[None]:
    """Show the progress: a bar on a terminal, lines on a pipe."""
    if not sys.stderr.isatty():
        watch.changed = ProgressLines(seconds, _say)
        yield
        return
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("games", total=None)
        watch.changed = lambda now: bar.update(task, completed=now.finished, total=now.planned)
        yield


def _say(line: str) -> None:
    """Write a line to standard error. A reader that has gone does not end the tournament."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def report(folder: Path, *, parquet: bool = False, pages: int = 0) -> None:
    """Write the report and print the standings."""
    with command_errors():
        summary = report_files.report(folder, parquet=parquet, pages=pages)
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    console.print(_standings(summary))
    if len(summary.groups) > 1:
        console.print(
            "Ratings compare only within a group. No player of a group was ever beaten by one of a later group."
        )
    if summary.cup.places:
        console.print(_places(summary))
    for line in _failures(folder, summary):
        console.print(line, soft_wrap=True)
    if bounds := folders.read_tournament(folder).containment:
        console.print(" ".join(bounds), soft_wrap=True)
    if sentence := verdict(summary.cup):
        console.print(sentence, soft_wrap=True)
    stopped = " Stopped early." if summary.stopped else ""
    print(f"{summary.finished} of {summary.planned} games.{stopped} Report: {folder / report_files.REPORT}")


def _failures(folder: Path, summary: Summary) -> Iterator[str]:
    """Yield a line for each player that failed, with the detail of its first failure in the log."""
    failed = [one for one in summary.standings if one.failures]
    if not failed:
        return
    settings = folders.read_tournament(folder).settings
    details: dict[str, str] = {}
    for result in runner.results_of(settings, folder / folders.LOG, Result):
        for failure in result.failures:
            details.setdefault(result.lineup[failure.seat], failure.detail)
    for one in failed:
        kinds = ", ".join(f"{kind}: {many}" for kind, many in one.failures.items())
        yield f"{one.name} failed ({kinds}). First failure: {printable(details[one.name])}"


def _standings(summary: Summary) -> Table:
    grouped = len(summary.groups) > 1
    columns = ("player", "rating", "95 %", "beats", "95 %", "wins", "score", "games")
    table = Table(*(("group",) if grouped else ()), *columns, box=None, pad_edge=False)
    for one in summary.standings:
        table.add_row(
            *((str(one.group + 1),) if grouped else ()),
            one.name,
            number(one.rating.value, 0),
            between(one.rating.interval, 0),
            number(one.beats.value),
            between(one.beats.interval),
            number(one.wins.value),
            number(one.score.value, 1),
            str(one.games),
        )
    return table


def _places(summary: Summary) -> Table:
    table = Table("place", "player", box=None, pad_edge=False)
    if swiss := any(one.result is not None for one in summary.cup.places):
        for name in ("result", "Buchholz", "tie-breaks"):
            table.add_column(name)
    for one in summary.cup.places:
        figures = (number(one.result, 3), number(one.buchholz, 3), ", ".join(one.by)) if swiss else ()
        table.add_row(f"{one.place}.", one.name, *figures)
    return table


def verify(folder: Path) -> None:
    """Replay all games, and print those that differ from the log."""
    with command_errors():
        found = list(verification.differences(folder))
    wrong = [sentence for sentence in found if sentence is not None]
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise typer.Exit(FAILED)
    print(f"All {len(found)} games follow from their seeds and choices.")


def replays(folder: Path, out: Path, games: Sequence[int]) -> None:
    """Write replays of these games, or of all. Print the games that were not played to their end."""
    replay_writer = remote("skerry_arena.remote.replays")
    with command_errors():
        settings = folders.read_tournament(folder).settings
        folders.require_same_rules(folders.read_tournament(folder))
        records = runner.results_of(settings, folder / folders.LOG, Record)
        if missing := set(games) - {record.game for record in records}:
            raise BadSettings(f"{folder}: The log does not have game {min(missing)}.")
        folders.make_empty(out)
        written = 0
        for record in records:
            if games and record.game not in games:
                continue
            try:
                folders.write_whole(out / f"{record.game}.json", replay_writer.replay_in(folder, settings, record))
            except replay_writer.UnfinishedGame as unfinished:
                print(unfinished)
            else:
                written += 1
    print(f"Wrote {written} replays to {out}.")


def decisions(folder: Path, out: Path) -> None:
    """Write the decisions of all games as a data set."""
    with command_errors():
        begun = folders.read_tournament(folder)
        folders.require_same_rules(begun)
        export = _learning("skerry_arena.learning.decision_export")
        if out.exists():
            raise folders.FolderNotEmpty(f"{out}: The file exists already.")
        records = runner.results_of(begun.settings, folder / folders.LOG, Record)
        written = export.write(out, begun.settings, records)
    print(f"Wrote {written:,} decisions to {out}.")


def _learning(module: str) -> Any:
    """Import a module that needs pyarrow. Raises ParquetUnavailable without it."""
    try:
        return import_module(module)
    except ImportError:
        raise report_files.ParquetUnavailable("Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.") from None
