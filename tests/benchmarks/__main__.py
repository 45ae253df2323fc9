"""``python -m tests.benchmarks [--quick] [--seconds S] [--json FILE] [SECTION ...]``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from . import (
    act,
    arena,
    begin,
    capacity,
    cells,
    deadlines,
    learning,
    local,
    matching,
    memory,
    observe,
    others,
    page,
    play,
    players,
    playouts,
    plot,
    rest,
    scaling,
    servers,
    stages,
    wait,
    watched,
    workers,
)
from .report import Row, table, write
from .settings import Settings

SECTIONS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "act": act.run,
    "play": play.run,
    "begin": begin.run,
    "playouts": playouts.run,
    "memory": memory.run,
    "observe": observe.run,
    "rest": rest.run,
    "stages": stages.run,
    "local": local.run,
    "players": players.run,
    "others": others.run,
    "servers": servers.run,
    "arena": arena.run,
    "learning": learning.run,
    "deadlines": deadlines.run,
    "matching": matching.run,
    "scaling": scaling.run,
    "capacity": capacity.run,
    "cells": cells.run,
    "page": page.run,
    "watched": watched.run,
    "wait": wait.run,
    "workers": workers.run,
}

WIDTH = 130
"""Width of the table when the output is no terminal."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the requested sections; print their rows and write them to the files."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if unknown := set(options.sections) - SECTIONS.keys():
        parser.error(f"unknown section: {', '.join(sorted(unknown))}")
    default = Settings(seconds=1.5, rounds=1, quick=True) if options.quick else Settings()
    settings = Settings(options.seconds or default.seconds, options.rounds or default.rounds, default.quick)
    out, progress = Console(), Console(stderr=True)
    if not out.is_terminal:
        out.width = WIDTH
    rows: list[Row] = []
    for section in options.sections or SECTIONS:
        with progress.status(f"measuring: {section}"):
            rows.extend(SECTIONS[section](settings))
    write(rows, options.json)
    plot.write(rows, options.json.with_suffix(".svg"))
    out.print(table(rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure the service.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"any of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--seconds", type=float, help="length of each measurement")
    parser.add_argument("--rounds", type=int, help="repetitions of measurements that are compared with a floor")
    parser.add_argument("--quick", action="store_true", help="measure less: a quick look, not a record")
    parser.add_argument(
        "--json", type=Path, default=Path("build/bench.json"), metavar="FILE", help="default: %(default)s"
    )
    return parser


if __name__ == "__main__":
    main()
