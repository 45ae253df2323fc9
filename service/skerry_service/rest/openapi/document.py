"""The description as a whole: what ``/openapi.json`` answers."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version

from google.protobuf.descriptor import ServiceDescriptor

from skerry_service.rest.openapi.comments import comment_on
from skerry_service.rest.openapi.operations import BEARER, ERRORS, ERRORS_OF_BODIES, operation, path_of
from skerry_service.rest.openapi.schemas import Schema, Schemas
from skerry_service.rest.routes import Routes

_ERROR = "Error"
_TO_BEGIN = """

**To play from this page:** send `CreateSession`, then `JoinSession` once for each seat with the `session` from its
`name`. Put a `seatToken` under *Authorize*, read the position with `GetSession`, and send one of its `legalMoves` with
`Act`, together with its `sequence` as `expectedSequence`.
"""


def describe_service(service: ServiceDescriptor) -> Schema:
    """Return the OpenAPI 3.1 document of a service."""
    schemas, paths, ways = Schemas(), dict[str, Schema](), Counter[str]()
    for route in Routes(service).all:
        described = operation(route, schemas)
        if ways[route.rpc.name]:  # ids are unique, also where an RPC can be called in several ways
            described["operationId"] += str(ways[route.rpc.name] + 1)
        ways[route.rpc.name] += 1
        paths.setdefault(path_of(route), {})[route.verb.lower()] = described
    about = comment_on(service.file, service.full_name)
    tags = dict.fromkeys(tag for path in paths.values() for one in path.values() for tag in one["tags"])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Skerry", "version": version("skerry-service"), "description": about + _TO_BEGIN},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": schemas.sorted() | {_ERROR: _error()},
            "responses": {code: _response(code, text) for code, text in (ERRORS | ERRORS_OF_BODIES).items()},
            "securitySchemes": {BEARER: _bearer()},
        },
    }


def _response(code: str, text: str) -> Schema:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{_ERROR}"}}}
    described: Schema = {"description": text, "content": content}
    if code in ("429", "503"):
        described["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return described


def _bearer() -> Schema:
    text = "`Authorization: Bearer <token>`, with a token that CreateSession or JoinSession returned."
    return {"type": "http", "scheme": "bearer", "description": text}


def _error() -> Schema:
    """Return the schema of every refusal, as AIP-193 has it."""
    text = {"type": "string"}
    info: Schema = {
        "type": "object",
        "description": "`google.rpc.ErrorInfo`, always the first, or `google.rpc.RetryInfo`.",
        "required": ["@type"],
        "properties": {
            "@type": text,
            "reason": text | {"description": "Match this, never the message. See `docs/rest.md`."},
            "domain": text,
            "metadata": {"type": "object", "additionalProperties": text},
            "retryDelay": text | {"description": "When to try again: `5s`."},
        },
    }
    error: Schema = {
        "type": "object",
        "required": ["code", "message", "status", "details"],
        "properties": {
            "code": {"type": "integer", "description": "The HTTP status."},
            "message": text | {"description": "One sentence for people."},
            "status": text | {"description": "The `google.rpc.Code`, as over gRPC: `FAILED_PRECONDITION`."},
            "details": {"type": "array", "items": info},
        },
    }
    return {"type": "object", "required": ["error"], "properties": {"error": error}}
