"""Those who wait, as a value: offers, confirmations, leases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from skerry_service.domain.errors import LimitReached, ProposalExpired, RequestIdReused
from skerry_service.matching.queue import CONFIRM_MS, LEASE_MS, MOST_WAITING, MatchQueue, Waiter, pack_queue, read_queue
from tests.matching.strangers import waiter

ADA, BOB, CYD = (waiter(number, 2) for number in (1, 2, 3))


def dice() -> Callable[[int], bytes]:
    numbers = count()
    return lambda size: next(numbers).to_bytes(size, "big")


DRAW = dice()


def pool_of(*waiters: Waiter, now: int = 0) -> MatchQueue:
    pool = MatchQueue()
    for one in waiters:
        pool.arrive(read(one))
        pool.renew(one.holder, now)
    pool.settle(now, DRAW)
    return pool


def read(one: Waiter) -> Waiter:
    """Return a copy: a pool changes those in it."""
    return read_queue(pack_queue(MatchQueue([one]))).waiters[0]


def free(pool: MatchQueue) -> list[bytes]:
    return [one.id for one in pool.waiters if pool.offer_to(one.id) is None and not one.lapsed]


def test_people_are_offered_a_table_as_soon_as_they_fit() -> None:
    pool = pool_of(ADA)
    assert pool.offers == []
    pool = pool_of(ADA, BOB, CYD)
    assert [sorted(one.members) for one in pool.offers] == [[ADA.id, BOB.id]]
    assert free(pool) == [CYD.id]


def test_an_offer_is_agreed_when_the_last_has_confirmed_and_nothing_takes_it_back() -> None:
    pool = pool_of(ADA, BOB)
    offer = pool.offers[0]
    assert not pool.confirm(ADA.id, offer.id, b"a", 1).agreed
    assert pool.confirm(BOB.id, offer.id, b"b", 1).agreed
    assert pool.confirm(BOB.id, offer.id, b"again", 1).confirmed[BOB.id] == b"b"
    pool.leave(ADA.id)
    pool.settle(LEASE_MS + CONFIRM_MS, DRAW)
    assert pool.offers == [offer]
    assert len(pool.waiters) == 2
    pool.finish(offer.id)
    assert pack_queue(pool) == b""


def test_whoever_withdraws_dissolves_the_offer_and_the_others_keep_their_places() -> None:
    pool = pool_of(ADA, BOB, CYD)
    pool.confirm(ADA.id, pool.offers[0].id, b"a", 1)
    pool.leave(BOB.id)
    pool.settle(1, DRAW)
    assert [sorted(one.members) for one in pool.offers] == [[ADA.id, CYD.id]]
    assert pool.offers[0].confirmed == {}, "each offer is confirmed by itself"


def test_whoever_does_not_confirm_is_offered_nothing_more() -> None:
    pool = pool_of(ADA, BOB)
    pool.confirm(BOB.id, pool.offers[0].id, b"b", 1)
    pool.renew("here", CONFIRM_MS - 1)
    pool.settle(CONFIRM_MS - 1, DRAW)
    assert pool.offers
    pool.settle(CONFIRM_MS, DRAW)
    assert pool.offers == []
    assert [one.lapsed for one in pool.waiters] == [True, False]
    pool.arrive(read(CYD))
    pool.settle(CONFIRM_MS, DRAW)
    assert [sorted(one.members) for one in pool.offers] == [[BOB.id, CYD.id]]


def test_whose_replica_is_gone_is_never_offered_anything() -> None:
    elsewhere = waiter(1, 2, holder="there")
    pool = pool_of(elsewhere)
    pool.renew("here", LEASE_MS)
    pool.arrive(read(BOB))
    pool.settle(LEASE_MS, DRAW)
    assert [one.id for one in pool.waiters] == [BOB.id]
    assert pool.offers == []


def test_nothing_is_agreed_once_a_replica_is_gone_or_the_time_is_up() -> None:
    elsewhere = waiter(1, 2, holder="there")
    pool = pool_of(elsewhere, BOB)
    offer = pool.offers[0].id
    pool.confirm(elsewhere.id, offer, b"a", 1)
    pool.renew("here", LEASE_MS)
    with pytest.raises(ProposalExpired):
        pool.confirm(BOB.id, offer, b"b", LEASE_MS)
    pool = pool_of(ADA, BOB)
    offer = pool.offers[0].id
    pool.renew("here", CONFIRM_MS)
    with pytest.raises(ProposalExpired):
        pool.confirm(BOB.id, offer, b"b", CONFIRM_MS)


@pytest.mark.parametrize("who", [CYD.id, ADA.id])
def test_nobody_confirms_what_they_were_not_offered(who: bytes) -> None:
    pool = pool_of(ADA, BOB, CYD)
    with pytest.raises(ProposalExpired):
        pool.confirm(who, pool.offers[0].id if who == CYD.id else "another", b"t", 1)


def test_whoever_comes_again_has_one_place_and_the_newest_holder() -> None:
    pool = pool_of(ADA)
    assert pool.arrive(read(BOB))
    assert not pool.arrive(waiter(1, 2, holder="there"))
    assert [(one.id, one.holder) for one in pool.waiters] == [(ADA.id, "there"), (BOB.id, "here")]


def test_another_request_under_the_same_id_is_refused() -> None:
    other = waiter(1, 3)
    other.asked = b"something else"
    with pytest.raises(RequestIdReused):
        pool_of(ADA).arrive(other)


def test_whoever_is_set_aside_is_offered_nothing_until_free() -> None:
    pool = pool_of(ADA)
    assert pool.take_aside(ADA.id, "here")
    pool.arrive(read(BOB))
    pool.settle(1, DRAW)
    assert pool.offers == []
    pool.free(ADA.id, "here")
    pool.settle(1, DRAW)
    assert len(pool.offers) == 1
    assert not pool.take_aside(ADA.id, "here"), "a table is offered"
    assert not pool.take_aside(BOB.id, "there"), "somebody else holds the stream"


def test_the_number_of_those_who_wait_is_bounded() -> None:
    pool = pool_of(*(waiter(number, 4, name="Ada") for number in range(MOST_WAITING)))
    with pytest.raises(LimitReached):
        pool.arrive(waiter(MOST_WAITING, 2))


def test_a_pool_is_stored_whole() -> None:
    pool = pool_of(ADA, BOB, CYD)
    pool.confirm(ADA.id, pool.offers[0].id, b"a", 1)
    assert read_queue(pack_queue(pool)) == pool
    assert pack_queue(read_queue(b"")) == b""
