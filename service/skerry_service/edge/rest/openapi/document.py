"""The whole API description, which ``/openapi.json`` returns."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import metadata, version

from google.protobuf.descriptor import Descriptor, ServiceDescriptor

from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.examples import Examples, examples_of
from skerry_service.edge.rest.openapi.operations import API_KEY, BEARER, IDENTITY, operation, path_of
from skerry_service.edge.rest.openapi.responses import ERROR, error_schema
from skerry_service.edge.rest.openapi.schemas import NO_NUMBERS, Schema, Schemas
from skerry_service.edge.rest.openapi.webhook_requests import webhook_request
from skerry_service.edge.rest.routes import Routes
from skerry_service.wire.json_names import reachable_messages
from skerry_service.wire.payloads import numbers_of_moves

_GETTING_STARTED = """

**To play from this page:** Send `CreateSession`, then `JoinSession` once for each seat. The parameter `session` is the
part of the session's `name` after `sessions/`. Enter a `seatToken` under *Authorize*, and read the position with
`GetSession`. Then send one of its `legalMoves` with `Act`, with its `sequence` as `expectedSequence`.
"""


def describe_services(
    service: ServiceDescriptor, *others: ServiceDescriptor, examples: Examples | None = None
) -> Schema:
    """Return the OpenAPI 3.1 document of one or more services. The first gives the description.

    Examples are recorded from a game by default, and numbers in moves have bounds: that needs the codecs of games.
    """
    routes = Routes(service, *others).all
    answers = [rpc.output_type for rpc in {route.rpc.name: route.rpc for route in routes}.values()]
    schemas = Schemas(answers, numbers_of_moves() if examples is None else NO_NUMBERS)
    examples = examples or examples_of(service, *others)
    paths, counts = dict[str, Schema](), Counter[str]()
    for route in routes:
        described = operation(route, schemas, examples.of(route))
        if counts[route.rpc.name]:  # ids are unique, also if an RPC has several routes
            described["operationId"] += str(counts[route.rpc.name] + 1)
        counts[route.rpc.name] += 1
        paths.setdefault(path_of(route), {})[route.verb.lower()] = described
    about = description_of(service.file, service.full_name)
    tags = dict.fromkeys(tag for path in paths.values() for described in path.values() for tag in described["tags"])
    resources = {f"{kind.name[0].lower()}{kind.name[1:]}s": kind for kind in reachable_messages(answers)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Skerry",
            "version": version("skerry-service"),
            "license": {"name": "Apache License 2.0", "identifier": metadata("skerry-service")["License-Expression"]},
            "description": about + _GETTING_STARTED,
        },
        "servers": [{"url": "/"}],
        "tags": [_tag(tag, resources.get(tag)) for tag in tags],
        "paths": paths,
        "webhooks": {"event": webhook_request(schemas)},
        "components": {
            "schemas": schemas.sorted() | {ERROR: error_schema()},
            "securitySchemes": {BEARER: _bearer(), API_KEY: _api_key(), IDENTITY: _identity()},
        },
    }


def _tag(name: str, resource: Descriptor | None) -> Schema:
    """Return a tag, with the description of the resource in its collection."""
    about = {} if resource is None else {"description": description_of(resource.file, resource.full_name)}
    return {"name": name, **about}


def _bearer() -> Schema:
    text = "`Authorization: Bearer <token>`, with a token that CreateSession or JoinSession returned."
    return {"type": "http", "scheme": "bearer", "description": text}


def _api_key() -> Schema:
    text = "An API key, if the operator requires one. It does not replace a token."
    return {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": text}


def _identity() -> Schema:
    text = "A JWT in which a registered issuer vouches for the player (docs/how-to/identity.md). Any call may have it."
    return {"type": "apiKey", "in": "header", "name": "Skerry-Identity", "description": text}
