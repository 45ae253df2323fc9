"""The occupants of seats while a game is replayed: substitutes, and seats that lost before the end."""

from __future__ import annotations

from skerry.v1 import session_pb2
from skerry_service.domain.record import RANDOM, Substitution


class Substitutions:
    """The substitutes of a game, followed from its start."""

    def __init__(self, session: session_pb2.Session) -> None:
        self._policy = session.abandonment
        self._timed, self._on_expiry = session.HasField("clock"), session.clock.on_expiry
        self.lost: list[int] = []
        """The seats that lost before the end, in the order in which they lost."""
        self.levels = [seat.level or RANDOM for seat in session.seats]  # a replay may be older than levels
        """The levels of bots, by seat."""
        self._since: dict[int, int] = {}
        """The entries with which the current substitutes began, by seat."""
        self._played: list[Substitution] = []
        self._away: set[int] = set()

    def can(self, entry: session_pb2.Entry) -> bool:
        """Return whether the entry is possible here, in play."""
        seat, kind = entry.seat, entry.WhichOneof("kind")
        if not 0 <= seat < len(self.levels):
            return False
        if kind in ("left", "resigned", "emoted"):
            return seat not in self._since
        if kind == "seat_opened" and seat not in self._since:
            return self._policy.open_after_ms > 0
        if kind in ("returned", "joined", "seat_opened"):
            away = kind == "returned" and seat in self._away
            return away or (seat in self._since and seat not in self.lost)
        if kind == "away":
            return seat not in self._since and seat not in self._away
        if kind == "timed_out":
            timed = entry.timed_out.cause == session_pb2.SubstituteCause.SUBSTITUTE_CAUSE_OUT_OF_TIME
            return seat not in self._since and (self._timed if timed else seat in self._away)
        if kind == "nudged":
            return seat not in self._since and entry.nudged.by not in (seat, *self._since)
        return kind in ("labelled", "webhook_set")

    def follow(self, entry: session_pb2.Entry) -> bool:
        """Apply an entry that is possible here. Return whether it ends the game."""
        seat, kind = entry.seat, entry.WhichOneof("kind")
        action = self._action(entry)
        if kind == "away":
            self._away.add(seat)
        elif self._ends_absence(entry, action):
            self._away.discard(seat)
        if kind in ("returned", "joined") and seat in self._since:
            self.levels[seat] = RANDOM  # the level of moves that the server makes after a timeout
            self._played.append(Substitution(seat, self._since.pop(seat), entry.sequence - 1))
        ends = action == session_pb2.TimeoutAction.TIMEOUT_ACTION_END
        if kind == "resigned" or ends:
            self.lost.append(seat)
            if ends or len(self.levels) - len(self.lost) <= 1:
                return True
        if (
            kind in ("left", "resigned")
            or (kind == "seat_opened" and seat not in self._since)
            or (kind == "timed_out" and action != session_pb2.TimeoutAction.TIMEOUT_ACTION_MOVE)
        ):
            self._since[seat] = entry.sequence
            self.levels[seat] = self._policy.level or RANDOM
        return False

    def _ends_absence(self, entry: session_pb2.Entry, action: session_pb2.TimeoutAction.ValueType) -> bool:
        """Return whether the seat is no longer away. A player for whom the server moves after a timeout stays away."""
        kind = entry.WhichOneof("kind")
        if kind == "moved":
            return entry.HasField("seat") and not entry.automatic
        return kind in ("returned", "joined") or (
            kind == "timed_out" and action != session_pb2.TimeoutAction.TIMEOUT_ACTION_MOVE
        )

    def _action(self, entry: session_pb2.Entry) -> session_pb2.TimeoutAction.ValueType:
        if entry.HasField("resigned"):
            return self._policy.on_resignation
        if not entry.HasField("timed_out"):
            return session_pb2.TimeoutAction.TIMEOUT_ACTION_UNSPECIFIED
        timed = entry.timed_out.cause == session_pb2.SubstituteCause.SUBSTITUTE_CAUSE_OUT_OF_TIME
        return self._on_expiry if timed else self._policy.on_absence

    def substitutions(self) -> list[Substitution]:
        """Return the periods of substitutes, in the order in which they began."""
        current = [Substitution(seat, since, None) for seat, since in self._since.items()]
        return sorted((*self._played, *current), key=lambda period: period.first)
