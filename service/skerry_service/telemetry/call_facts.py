"""The facts about a call that logs and traces may contain. None is a token, a player's name, a move or a card."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

_RESOURCE = re.compile(r"(?:games|sessions)/[a-z0-9_]{1,32}")
"""Names that may be logged. Any other text that a client sends as a name may be a secret, such as a token."""
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
"""W3C Trace Context: version, trace, parent, flags; and fields of later versions."""
_LONGEST_REQUEST_ID = 64
_DIGITS = 16


def resource_of(*messages: Any) -> str:
    """Return the first resource name among the messages: a message's own, or that of its session. Empty: none."""
    for message in messages:
        name = getattr(message, "name", "") or getattr(getattr(message, "session", None), "name", "")
        if isinstance(name, str) and _RESOURCE.fullmatch(name):
            return name
    return ""


def request_of(*messages: Any) -> str:
    """Return the first request id among the messages as a hash: the first 16 hexadecimal digits of its SHA-256.

    The id itself is secret: a JoinSession repeated under it returns the seat token again. Empty: no request id.
    """
    for message in messages:
        sent = getattr(message, "request_id", "")
        if isinstance(sent, str) and sent:
            return sha256(sent[:_LONGEST_REQUEST_ID].encode()).hexdigest()[:_DIGITS]
    return ""


def sequence_of(request: Any, answer: Any) -> int:
    """Return the session's sequence in the answer; without an answer the one that the request expected; 0: none."""
    if answer is None:
        return int(getattr(request, "expected_sequence", 0))
    sequence = getattr(answer, "sequence", 0) or getattr(getattr(answer, "session", None), "sequence", 0)
    return sequence if isinstance(sequence, int) else 0


def trace_of(traceparent: str) -> str:
    """Return the trace id in a ``traceparent``, 32 hexadecimal digits; empty if it is malformed."""
    found = _TRACEPARENT.fullmatch(traceparent)
    return found[1] if found else ""
