"""The rounds of a matcher as a value: messages in, decisions out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

import pytest

from skerry_service.matching.match_rounds import ALIKE_MS, MAX_ROUND_COMPARISONS, MatchRounds, Round
from skerry_service.matching.no_shows import FIRST_WAIT_MS, FORGOTTEN_MS, NoShows
from skerry_service.matching.round_news import ReplicaNews
from skerry_service.matching.tickets import CONFIRM_MS, Message, NewsItem, NewsKind, Ticket
from skerry_service.matching.waiting_queues import MAX_COMPARISONS
from skerry_service.sessions.match_port import LEASE_MS
from tests.matching.strangers import ticket

ADA, BOB, CYD, DOT = (ticket(number, 2) for number in (1, 2, 3, 4))


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


# ------------------------------------------------------------ no-shows


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
    queues.send("here", BOB)
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
