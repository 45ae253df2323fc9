"""The tables of a knockout. The best player of each table advances.

Several best players meet in play-offs, as many as the settings allow, and then the lot decides. The lot follows from
the seed of the tournament. Players without a table advance and are seated first in the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from skerry_games.pairing.form import TournamentForm
from skerry_games.pairing.match import Match, Players
from skerry_games.pairing.plan import shuffled


class DecidedBy(StrEnum):
    """The reason why a player advances."""

    RESULT = "result"
    PLAYOFF = "play-off"
    LOT = "lot"


class KnockoutTable(Struct, frozen=True):
    """A table of a knockout with its play-offs."""

    match: Match
    playoffs: tuple[Match, ...]
    best: Players
    """The players that can still advance. One, once the table is decided."""
    by: DecidedBy | None
    """``None`` before the table is decided."""


class Stage(Struct, frozen=True):
    """A round of a knockout with its play-offs."""

    byes: Players
    """The players without a table, who advance."""
    tables: tuple[KnockoutTable, ...]

    @property
    def undecided(self) -> tuple[Players, ...]:
        """The players of each play-off that is missing."""
        return tuple([table.best for table in self.tables if table.by is None])

    @property
    def advancing(self) -> Players:
        """The players of the next round, once all tables are decided."""
        return (*self.byes, *[table.best[0] for table in self.tables])


def stages(settings: TournamentForm, played: Sequence[Sequence[Match]]) -> list[Stage]:
    """Return the rounds of a knockout. ``played``: the matches of each round and of each round of play-offs."""
    found: list[Stage] = []
    left = seeding(settings)
    for number, (matches, *playoffs) in enumerate(_by_stage(played)):
        met = {one for match in matches for one in match.table}
        byes = tuple([one for one in left if one not in met])
        tables = [_decided(settings, match, playoffs, f"lot of table {at}", number) for at, match in enumerate(matches)]
        found.append(Stage(byes, tuple(tables)))
        left = found[-1].advancing
    return found


def seeding(settings: TournamentForm) -> Players:
    """Return all players in the random order of the first round."""
    return shuffled(settings, "knockout", 0, tuple(range(len(settings.players))))


def next_tables(settings: TournamentForm, played: Sequence[Sequence[Match]]) -> tuple[tuple[Players, ...], int]:
    """Return the next tables, none after the end, and the number of their play-off, 0 for a new round."""
    so_far = stages(settings, played)
    if so_far and so_far[-1].undecided:
        return so_far[-1].undecided, played[-1][0].playoff + 1
    left = so_far[-1].advancing if so_far else seeding(settings)
    return (() if len(left) == 1 else _tables_of(left, settings.table)), 0


def winner(settings: TournamentForm, played: Sequence[Sequence[Match]]) -> int | None:
    """Return the winner; ``None`` before the end."""
    so_far = stages(settings, played)
    if not so_far or so_far[-1].undecided or len(so_far[-1].advancing) > 1:
        return None
    return so_far[-1].advancing[0]


def _by_stage(played: Sequence[Sequence[Match]]) -> Iterable[list[Sequence[Match]]]:
    """Return each round, followed by its play-offs."""
    found: list[list[Sequence[Match]]] = []
    for matches in played:
        if matches[0].playoff:
            found[-1].append(matches)
        else:
            found.append([matches])
    return found


def _decided(
    settings: TournamentForm, match: Match, playoffs: Sequence[Sequence[Match]], purpose: str, number: int
) -> KnockoutTable:
    best, own = match.best, list[Match]()
    for matches in playoffs:
        if len(best) > 1:
            own.append(next(one for one in matches if one.table == best))
            best = own[-1].best
    if len(best) == 1:
        return KnockoutTable(match, tuple(own), best, DecidedBy.PLAYOFF if own else DecidedBy.RESULT)
    if len(own) < settings.playoffs:
        return KnockoutTable(match, tuple(own), best, None)
    return KnockoutTable(match, tuple(own), shuffled(settings, purpose, number, best)[:1], DecidedBy.LOT)


def _tables_of(left: Players, seats: int) -> tuple[Players, ...]:
    """Return as many full tables as possible; one table of all players if they are too few."""
    if len(left) < seats:
        return (left,)
    return tuple([left[at : at + seats] for at in range(0, len(left) - seats + 1, seats)])
