"""ExplainTarget: the sentence of the rules for a place or piece that the caller cannot play now."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.wire.bounded_cache import cache_bytes
from tests.api.wire import OPEN, Api, Sitting, bearer, create, refused, sit_down, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def why(
    api: Api, sitting: Sitting, target: str, token: str | None, chosen: Sequence[str] = ()
) -> tuple[str, str]:
    request = pb.ExplainTargetRequest(name=sitting.name, target=target, chosen=chosen)
    response = await api.stub.ExplainTarget(request, metadata=bearer(token))
    return response.text, response.rule


async def test_each_caller_gets_its_own_sentence_with_the_names_of_the_players(api: Api) -> None:
    sitting = await sit_down(api)
    acting = (await turn(api, sitting))[0]
    seat = sitting.seats.index(acting)
    other = sitting.seats[1 - seat]
    name = (await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name))).session.seats[seat].display_name
    nothing = "You have no card on the table that your king could copy."
    for _ in range(2):  # the second time from the cache
        assert await why(api, sitting, f"card:{seat}:king", acting) == (nothing, "KRETA-KING-2")
        assert await why(api, sitting, f"card:{seat}:king", other) == (f"It is {name}'s turn.", "KRETA-TURN-1")
        assert await why(api, sitting, f"card:{seat}:king", None) == ("You are watching: only the players move.", "")
    assert await why(api, sitting, f"card:{seat}:abbot", acting, [f"card:{seat}:king"]) == (
        "You have no card on the table that your king could copy.",
        "KRETA-KING-2",
    )


async def test_the_cache_keeps_what_is_asked_after_few_choices(api: Api) -> None:
    sitting = await sit_down(api)
    for chosen, is_kept in ((4, True), (4, False), (5, False), (16, False)):
        before = cache_bytes()["explanations"]
        await why(api, sitting, "province:KIS", None, ["province:KIS"] * chosen)
        assert (cache_bytes()["explanations"] > before) == is_kept, chosen


async def test_a_game_that_a_player_has_ended_is_over(api: Api) -> None:
    ends = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    sitting = await sit_down(api, abandonment=ends)
    resigned = pb.ResignSessionRequest(name=sitting.name)
    await api.stub.ResignSession(resigned, metadata=bearer(sitting.seats[0]))
    assert await why(api, sitting, "province:KIS", sitting.seats[1]) == ("The game is over.", "")


@pytest.mark.parametrize(
    ("target", "chosen", "field", "sentence"),
    [
        ("", [], "target", "Send the id of a place or a piece."),
        ("province:nowhere", [], "target", "You see no place and no piece with the id 'province:nowhere'."),
        ("x" * 65, [], "target", "An id has at most 64 characters."),
        ("province:KIS", ["{0}"], "chosen", "You see no place and no piece with the id '{0}'."),
        ("province:KIS", ["y" * 60_000], "chosen", "An id has at most 64 characters."),
        ("province:KIS", ["province:KIS"] * 17, "chosen", "Send at most 16 ids, not 17."),
    ],
)
async def test_ids_are_checked(api: Api, target: str, chosen: list[str], field: str, sentence: str) -> None:
    sitting = await sit_down(api)
    request = pb.ExplainTargetRequest(name=sitting.name, target=target, chosen=chosen)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field) as refusal:
        await api.stub.ExplainTarget(request, metadata=bearer(sitting.seats[0]))
    assert refusal.message == f"{field}: {sentence}"


async def test_nothing_is_explained_in_the_lobby(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    request = pb.ExplainTargetRequest(name=sitting.name, target="province:KIS")
    with refused("FAILED_PRECONDITION", "NOT_STARTED"):
        await api.stub.ExplainTarget(request)
