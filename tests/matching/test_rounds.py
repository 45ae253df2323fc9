"""The rounds of a matcher as a value: messages in, decisions out."""

from __future__ import annotations

from itertools import count

from skerry_service.matching.match_rounds import ALIKE_MS, MAX_ROUND_COMPARISONS, Round
from skerry_service.matching.no_shows import FIRST_WAIT_MS
from skerry_service.matching.round_news import ReplicaNews
from skerry_service.matching.tickets import CONFIRM_MS, NewsItem, NewsKind, Ticket
from skerry_service.matching.waiting_queues import MAX_COMPARISONS
from skerry_service.sessions.match_port import LEASE_MS
from tests.matching.queues import Queues, items, proposals, proposed
from tests.matching.strangers import ticket

ADA, BOB, CYD = (ticket(number, 2) for number in (1, 2, 3))


def test_tickets_of_two_replicas_get_one_proposal() -> None:
    queues = Queues()
    queues.send("here", ADA)
    assert queues.run().news["here"].items == []
    queues.send("there", BOB)
    done = queues.run()
    assert proposals(done)[ADA.id] == proposals(done, "there")[BOB.id]
    assert done.proposed == 1


def waiting(done: Round, replica: str = "here") -> dict[bytes, tuple[int, int]]:
    """Return for each ticket of a replica the other players in its queues, and the time until it enters them."""
    return {one.ticket: (one.others, one.held_ms) for one in done.news.get(replica, ReplicaNews()).waiting}


def test_waiting_tickets_learn_how_many_other_players_wait() -> None:
    queues = Queues()
    ada, bob, cyd = ticket(1, 4), ticket(2, 3, 4, party=["Bea"]), ticket(3, 3)
    queues.send("here", ada)
    assert waiting(queues.run()) == {ada.id: (0, 0)}
    queues.send("there", bob)
    done = queues.run()
    assert (waiting(done), waiting(done, "there")) == ({ada.id: (2, 0)}, {bob.id: (1, 0)})
    queues.send("here", ada, restart=True)
    assert waiting(queues.run()) == {ada.id: (2, 0)}, "also after a lost connection"
    queues.send("here", cyd)
    done = queues.run()
    assert [one.setting.seats for one in items(done.news, "there", NewsKind.PROPOSED) if one.setting] == [3]
    assert waiting(done) == {ada.id: (0, 0)}


def test_few_tickets_of_a_crowd_learn_how_many_wait() -> None:
    queues = Queues()
    queues.send("here", *(ticket(number, 2, name="Ada") for number in range(1, 200)))
    assert len(waiting(queues.run())) == 32


def test_a_caller_with_a_no_show_learns_how_long_it_waits() -> None:
    queues = Queues()
    late, other = ticket(1, 2, callers=[b"late"]), ticket(2, 2)
    proposed(queues, late, other)
    queues.send("here", withdrawn=(late.id,))
    queues.run()
    queues.send("here", late)
    assert waiting(queues.run(4000, "here")) == {late.id: (1, FIRST_WAIT_MS)}
    queues.send("here", late, other, restart=True)
    assert waiting(queues.run(1000, "here"))[late.id] == (1, FIRST_WAIT_MS - 4000)


def test_a_proposal_is_agreed_with_the_last_confirmation() -> None:
    queues = Queues()
    proposal = proposed(queues, ADA, BOB)[ADA.id]
    queues.confirm("here", (ADA, proposal))
    assert queues.run().agreed == []
    queues.confirm("there", (BOB, proposal))
    done = queues.run()
    assert [[one.ticket for one in agreed.members] for agreed in done.agreed] == [[ADA, BOB]]
    assert items(done.news, "there", NewsKind.CONFIRMED) == [NewsItem(BOB.id, NewsKind.CONFIRMED, proposal)]
    assert queues.rounds.waiting == 0
    queues.confirm("here", (ADA, proposal))
    assert items(queues.run().news, "here", NewsKind.REFUSED) == [NewsItem(ADA.id, NewsKind.REFUSED, proposal)]


def test_withdrawing_dissolves_the_proposal_and_the_others_keep_their_places() -> None:
    queues = Queues()
    first = proposed(queues, ADA, BOB, CYD)
    assert set(first) == {ADA.id, BOB.id}
    queues.confirm("here", (ADA, first[ADA.id]))
    queues.send("here", withdrawn=(BOB.id,))
    done = queues.run()
    assert set(proposals(done)) == {ADA.id, CYD.id}
    queues.confirm("here", (CYD, proposals(done)[CYD.id]))
    assert queues.run().agreed == [], "a confirmation belongs to one proposal"


