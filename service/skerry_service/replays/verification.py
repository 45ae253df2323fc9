"""Replays a finished game with the rules, and finds the first entry that is wrong.

It checks that

- the seed matches the commitment from before the first draw, and the entropy of each player the hash in the log,
- every chance move, and every move of a bot of the level ``random``, is the one that the seed yields for its entry,
- the rules allow every move, and its events, the scores and the outcome follow from the rules.

Its texts can be those of any language, with or without their messages, as a caller has asked for them.

It cannot check whether a player or a thinking bot chose its move, nor the chance moves of an opening, which come from
the seed of another game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from skerry.v1 import session_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, BadOptions, GameError
from skerry_games.catalogue import all_games, find_game
from skerry_games.rng import SEED_BYTES, SeededRng, chance_seed, commitment
from skerry_games.sentences import fill
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.lessons.course import scripted_move
from skerry_service.domain.record import RANDOM, Cause
from skerry_service.domain.seating.departures import early_outcome, end_reason, rank_losers_last
from skerry_service.replays.substitutions import Substitutions
from skerry_service.wire.caller_language import Wording, worded, wordings
from skerry_service.wire.payloads import moved_to_wire, read_move, read_options
from skerry_service.wire.session_messages import write_outcome

T = TypeVar("T")
FIRST = 1
"""The first entry of a log, which contains the commitment."""


class Unverifiable(Exception):
    """The replay cannot be verified: it is incomplete, its game is not over, or its ruleset is not supported."""


class ReplayDifference(Struct, frozen=True):
    """The first place where a replay differs from the rules or the seed."""

    sequence: int
    """The entry."""
    sentence: str


def first_difference(replay: session_pb2.Replay) -> ReplayDifference | None:
    """Replay the game and return the first difference, or ``None``. Raises Unverifiable."""
    session = replay.session
    game = _game_of(session)
    _require_over(session)
    try:
        _check_seed(session)
        verifier = _Verifier(game, session)
        for place, entry in enumerate(replay.entries, start=FIRST):
            verifier.follow(place, entry)
        verifier.check_end(len(replay.entries))
    except _Differs as found:
        return found.difference
    return None


class _Differs(Exception):
    def __init__(self, sequence: int, sentence: str) -> None:
        super().__init__(sentence)
        self.difference = ReplayDifference(sequence, sentence)


class _Undoable(Struct, frozen=True):
    """A move that its seat can take back."""

    seat: int
    sequence: int
    before: Any
    """The state before the move."""


class _Verifier:
    """The state of the game while it is replayed."""

    def __init__(self, game: AnyGame, session: session_pb2.Session) -> None:
        self._game = game
        self._session = session
        self._names = tuple([seat.display_name for seat in session.seats])
        self._substitutions = Substitutions(session)
        self._chance_seed = chance_seed(session.seed, [seat.entropy for seat in session.seats])
        self._hashes: dict[int, bytes] = {}
        """The hashes of the players' entropy, by seat in the lobby."""
        self._state: Any = None
        self._opening = session.opening
        """The last entry of the opening, which comes from another game."""
        self._begun = False
        """Whether the game has begun for the seats."""
        self._run: list[_Undoable] = []
        """The moves of a seat that it can take back, in order."""
        self._wordings = list(wordings())
        """Those in which all texts so far can be."""
        self._ended_by = ""
        """Why the game ended before its rules ended it; empty if it did not."""

    def follow(self, place: int, entry: session_pb2.Entry) -> None:
        """Check and apply one entry."""
        if entry.sequence != place:
            raise _Differs(place, f"entry {place} is missing; the log has entry {entry.sequence} instead")
        kind = entry.WhichOneof("kind")
        if (kind == "created") != (place == FIRST):
            raise _Differs(place, "the first entry of a log, and no other, must be created")
        if self._ended_by:
            raise _Differs(place, "an entry follows the end of the game")
        if FIRST < place <= self._opening and kind != "moved":
            raise _Differs(place, "an opening must consist of moves")
        if kind == "started":
            self._start(place)
        elif kind == "created" and self._opening:
            self._set_up(place)
        elif kind == "moved":
            self._move(place, entry)
            self._substitutions.follow(entry)
        elif kind == "undone":
            self._undo(place, entry)
        elif self._begun:
            self._follow_substitutes(place, entry)
        elif kind in ("joined", "left", "removed"):
            self._hashes[entry.seat] = entry.joined.entropy_hash

    def _follow_substitutes(self, place: int, entry: session_pb2.Entry) -> None:
        if not self._substitutions.can(entry):
            raise _Differs(place, f"{entry.WhichOneof('kind')} is not possible for {_actor_names((entry.seat,))} here")
        if entry.WhichOneof("kind") in ("left", "joined", "timed_out", "resigned", "seat_opened"):
            self._run.clear()
        if self._substitutions.follow(entry):
            cause = entry.timed_out.cause if entry.HasField("timed_out") else Cause.RESIGNED
            self._ended_by = end_reason(Cause(cause), self._names[entry.seat])

    def _start(self, place: int) -> None:
        if self._begun:
            raise _Differs(place, "the game begins a second time")
        if not self._opening:
            self._set_up(place)
        self._begun = True
        self._check_entropy(place)

    def _check_entropy(self, place: int) -> None:
        """Check that the players' entropy is what they sent when they joined, and that none is left out.

        The start can renumber seats, but it keeps their order.
        """
        session_id = self._session.name.removeprefix("sessions/")
        sent = [hashed for _, hashed in sorted(self._hashes.items()) if hashed]
        used = [commitment(seat.entropy, session_id) for seat in self._session.seats if seat.entropy]
        if sent != used:
            raise _Differs(place, "the entropy of the players does not match the hashes from before the game")

    def _set_up(self, place: int) -> None:
        try:
            options = read_options(self._session.options, self._game)
            self._state = self._game.setup(options, len(self._session.seats))
        except (BadOptions, InvalidField) as error:
            raise _Differs(place, f"the game cannot begin with these options: {error}") from None

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
        self._check_drawn(place, entry, actor, move)  # only now: an illegal move has no text
        self._follow_run(place, actor, after, automatic=entry.automatic)
        self._state = after
        self._check_texts(place, moved, lambda: moved_to_wire(game, move, events, self._names))

    def _check_texts(self, place: int, moved: session_pb2.Moved, write: Callable[[], bytes]) -> None:
        """Check a move and its events. ``write``: write them in the current wording, as a serialized ``Moved``."""
        written = {wording: session_pb2.Moved.FromString(_in(wording, write)) for wording in self._wordings}
        alike = {wording: one for wording, one in written.items() if one.move == moved.move}
        if not alike:
            text = written[self._wordings[0]].move.text
            raise _Differs(place, f"the text of the move is wrong; the move is to {text}")
        self._wordings = [wording for wording, one in alike.items() if one.events == moved.events]
        if not self._wordings:
            sentences = " ".join(event.text for event in next(iter(alike.values())).events)
            raise _Differs(place, f"the events do not follow from the move, which has these: {sentences}")

    def _follow_run(self, place: int, actor: int, after: Any, *, automatic: bool) -> None:
        """Keep the state before a move that its seat may take back. Any other move ends that."""
        if self._run and self._run[-1].seat != actor:
            self._run.clear()
        if actor == CHANCE or automatic or place <= self._opening or self._game.reveals(self._state, actor, after):
            self._run.clear()
        else:
            self._run.append(_Undoable(actor, place, self._state))

    def _undo(self, place: int, entry: session_pb2.Entry) -> None:
        allowed = self._session.undo == session_pb2.UndoPolicy.UNDO_POLICY_OWN_MOVES
        last = self._run.pop() if self._run and allowed else None
        if last is None or (last.seat, last.sequence) != (entry.seat, entry.undone.first):
            raise _Differs(place, f"seat {entry.seat} cannot take back the move of entry {entry.undone.first} here")
        self._state = last.before

    def _actor(self, place: int, entry: session_pb2.Entry) -> int:
        actor = entry.seat if entry.HasField("seat") else CHANCE
        to_act = self._game.to_act(self._state)
        if actor not in to_act or (actor == CHANCE and entry.HasField("seat")):
            raise _Differs(place, f"{_actor_names((actor,))} moves, but the actor must be {_actor_names(to_act)}")
        return actor

    def _check_drawn(self, place: int, entry: session_pb2.Entry, actor: int, move: Any) -> None:
        """Check the moves that the seed determines: chance moves, and moves of bots of the level ``random``."""
        game, rng = self._game, SeededRng(self._chance_seed, place)
        if place <= self._opening:
            return  # drawn from another seed
        if actor == CHANCE:
            scripted = scripted_move(game, self._state, CHANCE) if self._session.lesson else None
            drawn = scripted if scripted is not None else game.draw(self._state, rng)
        elif entry.automatic and self._substitutions.levels[actor] == RANDOM:
            drawn = rng.choice(game.legal_moves(self._state, actor))
        else:
            return
        if move != drawn:
            said, drew = (fill(game.say_move(each), self._names) for each in (move, drawn))
            raise _Differs(place, f"the seed yields {drew!r} for {_actor_names((actor,))}, the replay says {said!r}")

    def check_end(self, last: int) -> None:
        """Check that the game is over after the last entry, with the outcome of the replay."""
        if self._state is None or not (self._ended_by or self._game.to_act(self._state) == OVER):
            raise _Differs(last + 1, "the log ends before the game is over")
        if self._session.sequence != last:
            raise _Differs(last + 1, f"the session names {self._session.sequence} entries, the log has {last}")
        game, lost = self._game, tuple(self._substitutions.lost)
        ended = early_outcome(game.scores(self._state), lost, self._ended_by) if self._ended_by else None
        played = ended or rank_losers_last(game.outcome(self._state), lost)
        periods = self._substitutions.substitutions()

        def write() -> session_pb2.Outcome:
            return write_outcome(played, self._names, periods) if played else session_pb2.Outcome()

        outcomes = [_in(wording, write) for wording in self._wordings]
        if self._session.outcome not in outcomes:
            raise _Differs(last, f"the outcome is wrong; the game ended with: {outcomes[0]}".replace("\n", " ").strip())


