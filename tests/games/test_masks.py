"""A masked move can be sent to a client. The server rejects it if the client sends it back."""

from __future__ import annotations

import pytest

from skerry_games.api import AnyGame, MalformedMove
from skerry_service.wire.payloads import codec_of
from tests.games.conformance.masks import masks
from tests.games.variants import all_variants

SEEDS = (1, 2, 3)
TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    for seats in variant.game.seats
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_masked_move_can_be_sent_but_not_played(game: AnyGame, seats: int) -> None:
    codec = codec_of(game.id)
    for mask in {mask for seed in SEEDS for mask in masks(game, seats, seed)}:
        message = codec.move_to_proto(mask)
        assert message.WhichOneof("kind") is not None, f"sent as nothing: {mask}"
        with pytest.raises(MalformedMove):
            codec.move_from_proto(message)
