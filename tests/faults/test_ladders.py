"""Games of a ladder count once, however often replicas are killed."""

from __future__ import annotations

import pytest

from tests.faults.suite.kinds import Asked
from tests.faults.suite.ladders import run

pytestmark = pytest.mark.deep


async def test_no_game_counts_twice_or_is_lost_while_replicas_are_killed() -> None:
    outcome = await run(Asked(seconds=15))
    assert outcome.good, (outcome, outcome.findings)
