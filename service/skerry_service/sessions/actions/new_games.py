"""What new games begin with: the cell and the ruleset.

A replica that has a new ruleset serves beside replicas that lack it. A session of that ruleset would be unsupported
there. So during a roll-out new games keep the earlier ruleset until all live replicas support the new one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence

from skerry_games.api import AnyGame, BadOptions
from skerry_games.catalogue import added_editions, all_games, earlier_rulesets
from skerry_games.editions import edition_of
from skerry_service.domain.errors import GameNotFound
from skerry_service.domain.languages.phrases import phrase, quoted
from skerry_service.domain.table import unpack_options

_log = logging.getLogger(__name__)

Rulesets = Mapping[str, Collection[str]]
"""The rulesets that a build supports, by game."""


class NewGames:
    """Chooses the ruleset of new games. Sessions that exist keep theirs."""

    def __init__(
        self, replicas: Callable[[], Collection[Rulesets]] = tuple, fixed: Collection[str] = (), cell: str = ""
    ) -> None:
        """``replicas``: returns what each other live replica supports.

        ``fixed``: rulesets of new games that the operator has chosen; for other games the newest shared one holds.
        ``cell``: that of the installation; empty without one.
        """
        self.cell = cell
        self._replicas = replicas
        self._fixed = frozenset(fixed)
        self._held: dict[str, str] = {}
        """The ruleset of each game that is not the newest one of this build."""

    def game(self, game_id: str) -> AnyGame | None:
        """Return the game under the ruleset of new games; ``None`` for an unknown game.

        Without a ruleset that all live replicas support, that is the newest one of this build.
        """
        supported = rulesets_of(game_id)
        if len(supported) < 2:
            return next(iter(supported), None)
        chosen = next((one for one in supported if one.ruleset in self._fixed), None) or self._shared(supported)
        self._report(supported[0], chosen)
        return chosen

    def edition(self, game: AnyGame, edition: str) -> AnyGame:
        """Return a game with the components of an edition; an empty name means those of the house.

        Raises BadOptions if the edition is unknown, or if a live replica does not have it.
        """
        found = edition_of(game, edition)
        if found is game:
            return game
        others = [each[game.id] for each in self._replicas() if game.id in each]
        if not all(found.ruleset in each for each in others):
            raise BadOptions("edition", phrase("options-edition-missing", edition=quoted(edition)))
        return found

    def with_options(self, game_id: str, options: bytes) -> AnyGame:
        """Return the game under the ruleset of new games, with the edition that packed options name.

        Raises GameNotFound, and BadOptions, as ``edition``.
        """
        game = self.game(game_id)
        if game is None:
            raise GameNotFound(game_id)
        return self.edition(game, unpack_options(game_id, options).edition)

    def successor(self, game: AnyGame) -> AnyGame:
        """Return the game under the ruleset of new games, with the components of the same edition.

        Raises BadOptions, as ``edition``.
        """
        return self.edition(self.game(game.id) or game, game.editions[0])

    def all(self) -> Sequence[AnyGame]:
        """Return every game under the ruleset of new games, by id."""
        return [game for game_id in all_games() if (game := self.game(game_id)) is not None]

    def _shared(self, supported: Sequence[AnyGame]) -> AnyGame:
        game_id = supported[0].id
        others = [each[game_id] for each in self._replicas() if game_id in each]
        shared = (one for one in supported if all(one.ruleset in each for each in others))
        return next(shared, supported[0])

    def _report(self, newest: AnyGame, chosen: AnyGame) -> None:
        before = self._held.get(newest.id, newest.ruleset)
        if chosen.ruleset != before:
            self._held[newest.id] = chosen.ruleset
            _log.warning("new games of %s begin with the ruleset %s, not %s", newest.id, chosen.ruleset, before)


def rulesets_of(game_id: str) -> Sequence[AnyGame]:
    """Return a game under each ruleset that this build supports, the newest first; nothing for an unknown game."""
    newest = all_games().get(game_id)
    if newest is None:
        return ()
    earlier = (game for game in earlier_rulesets().values() if game.id == game_id)
    return (newest, *sorted(earlier, key=_number, reverse=True))


def supported_rulesets() -> Mapping[str, tuple[str, ...]]:
    """Return the rulesets that this process supports, by game, with those of editions."""
    return {
        game_id: tuple(game.ruleset for game in (*rulesets_of(game_id), *added_editions(game_id)))
        for game_id in all_games()
    }


def _number(game: AnyGame) -> tuple[int, str]:
    """Return the number of a ruleset such as ``kreta-2``, for comparison; of others, their name."""
    number = game.ruleset.rpartition("-")[2]
    return (int(number) if number.isdecimal() else -1, game.ruleset)
