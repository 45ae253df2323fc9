"""The errors of tools, as sentences that a language model can act on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec

from mcp.types import CallToolResult, TextContent

from skerry_client.errors import SkerryError
from skerry_service.agents.rule_texts import NothingToExplain
from skerry_service.agents.sealed_handles import UnknownHandle

P = ParamSpec("P")
_UNKNOWN_HANDLE = (
    "The handle is unknown to this server. Send the handle from start_table or join_table, unchanged. If the server "
    "was restarted without a fixed key, its earlier handles are void: start or join a table again."
)


class MoveRefused(Exception):
    """A move was rejected. The message says why, and what is legal now."""


def tool_error(text: str) -> CallToolResult:
    """Return the result of a tool that failed. The model reads the text."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def with_tool_errors(tool: Callable[P, Awaitable[CallToolResult]]) -> Callable[P, Awaitable[CallToolResult]]:
    """Return a tool that returns its expected errors as results. Others are bugs, which the server logs."""

    @wraps(tool)
    async def reporting(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except UnknownHandle:
            return tool_error(_UNKNOWN_HANDLE)
        except (MoveRefused, NothingToExplain) as error:
            return tool_error(str(error))
        except SkerryError as error:
            return tool_error(sentence_of(error))

    return reporting


def sentence_of(error: SkerryError) -> str:
    """Return an error as a sentence with its reason, its rule, and when to try again."""
    sentence = str(error)
    sentence = f"{sentence[:1].upper()}{sentence[1:]}{'' if sentence.endswith(('.', '?', '!')) else '.'}"
    facts = ", ".join(filter(None, [error.reason, error.rule]))
    again = f" Try again in {error.retry_after:g} seconds." if error.retry_after else ""
    return f"{sentence}{f' ({facts})' if facts else ''}{again}"
