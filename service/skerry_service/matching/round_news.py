"""The news that the matcher of a game has for the replicas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from skerry_service.matching.tickets import NewsItem, NewsKind, Proposal, Ticket, WaitingNews
from skerry_service.matching.waiting_queues import WaitingTicket


class KnownTicket:
    """A ticket that the matcher knows: it waits for a round, stands in the queues, or has a proposal."""

    def __init__(self, ticket: Ticket) -> None:
        self.waiting = WaitingTicket(ticket)
        self.replicas: set[str] = set()
        """The replicas that hold a stream of the ticket."""
        self.proposal: Proposal | None = None
        self.queued = False
        self.proven = False
        """Whether it confirmed a proposal that another ticket did not confirm."""
        self.others: int | None = None
        """Other players in its queues, as reported last."""
        self.held_until = 0
        """The uptime before which its callers get no proposal."""

    @property
    def ticket(self) -> Ticket:
        return self.waiting.ticket


class ReplicaNews(Struct):
    """News for one replica."""

    answers: int = 0
    restart: bool = False
    items: list[NewsItem] = field(default_factory=list)
    waiting: list[WaitingNews] = field(default_factory=list)


class RoundNews:
    """Collects news until a round has been decided."""

    def __init__(self) -> None:
        self._by_replica: defaultdict[str, ReplicaNews] = defaultdict(ReplicaNews)

    def take(self) -> Mapping[str, ReplicaNews]:
        """Return the news for each replica, and begin anew."""
        taken, self._by_replica = self._by_replica, defaultdict(ReplicaNews)
        return dict(taken)

    def restart(self, replica: str) -> None:
        """Ask a replica to send all its tickets."""
        self._by_replica[replica].restart = True

    def answer(self, replica: str, number: int) -> None:
        """Answer a message with all tickets of a replica. It replaces what was collected, apart from items."""
        self._by_replica[replica] = ReplicaNews(answers=number, items=self._by_replica[replica].items)

    def add(self, replica: str, item: NewsItem) -> None:
        """Report something of a ticket to one replica."""
        self._by_replica[replica].items.append(item)

    def add_proposal(self, replica: str, ticket: bytes, proposal: Proposal) -> None:
        """Report the proposal of a ticket to one replica."""
        self.add(replica, NewsItem(ticket, NewsKind.PROPOSED, proposal.id, proposal.setting))

    def notify(self, member: KnownTicket, kind: NewsKind) -> None:
        """Report something of a ticket to all its replicas."""
        for replica in member.replicas:
            self.add(replica, NewsItem(member.ticket.id, kind))

    def add_waiting(self, member: KnownTicket, replicas: Iterable[str], now: int) -> None:
        """Report how a ticket waits, if that is known."""
        if member.others is not None:
            news = WaitingNews(member.ticket.id, member.others, max(member.held_until - now, 0))
            for replica in replicas:
                self._by_replica[replica].waiting.append(news)
