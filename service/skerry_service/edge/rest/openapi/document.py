"""The description as a whole: what ``/openapi.json`` answers."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import metadata, version

from google.protobuf.descriptor import Descriptor, ServiceDescriptor

from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.examples import examples_of
from skerry_service.edge.rest.openapi.operations import API_KEY, BEARER, operation, path_of
from skerry_service.edge.rest.openapi.responses import ERROR, error_schema
from skerry_service.edge.rest.openapi.schemas import Schema, Schemas
from skerry_service.edge.rest.routes import Routes
from skerry_service.wire.json_names import reachable_messages

_TO_BEGIN = """

**To play from this page:** send `CreateSession`, then `JoinSession` once for each seat; `session` is what its `name`
has behind `sessions/`. Put a `seatToken` under *Authorize*, read the position with `GetSession`, and send one of its
`legalMoves` with `Act`, together with its `sequence` as `expectedSequence`.
"""


def describe_services(service: ServiceDescriptor, *more: ServiceDescriptor) -> Schema:
    """Return the OpenAPI 3.1 document of a service, and of more that are offered with it."""
    routes = Routes(service, *more).all
    answers = [rpc.output_type for rpc in {route.rpc.name: route.rpc for route in routes}.values()]
    schemas, examples = Schemas(answers), examples_of(service, *more)
    paths, ways = dict[str, Schema](), Counter[str]()
    for route in routes:
        described = operation(route, schemas, examples.of(route))
        if ways[route.rpc.name]:  # ids are unique, also where an RPC can be called in several ways
            described["operationId"] += str(ways[route.rpc.name] + 1)
        ways[route.rpc.name] += 1
        paths.setdefault(path_of(route), {})[route.verb.lower()] = described
    about = description_of(service.file, service.full_name)
    tags = dict.fromkeys(tag for path in paths.values() for one in path.values() for tag in one["tags"])
    resources = {f"{kind.name.lower()}s": kind for kind in reachable_messages(answers)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Skerry",
            "version": version("skerry-service"),
            "license": {"name": "Apache License 2.0", "identifier": metadata("skerry-service")["License-Expression"]},
            "description": about + _TO_BEGIN,
        },
        "servers": [{"url": "/"}],
        "tags": [_tag(tag, resources.get(tag)) for tag in tags],
        "paths": paths,
        "components": {
            "schemas": schemas.sorted() | {ERROR: error_schema()},
            "securitySchemes": {BEARER: _bearer(), API_KEY: _api_key()},
        },
    }


def _tag(name: str, resource: Descriptor | None) -> Schema:
    """Return a tag; it is described as the resource of the collection that it is named after."""
    about = {} if resource is None else {"description": description_of(resource.file, resource.full_name)}
    return {"name": name, **about}


def _bearer() -> Schema:
    text = "`Authorization: Bearer <token>`, with a token that CreateSession or JoinSession returned."
    return {"type": "http", "scheme": "bearer", "description": text}


def _api_key() -> Schema:
    text = "Where the operator asks for an API key. It opens no seat: tokens do."
    return {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": text}
