"""Output of the commands: plain lines for pipes and logs, colours and tables on a terminal."""

from __future__ import annotations

from contextlib import suppress

from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table
from rich.text import Text

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_service.cli.play.view_text import game_view, summary
from skerry_service.wire.entry_sentences import CANCELLED, sentences

_PIPE_WIDTH = 160


class OutputClosed(Exception):
    """The reader of standard output has closed it, as ``head`` does."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise OutputClosed. Rich would raise SystemExit, which tasks of an event loop do not pass on."""
        with suppress(SystemExit):  # points standard output to /dev/null, so that later output cannot fail
            super().on_broken_pipe()
        raise OutputClosed


def console(*, stderr: bool = False) -> Console:
    """Return a console, which may raise OutputClosed. Without a terminal, it has no colours and wraps no tables."""
    out = _Console(stderr=stderr, highlight=False, markup=False)
    if not out.is_terminal:
        out.width = _PIPE_WIDTH
    return out


class Commentary:
    """Prints the events of a running game, and the position whenever another seat is to act."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._to_act: list[int] = []
        self._view: Message | None = None

    def show(self, update: api.ObserveResponse) -> None:
        """Print the new entries of an update."""
        for entry in update.entries:
            for sentence in sentences(entry):
                self._print(Text.assemble((f"{entry.sequence:5}  ", "dim"), sentence))
        position = update.position
        self._view = game_view(position.view) or self._view
        if self._view is not None and position.to_act and list(position.to_act) != self._to_act:
            self._to_act = list(position.to_act)
            self._print(Text(f"       [{summary(self._view)}]", "cyan"))

    def conclude(self, session: session_pb2.Session, text: str) -> None:
        """Print the final position and the result."""
        self._out.print()
        for line in text.splitlines():
            self._print(Text(line))
        print_result(self._out, session)

    def _print(self, text: Text) -> None:
        self._out.print(text, soft_wrap=True)


def print_result(out: Console, session: session_pb2.Session) -> None:
    """Print the ranking and its reason, the session's name, and the seed."""
    out.print()
    if not session.HasField("outcome"):
        out.print(CANCELLED)
        return
    out.print(_result(session))
    for line in (
        Text(session.outcome.reason),
        Text.assemble(("session  ", "dim"), session.name),
        Text.assemble(("seed     ", "dim"), session.seed.hex()),
    ):
        out.print(line, soft_wrap=True)


def _result(session: session_pb2.Session) -> Table:
    table = Table("rank", "seat", "player", "points", box=None, pad_edge=False)
    outcome = session.outcome
    for seat in sorted(session.seats, key=lambda seat: outcome.ranks[seat.seat]):
        number = seat.seat
        table.add_row(str(outcome.ranks[number]), str(number), seat.display_name, str(outcome.scores[number]))
    return table
