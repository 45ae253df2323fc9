"""Whatever is sent, the answer is an answer or a refusal, never a defect."""

from __future__ import annotations

import re

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.catalogue import all_games
from skerry_service.api.pictures.rasterizer import has_rasterizer
from tests.api.messages import damaged, messages
from tests.api.wire import BOT, OPEN, SERVICE, Api, Metadata, act, bearer, create, get, refusal_of, sit_down, turn
from tests.tiers import one_and_deep

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXPECTED = {
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "RESOURCE_EXHAUSTED",
} | (set() if has_rasterizer() else {"UNIMPLEMENTED"})
ANY_SESSION = "sessions/aaaaaaaaaaaaaaaa"
"""Stands for the session's name while a request is drawn, so that equal dice draw equal requests."""
METHODS = tuple(method for method in SERVICE.methods_by_name if method != "Act")


async def probe(api: Api, method: str, request: bytes, metadata: Metadata = ()) -> str:
    """Send it; return the code."""
    try:
        await api.send(method, request, metadata)
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        assert refusal.code in EXPECTED, refusal
        assert refusal.reason not in ("", "INTERNAL"), refusal
        return refusal.code
    return "OK"


@pytest.mark.parametrize("game", one_and_deep(all_games()))
@settings(max_examples=60)
@given(data=st.data())
async def test_no_act_is_a_defect(api: Api, game: str, data: st.DataObject) -> None:
    sitting = await sit_down(api, all_games()[game].seats[0], game=game, seed=bytes(32))
    token, position = await turn(api, sitting)
    real, sitting.name = sitting.name.encode(), ANY_SESSION
    valid = act(sitting, position.legal_moves[-1], position.sequence).SerializeToString()
    drawn = serialized("Act", (ANY_SESSION, *names_in(valid)))
    request = data.draw(drawn | damaged(valid) | drawn.map(lambda more: valid + more) | st.binary(max_size=200))
    sitting.name = real.decode()
    before = (await get(api, sitting)).session.sequence
    code = await probe(api, "Act", request.replace(ANY_SESSION.encode(), real), bearer(token))
    assert code == "OK" or (await get(api, sitting)).session.sequence == before


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25)
@given(data=st.data())
async def test_no_other_call_is_a_defect(api: Api, method: str, data: st.DataObject) -> None:
    sitting = await create(api, OPEN, OPEN, BOT)
    words = (ANY_SESSION, "kreta", "games/kreta", "house", "Ada", "f47ac10b-58cc-4372-a567-0e02b2c3d479")
    request = data.draw(serialized(method, words)).replace(ANY_SESSION.encode(), sitting.name.encode())
    await probe(api, method, request, bearer(sitting.host if data.draw(st.booleans()) else None))


def serialized(method: str, words: tuple[str, ...]) -> st.SearchStrategy[bytes]:
    kind = SERVICE.methods_by_name[method].input_type
    return messages(kind, words).map(lambda message: message.SerializeToString())


def names_in(move: bytes) -> tuple[str, ...]:
    """Return what looks like a name: three letters and more."""
    return tuple(word.decode() for word in re.findall(rb"[A-Za-z_]{3,}", move))
