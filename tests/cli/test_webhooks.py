"""``skerry webhooks`` at a real server, with a real receiver."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.cli.app import run
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.webhooks.receivers import BAD, receiving

KEY = new_key("island")


async def test_an_application_manages_its_endpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SKERRY_API_KEY", KEY)
    (tmp_path / "keys").write_text(format_line(KEY, "host,webhooks"))

    async def webhooks(*arguments: str) -> tuple[int, str]:
        """Run a command. Return its exit code and all that it prints."""
        code = await asyncio.to_thread(run, ["webhooks", "--server", running.address, *arguments])
        return code, "".join(capsys.readouterr()).strip()

    async with receiving() as receiver:
        allowed = (f"127.0.0.1:{receiver.port}",)
        config = Config(port=0, data_dir=tmp_path / "data", keys=tmp_path / "keys", webhooks_allow=allowed)
        async with running_server(config) as running:
            code, secret = await webhooks(
                "set", "main", receiver.url, "--event", "turn", "--event", "end", "--language", "de"
            )
            assert code == 0 and secret.startswith("whsec_")
            assert await webhooks("list") == (0, f"webhookEndpoints/main  {receiver.url}  enabled")
            assert await webhooks("ping", "main") == (0, "The status is 204.")
            assert receiver.requests[0].is_signed_with(secret)
            code, rotated = await webhooks("rotate", "main")
            assert code == 0 and rotated.startswith("whsec_") and rotated != secret
            (one,) = [json.loads(line) for line in (await webhooks("list", "--json"))[1].splitlines()]
            assert one["events"] == ["WEBHOOK_EVENT_TURN", "WEBHOOK_EVENT_END"]
            assert one["language"] == "de"
            assert secret not in str(one) and rotated not in str(one)
            receiver.answer = lambda: BAD
            assert await webhooks("ping", "main") == (1, "The status is 500.")
            assert all(receiver.requests[1].is_signed_with(each) for each in (secret, rotated))
            assert await webhooks("set", "main", receiver.url) == (0, "The endpoint is changed. Its secret stays.")
            assert await webhooks("resend", "main", "--hours", "1") == (0, "Events of 0 sessions are sent again.")
            assert await webhooks("remove", "main") == (0, "The endpoint main is deleted.")
            assert await webhooks("list") == (0, "")
            code, printed = await webhooks("ping", "main")
            assert (code, "main" in printed) == (1, True)
            code, printed = await webhooks("set", "main", receiver.url, "--event", "dance")
            assert code == 2 and "Unknown event 'dance'" in printed
            code, printed = await webhooks("set", "main", receiver.url, "--language", "german!")
            assert code == 1 and "Send a language tag, for example de or de-AT." in printed
