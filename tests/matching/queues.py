"""A matcher as a value, and the messages of its replicas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from skerry_service.matching.match_rounds import MatchRounds, Round
from skerry_service.matching.no_shows import NoShows
from skerry_service.matching.round_news import ReplicaNews
from skerry_service.matching.tickets import Message, NewsItem, NewsKind, Ticket


class Queues:
    """A matcher, and replicas that number their messages."""

    def __init__(self) -> None:
        numbers = count()
        self.rounds = MatchRounds(NoShows(), lambda size: next(numbers).to_bytes(size, "big"))
        self.now = 0
        self._numbers: dict[str, Iterator[int]] = {}

    def send(self, replica: str, *added: Ticket, restart: bool = False, **changes: tuple[object, ...]) -> Message:
        known = replica in self._numbers
        number = next(self._numbers.setdefault(replica, count(1)))
        message = Message(replica, number, self.now, restart or not known, added, **changes)  # type: ignore[arg-type]
        self.rounds.apply(message, self.now)
        return message

    def beat(self, *replicas: str) -> None:
        for replica in replicas:
            self.send(replica)

    def run(self, after_ms: int = 0, *alive: str) -> Round:
        """Let time pass, with heartbeats of those replicas, and decide a round."""
        self.now += after_ms
        self.beat(*alive)
        return self.rounds.run(self.now)

    def confirm(self, replica: str, *confirmed: tuple[Ticket, bytes]) -> None:
        self.send(replica, confirmed=tuple((one.id, proposal) for one, proposal in confirmed))


def items(news: Mapping[str, ReplicaNews], replica: str, *kinds: NewsKind) -> list[NewsItem]:
    return [one for one in news.get(replica, ReplicaNews()).items if one.kind in kinds]


def proposals(done: Round, replica: str = "here") -> dict[bytes, bytes]:
    """Return the proposal of each ticket of a replica."""
    return {one.ticket: one.detail for one in items(done.news, replica, NewsKind.PROPOSED)}


def proposed(queues: Queues, *tickets: Ticket) -> dict[bytes, bytes]:
    queues.send("here", *tickets)
    return proposals(queues.run())
