"""Requests that a transport rejects because they are invalid in its protocol. ``docs/reference/protocols.md`` lists
the reasons.

TransportRefusal
 +- MalformedCall, MessageTooLarge, EncodingUnsupported, WrongMessageCount, EncodingUndeclared
"""

from __future__ import annotations

from google.rpc import code_pb2

GZIP = "gzip"
IDENTITY = "identity"
_SHOWN = 80


class TransportRefusal(Exception):
    """A request that is invalid in its protocol: one sentence for people, ``reason`` and ``metadata`` for programs."""

    code: int = code_pb2.INVALID_ARGUMENT
    reason = "RPC_MALFORMED"

    def __init__(self, sentence: str, **metadata: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.metadata = metadata


class MalformedCall(TransportRefusal):
    """A header, a parameter or the framing of the body is malformed."""


class MessageTooLarge(TransportRefusal):
    """A message of the request is too large."""

    code, reason = code_pb2.RESOURCE_EXHAUSTED, "RPC_MESSAGE_TOO_LARGE"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The request is too large. The limit is {limit} bytes.", limit=str(limit))


class EncodingUnsupported(TransportRefusal):
    """A message is compressed with a method that the server does not support."""

    code, reason = code_pb2.UNIMPLEMENTED, "RPC_ENCODING_UNSUPPORTED"

    def __init__(self, named: bytes) -> None:
        shown = named[:_SHOWN].decode("latin-1")
        super().__init__(f"Compression {shown!r} is not supported. Use {GZIP} or {IDENTITY}.", supported=GZIP)


class WrongMessageCount(TransportRefusal):
    """The call takes one message, and the request has none or several."""

    code, reason = code_pb2.UNIMPLEMENTED, "RPC_MESSAGE_COUNT"

    def __init__(self) -> None:
        super().__init__("This call takes exactly one message.")


class EncodingUndeclared(TransportRefusal):
    """A message is marked as compressed, but no header names the method."""

    code, reason = code_pb2.INTERNAL, "RPC_ENCODING_UNDECLARED"

    def __init__(self) -> None:
        super().__init__("A message is marked as compressed, but no header names the compression.")
