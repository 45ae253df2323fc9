"""SampleStates: states for search that contain only what the seat may know."""

from __future__ import annotations

import pytest
from msgspec import msgpack

from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.sessions.sampling import samples
from tests.api.wire import Api, bearer, look, move_once, refused, sit_down
from tests.games.conformance.play import dice, middle, play, spread
from tests.games.variants import all_variants

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPEN = "kreta"
"""The game in which nothing is hidden."""


@pytest.mark.parametrize("game", all_games())
async def test_a_seat_has_the_same_view_of_each_sampled_state_as_of_the_true_one(api: Api, game: str) -> None:
    rules = all_games()[game]
    sitting = await sit_down(api, rules.seats[0], game=game)
    for pick in range(middle(rules, rules.seats[0], 6)):
        await move_once(api, sitting, pick)
    before = await look(api, sitting)
    for seat, token in enumerate(sitting.seats):
        request = pb.SampleStatesRequest(name=sitting.name, count=4)
        answers = [await api.stub.SampleStates(request, metadata=bearer(token)) for _ in range(2)]
        for answer in answers:
            assert (answer.game, answer.ruleset, answer.seat) == (game, rules.ruleset, seat)
            assert (answer.sequence, len(answer.states)) == (before.sequence, 4)
        states = [msgpack.decode(one, type=rules.state_type) for answer in answers for one in answer.states]
        assert len({repr(rules.view(state, seat)) for state in states}) == 1
        assert len({tuple(rules.legal_moves(state, seat)) for state in states}) == 1
        assert (len(set(states)) > 1) == (game != OPEN)
        listed = (await look(api, sitting, token)).legal_moves
        assert len(listed) == len(rules.legal_moves(states[0], seat))
    assert await look(api, sitting) == before


@pytest.mark.parametrize("game", [pytest.param(variant.game, id=variant.id) for variant in all_variants()])
async def test_sampled_states_do_not_depend_on_what_the_seat_cannot_know(game: AnyGame) -> None:
    seed, compared = b"s" * 32, 0
    for number, state in enumerate(spread(play(game, game.seats[-1], 1).states, 30)):
        for seat in range(game.seats[-1]):
            twin = game.redeal(state, seat, dice(5, number))
            dealt = run_to_completion(samples(game, state, seat, 2, seed))
            assert dealt == run_to_completion(samples(game, twin, seat, 2, seed))
            compared += twin != state
    assert (compared > 0) == (game.id != OPEN)


async def test_one_state_is_sampled_by_default_and_at_most_64_are(api: Api) -> None:
    sitting = await sit_down(api)
    for count, dealt in ((0, 1), (1, 1), (64, 64)):
        request = pb.SampleStatesRequest(name=sitting.name, count=count)
        assert len((await api.stub.SampleStates(request, metadata=bearer(sitting.seats[0]))).states) == dealt
    for count in (-1, 65, 2**31 - 1):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="count"):
            request = pb.SampleStatesRequest(name=sitting.name, count=count)
            await api.stub.SampleStates(request, metadata=bearer(sitting.seats[0]))
