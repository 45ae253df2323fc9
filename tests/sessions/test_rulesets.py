"""Rules that change while games are played: who began under the old ones plays on under them, for as long as the build
carries them, and new games begin under the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest

from skerry_games.api import AnyGame, Outcome
from skerry_games.catalogue import all_games, earlier_rulesets
from skerry_service.domain.errors import RulesetUnsupported
from skerry_service.domain.packed import head_of
from skerry_service.domain.record import Delay, Phase
from skerry_service.domain.table import BOT, OPEN
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, log_of, move_once, play_out, sit_down, stored


def _turned_round(state: object) -> Outcome | None:
    """Under the old rules of these tests the fewest points win, and nobody shares a rank with anybody."""
    outcome = PAIRS.outcome(state)  # type: ignore[arg-type]
    if outcome is None:
        return None
    seats = sorted(range(len(outcome.scores)), key=lambda seat: (outcome.scores[seat], seat))
    return Outcome(tuple([1 + seats.index(seat) for seat in range(len(seats))]), outcome.scores, "Fewest points win.")


OLD: AnyGame = replace(PAIRS, ruleset="pairs-0", outcome=_turned_round)
NEW: AnyGame = replace(PAIRS, ruleset="pairs-1")
Build = Callable[[], Sessions]


@contextmanager
def build_with(newest: AnyGame, *earlier: AnyGame) -> Iterator[None]:
    """Be a build that carries these."""
    before, carried = all_games()[PAIRS.id], earlier_rulesets()
    all_games()[PAIRS.id] = newest
    carried.update({one.ruleset: one for one in earlier})
    yield
    all_games()[PAIRS.id] = before
    for one in earlier:
        del carried[one.ruleset]


@pytest.fixture
def replica(store: FaultyStore) -> Build:
    """Start a process of the build that there is now."""
    return partial(Sessions, store, clock_ms=Clock())


async def begun_under_the_old(replica: Build) -> Sitting:
    with build_with(OLD):
        sessions = replica()
        sitting = await sit_down(sessions, OLD, 2)
        await move_once(sessions, sitting)
        return sitting


async def test_a_game_goes_on_under_the_rules_that_it_began_with(replica: Build, store: FaultyStore) -> None:
    sitting = await begun_under_the_old(replica)
    with build_with(NEW, OLD):
        sessions = replica()
        assert first_difference(head_of(await stored(store, sitting.id)), await store.batches(sitting.id, 0)) is None
        table = await play_out(sessions, sitting)
        outcome = table.record.outcome
        assert outcome is not None
        assert (table.record.ruleset, table.game.ruleset, outcome.reason) == (
            OLD.ruleset,
            OLD.ruleset,
            "Fewest points win.",
        )
        assert first_difference(head_of(table), await store.batches(sitting.id, 0)) is None
        assert (await log_of(store, sitting.id))[-1].table == table == await stored(store, sitting.id)


async def test_new_games_begin_under_the_new_rules(replica: Build, store: FaultyStore) -> None:
    with build_with(NEW, OLD):
        sessions = replica()
        sitting = await sit_down(sessions, all_games()[PAIRS.id], 2)
        table = await play_out(sessions, sitting)
        assert table.record.ruleset == NEW.ruleset
        assert table.record.outcome == NEW.outcome(table.state)


async def test_both_are_played_side_by_side_by_one_process(replica: Build) -> None:
    old = await begun_under_the_old(replica)
    with build_with(NEW, OLD):
        sessions = replica()
        new = await sit_down(sessions, NEW, 2)
        over = {table.record.ruleset: table for table in (await play_out(sessions, old), await play_out(sessions, new))}
        reasons = {ruleset: table.record.outcome.reason for ruleset, table in over.items() if table.record.outcome}
        assert reasons[OLD.ruleset] == "Fewest points win." != reasons[NEW.ruleset]


async def test_a_build_that_carries_the_new_rules_alone_leaves_old_games_as_they_are(
    replica: Build, store: FaultyStore
) -> None:
    sitting = await begun_under_the_old(replica)
    before = await store.load(sitting.id)
    with build_with(NEW):
        with pytest.raises(RulesetUnsupported) as refusal:
            await replica().get(sitting.id, None)
        assert refusal.value.metadata == {"ruleset": OLD.ruleset, "supported": NEW.ruleset}
        assert before is not None
        with pytest.raises(RulesetUnsupported):
            first_difference(before, await store.batches(sitting.id, 0))
    assert await store.load(sitting.id) == before
    with build_with(NEW, OLD):
        assert (await play_out(replica(), sitting)).record.phase is Phase.FINISHED


async def test_a_list_goes_on_over_a_game_that_is_shown_late_and_not_carried(replica: Build) -> None:
    with build_with(OLD):
        sessions = replica()
        late = await sit_down(sessions, OLD, 2, delay=Delay(ms=60_000))
        await play_out(sessions, late)
    with build_with(NEW):
        other = await sit_down(sessions, NEW, 2)
        listed = (await replica().public(None, 10, lambda _: True)).sessions
        assert {record.id: record.phase for record, _ in listed} == {one.id: Phase.PLAYING for one in (late, other)}


async def test_a_rematch_is_played_by_the_new_rules_and_a_fork_by_those_of_its_game(replica: Build) -> None:
    sitting = await begun_under_the_old(replica)
    with build_with(NEW, OLD):
        sessions = replica()
        last = await play_out(sessions, sitting)
        rematch = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
        assert rematch.table.record.ruleset == NEW.ruleset

        def terms(game: AnyGame, options: object) -> NewSession:
            return NewSession(game=game, options=options, seats=(BOT, OPEN))

        forked, *_ = await sessions.rematches.fork(sitting.id, None, last.sequence - 2, terms, None)
        assert forked.record.ruleset == OLD.ruleset
