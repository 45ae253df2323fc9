"""The errors of a call: one class for each ``ErrorReason`` of the service, and a few for failures on the way.

SkerryError
 +- BadRequest                  the request itself is wrong
 |   +- InvalidField            a field is missing, malformed or out of range
 |   +- UnknownField            the server does not know a field; it is older than this client
 |   +- MalformedMove           the message is not a move of this game
 |   +- BadOptions              the game does not allow these options or this number of seats
 |   +- RequestIdReused         another request has used this request id
 +- NotFound
 |   +- GameNotFound
 |   +- SessionNotFound         the session never existed, or has expired
 |   +- LadderNotFound          the ladder or its season does not exist
 |   +- BotNotFound             the bot is not registered
 |   +- TournamentNotFound      the tournament does not exist
 |   +- WebhookEndpointNotFound the API key has no such webhook endpoint
 |   +- BanNotFound             the ban does not exist, has ended, or was lifted
 |   +- ReplicaNotFound         no live replica has the name
 +- Denied                      the caller has no permission
 |   +- TokenMissing
 |   +- TokenInvalid
 |   +- NotAllowed
 |   +- JoinCodeWrong           the session requires a join code, and the call has none or a wrong one
 |   +- SeatReserved            the open seats are reserved for other bots
 |   +- ApiKeyMissing           the operator requires an API key
 |   +- ApiKeyInvalid           the key is unknown or has expired
 |   +- ApiKeyScope             the key has no scope for this call: ``metadata["scopes"]``
 |   +- IdentityMissing         the call needs an identity token
 |   +- IdentityInvalid         the identity token is not valid: ``metadata["problem"]``
 |   +- Banned                  an operator has banned the caller for a time: ``retry_after``
 +- FailedPrecondition          the state of the session does not allow the call
 |   +- RuleBroken              a numbered rule forbids the move: ``rule``
 |   +- NotYourTurn
 |   +- NotStarted
 |   +- AlreadyStarted
 |   +- GameOver
 |   +- NotFinished             the session has no finished game for a rematch or a fork
 |   +- SeatTaken
 |   +- NoPlayer                no player has the seat
 |   +- SubstitutePlays         a substitute plays the seat; take it back first
 |   +- InPlay                  players are at the table
 |   +- TimeUp                  the move came after the seat's time was up
 |   +- NotToAct                the seat owes no decision
 |   +- NothingToUndo           no move of the seat can be taken back
 |   +- ProposalExpired         the proposal is no longer valid
 |   +- LadderClosed            the ladder begins no new games
 |   +- TournamentClosed        the tournament is in another state, full, or has too few entrants
 |   +- VersionOutdated         the bot has a newer version
 |   +- BotRests                the bot failed three times in succession
 |   +- NameTaken
 |   +- SeatOpen
 |   +- TooFewSeats
 |   +- RulesetUnsupported
 |   +- WrongCell               another cell has the session; the client sends the cell of each name
 +- Conflict                    the session has changed; read it again
 |   +- StaleSequence           the decision was taken or has changed; the service did nothing
 |   +- SequenceAhead           the log does not reach that sequence
 |   +- EntriesLost             * the store was restarted and lacks acknowledged entries
 +- LimitReached                a limit of the server; ``retry_after`` says when to try again
 +- StoreFull                   the server's store is full; the service did nothing
 +- FormatUnsupported           the server draws no pictures of that format
 +- Unavailable                 try later; the client repeats the call for ``retry_for`` seconds
 |   +- StoreUnavailable
 |   +- ShuttingDown
 |   +- IdentityUnavailable     the keys of the issuer of the identity token cannot be fetched
 |   +- ConnectionLost          * no connection, or it broke; the result of the call is unknown
 |   +- DeadlineExceeded        * no response in time; the result of the call is unknown
 +- ServerError                 an internal error, or not a Skerry server
     +- InternalError
     +- SessionDamaged          the stored session is damaged
     +- MessageTooLarge         * a message exceeded the size limit of either side
     +- UnexpectedResponse      * not a response of a Skerry server

Classes with a ``*`` have no reason, because the service did not reject the call. A reason that is newer than this
client raises the group of its status code. Match the class or ``reason``, never the text.
"""

