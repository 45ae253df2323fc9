"""The operations of the description: one for each route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from skerry_service.rest.openapi.comments import comment_on, comment_on_field
from skerry_service.rest.openapi.examples import example_of
from skerry_service.rest.openapi.schemas import Schema, Schemas, is_required
from skerry_service.rest.routes import WHOLE, Route

BEARER = "token"
ERRORS = {
    "400": "Malformed, out of range, or not possible now: the `reason` says which.",
    "401": "A token is needed and missing, or it is malformed or belongs to no seat of the session.",
    "403": "The token is good, but its holder may not do this.",
    "404": "What is named is not there.",
    "406": "The header `Accept` does not allow what the call answers with.",
    "409": "Decided on a position that has passed. Nothing was done.",
    "429": "A limit of this server is reached; `Retry-After` says when to try again.",
    "500": "A defect of the server.",
    "503": "The store cannot be reached, or the server is shutting down; `Retry-After` says when to try again.",
}
ERRORS_OF_BODIES = {
    "408": "The body did not arrive in time.",
    "411": "There is no body, and none was announced as empty.",
    "413": "The body is too large.",
    "415": "The body is not announced as JSON.",
}
_NO_TOKEN = re.compile(r"Needs no token")
_NEEDS_TOKEN = re.compile(r"Needs (the|a) \w+ token")
_VARIABLE = re.compile(r"\{([a-z0-9_.]+)(?:=([^{}]+))?\}")
_FIRST_SENTENCE = re.compile(r".*?\.(?=\s|$)")
_STREAM = """

**Server-sent events.** Each message is one event: `id` is the sequence that it reaches, `data` one `{message}` as JSON.
Heartbeats are comments. The header `Last-Event-ID` goes before `afterSequence`. The event `end` says that the stream is
complete: close it; who comes back nevertheless is answered 204. The event `refusal` holds the error that ended the
stream, in the form of every error.
"""


def path_of(route: Route) -> str:
    """Return the path as OpenAPI writes it: ``/v1/sessions/{session}:act``."""
    return _VARIABLE.sub(lambda found: _expand(found[1], found[2] or "*"), route.template.text)


def _expand(field: str, inside: str) -> str:
    """Return the segments of a variable; each wild one is named after the collection before it, in the singular."""
    parts = inside.split("/")
    for at, part in enumerate(parts):
        if part in ("*", "**"):
            name = parts[at - 1].removesuffix("s") if at else field
            parts[at] = f"{{{name}}}"
    return "/".join(parts)


def operation(route: Route, schemas: Schemas) -> Schema:
    """Return the operation of a route."""
    rpc = route.rpc
    comment = comment_on(rpc.containing_service.file, rpc.full_name)
    first = _FIRST_SENTENCE.match(comment)
    stream = _STREAM.format(message=rpc.output_type.full_name) if rpc.server_streaming else ""
    described: Schema = {
        "operationId": rpc.name,
        "summary": first[0].rstrip(".") if first else rpc.name,
        "description": comment + stream,
        "tags": [_tag(route)],
        "security": _security(comment),
        "parameters": [*_path_parameters(route), *_query_parameters(route, schemas), *_header_parameters(route)],
        "responses": _responses(route, schemas),
    }
    if route.body:
        described["requestBody"] = _request_body(route, schemas)
    return described


def _tag(route: Route) -> str:
    """Return the collection that the path goes into: games, sessions."""
    _, version, *collections = re.split(r"[/:]", path_of(route))
    return (collections or [version])[0]


def _security(comment: str) -> list[Schema]:
    if _NO_TOKEN.search(comment):
        return []
    return [{BEARER: []}] if _NEEDS_TOKEN.search(comment) else [{}, {BEARER: []}]


def _path_parameters(route: Route) -> Iterator[Schema]:
    for field, inside in _VARIABLE.findall(route.template.text):
        for name in re.findall(r"\{([\w.]+)\}", _expand(field, inside or "*")):
            declared = _declared(route, field)
            yield {
                "name": name,
                "in": "path",
                "required": True,
                "description": f"The id in `{inside}`. {comment_on_field(declared)}",
                "schema": {"type": "string", "pattern": "^[^/:]+$"},
            }


def _declared(route: Route, path: str) -> FieldDescriptor:
    """Return the field that a dotted path names."""
    *outer, last = path.split(".")
    kind = route.rpc.input_type
    for name in outer:
        inner = kind.fields_by_name[name].message_type
        assert inner is not None
        kind = inner
    return kind.fields_by_name[last]


def _query_parameters(route: Route, schemas: Schemas) -> Iterator[Schema]:
    if route.body == WHOLE:
        return
    for field in route.rpc.input_type.fields:
        if field.name not in route.template.fields and field.name != route.body:
            yield from _parameters([field], schemas)


def _parameters(path: list[FieldDescriptor], schemas: Schemas) -> Iterator[Schema]:
    """Yield the parameters of a field: one, or those of the message that it holds, dotted; of none inside itself."""
    field, inner = path[-1], path[-1].message_type
    if inner is not None and inner.file.package != "google.protobuf":
        if not field.is_repeated and field not in path[:-1]:
            for deeper in inner.fields:
                yield from _parameters([*path, deeper], schemas)
        return
    schema, name = schemas.field(field), ".".join(step.json_name for step in path)
    parameter = {"name": name, "in": "query", "description": schema.pop("description", "")}
    yield parameter | {"required": is_required(field), "schema": schema}


def _header_parameters(route: Route) -> Iterator[Schema]:
    if route.rpc.server_streaming:
        yield {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The `id` of the last event received; the stream resumes behind it.",
            "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
        }


def _request_body(route: Route, schemas: Schemas) -> Schema:
    kind = route.rpc.input_type
    if route.body == WHOLE:
        schema = schemas.object_of(kind, [field for field in kind.fields if field.name not in route.template.fields])
    else:
        schema = schemas.field(kind.fields_by_name[route.body])
    content: Schema = {"schema": schema}
    if (example := example_of(route)) is not None:
        content["example"] = example
    return {"required": True, "content": {"application/json": content}}


def _responses(route: Route, schemas: Schemas) -> Schema:
    rpc = route.rpc
    answer: Any = schemas.message(rpc.output_type)
    if route.response_body:
        answer = schemas.field(rpc.output_type.fields_by_name[route.response_body])
    ok: Schema = {"description": comment_on(rpc.output_type.file, rpc.output_type.full_name)}
    if rpc.server_streaming:
        ok["content"] = {"text/event-stream": {"schema": _event(answer)}}
    else:
        ok["content"] = {"application/json": {"schema": answer}}
    codes = [*ERRORS, *(ERRORS_OF_BODIES if route.body else ())]
    refused = {code: {"$ref": f"#/components/responses/{code}"} for code in sorted(codes)}
    gone: Schema = {"204": {"description": "Everything was sent before: do not come back."}}
    return {"200": ok} | (gone if rpc.server_streaming else {}) | refused


def _event(message: Schema) -> Schema:
    """Return the schema of one event of a stream: OpenAPI 3.1 has no word for the stream as a whole."""
    text: Schema = {"type": "string"}
    return {
        "type": "object",
        "required": ["data"],
        "properties": {
            "id": text | {"pattern": "^[0-9]+$", "description": "The sequence that the stream has reached."},
            "event": text | {"enum": ["message", "end", "refusal"]},
            "data": text | {"contentMediaType": "application/json", "contentSchema": message},
        },
    }
