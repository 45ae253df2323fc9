"""The headers ``RateLimit`` and ``RateLimit-Policy``: for whom, over which transport, and that they say the truth."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.access.quota_reports import QuotaUse
from skerry_service.access.quotas import Rate
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.quotas.limited_servers import NEW, limited, limits
from tests.rest.web import Response, Web, served, streamed
from tests.store.servers import ask

ITEM = re.compile(r'"([a-z0-9_-]+)";([a-z])=(\d+);([a-z])=(\d+)')
HOUR_S = 3600


def items(header: str) -> dict[str, dict[str, int]]:
    """Return the parameters of each item of a list of structured fields, by its name."""
    found = [ITEM.fullmatch(part) for part in header.split(", ")]
    assert all(found), header
    return {m[1]: {m[2]: int(m[3]), m[4]: int(m[5])} for m in found if m}


def state(answer: Response) -> dict[str, dict[str, int]]:
    return items(answer.headers["ratelimit"])


async def create(web: Web, **headers: str) -> Response:
    return await web.rpc("CreateSession", NEW, **headers)


async def test_they_count_down_to_the_refusal(valkey: EmbeddedServer) -> None:
    async with limited(valkey, create="3/10h 5/24h", create_server="1000/10h") as web:
        answers = [await create(web, **{"x-forwarded-for": "198.51.100.1"}) for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    for answer in answers:
        policies = items(answer.headers["ratelimit-policy"])
        assert policies == {
            "create-10h": {"q": 3, "w": 10 * HOUR_S},
            "create-1d": {"q": 5, "w": 24 * HOUR_S},
        }, "and nothing of the limit for all callers, which shows what others do"
    assert [state(answer)["create-10h"]["r"] for answer in answers] == [2, 1, 0, 0]
    assert [state(answer)["create-1d"]["r"] for answer in answers] == [4, 3, 2, 2]
    for number, answer in enumerate(answers):
        step_s = 10 * HOUR_S / 3  # one more call is possible after each step since the first call
        assert 0 <= step_s - state(answer)["create-10h"]["t"] < 60, number
    assert int(answers[3].headers["retry-after"]) == state(answers[3])["create-10h"]["t"]


async def test_each_address_reads_its_own(valkey: EmbeddedServer) -> None:
    async with limited(valkey, read="5/10h") as web:
        one, other = ({"x-forwarded-for": f"198.51.100.{number}"} for number in (1, 2))
        seen = [await web.call("GET", "/v1/games", headers=who) for who in (one, one, other, one)]
    assert [state(answer)["read-10h"]["r"] for answer in seen] == [4, 3, 4, 2]


async def test_a_key_reads_the_quota_that_its_callers_share(valkey: EmbeddedServer, tmp_path: Path) -> None:
    keys, key, plain = tmp_path / "keys", new_key("shop"), new_key("plain")
    keys.write_text(f"{format_line(key, 'host,watch', ('create=4/1h',))}\n{format_line(plain, 'host')}\n")
    await ask(valkey, "FLUSHALL")
    async with served(valkey, keys=keys, quotas=limits(create="9/10h")) as web:
        shared = [
            await create(web, **{"x-api-key": key, "x-forwarded-for": f"198.51.100.{number}"}) for number in (1, 2)
        ]
        own = await create(web, **{"x-api-key": plain, "x-forwarded-for": "198.51.100.1"})
    assert [state(answer) for answer in shared] == [
        {"create-1h": {"r": 3, "t": pytest.approx(900, abs=60)}},
        {"create-1h": {"r": 2, "t": pytest.approx(900, abs=60)}},
    ]
    assert [state(own)[name]["r"] for name in state(own)] == [8]


async def test_connect_and_streams_have_them_too(valkey: EmbeddedServer) -> None:
    async with limited(valkey, read="5/10h", create="5/10h", stream="5/10h") as web:
        made = await create(web)
        name = json.loads(made.body)["session"]["name"]
        connect = await web.call("POST", "/skerry.v1.SkerryService/ListGames", {})
        refused = await web.call("POST", "/skerry.v1.SkerryService/GetGame", {"name": "games/chess"})
        async with streamed(web, "GET", f"/v1/{name}:observe", {}) as stream:
            head = stream.head
    assert (connect.status, state(connect)["read-10h"]["r"]) == (200, 4)
    assert (refused.status, state(refused)["read-10h"]["r"]) == (404, 3)
    assert (head.status, state(head)["stream-10h"]["r"]) == (200, 4)


@pytest.mark.parametrize("limit", ["off", "shadow"])
async def test_without_a_limit_that_rejects_there_are_none(valkey: EmbeddedServer, limit: str) -> None:
    read = {"read": "5/10h"} if limit == "shadow" else {}
    async with limited(valkey, mode="shadow" if limit == "shadow" else "on", **read) as web:
        answer = await web.call("GET", "/v1/games")
    assert not {"ratelimit", "ratelimit-policy"} & set(answer.headers)


async def test_moves_have_none(valkey: EmbeddedServer) -> None:
    async with limited(valkey, read="5/10h", create="5/10h") as web:
        made = await create(web)
        answer = await web.rpc("Act", pb.ActRequest(name=made.json["session"]["name"]))
    assert (answer.status, "ratelimit" in answer.headers) == (400, False)


async def test_pages_of_other_origins_can_read_them(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with served(valkey, cors_origins=("https://play.example",), quotas=limits(read="5/10h")) as web:
        answer = await web.call("GET", "/v1/games", headers={"origin": "https://play.example"})
        wanted = {"origin": "https://play.example", "access-control-request-method": "POST"}
        preflight = await web.call("OPTIONS", "/v1/sessions", headers=wanted)
    assert {"RateLimit", "RateLimit-Policy"} <= set(answer.headers["access-control-expose-headers"].split(", "))
    assert "Idempotency-Key" in preflight.headers["access-control-allow-headers"].split(", ")


@pytest.mark.parametrize(
    ("used_s", "left", "seconds"),
    [(0, 4, 0), (0.5, 3, 1), (10, 3, 10), (10.5, 2, 1), (30, 1, 10), (39, 0, 9), (40, 0, 10), (65, 0, 35)],
)
def test_the_time_is_that_until_one_more_call_is_possible(used_s: float, left: int, seconds: int) -> None:
    use = QuotaUse("read", Rate(4, 40), int(used_s * 1_000_000))
    assert (use.left, use.seconds) == (left, seconds)
