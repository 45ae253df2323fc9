"""The output for a person who plays in the terminal: events as sentences, changed positions, and legal moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from skerry.v1 import catalogue_pb2, payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import SkerryError
from skerry_service.cli.games_command import matching_rules, print_rules
from skerry_service.cli.output import print_result, sentences
from skerry_service.cli.play.boards import draw_board
from skerry_service.cli.play.move_prompt import HELP, Command, CommandKind, matching
from skerry_service.cli.play.view_text import game_view, seats_in_columns, summary, tables

MAX_LISTED = 40
"""Longer lists of moves are printed only on request. Words select some of the moves."""


class Dialogue:
    """The output of one game for one person."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._game = catalogue_pb2.Game()
        self._shown: list[str] = []
        self._view = payload_pb2.View()

    def begin(self, game: catalogue_pb2.Game) -> None:
        """Introduce the game."""
        self._game = game
        self.say(f"You play {game.title}. Type the number of a move at each prompt, or ? for help.")

    def show_events(self, update: api.ObserveResponse) -> None:
        """Print the new events. The first time, print the players before them."""
        if not self._view.WhichOneof("game") and update.session.seats:
            self.say(
                f"At the table: {', '.join(f'{seat.display_name} ({seat.seat})' for seat in update.session.seats)}."
            )
        self._view = update.position.view if update.HasField("position") else self._view
        for entry in update.entries:
            for sentence in sentences(entry):
                self.say(sentence)

    def show_position(self, position: session_pb2.Position) -> None:
        """Print the parts of the position that have changed since last printed, and the legal moves."""
        parts = self._parts(position.view)
        for part in parts:
            if part not in self._shown:
                self._print(part)
        self._shown = parts
        self._list(matching("", position))

    def prompt(self, position: session_pb2.Position) -> None:
        """Print the prompt."""
        self._out.print(Text(f"Your move, 1 to {len(position.legal_moves)}: ", "bold"), end="")
        if not self._out.is_terminal:
            self._out.print()

    def answer(self, command: Command, position: session_pb2.Position) -> None:
        """Print what a command asks for."""
        match command.kind:
            case CommandKind.HELP:
                for entry, meaning in HELP:
                    self.say(f"  {entry:14} {meaning}")
            case CommandKind.MOVES:
                self._list(matching(command.argument, position), every=True)
            case CommandKind.BOARD:
                for part in self._parts(position.view):
                    self._print(part)
            case CommandKind.RULE:
                self._rules(command.argument)

    def conclude(self, session: session_pb2.Session) -> None:
        """Print the final position and the result."""
        for part in self._parts(self._view):
            self._print(part)
        print_result(self._out, session)

    def refuse(self, error: SkerryError) -> None:
        """Print why a move was rejected, with the text of the violated rule."""
        self.say(str(error))
        if error.rule:
            self._rules(error.rule)

    def say(self, sentence: str) -> None:
        """Print a line."""
        self._out.print(Text(sentence), soft_wrap=True)

    def _print(self, part: str) -> None:
        self._out.print()
        self.say(part)

    def _parts(self, view: payload_pb2.View) -> list[str]:
        """Return the texts of the board, its legend, the tables, and the line of single values."""
        message = game_view(view)
        if message is None:
            return []
        picture, legend = draw_board(self._game.board, view)
        with self._out.capture() as captured:
            for table in seats_in_columns(message) if picture else tables(message):
                self._out.print(table)
        tabled = [line.rstrip() for line in captured.get().strip("\n").splitlines()]
        parts = ("\n".join(lines) for lines in (picture, legend, tabled, [f"[{summary(message)}]"]))
        return [part for part in parts if part]

    def _list(self, moves: Sequence[tuple[int, payload_pb2.Move]], *, every: bool = False) -> None:
        if len(moves) > MAX_LISTED and not every:
            self.say(f"You have {len(moves)} moves. Type `moves` to list them all, or words to list some.")
            return
        lines = [f"{number:3}  {_sentence(move.text)}" for number, move in moves]
        if self._out.is_terminal:
            self._out.print(Columns(lines, column_first=True))
            return
        for line in lines:
            self.say(line)

    def _rules(self, id_prefix: str) -> None:
        if rules := matching_rules(self._game.rules, id_prefix):
            print_rules(self._out, rules)
        else:
            self.say(f"{self._game.title} has no rule {id_prefix!r}.")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
