"""What a tournament is: one value, from a TOML file or from flags, checked before anything is played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from skerry_arena.entrants import Entrant, UnusablePlayer, checked
from skerry_games.api import AnyGame, BadOptions
from skerry_games.position import game_of, options_of
from skerry_games.rng import SEED_BYTES

MOST_PLAYERS: Final = 32
MOST_GAMES: Final = 1_000_000
SEED: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")


class BadSettings(ValueError):
    """A tournament that cannot be played as it is described. The message is a sentence."""


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Every choice of as many players as there are seats, equally often."""
    GAUNTLET = "gauntlet"
    """The first player against each of the others, who takes all the other seats."""
    SWISS = "swiss"
    """Round after round those meet who have beaten about as many so far."""
    KNOCKOUT = "knockout"
    """Round after round the best of each table goes on."""


class OnFailure(StrEnum):
    """What becomes of a game in which a player fails. It is recorded in any case."""

    FORFEIT = "forfeit"
    """Whoever fails comes last; a random player takes the seat, so that the game goes on for the others."""
    SUBSTITUTE = "substitute"
    """A random player takes the seat, and what it reaches there counts."""
    VOID = "void"
    """The game counts for nobody."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may use. Seconds, MiB."""

    move_seconds: Annotated[float, Meta(gt=0, le=86_400)] = 10.0
    """For each decision."""
    bank_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    """For each seat and game, to be used when those for a decision are over."""
    start_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 30.0
    """For a program to start, and to be ready for a game."""
    memory_mib: Annotated[int, Meta(ge=16, le=1 << 20)] = 2048
    """Address space of a program."""
    file_mib: Annotated[int, Meta(ge=0, le=1 << 20)] = 64
    """Size of any file that a program writes."""
    open_files: Annotated[int, Meta(ge=8, le=1 << 16)] = 256


class Stop(Struct, frozen=True, forbid_unknown_fields=True):
    """When to stop early: as soon as it is clear enough which share of opponents the first player beats."""

    low: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    high: Annotated[float, Meta(gt=0, lt=1)] = 0.55
    """More than ``low``."""
    error: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """How often it may decide for the one where the other is true."""


class Service(Struct, frozen=True, forbid_unknown_fields=True):
    """Where games are played, if not here."""

    server: str
    """``host:port``."""
    tls: bool = False


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament. Games, their seeds and all that players draw follow from it."""

    game: str
    players: tuple[Entrant, ...]
    seats: int | None = None
    """As few as the game can be played with, if not given."""
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 100
    """At least so many: whole blocks are played. In a Swiss tournament and a knockout, at each table of each round."""
    rounds: Annotated[int, Meta(ge=1, le=100)] | None = None
    """Of a Swiss tournament; as many as halvings of the field leave one, if not given."""
    format: Format = Format.ROUND_ROBIN
    seed: str = ""
    """64 hexadecimal digits."""
    options: dict[str, Any] = {}
    """Fields of the game's ``Options``."""
    on_failure: OnFailure = OnFailure.FORFEIT
    stop: Stop | None = None
    """Play all games unless given."""
    limits: Limits = Limits()
    service: Service | None = None
    """Play here unless given."""

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return game_of(self.game)

    @property
    def table(self) -> int:
        """How many seats there are."""
        return self.rules.seats[0] if self.seats is None else self.seats

    @property
    def game_options(self) -> Any:
        """The options as the game takes them. Raises BadSettings for what are none."""
        try:
            return options_of(self.rules, self.options)
        except TypeError as error:
            raise BadSettings(f"These are no options of {self.game}: {error}.") from None

    @property
    def deals_anew(self) -> bool:
        """Whether each game has a deal of its own, from a seed that the service draws.

        A service tells the seed of a game that is over. So whoever plays through its API would know the deal of the
        block's other games.
        """
        return self.service is not None and any(one.uses_api for one in self.players)


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file, unchecked. Raises OSError, BadSettings."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadSettings(f"{path}: {error}.") from None


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Return settings from what TOML or JSON hold, unchecked. Raises BadSettings."""
    try:
        return msgspec.convert(values, Settings)
    except msgspec.ValidationError as error:
        raise BadSettings(f"The settings cannot be used: {error}.") from None


def require_playable(settings: Settings) -> None:
    """Raise BadSettings if this tournament cannot be played here."""
    if not SEED.fullmatch(settings.seed):
        raise BadSettings(
            f"The seed has to be {2 * SEED_BYTES} hexadecimal digits in lower case, not {settings.seed!r}."
        )
    if settings.stop is not None and settings.stop.low >= settings.stop.high:
        raise BadSettings(f"To stop early the lower share has to be less than {settings.stop.high}.")
    _require_game(settings)
    _require_players(settings)
    _require_format(settings)


def _require_game(settings: Settings) -> None:
    try:
        rules = settings.rules
    except KeyError as error:
        raise BadSettings(str(error.args[0])) from None
    options = settings.game_options
    if settings.table not in rules.seats:
        raise BadSettings(
            f"{rules.title} is played with {', '.join(map(str, rules.seats))} seats, not {settings.table}."
        )
    try:
        rules.setup(options, settings.table)
    except (BadOptions, TypeError, ValueError) as error:
        raise BadSettings(f"{rules.title} cannot be set up like this: {error}") from None


def _require_players(settings: Settings) -> None:
    players = settings.players
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise BadSettings(f"A tournament has 2 to {MOST_PLAYERS} players, not {len(players)}.")
    for one, other in combinations(players, 2):
        if one.name == other.name:
            raise BadSettings(f"Two players are called {one.name!r}. Name them apart: first={one.player}.")
    for one in players:
        if one.uses_api and settings.service is None:
            raise BadSettings(f"{one.name} plays through the API: name a service with --server HOST:PORT.")
        try:
            checked(one)
        except UnusablePlayer as error:
            raise BadSettings(str(error)) from None


def _require_format(settings: Settings) -> None:
    form = settings.format
    if settings.rounds is not None and form is not Format.SWISS:
        raise BadSettings(f"Only a Swiss tournament has a number of rounds, not a {form}.")
    if form is Format.SWISS and len(settings.players) < settings.table:
        raise BadSettings(f"A Swiss tournament needs as many players as seats, {settings.table}.")
    if form in (Format.SWISS, Format.KNOCKOUT) and settings.stop is not None:
        raise BadSettings(f"A {form} cannot be stopped early: who meets next depends on every game.")
