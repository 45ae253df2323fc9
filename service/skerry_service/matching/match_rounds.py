"""What the matcher of a game knows and decides. Pure: knows no store and no clock.

The matcher applies the messages of the replicas, and decides in rounds: it dissolves proposals that have expired, and
compares the tickets that have arrived since the last round with those that wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush

from msgspec import Struct, field

from skerry_service.matching.criteria import widening_times
from skerry_service.matching.no_shows import NoShows
from skerry_service.matching.round_news import KnownTicket, ReplicaNews, RoundNews
from skerry_service.matching.tickets import (
    CONFIRM_MS,
    Message,
    NewsItem,
    NewsKind,
    Proposal,
    Ticket,
)
from skerry_service.matching.waiting_queues import MatchFound, Standing, WaitingQueues
from skerry_service.sessions.match_port import LEASE_MS

ALIKE_MS = 700
"""After it confirmed in vain, a ticket is matched for this time only with its like. Proposals of players who came
together end together, so the players find each other, however many ghosts wait for them."""
MAX_ARRIVALS = 1_000
"""Tickets that a round compares with others. Those that remain are compared in the next round."""
MAX_ROUND_COMPARISONS = 100_000
"""Comparisons after which a round compares no further ticket: the replica serves other calls meanwhile."""


class _Replica(Struct):
    number: int
    """Of its last message."""
    heard: int
    """The uptime at which it sent the message."""
    tickets: set[bytes] = field(default_factory=set)


class Agreed(Struct):
    """A proposal that all members have confirmed."""

    proposal: Proposal
    members: list[KnownTicket]


class Round(Struct):
    """What a round has decided. ``news`` also has the responses to the messages before it."""

    news: Mapping[str, ReplicaNews]
    agreed: list[Agreed]
    no_shows: Mapping[bytes, int]
    """See ``NoShows.add``."""
    proposed: int
    missed: int
    """Tickets that did not confirm a proposal."""


class MatchRounds:
    """The tickets and proposals of one game."""

    def __init__(self, no_shows: NoShows, draw: Callable[[int], bytes]) -> None:
        """``draw``: returns that many random bytes."""
        self.no_shows = no_shows
        self._draw = draw
        self._members: dict[bytes, KnownTicket] = {}
        self._replicas: dict[str, _Replica] = {}
        self._queues = WaitingQueues()
        self._proposals: dict[bytes, Proposal] = {}
        self._arrivals: set[bytes] = set()
        """Ids of tickets to compare in the next round."""
        self._visits: list[tuple[int, bytes]] = []
        """A heap of times at which to compare tickets again."""
        self._of_caller: defaultdict[bytes, set[bytes]] = defaultdict(set)
        self._agreed: list[Agreed] = []
        self._news = RoundNews()
        self._changed_no_shows: dict[bytes, int] = {}
        self._missed = 0

    @property
    def waiting(self) -> int:
        """The number of tickets, apart from those with an agreed match."""
        return len(self._members)

    @property
    def backlog(self) -> bool:
        """Whether tickets are to be compared in the next round."""
        return bool(self._arrivals)

    def due_ms(self, now: int) -> int | None:
        """Return the time until a ticket is to be compared again; ``None`` if there is none."""
        return max(0, self._visits[0][0] - now) if self._visits else None

    # ------------------------------------------------------------ messages

    def apply(self, message: Message, now: int) -> None:
        """Apply a message of a replica. A repeated message changes nothing."""
        known = self._replicas.get(message.replica)
        if known is not None and message.number <= known.number:
            return
        if message.sent + LEASE_MS <= now:
            self._drop_replica(message.replica, now)
            self._news.restart(message.replica)
            return
        for confirmed, proposal in message.confirmed:  # may come through a replica without tickets
            self._confirm(message.replica, confirmed, proposal, now)
        if message.restart:
            known = self._replicas.setdefault(message.replica, _Replica(message.number, message.sent))
            self._news.answer(message.replica, message.number)
            kept = {ticket.id for ticket in message.added}
            for ticket_id in known.tickets - kept:
                self._withdraw(message.replica, ticket_id, now, blamed=False)
        elif known is None or message.number != known.number + 1:
            self._drop_replica(message.replica, now)
            self._news.restart(message.replica)
            return
        known.number, known.heard = message.number, message.sent
        for ticket in message.added:
            self._add(message.replica, known, ticket, now)
        for withdrawn in message.withdrawn:
            self._withdraw(message.replica, withdrawn, now, blamed=True)
        for seated in message.seated:
            self._withdraw(message.replica, seated, now, blamed=False)

    def _add(self, name: str, replica: _Replica, ticket: Ticket, now: int) -> None:
        member = self._members.get(ticket.id)
        if member is None:
            member = KnownTicket(ticket)
            self._register(member)
            self._schedule(member, now)
            if ticket.criteria.skill is not None:
                for at in widening_times(ticket.since):
                    heappush(self._visits, (at, ticket.id))
        elif member.ticket.request != ticket.request:
            self._news.add(name, NewsItem(ticket.id, NewsKind.REUSED, ticket.request))
            return
        elif member.proposal is not None:
            self._news.add_proposal(name, ticket.id, member.proposal)
        member.replicas.add(name)
        replica.tickets.add(ticket.id)
        self._news.add_waiting(member, [name], now)

    def _withdraw(self, name: str, ticket_id: bytes, now: int, *, blamed: bool) -> None:
        """Remove a ticket from a replica, and from the queues if no other replica holds it.

        ``blamed``: whether leaving a proposal counts as not confirming it.
        """
        member, replica = self._members.get(ticket_id), self._replicas.get(name)
        if replica is not None:
            replica.tickets.discard(ticket_id)
        if member is None:
            return
        member.replicas.discard(name)
        if not member.replicas:
            if member.proposal is not None:
                self._dissolve(member.proposal, now)
                if blamed:
                    self._blame(member, now)
            self._remove(member)

    def _drop_replica(self, name: str, now: int) -> None:
        """Remove a replica with its tickets, because it is silent or messages were lost."""
        replica = self._replicas.pop(name, None)
        for ticket_id in tuple(replica.tickets) if replica else ():
            self._withdraw(name, ticket_id, now, blamed=False)

    def _confirm(self, name: str, ticket_id: bytes, proposal_id: bytes, now: int) -> None:
        member = self._members.get(ticket_id)
        proposal = member.proposal if member else None
        counts = proposal is not None and proposal.id == proposal_id and proposal.until > now
        kind = NewsKind.CONFIRMED if counts else NewsKind.REFUSED
        self._news.add(name, NewsItem(ticket_id, kind, proposal_id))
        if proposal is not None and counts:
            proposal.confirmed.add(ticket_id)
            if len(proposal.confirmed) == len(proposal.members):
                self._agree(proposal, now)

    def _agree(self, proposal: Proposal, now: int) -> None:
        """End a proposal that all members have confirmed, unless the replica of a member is silent."""
        members = [self._members[ticket_id] for ticket_id in proposal.members]
        if all(any(self._is_heard(name, now) for name in member.replicas) for member in members):
            del self._proposals[proposal.id]
            for member in members:
                self._remove(member)
            self._agreed.append(Agreed(proposal, members))

    def _is_heard(self, name: str, now: int) -> bool:
        replica = self._replicas.get(name)
        return replica is not None and replica.heard + LEASE_MS > now

    # ------------------------------------------------------------ rounds

    def run(self, now: int, *, compare: bool = True) -> Round:
        """Decide a round. ``compare``: whether to compare the tickets that have arrived."""
        for name in [name for name in self._replicas if not self._is_heard(name, now)]:
            self._drop_replica(name, now)
        for proposal in [proposal for proposal in self._proposals.values() if proposal.until <= now]:
            self._expire(proposal, now)
        while self._visits and self._visits[0][0] <= now:
            self._visit(heappop(self._visits)[1], now)
        proposed = self._match(now) if compare else 0
        if compare:
            self._report_changed_queues(now)
        done = Round(self._news.take(), self._agreed, self._changed_no_shows, proposed, self._missed)
        self._agreed, self._changed_no_shows, self._missed = [], {}, 0
        return done

    def _match(self, now: int) -> int:
        """Compare the tickets that have arrived, the longest waiting first. Return the number of proposals made.

        They are compared with their like first, also with those that arrive at the same time.
        """
        ids = sorted(self._arrivals, key=lambda ticket_id: (self._members[ticket_id].waiting.since, ticket_id))
        arrivals: list[KnownTicket] = []
        before, most = len(self._proposals), self._queues.comparisons + MAX_ROUND_COMPARISONS
        for ticket_id in ids[:MAX_ARRIVALS]:
            if self._queues.comparisons >= most:
                break
            self._arrivals.discard(ticket_id)
            arrivals.append(self._members[ticket_id])
            self._compare(arrivals[-1], now, alike=True)
        for member in arrivals:
            if member.waiting.alike_until > now:
                heappush(self._visits, (member.waiting.alike_until, member.ticket.id))
            elif member.proposal is None and self._queues.has_unlike(member.waiting):
                self._leave_queues(member)
                if self._queues.comparisons < most:
                    self._compare(member, now, alike=False)
                else:
                    self._arrivals.add(member.ticket.id)
        return len(self._proposals) - before

    def _report_changed_queues(self, now: int) -> None:
        for waiting, others in self._queues.take_changed():
            member = self._members[waiting.id]
            if others != member.others:
                member.others = others
                self._news.add_waiting(member, member.replicas, now)

    def _compare(self, member: KnownTicket, now: int, *, alike: bool) -> None:
        if (match := self._queues.find(member.waiting, now, alike=alike)) is not None:
            self._propose(match, now)
        else:
            self._queues.add(member.waiting)
            member.queued = True

    def _propose(self, match: MatchFound, now: int) -> None:
        members = tuple([member.id for member in match.members])
        proposal = Proposal(self._draw(10), match.setting, members, now + CONFIRM_MS, set())
        self._proposals[proposal.id] = proposal
        for ticket_id in members:
            member = self._members[ticket_id]
            self._leave_queues(member)
            member.proposal, member.others = proposal, None
            for name in member.replicas:
                self._news.add_proposal(name, ticket_id, proposal)

    def _expire(self, proposal: Proposal, now: int) -> None:
        """Dissolve a proposal whose time is up. The tickets that did not confirm leave."""
        for ticket_id in proposal.confirmed:
            self._members[ticket_id].waiting.alike_until = now + ALIKE_MS
        self._dissolve(proposal, now)
        for ticket_id in proposal.members:
            if ticket_id not in proposal.confirmed:
                member = self._members[ticket_id]
                self._news.notify(member, NewsKind.MISSED)
                self._blame(member, now)
                self._remove(member)

    def _dissolve(self, proposal: Proposal, now: int) -> None:
        """Return the members of a proposal to the queues, each at its place in time."""
        self._proposals.pop(proposal.id, None)
        for ticket_id in proposal.members:
            member = self._members[ticket_id]
            member.proposal = None
            member.proven = member.proven or ticket_id in proposal.confirmed
            self._news.notify(member, NewsKind.DISSOLVED)
            self._schedule(member, now)

    def _blame(self, member: KnownTicket, now: int) -> None:
        """Record a no-show. All tickets of the same callers wait."""
        self._missed += 1
        self._changed_no_shows.update(self.no_shows.add(member.ticket.callers, now))
        for caller in member.ticket.callers:
            for ticket_id in self._of_caller[caller]:
                other = self._members[ticket_id]
                if other.proposal is None:
                    self._schedule(other, now)

    def _schedule(self, member: KnownTicket, now: int) -> None:
        """Take a ticket out of the queues, to compare it in the next round or after the wait of its callers."""
        self._leave_queues(member)
        callers = member.ticket.callers
        member.waiting.standing = Standing.PROVEN if member.proven else Standing.NEW
        if self.no_shows.count(callers, now):
            member.waiting.standing = Standing.NO_SHOW
        member.held_until = self.no_shows.waits_until(callers, now)
        if member.held_until > now:
            self._arrivals.discard(member.ticket.id)
            heappush(self._visits, (member.held_until, member.ticket.id))
            member.others = self._queues.players(member.waiting)
            self._news.add_waiting(member, member.replicas, now)
        else:
            member.others = None
            self._arrivals.add(member.ticket.id)

    def _visit(self, ticket_id: bytes, now: int) -> None:
        member = self._members.get(ticket_id)
        if member is not None and member.proposal is None:
            self._schedule(member, now)

    def _leave_queues(self, member: KnownTicket) -> None:
        if member.queued:
            self._queues.remove(member.waiting)
            member.queued = False

    def _remove(self, member: KnownTicket) -> None:
        """Forget a ticket, which has no proposal or an agreed one."""
        self._leave_queues(member)
        ticket = member.ticket
        self._members.pop(ticket.id, None)
        self._arrivals.discard(ticket.id)
        for caller in ticket.callers:
            self._of_caller[caller].discard(ticket.id)
            if not self._of_caller[caller]:
                del self._of_caller[caller]
        for name in member.replicas:
            if name in self._replicas:
                self._replicas[name].tickets.discard(ticket.id)

    # ------------------------------------------------------------ agreed matches

    def report_seated(self, agreed: Agreed) -> None:
        """Have the replicas find the claims of the members: their session exists."""
        for member in agreed.members:
            self._news.notify(member, NewsKind.SEATED)

    def reopen(self, agreed: Agreed, claimed: Iterable[int], now: int) -> None:
        """Undo an agreed match because other claims of some members were found. The others wait again.

        ``claimed``: the numbers of those members.
        """
        leaving = set(claimed)
        for number, member in enumerate(agreed.members):
            if number in leaving:
                self._news.notify(member, NewsKind.SEATED)
            elif member.ticket.id not in self._members:
                self._register(member)
                member.proposal, member.proven = None, True
                self._news.notify(member, NewsKind.DISSOLVED)
                self._schedule(member, now)

    def _register(self, member: KnownTicket) -> None:
        ticket = member.ticket
        self._members[ticket.id] = member
        for caller in ticket.callers:
            self._of_caller[caller].add(ticket.id)
        for name in member.replicas:
            if name in self._replicas:
                self._replicas[name].tickets.add(ticket.id)
