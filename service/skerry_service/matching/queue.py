"""The queue of one game, as a value that replicas change one after another. Pure: knows no store and no clock.

Tickets wait in the order of their arrival. Tickets that fit each other get a *proposal*. Each member confirms it, and
with the last confirmation the proposal is *agreed*: any replica then creates the session, and nothing can undo it. A
proposal that expires or loses a member before is dissolved; the members that have confirmed keep their positions.

Each replica renews one lease for all its streams. Tickets of a replica without a lease leave the queue.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field, msgpack

from skerry_service.domain.errors import LimitReached, ProposalExpired, RequestIdReused
from skerry_service.matching.criteria import Criteria, TableSetting, first_match

LEASE_MS = 6_000
"""Time after which the tickets of a silent replica leave the queue."""
CONFIRM_MS = 10_000
"""Time to confirm a proposal."""
MAX_TICKETS = 400
"""Tickets in the queue of one game. Matching takes longer the more there are."""
MAX_SETTINGS = 64
"""Table settings of one ticket: numbers of seats, times options, times clocks."""


class QueuedTicket(Struct, array_like=True):
    """A ticket in the queue."""

    id: bytes
    """A hash of the ticket that the client knows, so that the store does not reveal it."""
    request: bytes
    """A hash of the request, to recognise a retry."""
    since: int
    """The store uptime in ms at which the ticket arrived."""
    holder: str
    """The replica that holds the stream."""
    name: str
    player_id: str
    criteria: Criteria
    reserved: bool = False
    """Whether the holder is about to join an open table with it. A reserved ticket gets no proposal."""
    expired: bool = False
    """Whether it did not confirm a proposal. The holder ends the stream next."""


class Proposal(Struct, array_like=True):
    """A table that its members have to confirm."""

    id: str
    setting: TableSetting
    members: tuple[bytes, ...]
    """Ticket ids, by seat."""
    salt: bytes
    """The salt of the session. The seat tokens derive from it."""
    creation: bytes
    """The request id under which the session is created once."""
    until: int
    """The store uptime in ms until which it can be confirmed."""
    confirmed: dict[bytes, bytes] = field(default_factory=dict)
    """The digest of the seat token, by the id of each ticket that has confirmed."""

    @property
    def agreed(self) -> bool:
        """Whether all members have confirmed."""
        return len(self.confirmed) == len(self.members)


class MatchQueue(Struct, array_like=True):
    """The tickets and proposals of one game. Methods change it in place; it is decoded anew for each change."""

    tickets: list[QueuedTicket] = field(default_factory=list)
    """In the order in which they are served."""
    proposals: list[Proposal] = field(default_factory=list)
    leases: dict[str, int] = field(default_factory=dict)
    """The store uptime in ms at which each replica's lease ends."""
    needs_matching: bool = False
    """Whether a ticket has become free since the last matching."""

    def ticket(self, ticket: bytes) -> QueuedTicket | None:
        """Return a ticket by its id."""
        return next((queued for queued in self.tickets if queued.id == ticket), None)

    def proposal_for(self, ticket: bytes) -> Proposal | None:
        """Return the proposal of which a ticket is a member."""
        return next((proposal for proposal in self.proposals if ticket in proposal.members), None)

    def add(self, ticket: QueuedTicket) -> bool:
        """Add a ticket, or move the one with its id to another holder. Return whether it is new.

        Raises RequestIdReused, LimitReached.
        """
        known = self.ticket(ticket.id)
        if known is None:
            if len(self.tickets) >= MAX_TICKETS:
                raise LimitReached(
                    "waiting", f"The limit is {MAX_TICKETS} players who wait for one game. Try again later."
                )
            self.tickets.append(ticket)
            self.tickets.sort(key=lambda queued: (queued.since, queued.id))
            self.needs_matching = self.needs_matching or not ticket.reserved
            return True
        if known.request != ticket.request:
            raise RequestIdReused
        if known.expired:  # its player has returned: the ticket starts over
            self.tickets.remove(known)
            return self.add(ticket)
        if not known.reserved:
            known.holder = ticket.holder
        return False

    def reserve(self, ticket: bytes, holder: str) -> bool:
        """Exclude a ticket from proposals. Return whether its holder may join an open table with it."""
        queued = self.ticket(ticket)
        if queued is None or queued.holder != holder or queued.expired or self.proposal_for(ticket):
            return False
        queued.reserved = True
        return True

    def release(self, ticket: bytes, holder: str) -> None:
        """End the reservation of a ticket."""
        queued = self.ticket(ticket)
        if queued is not None and queued.holder == holder and queued.reserved:
            queued.reserved, self.needs_matching = False, True

    def withdraw(self, ticket: bytes) -> None:
        """Remove a ticket and dissolve its proposal, unless the proposal is agreed."""
        proposal = self.proposal_for(ticket)
        if proposal is None or not proposal.agreed:
            if proposal is not None:
                self._dissolve(proposal)
            self.tickets = [queued for queued in self.tickets if queued.id != ticket]

    def confirm(self, ticket: bytes, proposal: str, token: bytes, now: int) -> Proposal:
        """Confirm a proposal and return it. ``token``: digest of the seat token. Raises ProposalExpired."""
        confirmed = self.proposal_for(ticket)
        if confirmed is None or confirmed.id != proposal:
            raise ProposalExpired
        if not confirmed.agreed:
            self._require_current(confirmed, now)
            confirmed.confirmed[ticket] = token
        return confirmed

    def _require_current(self, proposal: Proposal, now: int) -> None:
        """Raise ProposalExpired if the proposal or the lease of a member has expired. ``update`` removes them later."""
        holders = [queued.holder for queued in self.tickets if queued.id in proposal.members]
        if proposal.until <= now or any(self.leases.get(holder, 0) <= now for holder in holders):
            raise ProposalExpired

    def finish(self, proposal: str) -> None:
        """Remove a proposal and its members: they have their seats."""
        members = {member for kept in self.proposals if kept.id == proposal for member in kept.members}
        self.proposals = [kept for kept in self.proposals if kept.id != proposal]
        self.tickets = [queued for queued in self.tickets if queued.id not in members]

    def renew_lease(self, holder: str, now: int) -> None:
        """Renew the lease of a replica if a third of it has passed."""
        if self.leases.get(holder, 0) - now < LEASE_MS * 2 // 3:
            self.leases[holder] = now + LEASE_MS

    def update(self, now: int, draw: Callable[[int], bytes]) -> None:
        """Remove what has expired by now, and match the free tickets.

        ``draw``: returns that many random bytes.
        """
        for proposal in [proposal for proposal in self.proposals if not proposal.agreed and proposal.until <= now]:
            self._dissolve(proposal)
            unconfirmed = set(proposal.members) - set(proposal.confirmed)
            for queued in self.tickets:
                queued.expired = queued.expired or queued.id in unconfirmed
        self.leases = {holder: until for holder, until in self.leases.items() if until > now}
        for queued in [queued for queued in self.tickets if queued.holder not in self.leases]:
            self.withdraw(queued.id)
        while self.needs_matching:
            self._match(now, draw)

    def _match(self, now: int, draw: Callable[[int], bytes]) -> None:
        members = {member for proposal in self.proposals for member in proposal.members}
        free = [queued for queued in self.tickets if not (queued.reserved or queued.expired or queued.id in members)]
        match = first_match(free)
        self.needs_matching = match is not None
        if match is None:
            return
        lots = [(draw(8), free[position].id) for position in match.members]
        seating = tuple([ticket for _, ticket in sorted(lots)])
        self.proposals.append(Proposal(draw(10).hex(), match.setting, seating, draw(16), draw(16), now + CONFIRM_MS))

    def _dissolve(self, proposal: Proposal) -> None:
        self.proposals.remove(proposal)
        self.needs_matching = True


def read_queue(packed: bytes) -> MatchQueue:
    """Decode a stored queue. No bytes are an empty queue."""
    return _decode(packed) if packed else MatchQueue()


def pack_queue(queue: MatchQueue) -> bytes:
    """Encode a queue for the store. An empty queue is encoded as no bytes."""
    return _encode(queue) if queue.tickets or queue.proposals else b""


_decode = msgpack.Decoder(MatchQueue).decode
_encode = msgpack.Encoder().encode
