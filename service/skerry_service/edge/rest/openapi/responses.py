"""The responses of an operation: its answer, and its errors by status."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.descriptor import MethodDescriptor

from skerry_service.api.error_table import DOMAIN
from skerry_service.api.pictures.pictures import MEDIA_TYPES
from skerry_service.edge.rest.conditional_reads import CACHE_CONTROL
from skerry_service.edge.rest.event_streams import can_resume
from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.reasons import Reason, reasons_of
from skerry_service.edge.rest.openapi.schemas import Direction, Schema, Schemas
from skerry_service.edge.rest.routes import Route

ERROR = "Error"
_REFUSAL: Schema = {"$ref": f"#/components/schemas/{ERROR}"}
_ERRORS = {
    "400": "The request is malformed, out of range, or not possible now. The `reason` says which.",
    "401": "A required token is missing, or the token is malformed or does not belong to the session.",
    "403": "The token is valid, but does not permit this call.",
    "404": "The named resource does not exist.",
    "406": "The header `Accept` excludes the media type of the response.",
    "409": "The request is based on an outdated position. The server did nothing.",
    "429": "A limit of the server is reached. `Retry-After` says when to try again.",
    "500": "Internal error.",
    "501": "This server lacks what the call needs.",
    "503": "The store is unavailable, or the server is shutting down. `Retry-After` says when to try again.",
}
_ERRORS_OF_BODIES = {
    "408": "The body did not arrive in time.",
    "411": "The body is missing.",
    "413": "The body is too large.",
    "415": "The body is not declared as JSON.",
}
_RETRYABLE = ("429", "503")
_RETRY_AFTER: Schema = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 0}}}
_QUOTA_HEADERS: Schema = {
    "RateLimit": {
        "description": "The caller's quotas: `r` calls are possible now, and one more in `t` seconds. Absent for "
        "callers and calls without limits.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "Those quotas: `q` calls at once, and then as many in each `w` seconds.",
        "schema": {"type": "string"},
    },
}
_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_RETRY = "type.googleapis.com/google.rpc.RetryInfo"


def responses(route: Route, schemas: Schemas, example: Any) -> Schema:
    """Return the responses of a route, by status."""
    rpc = route.rpc
    described = {"200": _ok(route, schemas, example)}
    if rpc.server_streaming and can_resume(rpc.input_type):
        described["204"] = {"description": "The client has received the whole stream. Do not reconnect."}
    if rpc.name in CACHE_CONTROL:
        described["304"] = {"description": "Unchanged: `If-None-Match` contains the `ETag` of the response."}
    reasons = reasons_of(rpc)
    if "429" in reasons:
        described["200"]["headers"] = _QUOTA_HEADERS
    for status, text in sorted((_ERRORS | (_ERRORS_OF_BODIES if route.body else {})).items()):
        if status in reasons:
            described[status] = _refused(status, text, reasons[status])
    return described


def _ok(route: Route, schemas: Schemas, example: Any) -> Schema:
    kind = route.rpc.output_type
    content = _file(route.extension) if route.extension else _message(route, schemas, example)
    return {"description": description_of(kind.file, kind.full_name), "content": content}


def _file(extension: str) -> Schema:
    media = MEDIA_TYPES[extension]
    return {media: {"schema": {"type": "string", "contentMediaType": media}}}


def _message(route: Route, schemas: Schemas, example: Any) -> Schema:
    rpc: MethodDescriptor = route.rpc
    answer = schemas.message(rpc.output_type, Direction.ANSWER)
    if route.response_body:
        answer = schemas.field(rpc.output_type.fields_by_name[route.response_body], Direction.ANSWER)
    if rpc.server_streaming:
        resumes = can_resume(rpc.input_type)
        event = ({"id": str(example["sequence"])} if resumes else {}) | {"data": json.dumps(example)}
        return {"text/event-stream": {"schema": _events(answer, resumes=resumes), "example": event}}
    content: Schema = {"application/json": {"schema": answer, "example": example}}
    if "text" in rpc.output_type.fields_by_name:
        content["text/plain"] = {"schema": {"type": "string"}, "example": example["text"]}
    return content


def _events(message: Schema, *, resumes: bool) -> Schema:
    """Return the schema of one event of a stream. OpenAPI 3.1 cannot describe the stream as a whole."""
    reached = {"type": "string", "pattern": "^[0-9]+$", "description": "The sequence that the stream has reached."}
    unnamed = _event("message", message, "The next message.")
    unnamed |= {"required": ["data"]}
    if resumes:
        unnamed |= {"required": ["id", "data"], "properties": {"id": reached, **unnamed["properties"]}}
    end = _event("end", {"type": "object", "maxProperties": 0}, "The stream is complete: close it.")
    return {"anyOf": [unnamed, end, _event("refusal", _REFUSAL, "The error that ended the stream.")]}


def _event(name: str, data: Schema, about: str) -> Schema:
    data_field = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    named = {"type": "string", "enum": [name]}
    required = ["event", "data"]
    return {
        "type": "object",
        "description": about,
        "required": required,
        "properties": {"event": named, "data": data_field},
    }


def _refused(status: str, text: str, reasons: list[Reason]) -> Schema:
    lines = [text, "", *(f"- `{reason.name}`: {reason.text}" for reason in reasons)]
    content = {"schema": dict(_REFUSAL), "example": _example(status, reasons[0])}
    described: Schema = {
        "description": "\n".join(lines),
        "content": {"application/json": content},
        "x-reasons": [reason.name for reason in reasons],
    }
    if status in _RETRYABLE:
        described["headers"] = _RETRY_AFTER | (_QUOTA_HEADERS if status == "429" else {})
    return described


def _example(status: str, reason: Reason) -> Any:
    sentence = reason.text.partition(". ")[0].removesuffix(".") + "."
    details: list[Any] = [{"@type": _INFO, "reason": reason.name, "domain": DOMAIN, "metadata": {}}]
    if status in _RETRYABLE:
        details.append({"@type": _RETRY, "retryDelay": "1s"})
    return {"error": {"code": int(status), "message": sentence, "status": reason.code, "details": details}}


def error_schema() -> Schema:
    """Return the schema of all errors, which AIP-193 defines."""
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
                "description": "First a `google.rpc.ErrorInfo`. If a retry can help, also a `google.rpc.RetryInfo`. "
                "Callers that ask for them get a `google.rpc.LocalizedMessage` and a `skerry.v1.Sentence`.",
                "items": {"oneOf": [_info(), _retry(), _other_detail()]},
            },
        },
    }
    described = {"description": "The error of a call.", "type": "object", "required": ["error"]}
    return described | {"properties": {"error": error}}


def _info() -> Schema:
    text: Schema = {"type": "string"}
    return {
        "type": "object",
        "description": "`google.rpc.ErrorInfo`, always the first.",
        "required": ["@type", "reason", "domain", "metadata"],
        "properties": {
            "@type": text,
            "reason": text | {"description": "Match this, not the message. Each operation lists its reasons."},
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
        "description": "A detail of another type, for callers that ask for it or from a newer server.",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
        "propertyNames": {"not": {"enum": ["reason", "retryDelay"]}},
    }
