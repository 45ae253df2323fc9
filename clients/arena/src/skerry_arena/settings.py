"""The settings of a tournament, from a TOML file or from flags. The arena checks them before it plays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from skerry_arena.entrants import Entrant, UnusablePlayer, checked
from skerry_games.api import AnyGame, BadOptions
from skerry_games.editions import with_options
from skerry_games.editions.edition_files import EDITIONS_VARIABLE
from skerry_games.pairing.form import PAIR, Format, TieBreak
from skerry_games.pairing.plan import lineups
from skerry_games.position import game_of, options_of
from skerry_games.rng import SEED_BYTES

MOST_PLAYERS: Final = 32
MOST_GAMES: Final = 1_000_000
SEED: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")

_BOT: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
HOSTED_TIE_BREAKS: Final = (TieBreak.BUCHHOLZ, TieBreak.HEAD_TO_HEAD)
HOSTED_PLAYOFFS: Final = 5
"""What a service that holds a tournament uses."""


class BadSettings(ValueError):
    """Invalid settings of a tournament. The message is a sentence."""


class OnFailure(StrEnum):
    """The consequence of a failure of a player. The log records every failure."""

    FORFEIT = "forfeit"
    """The player comes last in the game. A random player takes the seat and plays on for the others."""
    SUBSTITUTE = "substitute"
    """A random player takes the seat, and its result counts for the player that failed."""
    VOID = "void"
    """The game does not count."""


class Sandbox(StrEnum):
    """Whether programs run in bubblewrap, without network and with files that they can only read."""

    AUTO = "auto"
    """Where bubblewrap works."""
    REQUIRED = "required"
    """Always. Without bubblewrap, the tournament does not begin."""
    OFF = "off"
    """Never."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What players are allowed: times in seconds, sizes in MiB, and for programs the tries of a decision."""

    move_seconds: Annotated[float, Meta(gt=0, le=86_400)] = 10.0
    """Time for each decision."""
    bank_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    """Additional time for each seat and game."""
    start_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 30.0
    """Time until a program has started, and until it is ready for a game."""
    memory_mib: Annotated[int, Meta(ge=16, le=1 << 20)] = 2048
    """The memory of a program: the address space of each process, and the memory of all together."""
    file_mib: Annotated[int, Meta(ge=0, le=1 << 20)] = 64
    """The size of any file that a program writes."""
    open_files: Annotated[int, Meta(ge=8, le=1 << 16)] = 256
    processors: Annotated[int, Meta(ge=1, le=1024)] | None = None
    """The processors of a program. Default: all."""
    sandbox: Sandbox = Sandbox.AUTO
    network: bool = False
    """Whether programs in a sandbox have the network. Programs that use the API always have it."""
    retries: Annotated[int, Meta(ge=0, le=20)] = 0
    """How often a program may answer a decision again, within its time, after an illegal or unreadable answer."""
    unlisted: bool = False
    """Whether no program gets a list of legal moves. Otherwise, each program chooses."""


class Stop(Struct, frozen=True, forbid_unknown_fields=True):
    """The rule for an early stop: the tournament ends once one of two shares clearly fits the first player better."""

    low: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    high: Annotated[float, Meta(gt=0, lt=1)] = 0.55
    """Must be more than ``low``."""
    error: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """The probability of a wrong decision if one of the two shares is true."""


