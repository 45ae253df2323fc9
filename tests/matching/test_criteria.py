"""Matching by seats, options, clocks and names: arrivals one after another, with those that wait."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.record import Clock, ClockKind, TimeoutAction
from skerry_service.domain.table import OPEN
from skerry_service.matching.criteria import ClockRange, Skill
from skerry_service.matching.open_tables import OpenTables
from skerry_service.matching.ticket_streams import MatchedPlayer, TicketRequest
from skerry_service.matching.tickets import Ticket
from skerry_service.matching.waiting_queues import MatchFound, WaitingQueues, WaitingTicket
from tests.matching.strangers import MINUTE, bank, between, criteria, ticket
from tests.sessions.records import new_record
from tests.sessions.stores import FaultyStore

SECOND_SEAT, THIRD_SEAT = (KRETA.options_type(start_seat=seat) for seat in (1, 2))


def first_match(tickets: Sequence[Ticket], now: int = 0) -> MatchFound | None:
    """Let tickets arrive until one of them has a match."""
    queues = WaitingQueues()
    for one in map(WaitingTicket, tickets):
        if match := queues.find(one, now, alike=True):
            return match
        queues.add(one)
    return None


def members(*tickets: Ticket, now: int = 0) -> tuple[int, ...] | None:
    """Return the positions of the matched tickets."""
    match = first_match(tickets, now)
    return tuple(tickets.index(one.ticket) for one in match.members) if match else None


def test_two_tickets_with_the_same_criteria_match() -> None:
    match = first_match([ticket(1, 2), ticket(2, 2)])
    assert match is not None
    assert (len(match.members), match.setting.seats, match.setting.clock) == (2, 2, None)


def test_tickets_without_a_common_setting_do_not_match() -> None:
    assert members(ticket(1, 2), ticket(2, 3), ticket(3, 4)) is None
    assert members(ticket(1, 2, options=[SECOND_SEAT]), ticket(2, 2)) is None
    assert members(ticket(1, 2, clocks=[ClockRange(None)]), ticket(2, 2, clocks=[between(bank(3), bank(5))])) is None
    short, long = between(bank(1), bank(2)), between(bank(3), bank(5))
    assert members(ticket(1, 2, clocks=[short]), ticket(2, 2, clocks=[long])) is None


def test_clocks_of_a_range_differ_only_in_their_time() -> None:
    here, there = between(bank(1), bank(9)), between(bank(1, increment_ms=2000), bank(9, increment_ms=2000))
    ends = Clock(ClockKind.BANK, bank_ms=MINUTE, on_expiry=TimeoutAction.END)
    assert members(ticket(1, 2, clocks=[here]), ticket(2, 2, clocks=[there])) is None
    assert members(ticket(1, 2, clocks=[here]), ticket(2, 2, clocks=[ClockRange(ends, MINUTE)])) is None
    assert members(ticket(1, 2, clocks=[here]), ticket(2, 2, clocks=[there, here])) == (0, 1)


def test_a_match_plays_the_shortest_time_that_all_accept() -> None:
    match = first_match(
        [ticket(1, 2, clocks=[between(bank(1), bank(9))]), ticket(2, 2, clocks=[between(bank(5), bank(15))])]
    )
    assert match is not None
    assert match.setting.clock == bank(5)


def test_the_time_of_a_turn_is_matched_too() -> None:
    days = [Clock(ClockKind.CORRESPONDENCE, grace_ms=one * 1440 * MINUTE) for one in (1, 3, 7)]
    match = first_match(
        [ticket(1, 2, clocks=[between(days[0], days[2])]), ticket(2, 2, clocks=[between(days[1], days[1])])]
    )
    assert match is not None
    assert match.setting.clock == days[1]


def test_equal_display_names_do_not_match() -> None:
    assert members(ticket(1, 2, name="Ada"), ticket(2, 2, name="ADA")) is None
    assert members(ticket(1, 2, name="Ada"), ticket(2, 2, name="ADA"), ticket(3, 2)) == (0, 2)


def test_the_longest_waiting_ticket_is_matched_first() -> None:
    assert members(ticket(1, 4), ticket(2, 2), ticket(3, 3), ticket(4, 2, 3), ticket(5, 2, 3)) == (1, 3)


def test_an_early_ticket_with_narrow_times_does_not_block_a_match() -> None:
    """The second fits the first, but not the others as well."""
    ranges = [(1, 10), (1, 3), (5, 9), (5, 8)]
    tickets = [ticket(at, 3, clocks=[between(bank(low), bank(high))]) for at, (low, high) in enumerate(ranges)]
    assert members(*tickets) == (0, 2, 3)


def test_the_preference_of_the_longest_waiting_ticket_decides() -> None:
    both = [SECOND_SEAT, THIRD_SEAT]
    match = first_match([ticket(1, 3, options=both[::-1]), *(ticket(at, 3, options=both) for at in (2, 3))])
    assert match is not None
    assert match.setting.options == ticket(1, 3, options=[THIRD_SEAT]).criteria.tables[0][1]


Player = tuple[tuple[int, ...], int, int, str]
"""Numbers of seats, the shortest and the longest time, a name."""
players: st.SearchStrategy[Player] = st.builds(
    lambda seats, low, width, name: (tuple(sorted(seats)), low, low + width, name),
    st.sets(st.sampled_from((2, 3)), min_size=1),
    st.integers(1, 6),
    st.integers(0, 4),
    st.sampled_from(("Ada", "Bob", "Cyd", "Dot")),
)


@pytest.mark.parametrize("number", [200, 1000])
@pytest.mark.parametrize("how", [{"clocks": [between(bank(1), bank(2))]}, {"skill": Skill(-(2**31), 0), "name": "Ada"}])
def test_many_tickets_that_fit_no_other_do_not_keep_later_ones_apart(number: int, how: dict[str, Any]) -> None:
    queues = WaitingQueues()
    crowd = [ticket(at, 2, **(how | {"name": how.get("name", "Ghost")})) for at in range(number)]
    fits = {"clocks": [between(bank(3), bank(5))]} if "clocks" in how else {"skill": Skill(1500, 100)}
    for one in map(WaitingTicket, [*crowd, ticket(2000, 2, name="Bob", **fits)]):
        assert queues.find(one, 0, alike=True) is None
        queues.add(one)
    assert queues.find(WaitingTicket(ticket(2001, 2, name="Cyd", **fits)), 0, alike=True) is not None


@settings(max_examples=150, deadline=None)
@given(st.lists(players, max_size=7))
def test_a_match_is_found_exactly_if_one_exists(crowd: list[Player]) -> None:
    """Compare with every possible set of tickets: no ticket starves."""
    tickets = [
        ticket(at, *seats, name=name, clocks=[between(bank(low), bank(high))])
        for at, (seats, low, high, name) in enumerate(crowd)
    ]
    fitting = [
        group
        for number in (2, 3)
        for group in combinations(range(len(crowd)), number)
        if all(number in crowd[at][0] for at in group)
        and max(crowd[at][1] for at in group) <= min(crowd[at][2] for at in group)
        and len({crowd[at][3] for at in group}) == number
    ]
    matched = members(*tickets)
    assert (matched is None) == (not fitting)
    if matched is not None:
        complete = min(group[-1] for group in fitting)
        assert matched in fitting
        assert matched[-1] == complete, "the first arrival that completes a match"
        assert matched[0] == min(group[0] for group in fitting if group[-1] == complete)


@pytest.mark.parametrize("clock", [None, bank(4), bank(5), bank(4, 1)])
async def test_criteria_accept_exactly_the_tables_that_they_name(store: FaultyStore, clock: Clock | None) -> None:
    accepted = criteria(2, clocks=[ClockRange(None), between(bank(1), bank(2)), between(bank(3), bank(4))])
    request = TicketRequest(KRETA, accepted, (MatchedPlayer("Ada"),))
    (options,) = {packed for _, packed in accepted.tables}
    table = replace(new_record(KRETA, (OPEN,) * 2, bytes(32)), clock=clock, options=options)
    tables = OpenTables(store, KRETA, never)
    tables.replace([table, replace(table, seats=(OPEN,) * 3), replace(table, options=b"others")])
    assert list(tables.fitting(request)) == ([table] if clock in (None, bank(4)) else [])
    party = replace(request, players=(MatchedPlayer("Ada"), MatchedPlayer("Bob")))
    assert not tables.fitting(party), "a party takes seats at no open table"


async def never() -> int:
    raise AssertionError("nothing is read")


def test_a_skill_range_widens_with_time() -> None:
    strong, weak, keen = (
        ticket(1, 2, skill=Skill(1500, 100)),
        ticket(2, 2, skill=Skill(1300, 100)),
        ticket(3, 2, skill=Skill(1300, 5000)),
    )
    assert members(strong, weak) is None
    assert members(strong, keen) is None, "each has to accept the other"
    assert members(weak, keen) == (0, 1)
    assert members(strong, weak, now=9_999) is None
    assert members(strong, weak, now=10_002) == (0, 1)
    assert members(strong, ticket(2, 2)) == (0, 1), "a ticket without a skill matches all"
    far = ticket(4, 2, skill=Skill(-(2**31), 0))
    assert members(strong, far, now=70_003) is None
    assert members(strong, far, now=70_004) == (0, 1)


def test_a_party_sits_at_one_table() -> None:
    pair, three, lone = (
        ticket(1, 4, party=["Bob"]),
        ticket(2, 4, party=["Cyd", "Dot"]),
        ticket(3, 4),
    )
    assert members(pair, three) is None, "five players do not fit four seats"
    assert members(pair, three, lone) == (1, 2)
    assert members(pair, ticket(4, 4, party=["Eve"])) == (0, 1)
    assert members(pair, ticket(4, 4, party=["BOB"])) is None
    assert members(ticket(1, 2, party=["Bob"])) == (0,), "a party can fill a table alone"
