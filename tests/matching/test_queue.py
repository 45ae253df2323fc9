"""The queue as a value: proposals, confirmations, leases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from skerry_service.domain.errors import LimitReached, ProposalExpired, RequestIdReused
from skerry_service.matching.queue import (
    CONFIRM_MS,
    LEASE_MS,
    MAX_TICKETS,
    MatchQueue,
    QueuedTicket,
    pack_queue,
    read_queue,
)
from tests.matching.strangers import ticket

ADA, BOB, CYD = (ticket(number, 2) for number in (1, 2, 3))


def dice() -> Callable[[int], bytes]:
    numbers = count()
    return lambda size: next(numbers).to_bytes(size, "big")


DRAW = dice()


def queue_of(*tickets: QueuedTicket, now: int = 0) -> MatchQueue:
    queue = MatchQueue()
    for one in tickets:
        queue.add(read(one))
        queue.renew_lease(one.holder, now)
    queue.update(now, DRAW)
    return queue


def read(one: QueuedTicket) -> QueuedTicket:
    """Return a copy, since a queue changes its tickets."""
    return read_queue(pack_queue(MatchQueue([one]))).tickets[0]


def free(queue: MatchQueue) -> list[bytes]:
    return [one.id for one in queue.tickets if queue.proposal_for(one.id) is None and not one.expired]


def test_tickets_get_a_proposal_as_soon_as_they_fit() -> None:
    queue = queue_of(ADA)
    assert queue.proposals == []
    queue = queue_of(ADA, BOB, CYD)
    assert [sorted(one.members) for one in queue.proposals] == [[ADA.id, BOB.id]]
    assert free(queue) == [CYD.id]


def test_a_proposal_is_agreed_with_the_last_confirmation_and_cannot_be_undone() -> None:
    queue = queue_of(ADA, BOB)
    proposal = queue.proposals[0]
    assert not queue.confirm(ADA.id, proposal.id, b"a", 1).agreed
    assert queue.confirm(BOB.id, proposal.id, b"b", 1).agreed
    assert queue.confirm(BOB.id, proposal.id, b"again", 1).confirmed[BOB.id] == b"b"
    queue.withdraw(ADA.id)
    queue.update(LEASE_MS + CONFIRM_MS, DRAW)
    assert queue.proposals == [proposal]
    assert len(queue.tickets) == 2
    queue.finish(proposal.id)
    assert pack_queue(queue) == b""


def test_withdrawing_dissolves_the_proposal_and_the_others_keep_their_positions() -> None:
    queue = queue_of(ADA, BOB, CYD)
    queue.confirm(ADA.id, queue.proposals[0].id, b"a", 1)
    queue.withdraw(BOB.id)
    queue.update(1, DRAW)
    assert [sorted(one.members) for one in queue.proposals] == [[ADA.id, CYD.id]]
    assert queue.proposals[0].confirmed == {}, "confirmations belong to one proposal"


def test_a_ticket_that_does_not_confirm_gets_no_further_proposal() -> None:
    queue = queue_of(ADA, BOB)
    queue.confirm(BOB.id, queue.proposals[0].id, b"b", 1)
    queue.renew_lease("here", CONFIRM_MS - 1)
    queue.update(CONFIRM_MS - 1, DRAW)
    assert queue.proposals
    queue.update(CONFIRM_MS, DRAW)
    assert queue.proposals == []
    assert [one.expired for one in queue.tickets] == [True, False]
    queue.add(read(CYD))
    queue.update(CONFIRM_MS, DRAW)
    assert [sorted(one.members) for one in queue.proposals] == [[BOB.id, CYD.id]]


def test_tickets_without_a_lease_leave_the_queue() -> None:
    elsewhere = ticket(1, 2, holder="there")
    queue = queue_of(elsewhere)
    queue.renew_lease("here", LEASE_MS)
    queue.add(read(BOB))
    queue.update(LEASE_MS, DRAW)
    assert [one.id for one in queue.tickets] == [BOB.id]
    assert queue.proposals == []


def test_a_proposal_cannot_be_confirmed_after_its_time_or_a_lease_has_ended() -> None:
    elsewhere = ticket(1, 2, holder="there")
    queue = queue_of(elsewhere, BOB)
    proposal = queue.proposals[0].id
    queue.confirm(elsewhere.id, proposal, b"a", 1)
    queue.renew_lease("here", LEASE_MS)
    with pytest.raises(ProposalExpired):
        queue.confirm(BOB.id, proposal, b"b", LEASE_MS)
    queue = queue_of(ADA, BOB)
    proposal = queue.proposals[0].id
    queue.renew_lease("here", CONFIRM_MS)
    with pytest.raises(ProposalExpired):
        queue.confirm(BOB.id, proposal, b"b", CONFIRM_MS)


@pytest.mark.parametrize("who", [CYD.id, ADA.id])
def test_only_members_can_confirm_a_proposal(who: bytes) -> None:
    queue = queue_of(ADA, BOB, CYD)
    with pytest.raises(ProposalExpired):
        queue.confirm(who, queue.proposals[0].id if who == CYD.id else "another", b"t", 1)


def test_a_ticket_that_is_added_again_keeps_its_position_and_moves_to_the_newest_holder() -> None:
    queue = queue_of(ADA)
    assert queue.add(read(BOB))
    assert not queue.add(ticket(1, 2, holder="there"))
    assert [(one.id, one.holder) for one in queue.tickets] == [(ADA.id, "there"), (BOB.id, "here")]


def test_a_different_request_with_the_same_id_is_rejected() -> None:
    other = ticket(1, 3)
    other.request = b"something else"
    with pytest.raises(RequestIdReused):
        queue_of(ADA).add(other)


def test_a_reserved_ticket_gets_no_proposal() -> None:
    queue = queue_of(ADA)
    assert queue.reserve(ADA.id, "here")
    queue.add(read(BOB))
    queue.update(1, DRAW)
    assert queue.proposals == []
    queue.release(ADA.id, "here")
    queue.update(1, DRAW)
    assert len(queue.proposals) == 1
    assert not queue.reserve(ADA.id, "here"), "it has a proposal"
    assert not queue.reserve(BOB.id, "there"), "another replica holds the stream"


def test_the_number_of_tickets_is_bounded() -> None:
    queue = queue_of(*(ticket(number, 4, name="Ada") for number in range(MAX_TICKETS)))
    with pytest.raises(LimitReached):
        queue.add(ticket(MAX_TICKETS, 2))


def test_a_queue_survives_encoding() -> None:
    queue = queue_of(ADA, BOB, CYD)
    queue.confirm(ADA.id, queue.proposals[0].id, b"a", 1)
    assert read_queue(pack_queue(queue)) == queue
    assert pack_queue(read_queue(b"")) == b""
