"""What a person at the terminal is told: events as sentences, the position when it changes, moves to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from skerry.v1 import catalogue_pb2, payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import SkerryError
from skerry_service.cli.games_command import print_rules, rules_like
from skerry_service.cli.output import print_result, sentences
from skerry_service.cli.play.boards import drawn
from skerry_service.cli.play.move_prompt import HELP, Ask, MovePrompt, matching
from skerry_service.cli.play.view_text import game_view, seats_in_columns, summary, tables

LISTED_AT_ONCE = 40
"""More moves than these are counted first: words narrow them down."""


class Talk:
    """Tells one game to one person."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._game = catalogue_pb2.Game()
        self._shown: list[str] = []
        self._view = payload_pb2.View()

    def begin(self, game: catalogue_pb2.Game) -> None:
        """Say what is played."""
        self._game = game
        self.say(f"You play {game.title}. Type the number of a move when you are asked, or ? for help.")

    def tell(self, update: api.ObserveResponse) -> None:
        """Tell what has happened, and first of all who plays."""
        if not self._view.WhichOneof("game") and update.session.seats:
            self.say(f"At the table: {', '.join(f'{one.display_name} ({one.seat})' for one in update.session.seats)}.")
        self._view = update.position.view if update.HasField("position") else self._view
        for entry in update.entries:
            for sentence in sentences(entry):
                self.say(sentence)

    def show(self, position: session_pb2.Position) -> None:
        """Show those parts of the position that are not as they were shown last."""
        parts = self._parts(position.view)
        for part in parts:
            if part not in self._shown:
                self._print(part)
        self._shown = parts
        self._list(matching("", position))

    def prompt(self, position: session_pb2.Position) -> None:
        """Ask for a move."""
        self._out.print(Text(f"Your move, 1 to {len(position.legal_moves)}: ", "bold"), end="")
        if not self._out.is_terminal:
            self._out.print()

    def answer(self, question: MovePrompt, position: session_pb2.Position) -> None:
        """Answer what was asked instead of a move."""
        match question.ask:
            case Ask.HELP:
                for entry, meaning in HELP:
                    self.say(f"  {entry:14} {meaning}")
            case Ask.MOVES:
                self._list(matching(question.words, position), every=True)
            case Ask.BOARD:
                for part in self._parts(position.view):
                    self._print(part)
            case Ask.RULE:
                self._rules(question.words)

    def conclude(self, session: session_pb2.Session) -> None:
        """Show the table as it is at the end, and the result."""
        for part in self._parts(self._view):
            self._print(part)
        print_result(self._out, session)

    def refuse(self, error: SkerryError) -> None:
        """Say why a move was not made, with the rule's text if one is broken."""
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
        """Return the picture, the tables and the line of single values, each as text."""
        message = game_view(view)
        if message is None:
            return []
        picture, legend = drawn(self._game.board, view)
        with self._out.capture() as captured:
            for table in seats_in_columns(message) if picture else tables(message):
                self._out.print(table)
        tabled = [line.rstrip() for line in captured.get().strip("\n").splitlines()]
        parts = ("\n".join(lines) for lines in (picture, legend, tabled, [f"[{summary(message)}]"]))
        return [part for part in parts if part]

    def _list(self, moves: Sequence[tuple[int, payload_pb2.Move]], *, every: bool = False) -> None:
        if len(moves) > LISTED_AT_ONCE and not every:
            self.say(f"You have {len(moves)} moves. Type moves to list them all, or words to list some.")
            return
        lines = [f"{number:3}  {_sentence(move.text)}" for number, move in moves]
        if self._out.is_terminal:
            self._out.print(Columns(lines, column_first=True))
            return
        for line in lines:
            self.say(line)

    def _rules(self, wanted: str) -> None:
        if rules := rules_like(self._game.rules, wanted):
            print_rules(self._out, rules)
        else:
            self.say(f"{self._game.title} has no rule {wanted!r}.")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
