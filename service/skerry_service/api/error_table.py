"""The table from errors to statuses. The code says what a client should do next, the reason says why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

from skerry.v1.errors_pb2 import ErrorReason
from skerry_games.api import BadOptions, IllegalMove, MalformedMove
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language
from skerry_games.sentences import fill
from skerry_service.access.identity.identity_errors import IdentityInvalid, IdentityMissing, IdentityUnavailable
from skerry_service.domain import errors
from skerry_service.domain.bans.ban_errors import Banned, BanNotFound
from skerry_service.domain.languages.phrases import phrase, quoted, verbatim
from skerry_service.wire.caller_language import caller_language
from skerry_service.wire.sentence_messages import asked_sentence

DOMAIN = "skerry"
_PREFIX = "ERROR_REASON_"
_INTERNAL = "INTERNAL"
_MAX_SENTENCE_BYTES = 1000
"""Of a sentence as a message, for the same reason as ``_MAX_TEXT_LENGTH``. Larger ones are left out."""
_MAX_TEXT_LENGTH = 300
"""Characters. Errors can quote the request, but statuses travel in headers. Clients accept 8 KiB of these in total."""


class UnknownField(errors.SkerryError):
    """The request contains a field that this server does not know."""

    def __init__(self, message: str, name: str | None = None) -> None:
        """``message``: the type of the message. ``name``: the field, if the transport has names instead of numbers."""
        if name is None:
            super().__init__(
                phrase("error-unknown-field", message=verbatim(message)),
                field=message,
            )
        else:
            sentence = phrase("error-no-field", message=verbatim(message), name=quoted(name))
            super().__init__(sentence, field=message, name=name)


TABLE: dict[type[Exception], tuple[int, ErrorReason.ValueType]] = {
    errors.InvalidField: (code_pb2.INVALID_ARGUMENT, ErrorReason.ERROR_REASON_INVALID_FIELD),
    UnknownField: (code_pb2.INVALID_ARGUMENT, ErrorReason.ERROR_REASON_UNKNOWN_FIELD),
    MalformedMove: (code_pb2.INVALID_ARGUMENT, ErrorReason.ERROR_REASON_MALFORMED_MOVE),
    BadOptions: (code_pb2.INVALID_ARGUMENT, ErrorReason.ERROR_REASON_BAD_OPTIONS),
    errors.RequestIdReused: (code_pb2.INVALID_ARGUMENT, ErrorReason.ERROR_REASON_REQUEST_ID_REUSED),
    errors.GameNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_GAME_NOT_FOUND),
    errors.SessionNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_SESSION_NOT_FOUND),
    errors.TournamentNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_TOURNAMENT_NOT_FOUND),
    errors.LadderNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_LADDER_NOT_FOUND),
    errors.BotNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_BOT_NOT_FOUND),
    errors.WebhookEndpointNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_WEBHOOK_ENDPOINT_NOT_FOUND),
    errors.WrongCell: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_WRONG_CELL),
    errors.TokenMissing: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_TOKEN_MISSING),
    errors.TokenInvalid: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_TOKEN_INVALID),
    errors.NotAllowed: (code_pb2.PERMISSION_DENIED, ErrorReason.ERROR_REASON_NOT_ALLOWED),
    errors.JoinCodeWrong: (code_pb2.PERMISSION_DENIED, ErrorReason.ERROR_REASON_JOIN_CODE_WRONG),
    errors.SeatReserved: (code_pb2.PERMISSION_DENIED, ErrorReason.ERROR_REASON_SEAT_RESERVED),
    errors.ApiKeyMissing: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_API_KEY_MISSING),
    errors.ApiKeyInvalid: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_API_KEY_INVALID),
    errors.ApiKeyScope: (code_pb2.PERMISSION_DENIED, ErrorReason.ERROR_REASON_API_KEY_SCOPE),
    IdentityMissing: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_IDENTITY_MISSING),
    IdentityInvalid: (code_pb2.UNAUTHENTICATED, ErrorReason.ERROR_REASON_IDENTITY_INVALID),
    Banned: (code_pb2.PERMISSION_DENIED, ErrorReason.ERROR_REASON_BANNED),
    errors.ReplicaNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_REPLICA_NOT_FOUND),
    BanNotFound: (code_pb2.NOT_FOUND, ErrorReason.ERROR_REASON_BAN_NOT_FOUND),
    IllegalMove: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_RULE_BROKEN),
    errors.NotYourTurn: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NOT_YOUR_TURN),
    errors.NotStarted: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NOT_STARTED),
    errors.AlreadyStarted: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_ALREADY_STARTED),
    errors.GameOver: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_GAME_OVER),
    errors.NotFinished: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NOT_FINISHED),
    errors.SeatTaken: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_SEAT_TAKEN),
    errors.NoPlayer: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NO_PLAYER),
    errors.SubstitutePlays: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_SUBSTITUTE_PLAYS),
    errors.InPlay: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_IN_PLAY),
    errors.TimeUp: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_TIME_UP),
    errors.NothingToUndo: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NOTHING_TO_UNDO),
    errors.NotToAct: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NOT_TO_ACT),
    errors.ProposalExpired: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_PROPOSAL_EXPIRED),
    errors.TournamentClosed: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_TOURNAMENT_CLOSED),
    errors.LadderClosed: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_LADDER_CLOSED),
    errors.VersionOutdated: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_VERSION_OUTDATED),
    errors.BotRests: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_BOT_RESTS),
    errors.NameTaken: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_NAME_TAKEN),
    errors.SeatOpen: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_SEAT_OPEN),
    errors.TooFewSeats: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_TOO_FEW_SEATS),
    errors.RulesetUnsupported: (code_pb2.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_RULESET_UNSUPPORTED),
    errors.FormatUnsupported: (code_pb2.UNIMPLEMENTED, ErrorReason.ERROR_REASON_FORMAT_UNSUPPORTED),
    errors.StaleSequence: (code_pb2.ABORTED, ErrorReason.ERROR_REASON_STALE_SEQUENCE),
    errors.SequenceAhead: (code_pb2.OUT_OF_RANGE, ErrorReason.ERROR_REASON_SEQUENCE_AHEAD),
    errors.LimitReached: (code_pb2.RESOURCE_EXHAUSTED, ErrorReason.ERROR_REASON_LIMIT_REACHED),
    errors.StoreFull: (code_pb2.RESOURCE_EXHAUSTED, ErrorReason.ERROR_REASON_STORE_FULL),
    errors.StoreUnavailable: (code_pb2.UNAVAILABLE, ErrorReason.ERROR_REASON_STORE_UNAVAILABLE),
    errors.ShuttingDown: (code_pb2.UNAVAILABLE, ErrorReason.ERROR_REASON_SHUTTING_DOWN),
    IdentityUnavailable: (code_pb2.UNAVAILABLE, ErrorReason.ERROR_REASON_IDENTITY_UNAVAILABLE),
    errors.SessionDamaged: (code_pb2.DATA_LOSS, ErrorReason.ERROR_REASON_SESSION_DAMAGED),
}


def is_refusal(error: Exception) -> bool:
    """Return whether the error is a refusal. Any other is an internal error of the server, to be logged."""
    return _row(error) is not None


def _row(error: Exception) -> tuple[int, ErrorReason.ValueType] | None:
    """Return the row of an error's class, or of the class that it derives from."""
    return next((TABLE[kind] for kind in type(error).__mro__ if kind in TABLE), None)


