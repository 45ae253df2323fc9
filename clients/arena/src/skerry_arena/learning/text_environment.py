"""The games as text environments with the interface of TextArena, for agents on language models.

    from skerry_arena.learning.text_environment import TextEnvironment

    game = TextEnvironment("kreta")
    game.reset(num_players=2, seed=1)
    done = False
    while not done:
        player, observation = game.get_observation()
        done, info = game.step(agents[player](observation))
    rewards, game_info = game.close()

An observation is a list of messages, each a sender, a text and an ``ObservationType``. A player receives each message
once, and only messages that its seat may know. An action is a text: its last ``[…]``, or else all of it, is the move in
words, or its number if moves are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final

from msgspec import Raw, json

from skerry_arena.learning.returns import returns
from skerry_arena.play.game_run import GameRun
from skerry_arena.programs.answers import AnswerReader, AnswerRefused
from skerry_arena.programs.move_words import forms, in_words, seat_names
from skerry_arena.programs.protocol import Choice
from skerry_games.api import CHANCE
from skerry_games.editions import with_options
from skerry_games.information_state import seen_from
from skerry_games.position import game_of, options_of
from skerry_games.rng import SEED_BYTES, SeededRng
from skerry_games.sentences import fill

GAME_ID: Final = -1
"""The sender of messages of the game."""
LONGEST_ACTION: Final = 1 << 16
"""The most characters of an action."""
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")


class ObservationType(Enum):
    """The types of messages, named as in TextArena."""

    PROMPT = auto()
    """The task of the player, the printed board and the forms of moves. Once, at the beginning."""
    PLAYER_ACTION = auto()
    """The player's own action."""
    GAME_ACTION_DESCRIPTION = auto()
    """An event of a player's move."""
    GAME_MESSAGE = auto()
    """An event of a draw."""
    GAME_BOARD = auto()
    """The position in words, and the legal moves if they are listed."""
    GAME_ADMIN = auto()
    """Why an action was refused."""


Message = tuple[int, str, Any]


class TextState:
    """What TextArena's wrappers and tools read of an environment."""

    def __init__(self, players: int) -> None:
        self.num_players = players
        self.current_player_id = 0
        self.role_mapping = {GAME_ID: "GAME", **dict(enumerate(seat_names(players)))}
        self.observations: dict[int, list[Message]] = {player: [] for player in range(players)}
        self.turn = 0
        """The number of moves so far."""
        self.done = False
        self.rewards: dict[int, float] | None = None
        """``None`` until the game is over; then from -1 to 1 for each player, as in the other environments."""
        self.error_count = 0
        """The number of refused actions for the current decision."""
        self.game_info: dict[int, dict[str, Any]] = {
            player: {"role": self.role_mapping[player], "invalid_move": False, "turn_count": 0}
            for player in range(players)
        }

    def get_current_player_observation(self) -> list[Message]:
        """Return the new messages of the current player, and forget them."""
        player = self.current_player_id
        received, self.observations[player] = self.observations[player], []
        return received

    def end(self, rewards: tuple[float, ...], reason: str) -> None:
        """End the game."""
        self.rewards = dict(enumerate(rewards))
        self.done = True
        for info in self.game_info.values():
            info["reason"] = reason


