"""Who sits where while a game is retold: substitutes, and the seats that lost before the end."""

from __future__ import annotations

from skerry.v1 import session_pb2
from skerry_service.sessions.record import RANDOM, Substitution


class People:
    """The people at the table, followed from the start of the game."""

    def __init__(self, session: session_pb2.Session) -> None:
        self._leavers = session.leavers
        self.lost: list[int] = []
        """The seats that lost before the end, in that order."""
        self.levels = [seat.level or RANDOM for seat in session.seats]  # a replay may be older than levels
        """How bots decide, by seat."""
        self._since: dict[int, int] = {}
        """The entries with which the substitutes began that play now, by seat."""
        self._played: list[Substitution] = []

    def can(self, entry: session_pb2.Entry) -> bool:
        """Whether such an entry can follow in play."""
        seat, kind = entry.seat, entry.WhichOneof("kind")
        if kind in ("left", "resigned"):
            return seat not in self._since and seat < len(self.levels)
        if kind in ("returned", "joined", "opened"):
            return seat in self._since and seat not in self.lost
        return kind == "labelled"

    def follow(self, entry: session_pb2.Entry) -> bool:
        """Follow an entry. Return whether it ends the game."""
        seat, kind = entry.seat, entry.WhichOneof("kind")
        if kind in ("returned", "joined"):
            self._played.append(Substitution(seat, self._since.pop(seat), entry.sequence - 1))
        if kind == "resigned":
            self.lost.append(seat)
            ends = self._leavers.on_resignation == session_pb2.Remedy.REMEDY_END
            if ends or len(self.levels) - len(self.lost) <= 1:
                return True
        if kind in ("left", "resigned"):
            self._since[seat] = entry.sequence
            self.levels[seat] = self._leavers.level or RANDOM
        return False

    def substitutions(self) -> list[Substitution]:
        """Return what substitutes have played, in the order in which they began."""
        going_on = [Substitution(seat, since, None) for seat, since in self._since.items()]
        return sorted((*self._played, *going_on), key=lambda one: one.first)
