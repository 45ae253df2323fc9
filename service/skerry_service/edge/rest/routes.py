"""The table of routes, read from the ``google.api.http`` annotations of services."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.api import annotations_pb2, http_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.edge.http.http_refusals import MethodNotAllowed, PathNotFound
from skerry_service.edge.rest.path_templates import Template, parse_template

WHOLE = "*"
"""As ``body``: all fields that are not in the path."""
FORMAT = "format"
"""The field of a request that the extension of a path sets: ``png`` for ``picture.png``."""
_EXTENSION = re.compile(r"\.(\w+)$")


@dataclass(frozen=True)
class Route:
    """One HTTP method and path of an RPC."""

    rpc: MethodDescriptor
    verb: str
    """``GET``, ``POST`` ..."""
    template: Template
    body: str
    """The field in the request's body; ``WHOLE``; or empty for a request without a body."""
    response_body: str
    """The field in the response's body; empty for the whole answer."""
    request_type: type[Message]
    extension: str = ""
    """The extension of the path: the response is a file, the fields ``data`` and ``media_type`` of the answer."""

    def binds(self, field: str) -> bool:
        """Return whether the path sets this field of the request."""
        return field in self.template.fields or (bool(self.extension) and field == FORMAT)


class Routes:
    """All routes of some services, indexed by HTTP method and custom verb.

    An RPC with a stream of requests has no route.
    """

    def __init__(self, *services: ServiceDescriptor) -> None:
        self.all: Sequence[Route] = tuple(
            route for service in services for rpc in service.methods for route in _routes(rpc)
        )
        self._by_verb: dict[tuple[str, str], list[Route]] = {}
        for route in self.all:
            self._by_verb.setdefault((route.verb, _custom_verb(route.template.text)), []).append(route)

    def find(self, verb: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the route of a path, and the values of its fields. HEAD uses the route of GET.

        ``path``: percent-encoded, as sent. Raises PathNotFound, MethodNotAllowed.
        """
        try:
            for route in self._by_verb.get(("GET" if verb == "HEAD" else verb, _custom_verb(path)), ()):
                values = route.template.match(path)
                if values is not None:
                    return route, values
            allowed = self.allowed(path)
        except UnicodeDecodeError:
            raise PathNotFound(path) from None
        if allowed:
            raise MethodNotAllowed(verb, allowed)
        raise PathNotFound(path)

    def allowed(self, path: str) -> list[str]:
        """Return the methods of a path, including OPTIONS. Empty: the path does not exist."""
        verbs = {route.verb for route in self.all if route.template.pattern.fullmatch(path)}
        return sorted(verbs | {"OPTIONS"} | ({"HEAD"} if "GET" in verbs else set())) if verbs else []


def _custom_verb(path: str) -> str:
    """Return the part after the colon; empty without one."""
    return path.rpartition(":")[2] if ":" in path else ""


def _routes(rpc: MethodDescriptor) -> Iterator[Route]:
    options: Any = rpc.GetOptions()  # the types of extensions are not declared
    if rpc.client_streaming:  # not possible over HTTP/1.1
        return
    if not options.HasExtension(annotations_pb2.http):
        raise ValueError(f"{rpc.full_name} has no google.api.http annotation")
    rule: http_pb2.HttpRule = options.Extensions[annotations_pb2.http]
    for binding in (rule, *rule.additional_bindings):
        yield _route(rpc, binding)


def _route(rpc: MethodDescriptor, rule: http_pb2.HttpRule) -> Route:
    kind = rule.WhichOneof("pattern")
    if kind is None:
        raise ValueError(f"{rpc.full_name} has an http rule without a path")
    verb, path = (rule.custom.kind, rule.custom.path) if kind == "custom" else (kind.upper(), getattr(rule, kind))
    template = parse_template(path)
    for field in (*template.fields, *([rule.body] if rule.body not in ("", WHOLE) else [])):
        _require_field(rpc.input_type, field)
    if rule.response_body:
        _require_field(rpc.output_type, rule.response_body)
    request_type, extension = GetMessageClass(rpc.input_type), _EXTENSION.search(path)
    return Route(rpc, verb, template, rule.body, rule.response_body, request_type, extension[1] if extension else "")


def _require_field(kind: Descriptor, path: str) -> None:
    inner: Any = kind
    for name in path.split("."):
        if inner is None or name not in inner.fields_by_name:
            raise ValueError(f"{kind.full_name} has no field {path}")
        inner = inner.fields_by_name[name].message_type
