"""Games whose options bring other secrets than the default ones: nobody receives more than the rules let it see."""

from __future__ import annotations

import pytest

from skerry.games.small_islands.v1 import small_islands_pb2
from skerry.v1 import payload_pb2
from tests.rpc.test_secrecy import Game, check_answered, check_looked_up, check_observed
from tests.rpc.wire import Api, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPTIONS = payload_pb2.GameOptions(
    small_islands=small_islands_pb2.Options(
        mode=small_islands_pb2.MODE_ADVANCED, start_layout=small_islands_pb2.START_LAYOUT_FREE, table_size=10
    )
)


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_the_advanced_mode_of_small_islands_leaks_nothing(api: Api, seats: int) -> None:
    """SMALL-PREP-3, SMALL-SETUP-4"""
    sitting = await sit_down(api, seats, game="small_islands", options=OPTIONS)
    played = Game(api, sitting, "small_islands", seats)
    told = await played.play()
    assert told.session.options.small_islands.mode == small_islands_pb2.MODE_ADVANCED
    for seen in played.all:
        check_observed(told, seen)
        check_answered(told, seen)
        check_looked_up(told, seen)
