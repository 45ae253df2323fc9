"""The output for a person who plays in the terminal: events as sentences, what has changed, and legal moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from skerry.v1 import catalogue_pb2, payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import SkerryError
from skerry_games.rulebook import matching_rules
from skerry_service.cli.games_command import print_rules
from skerry_service.cli.output import print_result
from skerry_service.cli.play.move_prompt import HELP, Command, CommandKind
from skerry_service.wire.entered_moves import matching
from skerry_service.wire.entry_sentences import sentences

MAX_LISTED = 40
"""Longer lists of moves are printed only on request. Words select some of the moves."""


class Dialogue:
    """The output of one game for one person."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._game = catalogue_pb2.Game()
        self._text = ""
        self._seats_listed = False

    def begin(self, game: catalogue_pb2.Game) -> None:
        """Introduce the game."""
        self._game = game
        self.say(f"You play {game.title}. Type the number of a move at each prompt, or ? for help.")

    def show_events(self, update: api.ObserveResponse) -> None:
        """Print the new events. The first time, print the players before them."""
        if not self._seats_listed and update.session.seats:
            self._seats_listed = True
            self.say(
                f"At the table: {', '.join(f'{seat.display_name} ({seat.seat})' for seat in update.session.seats)}."
            )
        for entry in update.entries:
            for sentence in sentences(entry):
                self.say(sentence)

    def show_position(self, position: session_pb2.Position, text: str) -> None:
        """Print the lines of the position that have changed since last printed, and the legal moves."""
        shown = self._text.splitlines()
        self._print([line for line in text.splitlines() if line not in shown])
        self._text = text
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
            case CommandKind.POSITION:
                self._print(self._text.splitlines())
            case CommandKind.BOARD:
                self._print(self._game.board_text.splitlines())
            case CommandKind.RULE:
                self._rules(command.argument)

    def conclude(self, session: session_pb2.Session, text: str) -> None:
        """Print the final position and the result."""
        self._print(text.splitlines())
        print_result(self._out, session)

    def refuse(self, error: SkerryError) -> None:
        """Print why a move was rejected, with the text of the violated rule."""
        self.say(str(error))
        if error.rule:
            self._rules(error.rule)

    def say(self, sentence: str) -> None:
        """Print a line."""
        self._out.print(Text(sentence), soft_wrap=True)

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._out.print()
        for line in lines:
            subject, colon, facts = line.partition(": ")
            self._out.print(Text.assemble((subject + colon, "bold"), facts), soft_wrap=True)

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