class Service(Struct, frozen=True, forbid_unknown_fields=True):
    """The service on which the games are played."""

    server: str
    """``host:port``."""
    tls: bool = False
    hosted: bool = False
    """Whether the service holds the tournament: it pairs the players, as registered bots, and begins the games."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a tournament. They fix its games, the seeds and the players' random numbers."""

    game: str
    players: tuple[Entrant, ...]
    seats: int | None = None
    """Default: the smallest number that the game allows."""
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 100
    """The least number of games, rounded up to whole blocks. In rounds, it applies to each table of each round."""
    rounds: Annotated[int, Meta(ge=1, le=100)] | None = None
    """The number of rounds of a Swiss tournament. Default: the binary logarithm of the players, rounded up."""
    tie_breaks: tuple[TieBreak, ...] = HOSTED_TIE_BREAKS
    """The rules for the places of players with the same result in a Swiss tournament, in their order."""
    playoffs: Annotated[int, Meta(ge=0, le=100)] = HOSTED_PLAYOFFS
    """The most play-offs at a table of a knockout. After them, the lot decides."""
    format: Format = Format.ROUND_ROBIN
    seed: str = ""
    """64 hexadecimal digits."""
    options: dict[str, Any] = {}
    """Fields of the game's ``Options``. ``edition`` names an edition of this process."""
    on_failure: OnFailure = OnFailure.FORFEIT
    stop: Stop | None = None
    """Default: the tournament plays all games."""
    limits: Limits = Limits()
    service: Service | None = None
    """Default: the arena itself plays the games."""

    @property
    def rules(self) -> AnyGame:
        """The game, with the components of the edition that the options name. Raises KeyError, BadOptions."""
        return with_options(game_of(self.game), self.options)

    @property
    def table(self) -> int:
        """The number of seats."""
        return self.rules.seats[0] if self.seats is None else self.seats

    @property
    def game_options(self) -> Any:
        """The options as a value of the game. Raises BadSettings for invalid ones."""
        try:
            return options_of(self.rules, self.options)
        except TypeError as error:
            raise BadSettings(f"Invalid options of {self.game}: {error}.") from None

    @property
    def deals_anew(self) -> bool:
        """Whether each game has a deal of its own, from a seed that the service draws.

        A service publishes the seed of a finished game, so a program that plays through the API could learn the deal
        of the other games of the block.
        """
        service = self.service
        return service is not None and (service.hosted or any(one.uses_api for one in self.players))

    @property
    def meetings(self) -> int:
        """The number of blocks at each table, if a service holds the tournament."""
        return -(-self.games // (self.table * self._tables))

    @property
    def planned_by_server(self) -> int:
        """``games`` as a service plans it that holds the tournament."""
        return self.meetings * self.table * self._tables

    @property
    def _tables(self) -> int:
        """The tables whose games ``games`` counts."""
        if self.format in (Format.SWISS, Format.KNOCKOUT):
            return 1
        return len(lineups(self.format, len(self.players), self.table))


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file without checking them. Raises OSError, BadSettings."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadSettings(f"{path}: {error}.") from None


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Return settings from values of TOML or JSON without checking them. Raises BadSettings."""
    try:
        return msgspec.convert(values, Settings)
    except msgspec.ValidationError as error:
        raise BadSettings(f"Invalid settings: {error}.") from None


def require_playable(settings: Settings) -> None:
    """Raise BadSettings if this tournament cannot be played."""
    if not SEED.fullmatch(settings.seed):
        raise BadSettings(f"The seed has {2 * SEED_BYTES} hexadecimal digits in lower case, not {settings.seed!r}.")
    if settings.stop is not None and settings.stop.low >= settings.stop.high:
        raise BadSettings(f"stop: The lower share must be less than the higher one, {settings.stop.high}.")
    _require_game(settings)
    _require_players(settings)
    _require_format(settings)
    if settings.service is not None and settings.service.hosted:
        _require_hosted(settings)


def _require_hosted(settings: Settings) -> None:
    for one in settings.players:
        if not _BOT.fullmatch(one.name):
            raise BadSettings(
                f"{one.name!r} is no name of a registered bot: a lower-case letter and up to 31 of a-z, 0-9 and -. "
                f"Name the player, for example: gull={one.player}"
            )
        if one.uses_api:
            raise BadSettings(f"{one.name} plays through the API. Omit --hosted, or enter it by its own program.")
    if len(settings.players) < settings.table:
        raise BadSettings(f"A tournament that a service holds needs at least {settings.table} players.")
    if settings.stop is not None or settings.on_failure is not OnFailure.FORFEIT:
        raise BadSettings("A service that holds a tournament plays all games. Omit stop and on_failure.")
    if settings.tie_breaks != HOSTED_TIE_BREAKS or settings.playoffs != HOSTED_PLAYOFFS:
        raise BadSettings("A service that holds a tournament has its own tie-breaks, and five play-offs.")


def _require_game(settings: Settings) -> None:
    try:
        rules = settings.rules
    except KeyError as error:
        raise BadSettings(str(error.args[0])) from None
    except BadOptions as error:
        raise BadSettings(f"{error.sentence} Load others with --editions or {EDITIONS_VARIABLE}.") from None
    options = settings.game_options
    if settings.table not in rules.seats:
        raise BadSettings(f"{rules.title} has {', '.join(map(str, rules.seats))} seats, not {settings.table}.")
    try:
        rules.setup(options, settings.table)
    except (BadOptions, TypeError, ValueError) as error:
        raise BadSettings(f"{rules.title} does not allow these options: {error}") from None


def _require_players(settings: Settings) -> None:
    players = settings.players
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise BadSettings(f"A tournament has 2 to {MOST_PLAYERS} players, not {len(players)}.")
    for one, other in combinations(players, 2):
        if one.name == other.name:
            raise BadSettings(f"Two players have the name {one.name!r}. Give them different names: first={one.player}.")
    for one in players:
        if one.uses_api and settings.service is None:
            raise BadSettings(f"{one.name} plays through the API. Add the address of a service: --server HOST:PORT.")
        try:
            checked(one)
        except UnusablePlayer as error:
            raise BadSettings(str(error)) from None


def _require_format(settings: Settings) -> None:
    form = settings.format
    if settings.rounds is not None and form is not Format.SWISS:
        raise BadSettings(f"rounds: Only a Swiss tournament has a number of rounds, not a {form}.")
    if form is Format.SWISS and len(settings.players) < settings.table:
        raise BadSettings(f"A Swiss tournament needs at least as many players as seats, {settings.table}.")
    if form in (Format.SWISS, Format.KNOCKOUT) and settings.stop is not None:
        raise BadSettings(f"stop: A {form} cannot stop early, because the next round depends on every game.")
    if len(set(settings.tie_breaks)) < len(settings.tie_breaks):
        raise BadSettings("tie_breaks: A rule appears twice.")
    if form is Format.SWISS and settings.table == PAIR:
        _require_matching()


def _require_matching() -> None:
    if find_spec("networkx") is None:
        raise BadSettings("A Swiss tournament of pairs needs networkx: pip install 'skerry-arena[swiss]'.")
