"""The data of earlier formats: what a build of each kind stored of a few games, and its way into a server.

Each file of ``fixtures`` was written by that build. It names the type, TTL and values of each key, so that any server
can load it, and the tokens of the sessions. A value is base64, or text after ``=``.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, json

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.sessions.tables import Sitting

from .servers import ask

FILES = sorted((Path(__file__).parent / "fixtures").glob("format_*.json"))
NAMES = tuple(path.stem for path in FILES)


class StoredTokens(Struct):
    """A session of a file, with the tokens that it gave out."""

    state: Literal["lobby", "playing", "timed", "finished"]
    host: str
    seats: Sequence[str]


class EarlierData(Struct):
    """The data of one build."""

    build: str
    """Its commit."""
    tokens: Mapping[str, StoredTokens]
    """By session."""
    keys: Sequence[tuple[Literal["hash", "zset", "stream"], str, int, Sequence[str]]]
    """Type, key, TTL in ms (-1: none) and values, in the order in which Redis returns them."""

    def sittings(self, *states: str) -> list[Sitting]:
        """Return the sessions in those states."""
        return [
            Sitting(session, tokens.host, "", list(tokens.seats))
            for session, tokens in self.tokens.items()
            if tokens.state in states
        ]


def earlier_data(name: str) -> EarlierData:
    """Return the data of a file of that name."""
    path = next(path for path in FILES if path.stem == name)
    return json.decode(path.read_bytes(), type=EarlierData)


async def load(server: EmbeddedServer, data: EarlierData) -> None:
    """Write the data to a server, which is emptied before."""
    await ask(server, "FLUSHALL")
    for kind, key, ttl, texts in data.keys:
        values = [_value(text) for text in texts]
        if kind == "stream":
            for at in range(0, len(values), 3):
                await ask(server, "XADD", key, *values[at : at + 3])
        elif kind == "zset":
            for member, score in zip(values[::2], values[1::2], strict=True):
                await ask(server, "ZADD", key, score, member)
        else:
            await ask(server, "HSET", key, *values)
        if ttl > 0:
            await ask(server, "PEXPIRE", key, ttl)


def _value(text: str) -> bytes:
    return text[1:].encode() if text.startswith("=") else base64.b64decode(text)
