"""Tournaments as callers use them, and what the background does for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.errors import (
    InvalidField,
    NameTaken,
    NotAllowed,
    RequestIdReused,
    RulesetUnsupported,
    SkerryError,
    StoreFull,
    StoreUnavailable,
    TokenInvalid,
    TokenMissing,
    TournamentClosed,
)
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.seating.display_names import look_alike
from skerry_service.domain.tokens import Role, digest, digest_of_sent, new_token, require_join_code
from skerry_service.ladders.bot_registry import BotRegistry
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.resources.lease import ResourceLease
from skerry_service.sessions.resources.resource_upkeep import Pace, ResourceUpkeep
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_course import EntrantStanding
from skerry_service.tournaments.tournament_creation import TournamentCreation
from skerry_service.tournaments.tournament_readings import TournamentReadings, TournamentTable
from skerry_service.tournaments.tournament_records import (
    BegunGame,
    StoredTournament,
    TournamentEntrant,
    TournamentResult,
    TournamentState,
)
from skerry_service.tournaments.tournament_rounds import TournamentRounds
from skerry_service.tournaments.tournament_store import TournamentData

MOST_ENDED = 1_000
"""Ended tournaments that are kept. Those that never started are removed first, then the oldest."""
_ATTEMPTS = 40
_FIRST_TO_END = 900_000_000
"""The position of game 0 after its end. All other games that are over come before it, and all in play before them."""
_WAITING_MS = 60 * 86_400_000
"""How long a tournament waits for its organizer to start it."""
_UNBORN_MS = 60_000
"""How long a listed tournament may be missing before it is no longer listed."""
_log = logging.getLogger(__name__)


class TournamentProgress(Struct, frozen=True):
    """A tournament with its games and results."""

    tournament: StoredTournament
    in_play: Mapping[int, BegunGame]
    results: Mapping[int, TournamentResult]

    def games_of(self, entrant: int) -> list[int]:
        """Return the numbers of the games of an entrant: those in play, then the others, the latest first. 0: all."""
        if not entrant:
            return [*self.in_play, *sorted(self.results, reverse=True)]
        found = next((at for at, one in enumerate(self.tournament.entrants) if one.number == entrant), None)
        if found is None:
            return []
        name = self.tournament.entrants[found].name
        over = [number for number, result in self.results.items() if name in result.lineup]
        return [*[number for number, game in self.in_play.items() if found in game.lineup], *sorted(over, reverse=True)]

    def position(self, game: int) -> int:
        """Return the position of a game, by which the games are sorted, from 1. It changes only when the game ends."""
        return game + 1 if game in self.in_play else _FIRST_TO_END - game


class Tournaments:
    """The tournaments of a store, as one replica serves them."""

    def __init__(
        self,
        store: Store,
        tables: TableCache,
        committer: Committer,
        bots: BotRegistry,
        new_games: NewGames,
        clock_ms: Callable[[], int],
    ) -> None:
        self._bots = bots
        self._clock_ms = clock_ms
        self._data = TournamentData(store.resources)
        self._readings = TournamentReadings(self._data)
        self._rounds = TournamentRounds(store, tables, committer, self._data)
        self._lease = ResourceLease("tournaments", store)
        self._upkeep = ResourceUpkeep("tournaments", self.look)
        self.creation = TournamentCreation(self._data, new_games, clock_ms, self._upkeep.wake)
        self._entering = asyncio.Lock()  # or entries at once fail each other's compare-and-set

    # ------------------------------------------------------------ calls

    async def enter_bot(
        self, name: str, bot: str, key: str, code: str
    ) -> tuple[StoredTournament, TournamentEntrant, str]:
        """Enter a bot of an API key. Return the tournament, the entrant and its token. A repeat returns the same.

        ``code``: the join code, as sent. Raises ApiKeyMissing, BotNotFound, NotAllowed, TournamentNotFound,
        JoinCodeWrong, TournamentClosed, NameTaken.
        """
        await self._bots.own(bot, key)
        async with self._entering:
            return await self._enter(name, b"bot " + bot.encode(), bot, code, bot=bot)

    async def enter_person(
        self, name: str, display_name: str, player_id: str, request_id: bytes, code: str
    ) -> tuple[StoredTournament, TournamentEntrant, str]:
        """Enter a person. Return the tournament, the entrant and its token. A repeat returns the same.

        ``code``: the join code, as sent. Raises TournamentNotFound, JoinCodeWrong, TournamentClosed, NameTaken.
        """
        async with self._entering:
            return await self._enter(name, b"person " + request_id, display_name, code, player_id=player_id)

    async def _enter(
        self, name: str, request: bytes, display_name: str, code: str, *, bot: str = "", player_id: str = ""
    ) -> tuple[StoredTournament, TournamentEntrant, str]:
        for _ in range(_ATTEMPTS):
            before = await self._data.get(name)
            token = new_token(Role.SEAT, before.salt, request)
            earlier = next((one for one in before.entrants if one.token == digest(token)), None)
            if earlier is not None:
                if (earlier.name, earlier.player_id) != (display_name, player_id):
                    raise RequestIdReused
                return before, earlier, token
            require_join_code(before.join_code, code)
            _require(name, before, TournamentState.OPEN)
            if len(before.entrants) >= before.most_entrants:
                raise TournamentClosed(name, phrase("tournament-full", entrants=before.most_entrants))
            if taken := [one.name for one in before.entrants if look_alike(one.name, display_name)]:
                raise NameTaken(taken[0], "tournament")
            if player_id and any(one.player_id == player_id for one in before.entrants):
                raise InvalidField("player_id", "The player has entered. Use the entrant token of that entry.")
            entrant = TournamentEntrant(before.next_number, display_name, digest(token), bot, player_id)
            after = replace(before, entrants=(*before.entrants, entrant), next_number=before.next_number + 1)
            if await self._data.set(name, before, after):
                return after, entrant, token
        raise StoreUnavailable  # others have changed it all the time

    async def leave(self, name: str, token: str | None, entrant: int) -> StoredTournament:
        """Take an entrant out before the start: the caller, or the one that the organizer gives by number.

        ``entrant``: 0 for the caller. Raises TokenMissing, TokenInvalid, NotAllowed, InvalidField, TournamentClosed.
        """

        def left(before: StoredTournament) -> StoredTournament:
            leaving = _leaving(before, token, entrant)
            _require(name, before, TournamentState.OPEN)
            return replace(before, entrants=tuple([one for one in before.entrants if one.number != leaving]))

        return await self._change(name, left)

    async def start(self, name: str, token: str | None) -> StoredTournament:
        """Start a tournament, once. Raises TokenMissing, TokenInvalid, NotAllowed, TournamentClosed."""

        def started(before: StoredTournament) -> StoredTournament:
            _require_organizer(before, token)
            if before.state in (TournamentState.RUNNING, TournamentState.FINISHED):
                return before  # a repeated call
            _require(name, before, TournamentState.OPEN)
            if len(before.entrants) < fewest_entrants(before):
                few, needed = len(before.entrants), fewest_entrants(before)
                raise TournamentClosed(name, phrase("tournament-few", entrants=few, needed=needed))
            return replace(before, state=TournamentState.RUNNING, started_ms=self._clock_ms())

        after = await self._change(name, started)
        self._upkeep.wake()
        return after

    async def cancel(self, name: str, token: str | None) -> StoredTournament:
        """Cancel a tournament. Its games in play go on, and their results are recorded.

        Raises TokenMissing, TokenInvalid, NotAllowed, TournamentClosed.
        """
        return await self._cancel(name, lambda before: _require_organizer(before, token), "")

    async def end(self, name: str) -> StoredTournament:
        """Cancel a tournament for an operator. Raises TournamentClosed."""
        return await self._cancel(name, lambda _: None, "An operator cancelled it.")

    async def _cancel(self, name: str, authorize: Callable[[StoredTournament], None], reason: str) -> StoredTournament:
        def cancelled(before: StoredTournament) -> StoredTournament:
            authorize(before)
            if before.state is TournamentState.FINISHED:
                raise TournamentClosed(name, "it is finished")
            return before if before.state is TournamentState.CANCELLED else self._cancelled(before, reason)

        after = await self._change(name, cancelled)
        if not after.started_ms:
            await self._data.list_as(name, stored.kept_ms(after), stored.ENDED)
        self._upkeep.wake()
        return after

    def _cancelled(self, before: StoredTournament, reason: str) -> StoredTournament:
        return replace(before, state=TournamentState.CANCELLED, ended_ms=self._clock_ms(), reason=reason)

    async def _change(self, name: str, change: Callable[[StoredTournament], StoredTournament]) -> StoredTournament:
        for _ in range(_ATTEMPTS):
            before = await self._data.get(name)
            after = change(before)
            if after == before or await self._data.set(name, before, after):
                return after
        raise StoreUnavailable

    # ------------------------------------------------------------ reading

    async def course(self, name: str) -> TournamentProgress:
        """Return a tournament with its games and results. Raises TournamentNotFound."""
        in_play = await self._data.in_play(name)  # before the entrants, which stay the same once games begin
        return await self.with_results(name, TournamentProgress(await self._data.get(name), in_play, {}))

    async def with_results(self, name: str, course: TournamentProgress) -> TournamentProgress:
        """Return the course with results. A game that has ended since it was read has a result, and is not in play."""
        if not course.tournament.started_ms:
            return course
        results = await self._readings.results(name, course.tournament)
        left = {number: game for number, game in course.in_play.items() if number not in results}
        return TournamentProgress(course.tournament, left, results)

    async def playing(self, name: str, token: str | None) -> tuple[TournamentProgress, int]:
        """Return a tournament with its games in play alone, and the number of the calling entrant; 0 without a token.

        The sessions of the caller's games exist afterwards. Raises TournamentNotFound, TokenInvalid.
        """
        in_play = await self._data.in_play(name)
        tournament = await self._data.get(name)
        caller = 0 if token is None else entrant_of(tournament, token).number
        own = {
            number: game
            for number, game in in_play.items()
            if caller in [tournament.entrants[one].number for one in game.lineup]
        }
        if tournament.state is TournamentState.RUNNING:
            await self._rounds.create_missing(name, tournament, own)
        return TournamentProgress(tournament, in_play, {}), caller

    async def table(self, name: str, course: TournamentProgress) -> TournamentTable:
        """Return the standings and the complete rounds; before the start, the entrants."""
        if not course.tournament.started_ms:
            entrants = range(len(course.tournament.entrants))
            return TournamentTable([EntrantStanding(one, 0, 0, 0.0, None, None) for one in entrants], [], [], [])
        return await self._readings.table(name, course.tournament, len(course.results))

    async def all(self, first: int, count: int) -> tuple[list[tuple[str, StoredTournament]], bool]:
        """Return some tournaments, those in progress first, the newest first, and whether more follow."""
        ids = [*await self._data.ids(stored.ACTIVE), *await self._data.ids(stored.ENDED)]
        page = list(dict.fromkeys(ids))[first : first + count]
        found = [(name, one) for name in page if (one := await self._data.find(name)) is not None]
        return found, len(ids) > first + count

    # ------------------------------------------------------------ background

    async def run(self) -> None:
        """Look at all tournaments for ever, while this replica leads."""
        await self._upkeep.run()

    async def look(self) -> Pace:
        """Look at all tournaments once, if this replica leads. Return when the next look is due."""
        active = await self._data.ids(stored.ACTIVE)
        if not active:  # the lease costs an idle server more than this reading
            return Pace.EMPTY
        if not await self._lease.leads():
            return Pace.IDLE
        busy = False
        self._rounds.forget_others(active)
        for name in active:
            try:
                busy |= await self._look_at(name)
            except (StoreUnavailable, StoreFull):
                raise
            except RulesetUnsupported:  # another build may support it
                busy = True
                _log.debug("tournaments/%s has a ruleset that this build lacks", name)
            except Exception:  # the others do not depend on this one
                busy = True
                _log.exception("cannot move tournaments/%s on; trying again", name)
        for name in (await self._data.ids(stored.ENDED))[MOST_ENDED:]:
            await self._data.remove(name)
        return Pace.BUSY if busy else Pace.IDLE

    async def _look_at(self, name: str) -> bool:
        """Look at a tournament once. Return whether it has games in play or to begin."""
        tournament = await self._data.find(name)
        if tournament is None:
            await self._unlist_missing(name)
            return False
        if tournament.state is TournamentState.OPEN and self._is_due(tournament):
            tournament = await self._start_in_time(name)
        if tournament.state is TournamentState.RUNNING:
            await self._rounds.advance(name, tournament)
            return True
        if tournament.state is TournamentState.OPEN:
            return False
        if tournament.started_ms and not await self._rounds.settle(name, tournament):
            return True
        await self._data.list_as(name, stored.kept_ms(tournament), stored.ENDED)
        return False

    def _is_due(self, tournament: StoredTournament) -> bool:
        """Return whether an open tournament starts now, or has waited too long for its organizer."""
        return (tournament.start_ms or tournament.created_ms + _WAITING_MS) <= self._clock_ms()

    async def _start_in_time(self, name: str) -> StoredTournament:
        """Start a tournament at its time, or cancel it."""

        def started(before: StoredTournament) -> StoredTournament:
            if before.state is not TournamentState.OPEN:
                return before
            if not before.start_ms:
                return self._cancelled(before, "The organizer did not start it within 60 days.")
            if len(before.entrants) < fewest_entrants(before):
                return self._cancelled(before, "Too few had entered at the start.")
            return replace(before, state=TournamentState.RUNNING, started_ms=self._clock_ms())

        return await self._change(name, started)

    async def _unlist_missing(self, name: str) -> None:
        """Remove from the list what a process has listed before it died, and what is damaged."""
        listed = await self._data.listed_ms(name)
        if listed + _UNBORN_MS < self._clock_ms():
            await self._data.list_as(name, listed, None)

    async def close(self) -> None:
        """Resign."""
        with suppress(SkerryError):
            await self._lease.resign()


def fewest_entrants(tournament: StoredTournament) -> int:
    """Return how many entrants a tournament needs."""
    return max(2, tournament.seats)


def entrant_of(tournament: StoredTournament, token: str | None) -> TournamentEntrant:
    """Return the entrant that holds a token. Raises TokenMissing, TokenInvalid."""
    if token is None:
        raise TokenMissing
    known = digest_of_sent(token)
    found = next((one for one in tournament.entrants if one.token == known), None)
    if found is None:
        raise TokenInvalid
    return found


def is_organizer(tournament: StoredTournament, token: str | None) -> bool:
    """Return whether a token is that of the organizer, not of an entrant. Raises TokenMissing, TokenInvalid."""
    if token is not None and digest_of_sent(token) == tournament.organizer:
        return True
    entrant_of(tournament, token)
    return False


def _leaving(tournament: StoredTournament, token: str | None, entrant: int) -> int:
    """Return the number of the entrant that a caller takes out, which can have left. See ``Tournaments.leave``."""
    if is_organizer(tournament, token):
        if not 0 < entrant < tournament.next_number:
            raise InvalidField("entrant", phrase("field-entrant", entrant=entrant))
        return entrant
    own = entrant_of(tournament, token).number
    if entrant not in (0, own):
        raise NotAllowed("Only the organizer can remove another entrant. Send the organizer token.")
    return own


def _require_organizer(tournament: StoredTournament, token: str | None) -> None:
    if not is_organizer(tournament, token):
        raise NotAllowed("Only the organizer can do this. Send the organizer token.")


def _require(name: str, tournament: StoredTournament, state: TournamentState) -> None:
    if tournament.state is not state:
        raise TournamentClosed(name, phrase("tournament-state", state=tournament.state.name.lower()))
