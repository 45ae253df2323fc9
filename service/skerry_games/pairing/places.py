"""The final places of a Swiss tournament or a knockout. Players that no rule separates share a place.

Swiss: by the mean share of opponents beaten at their tables, then by the tie-breaks of the settings in their order.
Knockout: the winner, then the players of the last table by their shares there, then those who lost in the round before,
and so on. All who lost in the same earlier round share a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Final

from msgspec import Struct

from skerry_games.pairing import knockout
from skerry_games.pairing.form import TieBreak, TournamentForm
from skerry_games.pairing.match import FinishedGame, Match, share_in
from skerry_games.pairing.swiss import mean_shares

_DIGITS: Final = 9
Values = Mapping[int, float]


class Placing(Struct, frozen=True):
    """The final place of a player."""

    player: int
    place: int
    """From 1. Players that share a place leave the following places empty."""
    result: float | None = None
    """Swiss: the mean share of opponents beaten at its tables. ``None`` if no game counts."""
    buchholz: float | None = None
    """Swiss: the mean result of the opponents that it met."""
    by: tuple[TieBreak, ...] = ()
    """Swiss: the tie-breaks that separated it from players with the same result."""


def of_knockout(settings: TournamentForm, played: Sequence[Sequence[Match]]) -> list[Placing]:
    """Return the places of a knockout; none before its end."""
    won = knockout.winner(settings, played)
    if won is None:
        return []
    *earlier, last = knockout.stages(settings, played)
    final = last.tables[0].match
    shares = {one: -1.0 if share is None else share for one, share in zip(final.table, final.shares, strict=True)}
    groups = [[won], *_split([one for one in final.table if one != won], shares)]
    for stage in reversed(earlier):
        groups.append([one for table in stage.tables for one in table.match.table if one not in table.best])
    return [Placing(one, place) for place, group in _numbered(groups) for one in group]


def of_swiss(settings: TournamentForm, matches: Sequence[Match], results: Sequence[FinishedGame]) -> list[Placing]:
    """Return the places of a Swiss tournament after all its matches. ``results``: their games."""
    shares = mean_shares(len(settings.players), matches)
    known = {one: -1.0 if share is None else share for one, share in enumerate(shares)}
    opponents = _opponents(len(settings.players), matches)
    breaks: dict[TieBreak, Callable[[Sequence[int]], Values]] = {
        TieBreak.BUCHHOLZ: lambda group: {one: _buchholz(opponents[one], shares) or 0.0 for one in group},
        TieBreak.HEAD_TO_HEAD: lambda group: _head_to_head(settings, group, opponents, results),
    }
    by: dict[int, list[TieBreak]] = {one: [] for one in known}

    def ordered(group: list[int], left: Sequence[TieBreak]) -> Iterator[list[int]]:
        if len(group) == 1 or not left:
            yield group
            return
        parts = list(_split(group, breaks[left[0]](group)))
        for part in parts:
            for one in part if len(parts) > 1 else ():
                by[one].append(left[0])
            yield from ordered(part, left[1:])

    groups = [part for group in _split(list(known), known) for part in ordered(group, settings.tie_breaks)]
    return [
        Placing(one, place, shares[one], _buchholz(opponents[one], shares), tuple(by[one]))
        for place, group in _numbered(groups)
        for one in group
    ]


def _split(group: Sequence[int], values: Values) -> Iterator[list[int]]:
    """Yield the players with equal values together, the largest value first, in the order of the settings."""
    rounded = {one: round(values[one], _DIGITS) for one in group}
    for _, equal in groupby(sorted(group, key=lambda one: (-rounded[one], one)), key=lambda one: rounded[one]):
        yield list(equal)


def _numbered(groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, Sequence[int]]]:
    place = 1
    for group in groups:
        yield place, group
        place += len(group)


def _opponents(players: int, matches: Sequence[Match]) -> dict[int, list[int]]:
    """Return the opponents of each player, once for each match that counts."""
    found: dict[int, list[int]] = {one: [] for one in range(players)}
    for match in matches:
        for one, share in zip(match.table, match.shares, strict=True):
            met = [other for other in match.table if other != one] if share is not None else []
            found[one].extend(met)
    return found


def _buchholz(opponents: Sequence[int], shares: Sequence[float | None]) -> float | None:
    """Return the mean result of the opponents. A mean, because players that sat out have met fewer."""
    known = [share for one in opponents if (share := shares[one]) is not None]
    return sum(known) / len(known) if known else None


def _head_to_head(
    settings: TournamentForm,
    group: Sequence[int],
    opponents: Mapping[int, Sequence[int]],
    results: Sequence[FinishedGame],
) -> Values:
    """Return the share of each other that equal players have beaten; equal values unless all of them have met."""
    if any(other not in opponents[one] for one, other in combinations(group, 2)):
        return dict.fromkeys(group, 0.0)
    names = {one: settings.players[one].name for one in group}
    return {one: share_in(results, names[one], names.values()) or 0.0 for one in group}
