"""Each attack stays within its bound, and another player's game continues meanwhile."""

from __future__ import annotations

import pytest

from tests.attacks.__main__ import ATTACKS, within_bound
from tests.attacks.target import Attack, carry_out


@pytest.mark.deep
@pytest.mark.timeout(180)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_an_attack_stays_within_its_bound(attack: Attack) -> None:
    outcome = await carry_out(attack)
    assert within_bound(attack, outcome), outcome
    assert outcome.moves > 1