from __future__ import annotations

from collections.abc import Mapping

import grpc

from skerry.v1.sentence_pb2 import Sentence


class SkerryError(Exception):
    """An unsuccessful call. The text is one sentence for people."""

    reason: str | None = None
    """The ``ErrorReason`` without its prefix, for example ``RULE_BROKEN``. ``None`` if the service gave none."""
    code: grpc.StatusCode = grpc.StatusCode.UNKNOWN
    """The status code of the call."""
    localized_message: str | None = None
    """The sentence in the client's ``language``. ``None`` for an English client, and if the service did not send it."""
    sentence: Sentence | None = None
    """The sentence as a message with parameters, if the client has ``sentences``. ``None`` if the service sent none."""

    def __init__(
        self, sentence: str, *, metadata: Mapping[str, str] | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.metadata: Mapping[str, str] = dict(metadata or {})
        """Details that ``ErrorReason`` documents for this reason, for example ``sequence``."""
        self.retry_after = retry_after
        """Seconds after which a repeat can succeed, from the server; ``None`` if it gave none."""

    @property
    def rule(self) -> str | None:
        """The id of the broken rule, for example ``KRETA-PEACE-1``."""
        return self.metadata.get("rule")


class BadRequest(SkerryError):
    """The request itself is wrong. A repeat cannot succeed."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class InvalidField(BadRequest):
    """A field is missing, malformed or out of range: ``metadata["field"]``."""

    reason = "INVALID_FIELD"


class UnknownField(BadRequest):
    """The request holds a field that this server does not know."""

    reason = "UNKNOWN_FIELD"


class MalformedMove(BadRequest):
    """The message is not a move of this game."""

    reason = "MALFORMED_MOVE"


class BadOptions(BadRequest):
    """The game does not allow these options or this number of seats: ``metadata["field"]``."""

    reason = "BAD_OPTIONS"


class RequestIdReused(BadRequest):
    """Another request has used this request id. The service did nothing."""

    reason = "REQUEST_ID_REUSED"


class NotFound(SkerryError):
    """A resource that the request names does not exist."""

    code = grpc.StatusCode.NOT_FOUND


class GameNotFound(NotFound):
    """The server does not support this game."""

    reason = "GAME_NOT_FOUND"


class SessionNotFound(NotFound):
    """The session never existed, or has expired."""

    reason = "SESSION_NOT_FOUND"


class LadderNotFound(NotFound):
    """The ladder, or the season of it, does not exist."""

    reason = "LADDER_NOT_FOUND"


class BotNotFound(NotFound):
    """The bot is not registered."""

    reason = "BOT_NOT_FOUND"


class WebhookEndpointNotFound(NotFound):
    """The API key has no such webhook endpoint."""

    reason = "WEBHOOK_ENDPOINT_NOT_FOUND"


class BanNotFound(NotFound):
    """The ban does not exist, has ended, or was lifted."""

    reason = "BAN_NOT_FOUND"


class ReplicaNotFound(NotFound):
    """No live replica has the name, or its version cannot be drained from another one."""

    reason = "REPLICA_NOT_FOUND"


class TournamentNotFound(NotFound):
    """The tournament does not exist."""

    reason = "TOURNAMENT_NOT_FOUND"


class Denied(SkerryError):
    """The caller has no permission."""

    code = grpc.StatusCode.PERMISSION_DENIED


class TokenMissing(Denied):
    """The call needs a token."""

    reason = "TOKEN_MISSING"
    code = grpc.StatusCode.UNAUTHENTICATED


class TokenInvalid(Denied):
    """The token is malformed, or does not belong to this session."""

    reason = "TOKEN_INVALID"
    code = grpc.StatusCode.UNAUTHENTICATED


class NotAllowed(Denied):
    """The token is valid, but not for this call."""

    reason = "NOT_ALLOWED"


class JoinCodeWrong(Denied):
    """The session (``Table.join_code``) or tournament requires a join code, and the call has none or a wrong one."""

    reason = "JOIN_CODE_WRONG"


class SeatReserved(Denied):
    """The open seats are reserved for bots, and the call has no token of such a bot."""

    reason = "SEAT_RESERVED"


class ApiKeyMissing(Denied):
    """The operator requires an API key for this call."""

    reason = "API_KEY_MISSING"
    code = grpc.StatusCode.UNAUTHENTICATED


class ApiKeyInvalid(Denied):
    """The API key is malformed, unknown or expired."""

    reason = "API_KEY_INVALID"
    code = grpc.StatusCode.UNAUTHENTICATED


class ApiKeyScope(Denied):
    """The API key has none of the scopes that the call needs: ``metadata["scopes"]``."""

    reason = "API_KEY_SCOPE"


class IdentityMissing(Denied):
    """The call needs an identity token."""

    reason = "IDENTITY_MISSING"
    code = grpc.StatusCode.UNAUTHENTICATED


class IdentityInvalid(Denied):
    """The identity token is not valid: ``metadata["problem"]``."""

    reason = "IDENTITY_INVALID"
    code = grpc.StatusCode.UNAUTHENTICATED


class Banned(Denied):
    """An operator has banned the caller until ``retry_after``.

    ``metadata["banned"]`` says what is banned: ``address``, ``key`` or ``player``. ``metadata["why"]`` has the reason.
    """

    reason = "BANNED"


class FailedPrecondition(SkerryError):
    """The state of the session does not allow the call."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class RuleBroken(FailedPrecondition):
    """A numbered rule forbids the move: ``rule``. The text quotes the rule."""

    reason = "RULE_BROKEN"


class NotYourTurn(FailedPrecondition):
    """The seat owes no decision now. ``metadata["to_act"]`` names the seats that do."""

    reason = "NOT_YOUR_TURN"


class NotStarted(FailedPrecondition):
    """The game has not started."""

    reason = "NOT_STARTED"


class AlreadyStarted(FailedPrecondition):
    """The game has started."""

    reason = "ALREADY_STARTED"


class GameOver(FailedPrecondition):
    """The game is over."""

    reason = "GAME_OVER"


class NotFinished(FailedPrecondition):
    """The session has no finished game for a rematch or a fork."""

    reason = "NOT_FINISHED"


class SeatTaken(FailedPrecondition):
    """The seat is not open, or cannot be opened now: ``retry_after`` says when, if its player does not respond."""

    reason = "SEAT_TAKEN"


class NoPlayer(FailedPrecondition):
    """No player has the seat: ``metadata["seat"]``."""

    reason = "NO_PLAYER"


class SubstitutePlays(FailedPrecondition):
    """A substitute plays the seat. ``return_to_seat`` takes the seat back."""

    reason = "SUBSTITUTE_PLAYS"


class NothingToUndo(FailedPrecondition):
    """No move of the seat can be taken back: the sentence says why."""

    reason = "NOTHING_TO_UNDO"


class NotToAct(FailedPrecondition):
    """The seat owes no decision: ``metadata["seat"]``."""

    reason = "NOT_TO_ACT"


class InPlay(FailedPrecondition):
    """Players are at the table, so the host cannot cancel the session: ``metadata["seats"]``."""

    reason = "IN_PLAY"


class TimeUp(FailedPrecondition):
    """The move came after the seat's time was up. The timeout action follows."""

    reason = "TIME_UP"


class ProposalExpired(FailedPrecondition):
    """The proposal is no longer valid, because a player did not confirm it in time."""

    reason = "PROPOSAL_EXPIRED"


class LadderClosed(FailedPrecondition):
    """The ladder begins no new games of bots: it is closed, ranks people, or its season is full."""

    reason = "LADDER_CLOSED"


class TournamentClosed(FailedPrecondition):
    """The tournament is not in the state that the call needs, is full, or has too few entrants."""

    reason = "TOURNAMENT_CLOSED"


class VersionOutdated(FailedPrecondition):
    """The bot has a newer version, which alone plays new games."""

    reason = "VERSION_OUTDATED"


class BotRests(FailedPrecondition):
    """The bot failed in three games in succession. It plays again once it is registered again or woken."""

    reason = "BOT_RESTS"


class NameTaken(FailedPrecondition):
    """A player at the table has this name, or one that looks the same: ``metadata["display_name"]``."""

    reason = "NAME_TAKEN"


class SeatOpen(FailedPrecondition):
    """The game's options name a seat without a player: ``metadata["seat"]``."""

    reason = "SEAT_OPEN"


class TooFewSeats(FailedPrecondition):
    """Too few seats are taken to start. ``metadata["seats"]`` is the number required."""

    reason = "TOO_FEW_SEATS"


class RulesetUnsupported(FailedPrecondition):
    """The server does not support the ruleset of the session."""

    reason = "RULESET_UNSUPPORTED"


class WrongCell(FailedPrecondition):
    """The name belongs to another cell, or the client asked for a cell that the proxy does not know."""

    reason = "WRONG_CELL"

    @property
    def cell(self) -> str:
        """The cell of the name, or of the client."""
        return self.metadata.get("cell", "")


class Conflict(SkerryError):
    """The session has changed. Read it again and decide anew."""

    code = grpc.StatusCode.ABORTED


class StaleSequence(Conflict):
    """The decision was taken or has changed. The service did nothing."""

    reason = "STALE_SEQUENCE"


class SequenceAhead(Conflict):
    """The sequence lies beyond the end of the log, which is ``metadata["sequence"]``."""

    reason = "SEQUENCE_AHEAD"
    code = grpc.StatusCode.OUT_OF_RANGE


class EntriesLost(Conflict):
    """The store was restarted and may have lost acknowledged entries, so what was received may be void.

    Raised while observing, when the session's epoch changes or its log is shorter than what was received.
    Read the position again and observe from there. ``metadata["sequence"]`` is the last sequence received.
    """

    code = grpc.StatusCode.DATA_LOSS


class LimitReached(SkerryError):
    """A limit of the server (``metadata["limit"]``). The client does not retry; see ``retry_after``."""

    reason = "LIMIT_REACHED"
    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class StoreFull(SkerryError):
    """The server's store is full. The service did nothing. The client does not retry; an operator must make room."""

    reason = "STORE_FULL"
    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class FormatUnsupported(SkerryError):
    """The server draws no pictures of that format."""

    reason = "FORMAT_UNSUPPORTED"
    code = grpc.StatusCode.UNIMPLEMENTED


class Unavailable(SkerryError):
    """A temporary failure. The client has repeated the call for ``retry_for`` seconds."""

    code = grpc.StatusCode.UNAVAILABLE


class StoreUnavailable(Unavailable):
    """The server cannot reach its store."""

    reason = "STORE_UNAVAILABLE"


class ShuttingDown(Unavailable):
    """The server is shutting down."""

    reason = "SHUTTING_DOWN"


class IdentityUnavailable(Unavailable):
    """The server cannot fetch the keys of the issuer of the identity token."""

    reason = "IDENTITY_UNAVAILABLE"


class ConnectionLost(Unavailable):
    """There is no connection to the server, or it broke. The result of the call is unknown."""


class DeadlineExceeded(Unavailable):
    """No response came in time. The result of the call is unknown."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED


class ServerError(SkerryError):
    """An internal error of the server, or a server that is not a Skerry server."""


class InternalError(ServerError):
    """An internal error. The server did nothing beyond what its responses have acknowledged."""

    reason = "INTERNAL"
    code = grpc.StatusCode.INTERNAL


class SessionDamaged(ServerError):
    """The stored session is damaged. The server did nothing. Other sessions are not affected."""

    reason = "SESSION_DAMAGED"
    code = grpc.StatusCode.DATA_LOSS


class MessageTooLarge(ServerError):
    """A message exceeded the size limit of either side."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class UnexpectedResponse(ServerError):
    """Not a response of a Skerry server: an older server, another service, or a proxy in between."""