def _in(wording: Wording, write: Callable[[], T]) -> T:
    """Return what a function writes in a wording."""
    with worded(wording):
        return write()


def _game_of(session: session_pb2.Session) -> AnyGame:
    newest = all_games().get(session.game)
    if newest is None:
        raise Unverifiable(
            f"this build does not support the game {session.game!r}" if session.game else "the replay names no game"
        )
    game = find_game(newest.id, session.ruleset)
    if game is None:
        supported = f"it supports {newest.ruleset!r}"
        raise Unverifiable(f"this build does not support the ruleset {session.ruleset!r}; {supported}")
    return game


def _require_over(session: session_pb2.Session) -> None:
    if session.state == session_pb2.SessionState.SESSION_STATE_CANCELLED:
        raise Unverifiable("the session was cancelled, so it has no outcome")
    if session.state != session_pb2.SessionState.SESSION_STATE_FINISHED:
        raise Unverifiable("the game is not over, and its seed is secret until then")
    if len(session.seed) != SEED_BYTES:
        raise Unverifiable("the seed is missing")


def _check_seed(session: session_pb2.Session) -> None:
    session_id = session.name.removeprefix("sessions/")
    if not session_id.isascii() or commitment(session.seed, session_id) != session.commitment:
        raise _Differs(FIRST, "the seed does not match the commitment")


def _actor_names(actors: tuple[int, ...]) -> str:
    if actors == CHANCE_ACTS:
        return "chance"
    return f"seat {', '.join(map(str, actors))}"
