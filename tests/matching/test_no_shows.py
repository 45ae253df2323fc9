"""Callers that do not confirm their proposals wait, and players that confirmed in vain find each other."""

from __future__ import annotations

import pytest

from skerry_service.matching.match_rounds import ALIKE_MS
from skerry_service.matching.no_shows import FIRST_WAIT_MS, FORGOTTEN_MS, NoShows
from skerry_service.matching.tickets import CONFIRM_MS, Ticket
from tests.matching.queues import Queues, proposals
from tests.matching.strangers import ticket

GHOSTS = [ticket(number, 2, callers=[b"ghost"]) for number in range(10, 20)]


def miss(queues: Queues, *tickets: Ticket) -> None:
    """Let proposals of tickets of the replica "bad" expire."""
    queues.send("bad", *tickets)
    assert proposals(queues.run(), "bad")
    for _ in range(CONFIRM_MS // 5000):
        queues.run(5000, "bad", "here")


def test_a_caller_that_did_not_confirm_waits_twice_as_long_each_time() -> None:
    queues = Queues()
    queues.send("here")
    waits = []
    for turn in range(3):
        miss(queues, *GHOSTS[2 * turn : 2 * turn + 2])
        queues.send("bad", *GHOSTS[2 * turn + 2 : 2 * turn + 4])
        since = queues.now
        while not proposals(queues.run(1000, "bad", "here"), "bad"):
            pass
        waits.append(queues.now - since)
        queues.send("bad", seated=tuple(one.id for one in GHOSTS[2 * turn + 2 : 2 * turn + 4]))
    assert waits == [FIRST_WAIT_MS, 2 * FIRST_WAIT_MS, 4 * FIRST_WAIT_MS]


def test_other_tickets_of_the_caller_wait_too() -> None:
    queues = Queues()
    queues.send("bad", ticket(10, 2, callers=[b"ghost"]), ticket(11, 2, callers=[b"ghost"]))
    queues.send("bad", ticket(12, 3, callers=[b"ghost"]))
    queues.run()
    queues.run(5000, "bad")
    queues.run(5000, "bad")
    queues.send("here", ticket(20, 3), ticket(21, 3))
    assert not queues.run().proposed
    assert not queues.run(FIRST_WAIT_MS - 1000, "here", "bad").proposed
    assert queues.run(1000, "here", "bad").proposed == 1


def test_leaving_a_proposal_counts_as_not_confirming_it() -> None:
    queues = Queues()
    queues.send("bad", GHOSTS[0])
    queues.send("here", ticket(2, 2))
    queues.run()
    queues.send("bad", withdrawn=(GHOSTS[0].id,))
    queues.send("bad", GHOSTS[1])
    done = queues.run()
    assert (done.missed, done.proposed, set(done.no_shows)) == (1, 0, {b"ghost"})


def test_simultaneous_no_shows_of_a_caller_count_once() -> None:
    queues = Queues()
    miss(queues, *GHOSTS[:6])
    assert queues.rounds.no_shows.count([b"ghost"], queues.now) == 1


def test_tickets_are_matched_with_their_like_first() -> None:
    queues = Queues()
    queues.send("here")
    miss(queues, *GHOSTS[:2])
    queues.run(FIRST_WAIT_MS, "here", "bad")
    queues.send("bad", GHOSTS[2])
    queues.send("here", ticket(30, 2))
    matched = queues.run()
    assert matched.proposed == 1, "with another one if there is no other"
    queues.send("bad", seated=(GHOSTS[2].id,))
    queues.send("here", seated=((30).to_bytes(2, "big"),))
    three = [ticket(number, 3, callers=[b"ghost"]) for number in (31, 32)]
    queues.send("bad", *three)
    queues.send("here", ticket(40, 3), ticket(41, 3))
    queues.run()
    assert queues.rounds.waiting == 4


def test_tickets_that_confirmed_in_vain_are_matched_with_each_other() -> None:
    """However many new ghosts wait: each pair of players loses one proposal to them."""
    queues = Queues()
    ghosts = [ticket(number, 2, callers=[b"ghost %d" % number]) for number in (1, 2)]
    queues.send("bad", ghosts[0])
    queues.send("here", ticket(10, 2))
    queues.run()
    queues.send("bad", ghosts[1])
    queues.send("here", ticket(11, 2))
    done = queues.rounds.run(queues.now)
    assert done.proposed == 1
    for one in (10, 11):
        member = queues.rounds._members[one.to_bytes(2, "big")]
        assert member.proposal is not None
        queues.confirm("here", (member.ticket, member.proposal.id))
    queues.send("bad", *(ticket(number, 2, callers=[b"ghost %d" % number]) for number in (3,)))
    queues.run(5000, "here", "bad")
    done = queues.run(5000, "here", "bad")
    assert {(10).to_bytes(2, "big"), (11).to_bytes(2, "big")} <= set(proposals(done))


@pytest.mark.parametrize("later", [1, ALIKE_MS - 1])
def test_tickets_whose_proposals_end_one_after_the_other_find_each_other(later: int) -> None:
    queues = Queues()
    proposals_of: dict[int, bytes] = {}
    for number in (10, 11):
        queues.send("bad", ticket(number - 9, 2, callers=[b"ghost %d" % number]))
        queues.send("here", ticket(number, 2))
        proposals_of[number] = next(iter(proposals(queues.run(later if number == 11 else 0)).values()))
    queues.confirm("here", *((ticket(number, 2), one) for number, one in proposals_of.items()))
    queues.run(5000 - later, "here", "bad")
    queues.send("bad", ticket(3, 2, callers=[b"ghost"]))
    assert proposals(queues.run(5000, "here", "bad"), "here") == {}, "no ghost, before the other player is back"
    queues.send("bad", ticket(4, 2, callers=[b"another ghost"]))
    assert set(proposals(queues.run(later, "here", "bad"))) == {(10).to_bytes(2, "big"), (11).to_bytes(2, "big")}


def test_no_shows_are_forgotten_after_an_hour() -> None:
    no_shows = NoShows()
    no_shows.add([b"a"], 0)
    no_shows.add([b"a"], 5)
    assert no_shows.count([b"a", b"b"], 6) == 2
    assert no_shows.waits_until([b"a"], 6) == 5 + 2 * FIRST_WAIT_MS
    assert no_shows.count([b"a"], 5 + FORGOTTEN_MS) == 0
    stored = no_shows.add([b"a"], 5 + FORGOTTEN_MS)
    assert NoShows(stored, 5 + FORGOTTEN_MS).count([b"a"], 6 + FORGOTTEN_MS) == 1


@pytest.mark.parametrize("stored", [0, -1, 64 * 5, 64 * 5 + 63, 2**60 + 1])
def test_damaged_no_shows_are_left_out(stored: int) -> None:
    sound = NoShows().add([b"a"], 5)
    no_shows = NoShows({**sound, b"b": stored}, 5)
    assert (no_shows.count([b"a"], 6), no_shows.count([b"b"], 6), no_shows.waits_until([b"b"], 6)) == (1, 0, 0)


@pytest.mark.parametrize("times", [9, 30])
def test_a_wait_stays_below_the_time_after_which_it_is_forgotten(times: int) -> None:
    no_shows = NoShows()
    for now in range(times):
        no_shows.add([b"a"], now)
    assert no_shows.waits_until([b"a"], times) < times + FORGOTTEN_MS
