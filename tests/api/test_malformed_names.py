"""Names of ladders, bots and tournaments that are malformed, or that nothing has."""

from __future__ import annotations

import grpc
import pytest

from skerry_service.domain.tokens import Role, new_token
from tests.api.endpoint_requests import ENDPOINT_REQUESTS
from tests.api.ladder_requests import LADDER_REQUESTS
from tests.api.test_malformed import NO_NAMES, with_field
from tests.api.tournament_requests import TOURNAMENT_REQUESTS
from tests.api.wire import Api, bearer, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("method", [method for method in LADDER_REQUESTS if with_field(method, "name")])
async def test_a_name_of_no_ladder_or_bot_is_refused_or_not_found(api: Api, method: str) -> None:
    request = LADDER_REQUESTS[method]
    for name in ("", "kreta-2", "sessions/kreta-2", "ladders", "bots", *NO_NAMES):
        malformed = type(request).FromString(request.SerializeToString())
        malformed.name = name  # type: ignore[attr-defined]
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
            await api.send(method, malformed.SerializeToString())
    kind = request.name.partition("/")[0]  # type: ignore[attr-defined]
    for own in ("", "Kreta", "../x", "a" * 33, "é", "1a", "x" * 50_000):
        unknown = type(request).FromString(request.SerializeToString())
        unknown.name = f"{kind}/{own}"  # type: ignore[attr-defined]
        with pytest.raises(grpc.aio.AioRpcError) as rejected:
            await api.send(method, unknown.SerializeToString())
        assert rejected.value.code().name == ("INVALID_ARGUMENT" if method == "RegisterBot" else "NOT_FOUND")


@pytest.mark.parametrize("method", [method for method in ENDPOINT_REQUESTS if with_field(method, "name")])
async def test_a_name_of_no_webhook_endpoint_is_refused(api: Api, method: str) -> None:
    request = ENDPOINT_REQUESTS[method]
    ids = [f"webhookEndpoints/{own}" for own in ("", "Main", "../x", "a" * 33, "1a", "é", "x" * 50_000)]
    for name in ("", "main", "sessions/abcdefghijklmnop", "webhookEndpoints", *ids, *NO_NAMES):
        malformed = type(request).FromString(request.SerializeToString())
        malformed.name = name  # type: ignore[attr-defined]
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
            await api.send(method, malformed.SerializeToString())


@pytest.mark.parametrize("method", [method for method in TOURNAMENT_REQUESTS if with_field(method, "name")])
async def test_a_name_of_no_tournament_is_refused_or_not_found(api: Api, method: str) -> None:
    request, token = TOURNAMENT_REQUESTS[method], bearer(new_token(Role.HOST, b"salt", b"request"))

    def named(name: str) -> bytes:
        changed = type(request).FromString(request.SerializeToString())
        changed.name = name  # type: ignore[attr-defined]
        return changed.SerializeToString()

    for name in ("", "cup", "sessions/abcdefghijklmnop", "tournaments", *NO_NAMES):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
            await api.send(method, named(name), token)
    for own in ("", "Cup", "../x", "a" * 15, "a" * 17, "é", "x" * 50_000):
        with refused("NOT_FOUND", "TOURNAMENT_NOT_FOUND"):
            await api.send(method, named(f"tournaments/{own}"), token)
