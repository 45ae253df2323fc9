"""What the commands do: they call what does the work, show how far it is, and turn errors into one line."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from skerry_arena.cli.errors import FAILED, INTERRUPTED, MISUSED, CommandError, os_error_text, printable
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.entrants import entrant
from skerry_arena.learning.bounds import BoundsMissing
from skerry_arena.play.record import Record, Result
from skerry_arena.reports import report_files, verification
from skerry_arena.reports.page import between, number
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
    """Turn errors into refusals."""
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
    """Return the settings: of the file, if one is named, with flags before it. Refuses what cannot be played."""
    with command_errors():
        read = msgspec.to_builtins(read_settings(config)) if config else {"players": []}
        read.update(given)
        read["limits"] = {**read.get("limits", {}), **limits}
        read["options"] = {**read.get("options", {}), **dict(map(_option, options))}
        if players:
            read["players"] = msgspec.to_builtins([entrant(text) for text in players])
        if "game" not in read:
            raise BadSettings("Name the game: --game kreta.")
        settings = settings_from({**read, "seed": read.get("seed") or token_hex(SEED_BYTES)})
        require_playable(settings)
        return settings


def stop_of(text: str) -> dict[str, float]:
    """Return when to stop early: ``0.5:0.55``."""
    low, _, high = text.partition(":")
    try:
        return {"low": float(low), "high": float(high)}
    except ValueError:
        raise CommandError(f"To stop early, name two shares: --stop 0.5:0.55, not {text!r}.", MISUSED) from None


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadSettings(f"An option is a name and a value: {text}=VALUE.")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def begin(folder: Path, settings: Settings, *, parquet: bool) -> None:
    """Make the folder of a new tournament."""
    with command_errors():
        report_files.require_parquet(folder, parquet)
        folders.begin(folder, settings)


EngineName = Literal["pool", "ray"]
OpenEngine = AbstractContextManager[runner.Engine]
"""An engine, as long as it is used in a ``with`` statement."""


def engine_of(folder: Path, workers: int | None, kind: EngineName, server: str | None = None) -> OpenEngine:
    """Return what plays the games of that folder: here or, where its settings say so, on a service.

    ``workers``: as many as processors, if not given. ``server``: where the service is now, if it has moved.
    """
    with command_errors():
        service = folders.read_tournament(folder).settings.service
    if service is None:
        if server is not None:
            raise CommandError("This tournament is not played on a service: leave --server out.", MISUSED)
        return _ray(workers) if kind == "ray" else nullcontext(partial(play_all, workers=many(workers)))
    if kind != "pool":
        raise CommandError("Games on a service are not spread over a cluster: leave --engine out.", MISUSED)
    moved = msgspec.structs.replace(service, server=server or service.server)
    engine: runner.Engine = remote("skerry_arena.remote.service_engine").ServiceEngine(folder, moved, many(workers))
    return nullcontext(engine)


def _ray(workers: int | None) -> OpenEngine:
    try:
        engine: OpenEngine = import_module("skerry_arena.running.ray_engine").RayEngine(workers or None)
    except ImportError as error:
        raise CommandError(f"This needs Ray: pip install 'skerry-arena[ray]' ({error}).", MISUSED) from None
    return engine


def many(workers: int | None) -> int:
    """Return how many workers: as many as processors if not given."""
    return (os.cpu_count() or 1) if workers is None else workers


def remote(module: str) -> Any:
    """Return a module that needs the client. Refuses where that is not there."""
    # gRPC's core writes lines of its own to standard error. What matters of them is raised.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        return import_module(module)
    except ImportError as error:
        raise CommandError(f"This needs the client: pip install 'skerry-arena[remote]' ({error}).", MISUSED) from None


def resume(folder: Path, engine: OpenEngine, *, parquet: bool = False) -> None:
    """Play what is missing, and report. However it ends, what was finished stays."""
    with command_errors():
        report_files.require_parquet(folder, parquet)
    resume = f"What is finished is kept: skerry tournament resume {shlex.quote(str(folder))} plays the rest."
    try:
        with raising_interrupts():
            with command_errors(), engine as opened:
                _play(folder, opened)
            report(folder, parquet=parquet)
    except KeyboardInterrupt:
        raise CommandError(f"Interrupted. {resume}", INTERRUPTED) from None
    except Halted as error:
        raise CommandError(f"{error} {resume}") from None
    except CommandError as refused:
        if isinstance(refused.__context__, OSError):
            raise CommandError(f"{refused} {resume}") from None
        raise


def _play(folder: Path, engine: runner.Engine) -> None:
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=None)
        runner.play_missing(folder, engine, lambda done, of: bar.update(task, completed=done, total=of))


def report(folder: Path, *, parquet: bool = False) -> None:
    """Report the tournament, and print the standings."""
    with command_errors():
        summary = report_files.report(folder, parquet=parquet)
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    console.print(_standings(summary))
    for line in _failures(folder, summary):
        console.print(line, soft_wrap=True)
    stopped = " Stopped early." if summary.stopped else ""
    print(f"{summary.finished} of {summary.planned} games.{stopped} The report: {folder / report_files.REPORT}")


def _failures(folder: Path, summary: Summary) -> Iterator[str]:
    """Yield a line for each player that failed, with what the log says of the first time: all often have one cause."""
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
        yield f"{one.name} has failed ({kinds}). The first time: {printable(details[one.name])}"


def _standings(summary: Summary) -> Table:
    table = Table("player", "rating", "95 %", "beats", "95 %", "wins", "score", "games", box=None, pad_edge=False)
    for one in summary.standings:
        table.add_row(
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


def verify(folder: Path) -> None:
    """Play all games again, and say which are not as the log has them."""
    with command_errors():
        found = list(verification.differences(folder))
    wrong = [sentence for sentence in found if sentence is not None]
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise typer.Exit(FAILED)
    print(f"All {len(found)} games follow from their seeds and choices.")


def replays(folder: Path, out: Path, games: Sequence[int]) -> None:
    """Write replays of these games, or of all; say which cannot be os_error_text to their end."""
    telling = remote("skerry_arena.remote.replays")
    with command_errors():
        settings = folders.read_tournament(folder).settings
        folders.require_same_rules(folders.read_tournament(folder))
        records = runner.results_of(settings, folder / folders.LOG, Record)
        if missing := set(games) - {record.game for record in records}:
            raise BadSettings(f"{folder}: Game {min(missing)} has not been played.")
        folders.make_empty(out)
        written = 0
        for record in records:
            if games and record.game not in games:
                continue
            try:
                folders.write_whole(out / f"{record.game}.json", telling.replay_in(folder, settings, record))
            except telling.UnfinishedGame as unfinished:
                print(unfinished)
            else:
                written += 1
    print(f"Wrote {written} replays to {out}.")


def decisions(folder: Path, out: Path) -> None:
    """Write the decisions of all games, as rows to learn from."""
    with command_errors():
        begun = folders.read_tournament(folder)
        folders.require_same_rules(begun)
        telling = _learning("skerry_arena.learning.decision_export")
        if out.exists():
            raise folders.FolderNotEmpty(f"{out}: It is there already.")
        records = runner.results_of(begun.settings, folder / folders.LOG, Record)
        written = telling.write(out, begun.settings, records)
    print(f"Wrote {written:,} decisions to {out}.")


def _learning(module: str) -> Any:
    """Return a module that needs pyarrow. Raises ParquetUnavailable where that is not there."""
    try:
        return import_module(module)
    except ImportError:
        raise report_files.ParquetUnavailable("Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.") from None
