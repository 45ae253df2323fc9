"""The course of a tournament in rounds: its tables, the bracket of a knockout, and the final places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_games.pairing import knockout, places, rounds
from skerry_games.pairing.form import Format, TieBreak
from skerry_games.pairing.knockout import DecidedBy
from skerry_games.pairing.match import Match

_DIGITS: Final = 6


class RoundTable(Struct, frozen=True):
    """A table of a round."""

    players: tuple[str, ...]
    shares: tuple[float | None, ...]
    """The share of opponents that each player has beaten there."""
    playoff: int = 0
    """The number of the play-off, from 1; 0 for a table of the round itself."""


class BracketTable(Struct, frozen=True):
    """A table of a knockout with its decision."""

    players: tuple[str, ...]
    shares: tuple[float | None, ...]
    playoffs: int
    """The number of play-offs so far."""
    advancing: str | None
    """``None`` before the table is decided."""
    by: DecidedBy | None


class FinalPlace(Struct, frozen=True):
    """The final place of a player."""

    place: int
    """From 1. Players that share a place leave the following places empty."""
    name: str
    result: float | None
    """Swiss: the mean share of opponents beaten at its tables."""
    buchholz: float | None
    """Swiss: the mean result of the opponents that it met."""
    by: tuple[TieBreak, ...]
    """Swiss: the tie-breaks that separated it from players with the same result."""


class Cup(Struct, frozen=True, kw_only=True):
    """The course of a tournament in rounds. Empty for other formats."""

    rounds: tuple[tuple[RoundTable, ...], ...] = ()
    """The complete rounds, with play-offs as rounds of their own."""
    bracket: tuple[tuple[BracketTable, ...], ...] = ()
    """The complete rounds of a knockout, each with its play-offs."""
    places: tuple[FinalPlace, ...] = ()
    """The best first. Empty before the end."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The players in first place, several if they share it; none before the end."""
        return tuple([one.name for one in self.places if one.place == 1])


def planned(settings: Settings, results: Sequence[Result]) -> int:
    """Return the number of games that are planned after these results, which are in the order of the plan."""
    return rounds.total(settings, rounds.begun(settings, {result.game: result for result in results}))


def cup(settings: Settings, results: Sequence[Result]) -> Cup:
    """Return the course of a tournament so far."""
    if settings.format not in rounds.IN_ROUNDS:
        return Cup()
    names = [one.name for one in settings.players]
    finished = {result.game: result for result in results}
    over = [one for one in rounds.begun(settings, finished) if one.is_over(finished)]
    played = [one.matches(settings, finished) for one in over]
    found = Cup(rounds=tuple([tuple([_table(names, match) for match in matches]) for matches in played]))
    if settings.format is Format.SWISS:
        ended = len(played) == rounds.rounds_of_swiss(settings)
        every = [match for matches in played for match in matches]
        final = places.of_swiss(settings, every, results) if ended else []
        return Cup(rounds=found.rounds, places=_places(names, final))
    stages = knockout.stages(settings, played)
    bracket = tuple([tuple([_decision(names, table) for table in stage.tables]) for stage in stages])
    return Cup(rounds=found.rounds, bracket=bracket, places=_places(names, places.of_knockout(settings, played)))


def _table(names: Sequence[str], match: Match) -> RoundTable:
    return RoundTable(tuple([names[one] for one in match.table]), _rounded(match.shares), match.playoff)


def _decision(names: Sequence[str], table: knockout.KnockoutTable) -> BracketTable:
    match = table.match
    return BracketTable(
        tuple([names[one] for one in match.table]),
        _rounded(match.shares),
        len(table.playoffs),
        None if table.by is None else names[table.best[0]],
        table.by,
    )


def _places(names: Sequence[str], final: Sequence[places.Placing]) -> tuple[FinalPlace, ...]:
    results, buchholz = _rounded([one.result for one in final]), _rounded([one.buchholz for one in final])
    return tuple(
        [
            FinalPlace(one.place, names[one.player], result, strength, one.by)
            for one, result, strength in zip(final, results, buchholz, strict=True)
        ]
    )


def _rounded(values: Sequence[float | None]) -> tuple[float | None, ...]:
    return tuple([None if value is None else round(value, _DIGITS) for value in values])
