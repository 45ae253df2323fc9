"""Each attack takes no more than its bound, and those who play meanwhile go on playing."""

from __future__ import annotations

import pytest

from tests.attacks.__main__ import ATTACKS, holds
from tests.attacks.ground import Attack, carry_out


@pytest.mark.deep
@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: one.name)
async def test_an_attack_takes_no_more_than_its_bound(one: Attack) -> None:
    outcome = await carry_out(one)
    assert holds(one, outcome), outcome
    assert outcome.moves > 1
