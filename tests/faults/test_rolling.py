"""A roll-out under play: each replica is drained and started again, and no client has anything to see of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .rolling import roll
from .shifting import shift


@pytest.mark.deep
async def test_replicas_are_restarted_one_by_one_and_no_call_fails(folder: Path) -> None:
    rolled = await roll(folder, replicas=2, tables=2, rounds=1)
    assert rolled.restarts == 2
    assert rolled.games >= 2
    assert rolled.refused + rolled.broken > 0, "nobody was there when a replica left"
    assert rolled.epochs == {"durable"}


@pytest.mark.deep
async def test_traffic_moves_to_another_set_of_replicas_and_back_and_no_call_fails(folder: Path) -> None:
    rolled, balancer = await shift(folder, replicas=1, tables=1)
    assert rolled.restarts == 2
    assert rolled.games >= 2
    assert all(balancer.connections), "a set served nobody"
    assert rolled.refused + rolled.broken > 0, "nobody was there when a set left"
    assert rolled.epochs == {"durable"}
