"""The operations of the API description, one for each route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from skerry_service.api.requests.field_rules import UUID4
from skerry_service.edge.rest.event_streams import can_resume
from skerry_service.edge.rest.idempotency_keys import HEADER as IDEMPOTENCY_KEY
from skerry_service.edge.rest.idempotency_keys import REQUEST_ID
from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.examples import Example
from skerry_service.edge.rest.openapi.responses import responses
from skerry_service.edge.rest.openapi.schemas import Direction, Schema, Schemas, is_required
from skerry_service.edge.rest.routes import WHOLE, Route

BEARER = "token"
API_KEY = "key"
IDENTITY = "identity"
_NO_TOKEN = re.compile(r"Needs no token")
_NEEDS_TOKEN = re.compile(r"Needs (the|a) \w+ token")
_NEEDS_IDENTITY = re.compile(r"Needs\s+the\s+identity\s+token")
_NEEDS_KEY = re.compile(r"Needs (the|an) API\s+key")
_VARIABLE = re.compile(r"\{([a-z0-9_.]+)(?:=([^{}]+))?\}")
_FIRST_SENTENCE = re.compile(r".*?\.(?=\s|$)")
_STREAM = """

**Server-sent events.** Each message is one event: {id}`data` is one `{message}` as JSON. Heartbeats are comments.
{resume}The event `end` means that the stream is complete: close it{reconnect}. The event `refusal` contains the error
that ended the stream, in the form of all errors.
"""


def path_of(route: Route) -> str:
    """Return the path in OpenAPI's form: ``/v1/sessions/{session}:act``."""
    return _VARIABLE.sub(lambda found: _expand(found[1], found[2] or "*"), route.template.text)


def _expand(field: str, inside: str) -> str:
    """Return the segments of a variable. A wildcard is named after the collection before it, in the singular."""
    parts = inside.split("/")
    for index, part in enumerate(parts):
        if part in ("*", "**"):
            name = parts[index - 1].removesuffix("s") if index else field
            parts[index] = f"{{{name}}}"
    return "/".join(parts)


def operation(route: Route, schemas: Schemas, example: Example) -> Schema:
    """Return the operation of a route."""
    rpc = route.rpc
    comment = description_of(rpc.containing_service.file, rpc.full_name)
    first = _FIRST_SENTENCE.match(comment)
    stream = _describe_stream(rpc) if rpc.server_streaming else ""
    described: Schema = {
        "operationId": rpc.name,
        "summary": first[0].rstrip(".") if first else rpc.name,
        "description": comment + stream,
        "tags": [_tag(route)],
        "security": _security(comment),
        "parameters": [*_path_parameters(route), *_query_parameters(route, schemas), *_header_parameters(route)],
        "responses": responses(route, schemas, example.answer),
    }
    if route.body:
        described["requestBody"] = _request_body(route, schemas, example.request)
    return described


def _describe_stream(rpc: MethodDescriptor) -> str:
    resumes = can_resume(rpc.input_type)
    return _STREAM.format(
        message=rpc.output_type.full_name,
        id="`id` is the sequence that it reaches, " if resumes else "",
        resume="The header `Last-Event-ID` takes precedence over `afterSequence`. " if resumes else "",
        reconnect=". A client that reconnects gets 204" if resumes else "",
    )


def _tag(route: Route) -> str:
    """Return the first collection of the path: games, sessions."""
    _, version, *collections = re.split(r"[/:]", path_of(route))
    return (collections or [version])[0]


def _security(comment: str) -> list[Schema]:
    if _NO_TOKEN.search(comment):
        return []
    if _NEEDS_IDENTITY.search(comment):
        return [{IDENTITY: []}, {IDENTITY: [], API_KEY: []}]
    if _NEEDS_KEY.search(comment):
        return [{API_KEY: []}]
    tokens: list[Schema] = [{BEARER: []}] if _NEEDS_TOKEN.search(comment) else [{}, {BEARER: []}]
    return [*tokens, *({**token, API_KEY: []} for token in tokens)]  # the operator may require an API key too


def _path_parameters(route: Route) -> Iterator[Schema]:
    for field, inside in _VARIABLE.findall(route.template.text):
        for name in re.findall(r"\{([\w.]+)\}", _expand(field, inside or "*")):
            yield {
                "name": name,
                "in": "path",
                "required": True,
                "description": f"The id alone: the part for `*` in the name `{inside}`.",
                "schema": {"type": "string", "pattern": "^[^/:]+$"},
            }


def _query_parameters(route: Route, schemas: Schemas) -> Iterator[Schema]:
    if route.body == WHOLE:
        return
    for field in route.rpc.input_type.fields:
        if not route.binds(field.name) and field.name != route.body:
            yield from _parameters([field], schemas)


def _parameters(path: list[FieldDescriptor], schemas: Schemas) -> Iterator[Schema]:
    """Yield the parameters of a field: one, or those of its message, dotted. Recursive messages have none."""
    field, inner = path[-1], path[-1].message_type
    if inner is not None and inner.file.package != "google.protobuf":
        if not field.is_repeated and field not in path[:-1]:
            for deeper in inner.fields:
                yield from _parameters([*path, deeper], schemas)
        return
    schema, name = schemas.field(field, Direction.REQUEST), ".".join(step.json_name for step in path)
    parameter = {"name": name, "in": "query", "description": schema.pop("description", "")}
    yield parameter | {"required": is_required(field), "schema": schema}


def _header_parameters(route: Route) -> Iterator[Schema]:
    if route.rpc.server_streaming and can_resume(route.rpc.input_type):
        yield {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The `id` of the last event received. The stream resumes after it.",
            "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
        }
    if REQUEST_ID in route.rpc.input_type.fields_by_name:
        yield {
            "name": IDEMPOTENCY_KEY,
            "in": "header",
            "description": "The `requestId`, in quotes, for clients that send it as a header.",
            "schema": {"type": "string", "pattern": f'^"?{UUID4}"?$'},
        }


def _request_body(route: Route, schemas: Schemas, example: Any) -> Schema:
    kind = route.rpc.input_type
    if route.body == WHOLE:
        fields = [field for field in kind.fields if field.name not in route.template.fields]
        schema = schemas.object_of(kind, fields, Direction.REQUEST)
    else:
        schema = schemas.field(kind.fields_by_name[route.body], Direction.REQUEST)
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}
