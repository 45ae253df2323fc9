"""``skerry ladder`` at a real server, and the calls over REST."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from skerry_service.cli.app import run
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import KEYS, OPERATOR, serving, version


def call(url: str, key: str = "", body: object = None) -> tuple[int, dict[str, object]]:
    headers = {"content-type": "application/json", **({"x-api-key": key} if key else {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url, data, headers)) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)


async def test_an_operator_creates_and_lists_ladders_and_rest_has_the_calls(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SKERRY_API_KEY", OPERATOR)

    async def skerry_ladder(server: str, *arguments: str) -> tuple[int, str]:
        """Run a command; return its exit code and all that it prints."""
        code = await asyncio.to_thread(run, ["ladder", "--server", server, *arguments])
        return code, "".join(capsys.readouterr())

    async with serving(valkey, tmp_path) as service:
        create = ("create", "kreta-2", "--game", "kreta", "--seats", "2", "--minutes", "2")
        assert await skerry_ladder(service.operators_address, *create) == (0, "ladders/kreta-2 plays season 1.\n")
        code, printed = await skerry_ladder(service.operators_address, "show", "kreta-2")
        assert (code, json.loads(printed)["clock"]["bank"]["timeMs"]) == (0, 120_000)
        code, printed = await skerry_ladder(service.operators_address, "create", "Kreta", "--game", "x", "--seats", "2")
        assert code == 1 and "no game 'x'" in printed, printed

        ladders = f"http://{service.http}/v1/ladders"
        _, found = await asyncio.to_thread(call, f"{ladders}/kreta-2")
        assert found["standings"] == [] and found["ladder"]["name"] == "ladders/kreta-2"  # type: ignore[index]
        bot = {"name": "bots/gull", "hash": version("gull"), "contact": "ada@example.org"}
        code, made = await asyncio.to_thread(call, f"http://{service.http}/v1/bots", KEYS["ada"], bot)
        assert code == 200 and "contact" not in json.dumps(made)
        code, refused = await asyncio.to_thread(call, f"http://{service.http}/v1/bots/gull:wake", KEYS["bob"], {})
        assert code == 403, refused
        assert (await asyncio.to_thread(call, f"{ladders}/kreta-2/games?bot=bots/gull"))[1]["games"] == []
        assert (await asyncio.to_thread(call, f"{ladders}/kreta-2:headToHead?bot=bots/gull"))[1] == {"rows": []}
        code, printed = await skerry_ladder(service.operators_address, "bots")
        assert printed.split() == ["bots/gull", version("gull")[:12], "ada", "ada@example.org"]