def test_a_ticket_that_does_not_confirm_leaves_and_the_others_wait_again() -> None:
    queues = Queues()
    first = proposed(queues, ADA, BOB)
    queues.confirm("here", (BOB, first[BOB.id]))
    for _ in range(CONFIRM_MS // 5000 - 1):
        queues.run(5000, "here")
    done = queues.run(4999, "here")
    assert items(done.news, "here", NewsKind.MISSED, NewsKind.DISSOLVED) == []
    done = queues.run(1, "here")
    assert items(done.news, "here", NewsKind.MISSED) == [NewsItem(ADA.id, NewsKind.MISSED)]
    assert done.missed == 1
    assert queues.rounds.due_ms(queues.now) == ALIKE_MS
    queues.send("here", CYD)
    assert proposals(queues.run(ALIKE_MS - 1, "here")) == {}, "others that confirmed in vain come first"
    assert set(proposals(queues.run(1, "here"))) == {BOB.id, CYD.id}


def test_a_confirmation_after_the_time_is_refused() -> None:
    queues = Queues()
    first = proposed(queues, ADA, BOB)
    queues.now = CONFIRM_MS
    queues.send("here", confirmed=((ADA.id, first[ADA.id]),))
    assert items(queues.run().news, "here", NewsKind.REFUSED)


def test_tickets_of_a_silent_replica_leave_and_those_of_others_stay() -> None:
    queues = Queues()
    queues.send("gone", ADA)
    queues.send("here", BOB)
    assert proposals(queues.run())
    done = queues.run(LEASE_MS, "here")
    assert items(done.news, "here", NewsKind.DISSOLVED) == [NewsItem(BOB.id, NewsKind.DISSOLVED)]
    assert queues.rounds.waiting == 1
    assert not done.missed, "a server that dies blames no player"


def test_no_match_is_agreed_while_the_replica_of_a_member_is_silent() -> None:
    queues = Queues()
    queues.send("gone", ADA)
    queues.send("here", BOB)
    proposal = proposals(queues.run())[BOB.id]
    queues.confirm("gone", (ADA, proposal))
    queues.now += LEASE_MS
    queues.confirm("here", (BOB, proposal))
    assert queues.run().agreed == []


def test_a_lost_message_makes_the_replica_send_all_its_tickets_again() -> None:
    queues = Queues()
    queues.send("here", ADA)
    next(queues._numbers["here"])  # this message is lost
    queues.send("here", BOB)
    done = queues.run()
    assert done.news["here"].restart
    assert queues.rounds.waiting == 0
    message = queues.send("here", ADA, BOB, restart=True)
    done = queues.run()
    assert done.news["here"].answers == message.number
    assert set(proposals(done)) == {ADA.id, BOB.id}
    queues.rounds.apply(message, queues.now)
    assert not queues.run().news, "a repeated message changes nothing"


def test_an_unknown_replica_is_asked_for_all_its_tickets() -> None:
    """Its first message was lost."""
    queues = Queues()
    queues._numbers["here"] = count(2)
    queues.beat("here")
    assert queues.run().news["here"].restart


def test_a_replica_that_starts_again_learns_the_present_proposals_and_drops_missing_tickets() -> None:
    queues = Queues()
    first = proposed(queues, ADA, BOB, CYD)
    queues.send("here", ADA, BOB, restart=True)
    done = queues.run()
    assert proposals(done) == first
    assert queues.rounds.waiting == 2


def test_a_ticket_at_two_replicas_waits_until_both_streams_are_closed() -> None:
    queues = Queues()
    queues.send("here", ADA)
    queues.send("there", ADA)
    assert not queues.run().proposed, "a ticket does not match itself"
    queues.send("here", withdrawn=(ADA.id,))
    queues.send("here", BOB)
    done = queues.run()
    assert proposals(done, "there")[ADA.id] == proposals(done)[BOB.id]


def test_a_different_request_with_the_same_ticket_is_reported() -> None:
    queues = Queues()
    queues.send("here", ADA)
    other = Ticket(ADA.id, b"another", 5, ADA.criteria, ADA.players)
    queues.send("there", other)
    assert items(queues.run().news, "there", NewsKind.REUSED) == [NewsItem(ADA.id, NewsKind.REUSED, b"another")]


def test_a_match_with_a_ticket_that_has_a_seat_elsewhere_is_undone() -> None:
    queues = Queues()
    first = proposed(queues, ADA, BOB)
    queues.confirm("here", *((one, first[one.id]) for one in (ADA, BOB)))
    agreed = queues.run().agreed[0]
    queues.rounds.reopen(agreed, [0], queues.now)
    done = queues.run()
    assert items(done.news, "here", NewsKind.SEATED) == [NewsItem(ADA.id, NewsKind.SEATED)]
    assert queues.rounds.waiting == 1
    queues.send("here", CYD)
    assert set(proposals(queues.run())) == {BOB.id, CYD.id}


def test_a_round_compares_a_bounded_number_of_tickets_and_the_next_one_continues() -> None:
    queues = Queues()
    crowd = [ticket(number, 2, name="Ada") for number in range(1, 1201)]
    queues.send("here", *crowd)
    rounds = 0
    while queues.rounds.backlog or not rounds:
        before = queues.rounds._queues.comparisons
        queues.run()
        assert queues.rounds._queues.comparisons - before <= MAX_ROUND_COMPARISONS + MAX_COMPARISONS
        rounds += 1
    assert rounds > 1
    queues.send("here", ticket(2000, 2))
    done = queues.run()
    assert done.proposed == 1, "the last is compared with those that wait, not with each other"
