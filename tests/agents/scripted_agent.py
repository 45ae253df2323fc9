"""An agent without a language model: it calls the tools as one would, and keeps all that it was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from mcp import Client

TOKEN = "skerry_"
"""How every token of the service begins."""


@dataclass
class Agent:
    """One seat, played through a client."""

    client: Client
    random: Random = field(default_factory=lambda: Random(7))
    received: list[str] = field(default_factory=list)
    look: dict[str, Any] = field(default_factory=dict)
    """The newest structured result of a tool that concerns the seat."""
    handle: str = ""

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; return its structured result."""
        result = await self.client.call_tool(tool, arguments)
        self.received.append(result.model_dump_json())
        assert not result.is_error, result.content
        structured: dict[str, Any] = result.structured_content or {}
        return structured

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; return the text of its error."""
        result = await self.client.call_tool(tool, arguments)
        self.received.append(result.model_dump_json())
        assert result.is_error, result.structured_content
        (content,) = result.content
        assert content.type == "text"
        text: str = content.text
        return text

    async def sit(self, tool: str, **arguments: Any) -> None:
        """Start or join a table."""
        self.look = await self.call(tool, **arguments)
        self.handle = self.look["handle"]

    async def seat(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool for the seat."""
        self.look = await self.call(tool, handle=self.handle, **arguments)
        return self.look

    async def move(self) -> None:
        """Play a random legal move, by its number."""
        number = self.random.randint(1, self.look["legal_move_count"])
        await self.seat("play_move", sequence=self.look["sequence"], move=str(number))

    async def play(self) -> int:
        """Play to the end of the game; return the number of moves."""
        moves = 0
        while self.look["state"] == "playing":
            if self.look["your_turn"]:
                await self.move()
                moves += 1
            else:
                await self.seat("wait_for_turn", since=self.look["sequence"])
        return moves

    def saw_a_token(self) -> bool:
        """Return whether any result contained a token of the service."""
        return any(TOKEN in text for text in self.received)
