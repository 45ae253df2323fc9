"""The fair queue, by simulated work: nobody waits for the backlog of another caller. No test reads a clock."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry_service.timers.fair_queue import OTHERS_EVERY, FairQueue

GUESS, MAX_DEBT = 0.5, 5.0
ATTACKER, VICTIM = 1, 2


class Simulation:
    """Slots that take work from a queue, in simulated seconds."""

    def __init__(self, slots: int) -> None:
        self.queue: FairQueue[tuple[float, float]] = FairQueue(GUESS, MAX_DEBT)
        """Items: when each was added, and its work."""
        self.now = 0.0
        self.waits: dict[int, list[float]] = {}
        self._free = slots
        self._running: list[tuple[float, int, float]] = []

    def add(self, share: int, work: float, *, preferred: bool = True) -> None:
        """Add an item now."""
        self.queue.add(share, (self.now, work), preferred=preferred)
        self._serve()

    def step(self) -> int:
        """Let the next item end; return its share."""
        self.now, share, work = heappop(self._running)
        self._free += 1
        self.queue.finish(share, work)
        self._serve()
        return share

    def _serve(self) -> None:
        while self._free and self.queue:
            share, (added, work) = self.queue.take()
            self.waits.setdefault(share, []).append(self.now - added)
            heappush(self._running, (self.now + work, share, work))
            self._free -= 1


@pytest.mark.parametrize("slots", [1, 2, 8])
@pytest.mark.parametrize("crowd_is_preferred", [True, False])
def test_a_caller_with_one_game_waits_for_one_decision_of_a_caller_with_many(
    slots: int, crowd_is_preferred: bool
) -> None:
    simulation = Simulation(slots)
    for _ in range(400):
        simulation.add(ATTACKER, 1.0, preferred=crowd_is_preferred)
    for _ in range(100):
        simulation.add(VICTIM, 1.0)
        while simulation.step() != VICTIM:
            simulation.add(ATTACKER, 1.0, preferred=crowd_is_preferred)
    assert max(simulation.waits[VICTIM]) <= 2 * 1.0
    assert max(simulation.waits[ATTACKER]) > 20 / slots, "the attacker waits for its own games"


WORK = st.integers(1, int(MAX_DEBT * 100)).map(lambda hundredths: hundredths / 100)


@given(st.lists(st.tuples(WORK, WORK), min_size=20, max_size=60))
def test_two_callers_that_always_wait_get_equal_work_however_long_their_decisions_take(
    works: list[tuple[float, float]],
) -> None:
    simulation, left = Simulation(1), {1: [one for one, _ in works], 2: [two for _, two in works]}
    done = {1: 0.0, 2: 0.0}
    for share in (1, 2):
        for work in left[share]:
            simulation.add(share, work)
    longest = max(max(each) for each in works)
    while all(left.values()):
        begun = simulation.now
        share = simulation.step()
        left[share].pop()
        done[share] += simulation.now - begun
        assert abs(done[1] - done[2]) <= 2 * longest


def test_an_idle_caller_saves_nothing_up() -> None:
    queue: FairQueue[int] = FairQueue(GUESS, MAX_DEBT)
    for number in range(1000):
        queue.add(1, number, preferred=True)
        share, _ = queue.take()
        queue.finish(share, 1.0)
    for number in range(100):
        queue.add(1, number, preferred=True)
        queue.add(2, number, preferred=True)
    taken = Counter[int]()
    for _ in range(40):
        share, _ = queue.take()
        queue.finish(share, 1.0)
        taken[share] += 1
    assert abs(taken[1] - taken[2]) <= 2


def test_a_debt_is_bounded() -> None:
    queue: FairQueue[str] = FairQueue(GUESS, MAX_DEBT)
    queue.add(1, "took an hour", preferred=True)
    queue.take()
    queue.finish(1, 3600.0)
    queue.add(1, "the next", preferred=True)
    for _ in range(100):
        queue.add(2, "another", preferred=True)
    turns = 0
    while (taken := queue.take())[0] != 1:
        queue.finish(2, 1.0)
        turns += 1
    assert taken[1] == "the next"
    assert turns <= MAX_DEBT + 1


def test_tables_with_players_come_first_and_others_go_on() -> None:
    queue: FairQueue[str] = FairQueue(GUESS, MAX_DEBT)
    for _ in range(160):
        queue.add(1, "bots", preferred=False)
        queue.add(1, "players", preferred=True)
    taken = []
    for _ in range(80):
        share, item = queue.take()
        queue.finish(share, 1.0)
        taken.append(item)
    assert taken[0] == "players"
    assert taken.count("bots") == 80 // OTHERS_EVERY


def test_items_of_a_share_keep_their_order() -> None:
    queue: FairQueue[int] = FairQueue(GUESS, MAX_DEBT)
    for number in range(5):
        queue.add(3, number, preferred=True)
    assert len(queue) == 5
    assert [queue.take() for _ in range(5)] == [(3, number) for number in range(5)]
    assert len(queue) == 0
    with pytest.raises(ValueError, match="empty"):
        queue.take()
