"""Write the transcript in docs/how-to/agents.md: a whole game of a scripted agent, with a fixed seed.

    python scripts/write_agent_transcript.py

The agent has no language model. It plays the first legal move, and makes one mistake.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import TextContent

from skerry.v1 import service_pb2 as api
from skerry_client.calls import Calls
from skerry_client.transport import A, Method, Q
from skerry_service.agents.agent_server import agent_server
from skerry_service.agents.sealed_handles import SealedHandles
from skerry_service.local import LocalTransport

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "agents.md"
_BLOCK = re.compile(r"(<!-- transcript: written by scripts/\w+.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
_SEED = bytes(range(32))
_SHOWN_CALLS = 5
_LINES, _LAST_LINES = 14, 30
"""Lines of a result that are shown: of most, and of the last."""
_WIDTH = 116


class _SeededTransport(LocalTransport):
    """Creates all sessions with one seed, so that each run plays the same game."""

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        if isinstance(request, api.CreateSessionRequest):
            request.seed = _SEED
        return await super().call(method, request, token, timeout)


class _Transcript:
    """The calls of one agent and their results."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.calls: list[tuple[str, str]] = []
        self._names: dict[str, str] = {}

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, keep call and text, and return the structured result."""
        result = await self._client.call_tool(tool, arguments)
        structured: dict[str, Any] = result.structured_content or {}
        self._names |= {structured[key]: shown for key, shown in _SHOWN_AS.items() if structured.get(key)}
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        (content,) = result.content
        assert isinstance(content, TextContent)
        self.calls.append((self._shown(f"{tool}({given})"), self._shown(content.text)))
        return structured

    def _shown(self, text: str) -> str:
        """Return a text without what differs in each run."""
        for name, shown in self._names.items():
            text = text.replace(name, shown)
        return text


_SHOWN_AS = {"handle": "seat_6P1Xt…", "table": "sessions/cx6pp6di7er43jcq"}


def written(page: str) -> str:
    """Return the page with its transcript generated anew."""
    calls = asyncio.run(_played())
    shown = "\n\n".join(_lines(calls))
    return _BLOCK.sub(lambda found: f"{found[1]}\n```text\n{shown}\n```\n\n", page)


async def _played() -> list[tuple[str, str]]:
    calls = Calls(_SeededTransport(), timeout=inf, retry_for=0, silence=inf)
    async with Client(agent_server(lambda request: calls, SealedHandles())) as client:
        transcript = _Transcript(client)
        look = await transcript.call("start_table", game="kreta", name="Ada")
        handle = look["handle"]
        await transcript.call("explain", game="kreta", about="KRETA-ABBOT-1")
        await transcript.call("play_move", handle=handle, sequence=look["sequence"], move='{"halt": {}}')
        while look["state"] == "playing":
            look = await transcript.call("play_move", handle=handle, sequence=look["sequence"], move="1")
        return transcript.calls


def _lines(calls: list[tuple[str, str]]) -> Iterable[str]:
    for call, text in calls[:_SHOWN_CALLS]:
        yield f"> {call}\n{_shortened(text, _LINES)}"
    yield f"[{len(calls) - _SHOWN_CALLS - 1} more calls]"
    call, text = calls[-1]
    yield f"> {call}\n{_shortened(text, _LAST_LINES)}"


def _shortened(text: str, most: int) -> str:
    lines = [line if len(line) <= _WIDTH else f"{line[: _WIDTH - 2]} …" for line in text.splitlines()]
    left = len(lines) - most
    return "\n".join(lines if left <= 1 else [*lines[:most], f"[{left} more lines]"])


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