class TextEnvironment:
    """A game for players that read and write text. Seats that decide at once act one after the other."""

    def __init__(
        self, game: str, *, listed: bool = True, error_allowance: int = 1, types: Any = ObservationType, **options: Any
    ) -> None:
        """``listed``: whether players get the list of legal moves. ``error_allowance``: the number of refused actions
        for each decision, after which a player loses. ``types``: pass ``textarena.ObservationType`` for its wrappers.

        Raises KeyError for an unknown game, TypeError for an unknown option, BadOptions for an unknown edition.
        """
        self.game = with_options(game_of(game), options)
        self.options = options_of(self.game, options)
        self.listed = listed
        self.error_allowance = error_allowance
        self._types = types
        self.state = TextState(self.game.seats[0])

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game. Equal seeds and equal actions give equal games. Raises ValueError, BadOptions."""
        if num_players not in self.game.seats:
            raise ValueError(
                f"{self.game.title} has {', '.join(map(str, self.game.seats))} players, not {num_players}."
            )
        seeded = token_bytes(SEED_BYTES) if seed is None else sha256(str(seed).encode()).digest()
        self._course = GameRun(self.game, self.options, num_players, seeded)
        self._dice = SeededRng(sha256(seeded).digest(), 0)
        self._names = seat_names(num_players)
        self._reader = AnswerReader(self.options, self._names, self._dice)
        self._sent = 0
        self.state = TextState(num_players)
        for player in range(num_players):
            self._send(player, self._prompt(player), self._types.PROMPT)
        self._go_on()

    def get_observation(self) -> tuple[int, list[Message]]:
        """Return the player to act, and the messages that it has not yet received."""
        return self.state.current_player_id, self.state.get_current_player_observation()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an action of the player to act. Return whether the game is over, and an empty dictionary."""
        state = self.state
        if state.done:
            return True, {}
        player = state.current_player_id
        try:
            choice = self._choice(action)
        except AnswerRefused as refused:
            self._refuse(player, refused)
        else:
            self._send(player, action, self._types.PLAYER_ACTION, player)
            state.error_count = 0
            state.turn += 1
            state.game_info[player]["turn_count"] += 1
            self._course.choose(choice)
            self._go_on()
        return state.done, {}

    def close(self) -> tuple[Mapping[int, float] | None, Mapping[int, dict[str, Any]]]:
        """Return the rewards, and of each player: role, number of moves, reason of the end, and if it was invalid."""
        return self.state.rewards, self.state.game_info

    def _choice(self, action: str) -> int:
        """Return the index of a legal move. Raises AnswerRefused."""
        position = seen_from(self._course.position, self.state.current_player_id, self._dice)
        action = action[-LONGEST_ACTION:]
        said = (_BRACKETED.findall(action) or [action])[-1].strip()
        if self.listed and re.fullmatch(r"\d{1,9}", said, re.ASCII):
            answer = Choice(0, choice=int(said))
        else:
            answer = Choice(0, move=Raw(json.encode(said.encode(errors="replace").decode())))
        return self._reader.chosen(answer, position, listed=self.listed)

    def _refuse(self, player: int, refused: AnswerRefused) -> None:
        state = self.state
        if state.error_count >= self.error_allowance:
            state.game_info[player]["invalid_move"] = True
            lost = tuple([2 if seat == player else 1 for seat in range(state.num_players)])
            state.end(returns(lost), f"{self._names[player]} made an invalid move. {refused}")
            return
        state.error_count += 1
        again = f"Your move was refused. {refused} {self._form()}"
        self._send(player, again, self._types.GAME_ADMIN)

    def _go_on(self) -> None:
        """Send the new events to all players, and the position to the next one."""
        course, state = self._course, self.state
        for step in course.steps[self._sent :]:
            kind = self._types.GAME_MESSAGE if step.actor == CHANCE else self._types.GAME_ACTION_DESCRIPTION
            for event in step.events:
                for player in range(state.num_players):
                    if (shown := self.game.show(event, player)) is not None:
                        self._send(player, fill(self.game.say(shown), self._names), kind)
        self._sent = len(course.steps)
        if (outcome := course.position.outcome) is not None:
            state.end(returns(outcome.ranks), fill(outcome.reason, self._names))
            return
        state.current_player_id = course.seat
        self._send(course.seat, "\n".join(self._board(course.seat)), self._types.GAME_BOARD)

    def _board(self, player: int) -> Iterator[str]:
        """Yield the position in words, and the legal moves if they are listed."""
        position = self._course.position
        yield position.text(player, self._names)
        if self.listed:
            yield "Your moves:"
            moves = in_words(self.game, position.legal_moves(player), self._names)
            yield from (f"[{number}] {words}" for number, words in enumerate(moves))

    def _prompt(self, player: int) -> str:
        game, players = self.game, self._course.position.scores
        board = next(board for board in game.boards if board.edition == self.options.edition)
        kinds = [f"- [{form.words}]: {form.about}" for form in forms(game.ruleset, self.options, len(players))]
        task = f"You are {self._names[player]} of {len(players)} in {game.title}. {self._form()}"
        return "\n".join([task, "The kinds of moves, with an example each:", *kinds, game.board_text(board)])

    def _form(self) -> str:
        number = ", or its number" if self.listed else ""
        return f"End your answer with your move in square brackets, in the words of a move{number}."

    def _send(self, player: int, message: str, kind: Any, sender: int = GAME_ID) -> None:
        self.state.observations[player].append((sender, message, kind))