def status_of(error: Exception, hints: Mapping[type[Exception], str] = MappingProxyType({})) -> Status:
    """Return the status of an error for the client. That of an internal error does not contain the cause.

    ``hints``: sentences that a transport appends to some refusals, in its own terms.
    """
    if (row := _row(error)) is None:
        info = ErrorInfo(reason=_INTERNAL, domain=DOMAIN)
        return Status(code=code_pb2.INTERNAL, message="Something went wrong inside the server.", details=[_any(info)])
    code, reason = row
    info = ErrorInfo(reason=_name(reason), domain=DOMAIN, metadata=_metadata(error))
    details = [_any(info)]
    retry_after = error.retry_after if isinstance(error, errors.SkerryError) else None
    if retry_after is not None:
        delay = Duration()
        delay.FromMicroseconds(round(retry_after * 1_000_000))
        details.append(_any(RetryInfo(retry_delay=delay)))
    message = " ".join(filter(None, (_short(str(error)), hints.get(type(error)))))
    if (language := caller_language()) != ENGLISH:
        details.append(_any(LocalizedMessage(locale=language, message=_short(_localized(error, language)))))
    sentence = asked_sentence(_sentence(error))
    if sentence is not None and sentence.ByteSize() <= _MAX_SENTENCE_BYTES:
        details.append(_any(sentence))
    return Status(code=code, message=message, details=details)


def _localized(error: Exception, language: str) -> str:
    """Return the sentence of a refusal in a language, without what a transport appends."""
    template = in_language(_sentence(error), language)
    return fill(template, error.names) if isinstance(error, IllegalMove) and error.names else template


def _sentence(error: Exception) -> str:
    """Return the sentence of a refusal. That of a broken rule is a template for the players' names."""
    if isinstance(error, IllegalMove):
        return error.template
    if isinstance(error, errors.SkerryError | BadOptions):
        return error.sentence
    return error.args[0] if error.args else str(error)


def code_and_reason(error: Exception) -> tuple[str, str]:
    """Return the names of an error's code and of its reason."""
    if (row := _row(error)) is None:
        return code_pb2.Code.Name(code_pb2.INTERNAL), _INTERNAL
    code, reason = row
    return code_pb2.Code.Name(code), _name(reason)


def _name(reason: ErrorReason.ValueType) -> str:
    return ErrorReason.Name(reason).removeprefix(_PREFIX)


def _metadata(error: Exception) -> dict[str, str]:
    if isinstance(error, errors.SkerryError):
        return {key: _short(value) for key, value in error.metadata.items()}
    if isinstance(error, IllegalMove):
        return {"rule": error.rule}
    return {"field": error.field} if isinstance(error, BadOptions) else {}


def _short(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_LENGTH else f"{text[:_MAX_TEXT_LENGTH]}..."


def _any(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed
