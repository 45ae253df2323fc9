"""Conditional reads: the responses that a client may keep, and the tags by which it asks whether one still holds."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from http import HTTPStatus
from typing import Any

from google.protobuf.message import Message

from skerry_service.edge.http.asgi import Headers
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.wire.serialized import Serialized

_CATALOGUE = b"private, max-age=60"
_CURRENT = b"private, no-cache"
"""The client may keep it, but asks each time whether it has changed."""
_PAST = b"private, max-age=3600"
"""What a viewer saw of a past position never changes."""
CACHE_CONTROL: Mapping[str, bytes] = {
    "ListGames": _CATALOGUE,
    "GetGame": _CATALOGUE,
    "GetHowToPlay": _CATALOGUE,
    "GetSession": _CURRENT,
    "GetPositionText": _CURRENT,
    "GetPicture": _CURRENT,
    "GetReplayPicture": _PAST,
    "ListEntries": _CURRENT,
}
"""``Cache-Control`` of each RPC whose responses may be kept. ``private``, because they depend on the caller."""
_ONLY_PAST = ("GetPositionText", "GetPicture")
"""RPCs whose response to a request with a sequence contains nothing newer."""
_VARY = (b"vary", b"Authorization, X-API-Key, Skerry-Act-For, Skerry-Identity, Accept-Language, Skerry-Sentences")
"""Also the headers that the request lacks: a later one can have them."""
_TIME = "server_time_ms"
"""A field of clocks that differs each time. Tags ignore it."""


def make_conditional(
    answer: HttpAnswer, rpc: str, request: Message, serialized: Serialized[Any], headers: Headers
) -> HttpAnswer:
    """Return the response with its tag and ``Cache-Control``; 304 if the client has it already.

    ``serialized``: the answer before its encoding.
    """
    cache = CACHE_CONTROL.get(rpc)
    if cache is None:
        return answer
    if rpc in _ONLY_PAST and request.HasField("sequence"):
        cache = _PAST
    tag = _tag_of(serialized)
    answer.cache = cache
    answer.headers += [(b"etag", tag), _VARY]
    if _matches(headers.get(b"if-none-match", b""), tag):
        return HttpAnswer(status=HTTPStatus.NOT_MODIFIED, headers=answer.headers, cache=cache)
    return answer


def _tag_of(answer: Serialized[Any]) -> bytes:
    """Return the tag of an answer: weak, because compression changes the bytes of a response."""
    content, message = answer.serialized(), answer.message
    if "clocks" in message.DESCRIPTOR.fields_by_name and message.HasField("clocks"):
        timeless = type(message)()
        timeless.CopyFrom(message)
        timeless.clocks.ClearField(_TIME)
        content = timeless.SerializeToString(deterministic=True)
    return b'W/"%b"' % blake2b(content, digest_size=16).hexdigest().encode()


def _matches(header: bytes, tag: bytes) -> bool:
    """Return whether an If-None-Match header contains a tag, by the weak comparison of RFC 9110."""
    opaque = tag.removeprefix(b"W/")
    return any(one.strip().removeprefix(b"W/") in (opaque, b"*") for one in header.split(b","))
