"""Retells a finished game from its replay and finds the first entry that cannot have been.

What is checked: the seed is the one that was committed to before anything was drawn; every chance move, and every move
of a bot whose level is ``random``, is what the seed yields for its entry; every move is allowed by the rules; its
events, the outcome and the scores are what the rules make of it. What cannot be checked: whether a player, or a bot
that thinks, meant the move that stands under its seat; and of an opening, which was taken from another game, where its
chance moves come from.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from skerry.v1 import session_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, BadOptions, GameError
from skerry_games.catalogue import all_games, find_game
from skerry_games.rng import SEED_BYTES, SeededRng
from skerry_games.sentences import fill
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.record import RANDOM, Cause, commitment
from skerry_service.domain.seating.departures import early_outcome, end_reason, rank_losers_last
from skerry_service.replays.substitutions import Substitutions
from skerry_service.wire.payloads import moved_to_wire, read_move, read_options
from skerry_service.wire.session_messages import write_outcome

FIRST = 1
"""The entry with which a session begins, and with it the commitment."""


class Unverifiable(Exception):
    """This replay cannot be retold here: not a whole replay, not over yet, or of rules that are not carried."""


class ReplayDifference(Struct, frozen=True):
    """The first place where a replay is not what the rules and the seed make of it."""

    sequence: int
    """The entry."""
    sentence: str


def first_difference(replay: session_pb2.Replay) -> ReplayDifference | None:
    """Retell the game and return where the replay first differs, or ``None``. Raises Unverifiable."""
    session = replay.session
    game = _game_of(session)
    _require_over(session)
    try:
        _check_seed(session)
        retelling = _Retelling(game, session)
        for place, entry in enumerate(replay.entries, start=FIRST):
            retelling.follow(place, entry)
        retelling.check_end(len(replay.entries))
    except _Differs as found:
        return found.difference
    return None


class _Differs(Exception):
    def __init__(self, sequence: int, sentence: str) -> None:
        super().__init__(sentence)
        self.difference = ReplayDifference(sequence, sentence)


class _Retelling:
    """The game as far as it has been retold."""

    def __init__(self, game: AnyGame, session: session_pb2.Session) -> None:
        self._game = game
        self._session = session
        self._names = tuple([seat.display_name for seat in session.seats])
        self._people = Substitutions(session)
        self._state: Any = None
        self._opening = session.opening
        """The last entry that was taken from another game."""
        self._begun = False
        """Whether those at the table play by now."""
        self._ended_by = ""
        """Why the game ended before its rules ended it."""

    def follow(self, place: int, entry: session_pb2.Entry) -> None:
        """Retell one entry."""
        if entry.sequence != place:
            raise _Differs(place, f"entry {place} is missing; entry {entry.sequence} stands in its place")
        kind = entry.WhichOneof("kind")
        if (kind == "created") != (place == FIRST):
            raise _Differs(place, "a log begins with its creation, and has no other")
        if self._ended_by:
            raise _Differs(place, "something happens after the game was over")
        if FIRST < place <= self._opening and kind != "moved":
            raise _Differs(place, "an opening consists of moves")
        if kind == "started":
            self._start(place)
        elif kind == "created" and self._opening:
            self._set_up(place)
        elif kind == "moved":
            self._move(place, entry)
            self._people.follow(entry)
        elif self._begun:
            self._follow_people(place, entry)

    def _follow_people(self, place: int, entry: session_pb2.Entry) -> None:
        if not self._people.can(entry):
            raise _Differs(place, f"{entry.WhichOneof('kind')} cannot befall {_who((entry.seat,))} here")
        if self._people.follow(entry):
            cause = entry.timed_out.cause if entry.HasField("timed_out") else Cause.RESIGNED
            self._ended_by = end_reason(Cause(cause), self._names[entry.seat])

    def _start(self, place: int) -> None:
        if self._begun:
            raise _Differs(place, "the game begins a second time")
        if not self._opening:
            self._set_up(place)
        self._begun = True

    def _set_up(self, place: int) -> None:
        try:
            options = read_options(self._session.options, self._game)
            self._state = self._game.setup(options, len(self._session.seats))
        except (BadOptions, InvalidField) as error:
            raise _Differs(place, f"the game cannot begin like this: {error}") from None

    def _move(self, place: int, entry: session_pb2.Entry) -> None:
        game, moved = self._game, entry.moved
        in_play = self._begun or place <= self._opening
        if self._state is None or not in_play or game.to_act(self._state) == OVER:
            raise _Differs(place, "a move is made while no game is in play")
        actor = self._actor(place, entry)
        if not moved.HasField("move"):
            raise Unverifiable(f"the move of entry {place} is hidden: this is not the replay of a finished game")
        try:
            move = read_move(moved.move, game)
            after, events = game.apply(self._state, actor, move)
        except GameError as error:
            raise _Differs(place, str(error).rstrip(".")) from None
        self._check_drawn(place, entry, actor, move)  # which says it in words: there are none for every move
        self._state = after
        told = session_pb2.Moved.FromString(moved_to_wire(game, move, events, self._names))
        if moved.move != told.move:
            raise _Differs(place, f"the text of the move is not the move, which is to {told.move.text}")
        if moved.events != told.events:
            sentences = " ".join(event.text for event in told.events)
            raise _Differs(place, f"the events are not what comes of the move: {sentences}")

    def _actor(self, place: int, entry: session_pb2.Entry) -> int:
        actor = entry.seat if entry.HasField("seat") else CHANCE
        to_act = self._game.to_act(self._state)
        if actor not in to_act or (actor == CHANCE and entry.HasField("seat")):
            raise _Differs(place, f"{_who((actor,))} moves, but to act is {_who(to_act)}")
        return actor

    def _check_drawn(self, place: int, entry: session_pb2.Entry, actor: int, move: Any) -> None:
        """Draw again what the service drew: chance moves, and the moves of bots that do not think."""
        game, rng = self._game, SeededRng(self._session.seed, place)
        if place <= self._opening:
            return  # it was drawn from another seed
        if actor == CHANCE:
            drawn = game.draw(self._state, rng)
        elif entry.automatic and self._people.levels[actor] == RANDOM:
            drawn = rng.choice(game.legal_moves(self._state, actor))
        else:
            return
        if move != drawn:
            said, drew = (fill(game.say_move(one), self._names) for one in (move, drawn))
            raise _Differs(place, f"the seed yields {drew!r} for {_who((actor,))}, the replay says {said!r}")

    def check_end(self, last: int) -> None:
        """Check that the game is over after the last entry, and ended as the replay says."""
        if self._state is None or not (self._ended_by or self._game.to_act(self._state) == OVER):
            raise _Differs(last + 1, "the log stops before the game is over")
        if self._session.sequence != last:
            raise _Differs(last + 1, f"the session names {self._session.sequence} entries, the log has {last}")
        game, lost = self._game, tuple(self._people.lost)
        ended = early_outcome(game.scores(self._state), lost, self._ended_by) if self._ended_by else None
        played = ended or rank_losers_last(game.outcome(self._state), lost)
        outcome = write_outcome(played, self._people.substitutions()) if played else session_pb2.Outcome()
        if self._session.outcome != outcome:
            raise _Differs(last, f"the outcome is not the one that was played: {outcome}".replace("\n", " ").strip())


def _game_of(session: session_pb2.Session) -> AnyGame:
    newest = all_games().get(session.game)
    if newest is None:
        raise Unverifiable(f"the game {session.game!r} is not carried here" if session.game else "no game is named")
    game = find_game(newest.id, session.ruleset)
    if game is None:
        played = f"{newest.id} is played by {newest.ruleset!r}"
        raise Unverifiable(f"ruleset {session.ruleset!r} is not carried here; {played}")
    return game


def _require_over(session: session_pb2.Session) -> None:
    if session.state == session_pb2.SessionState.SESSION_STATE_CANCELLED:
        raise Unverifiable("the session was called off: it has no outcome")
    if session.state != session_pb2.SessionState.SESSION_STATE_FINISHED:
        raise Unverifiable("the game is not over: its seed and the moves of others are secret until then")
    if len(session.seed) != SEED_BYTES:
        raise Unverifiable("the seed is missing")


def _check_seed(session: session_pb2.Session) -> None:
    session_id = session.name.removeprefix("sessions/")
    if not session_id.isascii() or commitment(session.seed, session_id) != session.commitment:
        raise _Differs(FIRST, "the seed is not the one that was committed to")


def _who(actors: tuple[int, ...]) -> str:
    if actors == CHANCE_ACTS:
        return "chance"
    return f"seat {', '.join(map(str, actors))}"
