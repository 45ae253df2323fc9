"""The headers that a client sends with each call: its API key, language, user and cell, and the token of a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable

from google.protobuf.message import Message

from skerry_client import arguments
from skerry_client.errors import IdentityInvalid

_MENDED_BY_ANOTHER = ("expired", "key", "signature")
"""What is wrong with a token that a new one can mend: it has expired, or the issuer has changed its key."""
Metadata = tuple[tuple[str, str], ...]
AskToken = Callable[[], str | Awaitable[str]]
"""Returns an identity token that is valid now."""
CELL = "skerry-cell"
"""The header with the cell of a call. A proxy in front of several installations cannot see the name in the body."""
_NAMED_BY = ("name", "parent", "ticket")


def cell_of(name: str) -> str:
    """Return the cell of a name or ticket, which follows a dot; an empty text if it has none."""
    cell = name.rpartition(".")[2] if "." in name else ""
    return cell if arguments.CELL.fullmatch(cell) else ""


def cell_of_request(request: Message) -> str:
    """Return the cell of the resource that a request names; an empty text if it names none."""
    for field in _NAMED_BY:
        if name := getattr(request, field, ""):
            return cell_of(name)
    return ""


class IdentitySource:
    """The identity token of a client. A source with a function asks for the first token, and when one is outdated."""

    def __init__(self, given: str | AskToken | None = None) -> None:
        """``given``: the token, or the function. Raises TypeError, ValueError."""
        self._ask = given if callable(given) else None
        self.token = None if given is None or callable(given) else _checked(given)
        """The newest token."""
        self._asking = asyncio.Lock()

    async def read(self) -> str | None:
        """Return the token for the next call. ``None`` if the client has no identity."""
        if self.token is None and self._ask is not None:
            await self._replace(None, self._ask)
        return self.token

    async def renew(self, used: str | None, error: IdentityInvalid) -> None:
        """Ask for a token after an outdated one. Raises the error if another token cannot help.

        ``used``: the token of the failed call. Of calls that fail at the same time, one asks.
        """
        if self._ask is None or error.metadata.get("problem") not in _MENDED_BY_ANOTHER:
            raise error
        await self._replace(used, self._ask)

    async def _replace(self, used: str | None, ask: AskToken) -> None:
        async with self._asking:
            if self.token == used:
                answer = ask()
                self.token = _checked(await answer if isawaitable(answer) else answer)


def _checked(token: object) -> str:
    return arguments.secret("identity", token, "an identity token")


class IdentityUse:
    """The identity of one call or stream, which can replace an outdated token once."""

    def __init__(self, source: IdentitySource) -> None:
        self._source = source
        self.reset()

    def reset(self) -> None:
        """Allow another replacement, after a response."""
        self._renewable = True

    async def begin(self) -> None:
        """Prepare the token of the next attempt."""
        self._used = await self._source.read()

    async def renew(self, error: IdentityInvalid) -> None:
        """Replace the token, so that the next attempt can succeed. Raises the error if that cannot help."""
        if not self._renewable:
            raise error
        self._renewable = False
        await self._source.renew(self._used, error)


class CallHeaders:
    """Returns the headers of a call. The client prepares the identity token before each attempt."""

    def __init__(
        self,
        api_key: str | None = None,
        language: str | None = None,
        act_for: str | None = None,
        identity: IdentitySource | None = None,
        cell: str | None = None,
        *,
        sentences: bool = False,
    ) -> None:
        """``cell``: that of calls that name no resource of a cell."""
        self._cell = cell or ""
        given = (
            ("x-api-key", api_key),
            ("accept-language", language),
            ("skerry-sentences", "true" if sentences else None),
            ("skerry-act-for", act_for),
        )
        self._fixed: Metadata = tuple([(name, value) for name, value in given if value])
        self._identity = identity

    def __call__(self, token: str | None, cell: str = "") -> Metadata:
        """``token``: that of a seat, host, spectator or other role; ``None`` without one. ``cell``: of the request."""
        sent = self._fixed
        if cell or self._cell:
            sent = (*sent, (CELL, cell or self._cell))
        if self._identity is not None and self._identity.token is not None:
            sent = (*sent, ("skerry-identity", self._identity.token))
        return (*sent, ("authorization", f"Bearer {token}")) if token else sent


NO_HEADERS = CallHeaders()
