"""The answers of an operation: what it returns, and each status that it can be refused with."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.descriptor import MethodDescriptor

from skerry_service.api.error_table import DOMAIN
from skerry_service.edge.rest.event_streams import can_resume
from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.reasons import Reason, reasons_of
from skerry_service.edge.rest.openapi.schemas import Schema, Schemas, Way
from skerry_service.edge.rest.routes import Route

ERROR = "Error"
_REFUSAL: Schema = {"$ref": f"#/components/schemas/{ERROR}"}
_ERRORS = {
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
_ERRORS_OF_BODIES = {
    "408": "The body did not arrive in time.",
    "411": "There is no body, and none was announced as empty.",
    "413": "The body is too large.",
    "415": "The body is not announced as JSON.",
}
_LATER = ("429", "503")
_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_RETRY = "type.googleapis.com/google.rpc.RetryInfo"


def responses(route: Route, schemas: Schemas, example: Any) -> Schema:
    """Return what a call of the route can be answered with, by status."""
    rpc = route.rpc
    described = {"200": _ok(route, schemas, example)}
    if rpc.server_streaming and can_resume(rpc.input_type):
        described["204"] = {"description": "Everything was sent before: do not come back."}
    reasons = reasons_of(rpc)
    for status, text in sorted((_ERRORS | (_ERRORS_OF_BODIES if route.body else {})).items()):
        if status in reasons:
            described[status] = _refused(status, text, reasons[status])
    return described


def _ok(route: Route, schemas: Schemas, example: Any) -> Schema:
    rpc: MethodDescriptor = route.rpc
    answer = schemas.message(rpc.output_type, Way.ANSWER)
    if route.response_body:
        answer = schemas.field(rpc.output_type.fields_by_name[route.response_body], Way.ANSWER)
    content = {"application/json": {"schema": answer, "example": example}}
    if rpc.server_streaming:
        resumes = can_resume(rpc.input_type)
        event = ({"id": str(example["sequence"])} if resumes else {}) | {"data": json.dumps(example)}
        content = {"text/event-stream": {"schema": _events(answer, resumes=resumes), "example": event}}
    return {"description": description_of(rpc.output_type.file, rpc.output_type.full_name), "content": content}


def _events(message: Schema, *, resumes: bool) -> Schema:
    """Return the schema of one event of a stream: OpenAPI 3.1 has no word for the stream as a whole."""
    reached = {"type": "string", "pattern": "^[0-9]+$", "description": "The sequence that the stream has reached."}
    unnamed = _event("message", message, "The next message.")
    unnamed |= {"required": ["data"]}
    if resumes:
        unnamed |= {"required": ["id", "data"], "properties": {"id": reached, **unnamed["properties"]}}
    end = _event("end", {"type": "object", "maxProperties": 0}, "Everything was told: close the stream.")
    return {"anyOf": [unnamed, end, _event("refusal", _REFUSAL, "What ended the stream.")]}


def _event(name: str, data: Schema, about: str) -> Schema:
    held = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    named = {"type": "string", "enum": [name]}
    required = ["event", "data"]
    return {"type": "object", "description": about, "required": required, "properties": {"event": named, "data": held}}


def _refused(status: str, text: str, reasons: list[Reason]) -> Schema:
    lines = [text, "", *(f"- `{reason.name}`: {reason.text}" for reason in reasons)]
    content = {"schema": dict(_REFUSAL), "example": _example(status, reasons[0])}
    described: Schema = {
        "description": "\n".join(lines),
        "content": {"application/json": content},
        "x-reasons": [reason.name for reason in reasons],
    }
    if status in _LATER:
        described["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return described


def _example(status: str, reason: Reason) -> Any:
    sentence = reason.text.partition(". ")[0].removesuffix(".") + "."
    details: list[Any] = [{"@type": _INFO, "reason": reason.name, "domain": DOMAIN, "metadata": {}}]
    if status in _LATER:
        details.append({"@type": _RETRY, "retryDelay": "1s"})
    return {"error": {"code": int(status), "message": sentence, "status": reason.code, "details": details}}


def error_schema() -> Schema:
    """Return the schema of every refusal, as AIP-193 has it."""
    text: Schema = {"type": "string"}
    error: Schema = {
        "type": "object",
        "required": ["code", "message", "status", "details"],
        "properties": {
            "code": {"type": "integer", "description": "The HTTP status."},
            "message": text | {"description": "One sentence for people."},
            "status": text | {"description": "The `google.rpc.Code`, as over gRPC: `FAILED_PRECONDITION`."},
            "details": {
                "type": "array",
                "description": "First a `google.rpc.ErrorInfo`; where it helps to try again a `google.rpc.RetryInfo`.",
                "items": {"oneOf": [_info(), _retry(), _other_detail()]},
            },
        },
    }
    described = {"description": "Why a call was refused.", "type": "object", "required": ["error"]}
    return described | {"properties": {"error": error}}


def _info() -> Schema:
    text: Schema = {"type": "string"}
    return {
        "type": "object",
        "description": "`google.rpc.ErrorInfo`, always the first.",
        "required": ["@type", "reason", "domain", "metadata"],
        "properties": {
            "@type": text,
            "reason": text | {"description": "Match this, never the message. Each operation lists its own."},
            "domain": text,
            "metadata": {"type": "object", "additionalProperties": text},
        },
    }


def _retry() -> Schema:
    return {
        "type": "object",
        "description": "`google.rpc.RetryInfo`.",
        "required": ["@type", "retryDelay"],
        "properties": {
            "@type": {"type": "string"},
            "retryDelay": {"type": "string", "description": "When to try again: `5s`."},
        },
    }


def _other_detail() -> Schema:
    return {
        "type": "object",
        "description": "A detail of another type, from a newer server.",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
        "propertyNames": {"not": {"enum": ["reason", "retryDelay"]}},
    }
