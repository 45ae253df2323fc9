"""Certification of programs that exchange lines of JSON, including lines that a later arena could write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from msgspec import json

from skerry_arena.certification.check_result import CheckResult
from skerry_arena.entrants import Entrant, command_of
from skerry_arena.play.contestant import FailureKind, GameStart, InProcessPlayer, PlayerFailed
from skerry_arena.play.referee import play
from skerry_arena.programs.program import Program
from skerry_arena.programs.protocol import Choose, Line
from skerry_arena.settings import Settings
from skerry_games.information_state import InformationState, seen_from
from skerry_games.pairing.plan import games, seat_seed
from skerry_games.players import player
from skerry_games.position import Position
from skerry_games.rng import SeededRng

_STRANGER: Final = Entrant("a random player", "random")
_BROKEN_OFF: Final = 3
"""The number of decisions before the check abandons a game."""


def certify(one: Entrant, settings: Settings) -> Iterator[CheckResult]:
    """Yield the result of each check, in the game and with the limits of these settings."""
    tournament = Settings(
        game=settings.game,
        players=(one, _STRANGER),
        seats=settings.seats,
        games=1,
        seed=settings.seed,
        options=settings.options,
        limits=settings.limits,
    )
    for check in _CHECKS:
        try:
            check.run(tournament)
        except PlayerFailed as failed:
            yield CheckResult(check.name, f"{failed.kind}: {failed.detail}")
        else:
            yield CheckResult(check.name)


class _WithUnknownFields(Program):
    """A program that gets lines with unknown fields."""

    def _encoded(self, line: Line) -> bytes:
        fields: dict[str, Any] = json.decode(super()._encoded(line))
        return json.encode({"later": {"than": ["this", None, 1.5]}, **fields, "zulu": "é"})


class _WithUnknownLines(Program):
    """A program that gets a line of an unknown type before each decision. It must not answer that line."""

    def _encoded(self, line: Line) -> bytes:
        encoded = super()._encoded(line)
        return b'{"type":"weather","wind":"NE"}\n' + encoded if isinstance(line, Choose) else encoded


def _plays(kind: type[Program]) -> Callable[[Settings], None]:
    """Return a check that plays a game from each seat, all with one process."""

    def run(tournament: Settings) -> None:
        one = kind(command_of(tournament.players[0]), tournament.limits)
        try:
            for game in games(tournament):
                seated = [InProcessPlayer(player("random")) if who else one for who in game.lineup]
                if failures := [each for each in play(tournament, game, seated).failures if not game.lineup[each.seat]]:
                    raise PlayerFailed(failures[0].kind, failures[0].detail)
        finally:
            one.close()

    return run


def _abandoned_game(tournament: Settings) -> None:
    """Start the next game after some decisions, before the last one is over."""
    one = Program(command_of(tournament.players[0]), tournament.limits)
    seconds = tournament.limits.move_seconds
    try:
        for _ in range(2):
            one.begin(_beginning(tournament))
            for position in _decisions(tournament):
                one.choose(position, seconds)
    finally:
        one.close()


def _quits(tournament: Settings) -> None:
    one = Program(command_of(tournament.players[0]), tournament.limits)
    one.begin(_beginning(tournament))
    if not one.quit():
        raise PlayerFailed(FailureKind.TIMEOUT, "It did not end within a second after quit.")


def _beginning(tournament: Settings) -> GameStart:
    seed = seat_seed(tournament, 0, 0, "player")
    return GameStart(tournament.rules, tournament.game_options, tournament.table, 0, seed)


def _decisions(tournament: Settings) -> Iterator[InformationState]:
    """Yield the first decisions of seat 0 in a game of random moves."""
    dice = SeededRng(seat_seed(tournament, 0, 0, "view"), 0)
    rules = tournament.rules
    position, left = Position(rules, rules.setup(tournament.game_options, tournament.table)), _BROKEN_OFF
    while left and position.to_act:
        seat = position.to_act[0]
        if seat < 0:
            position = position.play(position.draw(dice), seat)
            continue
        if seat == 0:
            yield seen_from(position, 0, dice)
            left -= 1
        position = position.play(dice.choice(position.legal_moves(seat)), seat)


@dataclass(frozen=True)
class _Check:
    name: str
    run: Callable[[Settings], None]
    """Raises PlayerFailed."""


_CHECKS: Final = (
    _Check("plays a game from every seat", _plays(Program)),
    _Check("ignores unknown fields", _plays(_WithUnknownFields)),
    _Check("ignores unknown lines", _plays(_WithUnknownLines)),
    _Check("starts a new game after an abandoned one", _abandoned_game),
    _Check("ends after quit", _quits),
)
