"""Decisions that several seats take at once: all of them land, and each only once."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from skerry_service.domain.errors import NotYourTurn, SequenceAhead, StaleSequence
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.games.pairs.state import Lay, Stage, Stay
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, nth_move, sit_down


async def choose(sessions: Sessions, sitting: Sitting, seat: int, move: Any, expected: int) -> Change:
    mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    change, seated = await sessions.moves.act(mover, move, expected, None)
    assert seated == seat
    return change


async def at_the_first_choice(sessions: Sessions) -> tuple[Sitting, Table]:
    sitting = await sit_down(sessions, PAIRS, 3)
    table, _ = await sessions.get(sitting.id, None)
    assert table.to_act == (0, 1, 2)
    return sitting, table


@pytest.mark.parametrize("order", tuple(permutations(range(3))))
async def test_all_choices_made_on_one_position_land_in_any_order(
    sessions: Sessions, another: Sessions, order: tuple[int, ...]
) -> None:
    sitting, table = await at_the_first_choice(sessions)
    for count, seat in enumerate(order, start=1):
        replica = (sessions, another)[count % 2]
        change = await choose(replica, sitting, seat, nth_move(table, seat, 0), table.sequence)
        assert change.applied[0].sequence == table.sequence + count
    assert (await sessions.get(sitting.id, None))[0].state.stage is Stage.SWAP


async def test_a_second_choice_on_the_same_position_is_stale(sessions: Sessions) -> None:
    sitting, table = await at_the_first_choice(sessions)
    await choose(sessions, sitting, 1, nth_move(table, 1, 0), table.sequence)
    with pytest.raises(StaleSequence) as stale:
        await choose(sessions, sitting, 1, nth_move(table, 1, 1), table.sequence)
    assert stale.value.metadata == {"sequence": str(table.sequence + 1)}


async def test_a_second_choice_on_the_next_position_is_out_of_turn(sessions: Sessions) -> None:
    sitting, table = await at_the_first_choice(sessions)
    await choose(sessions, sitting, 1, nth_move(table, 1, 0), table.sequence)
    with pytest.raises(NotYourTurn) as refusal:
        await choose(sessions, sitting, 1, nth_move(table, 1, 1), table.sequence + 1)
    assert refusal.value.metadata == {"to_act": "0, 2"}


async def test_a_choice_on_the_decision_before_is_stale_though_the_move_would_be_legal(sessions: Sessions) -> None:
    sitting, first = await at_the_first_choice(sessions)
    for seat in range(3):
        await choose(sessions, sitting, seat, nth_move(first, seat, 0), first.sequence)
    swap, _ = await sessions.get(sitting.id, None)
    second = (await choose(sessions, sitting, swap.to_act[0], Stay(), swap.sequence)).table
    assert second.to_act == (0, 1, 2)
    for expected in (first.sequence, first.sequence + 2, swap.sequence):
        with pytest.raises(StaleSequence):
            await choose(sessions, sitting, 0, nth_move(second, 0, 0), expected)
    assert (await choose(sessions, sitting, 0, nth_move(second, 0, 0), second.sequence)).table.sequence


async def test_somebody_leaving_makes_nobody_elses_choice_stale(sessions: Sessions) -> None:
    sitting, table = await at_the_first_choice(sessions)
    after = await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert after.to_act == (1, 2)
    for seat in (1, 2):
        await choose(sessions, sitting, seat, nth_move(table, seat, 0), table.sequence)


async def test_a_sequence_that_nobody_gave_out_is_refused(sessions: Sessions) -> None:
    sitting, table = await at_the_first_choice(sessions)
    with pytest.raises(SequenceAhead) as ahead:
        await choose(sessions, sitting, 0, nth_move(table, 0, 0), table.sequence + 1)
    assert ahead.value.metadata == {"sequence": str(table.sequence)}


async def test_validate_only_tells_nothing_and_does_nothing(sessions: Sessions, store: FaultyStore) -> None:
    sitting, first = await at_the_first_choice(sessions)
    for seat in (0, 1):
        await choose(sessions, sitting, seat, nth_move(first, seat, 0), first.sequence)
    before = await store.load(sitting.id)
    turning_up: Any = nth_move(first, 2, 0)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[2])
    checked = await sessions.moves.check(mover, turning_up, first.sequence)
    assert (checked.sequence, checked.state.stage) == (first.sequence + 2, Stage.LAY)
    assert await store.load(sitting.id) == before
    with pytest.raises(StaleSequence):
        await sessions.moves.check(await sessions.moves.seated(sitting.id, sitting.seats[0]), Lay(1), first.sequence)
