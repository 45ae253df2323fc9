"""What may be told of a call: a closed set of facts, none of them a token, a name, a move or a card."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

_NAME = re.compile(r"(?:games|sessions)/[a-z0-9_]{1,32}")
"""What is told as a resource. What else a client sends as a name may be anything, a token among it."""
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
"""W3C's Trace Context: version, trace, parent, flags; what a later version adds."""
_LONGEST_REQUEST_ID = 64
_DIGITS = 16


def resource_of(*messages: Any) -> str:
    """Return the name of what the first of them is about that has one: its own, or that of the session in it."""
    for message in messages:
        name = getattr(message, "name", "") or getattr(getattr(message, "session", None), "name", "")
        if isinstance(name, str) and _NAME.fullmatch(name):
            return name
    return ""


def request_of(*messages: Any) -> str:
    """Return 16 hexadecimal digits that a request id always yields: the beginning of its SHA-256.

    Not the id itself. Whoever repeats a JoinSession under its request id is given the token of the seat again.
    """
    for message in messages:
        sent = getattr(message, "request_id", "")
        if isinstance(sent, str) and sent:
            return sha256(sent[:_LONGEST_REQUEST_ID].encode()).hexdigest()[:_DIGITS]
    return ""


def sequence_of(request: Any, answer: Any) -> int:
    """Return the sequence that the answer comes to; without an answer the one that the request expected; 0: none."""
    if answer is None:
        return int(getattr(request, "expected_sequence", 0))
    told = getattr(answer, "sequence", 0) or getattr(getattr(answer, "session", None), "sequence", 0)
    return told if isinstance(told, int) else 0


def trace_of(traceparent: str) -> str:
    """Return the trace that a ``traceparent`` names, 32 hexadecimal digits; empty if it is none."""
    found = _TRACEPARENT.fullmatch(traceparent)
    return found[1] if found else ""
