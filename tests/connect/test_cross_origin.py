"""Pages of other origins, and hosts: Connect and gRPC-Web follow the same settings as REST."""

from __future__ import annotations

import pytest

from tests.connect.asgi_client import Script, app_of, ask, path_of

pytestmark = pytest.mark.asyncio

ORIGIN = "https://play.example"
OF_CONNECT = ["content-type", "connect-protocol-version", "connect-timeout-ms", "authorization", "x-api-key"]
OF_GRPC_WEB = ["content-type", "grpc-timeout", "x-grpc-web", "x-user-agent", "authorization", "x-api-key"]


@pytest.mark.parametrize("needed", [OF_CONNECT, OF_GRPC_WEB])
async def test_a_preflight_allows_the_headers_of_both_protocols(needed: list[str]) -> None:
    asked = {
        "origin": ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": ", ".join(needed),
    }
    outcome = await ask(app_of(Script(), origins=[ORIGIN]), "OPTIONS", path_of("Act"), asked)
    assert (outcome.status, outcome.headers["access-control-allow-origin"]) == (204, ORIGIN)
    allowed = outcome.headers["access-control-allow-headers"].lower().split(", ")
    assert set(needed) <= set(allowed)
    assert "POST" in outcome.headers["access-control-allow-methods"].split(", ")


@pytest.mark.parametrize("media", ["application/json", "application/grpc-web+proto"])
async def test_a_response_exposes_the_headers_of_errors(media: str) -> None:
    app = app_of(Script(), origins=[ORIGIN])
    outcome = await ask(app, "POST", path_of("GetSession"), {"origin": ORIGIN, "content-type": media}, b"{}")
    assert outcome.headers["access-control-allow-origin"] == ORIGIN
    exposed = outcome.headers["access-control-expose-headers"].split(", ")
    assert {"Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin", "Retry-After"} <= set(exposed)


async def test_another_origin_is_not_allowed() -> None:
    asked = {"origin": "https://evil.example", "content-type": "application/json"}
    outcome = await ask(app_of(Script(), origins=[ORIGIN]), "POST", path_of("GetSession"), asked, b"{}")
    assert "access-control-allow-origin" not in outcome.headers


async def test_another_host_is_rejected() -> None:
    asked = {"host": "evil.example", "content-type": "application/json"}
    script = Script()
    outcome = await ask(app_of(script, hosts=["play.example"]), "POST", path_of("GetSession"), asked, b"{}")
    assert (outcome.status, script.requests) == (421, [])
