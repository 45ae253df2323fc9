"""What a call can raise: one class for each ``ErrorReason`` of the service, and a few for what happens on the way.

SkerryError
 +- BadRequest                  the request is wrong in itself
 |   +- InvalidField            a field is missing, malformed or out of range
 |   +- UnknownField            a field that the server does not know: it is older than this client
 |   +- MalformedMove           not a move of this game
 |   +- BadOptions              the game cannot be set up like this
 |   +- RequestIdReused         the request id belongs to another request
 +- NotFound
 |   +- GameNotFound
 |   +- SessionNotFound         never created, or its lifetime has passed
 +- Denied                      whoever asks may not
 |   +- TokenMissing
 |   +- TokenInvalid
 |   +- NotAllowed
 |   +- JoinCodeWrong           the session asks for a join code, and it is another one
 |   +- SeatReserved            the open seats are reserved for bots, and the caller is another one
 |   +- ApiKeyMissing           the operator asks for an API key
 |   +- ApiKeyInvalid           it is none that is known, or has expired
 |   +- ApiKeyScope             it is not for this call: ``metadata["scopes"]``
 +- NotNow                      the session is not in a state for this
 |   +- RuleBroken              a numbered rule forbids the move: ``rule``
 |   +- NotYourTurn
 |   +- NotStarted
 |   +- AlreadyStarted
 |   +- GameOver
 |   +- NotFinished             there is no finished game to be played again, or to go on from
 |   +- SeatTaken
 |   +- NoPlayer                no player sits on the seat
 |   +- SubstitutePlays         a substitute plays the seat: come back first
 |   +- InPlay                  players sit at the table
 |   +- TimeUp                  the move came after the seat's time was up
 |   +- NotToAct                the seat named owes no decision
 |   +- ProposalExpired               a table that was found is offered no more
 |   +- NameTaken
 |   +- SeatOpen
 |   +- TooFewSeats
 |   +- RulesetUnsupported
 +- OutOfStep                   the session is not what the caller knew: look again
 |   +- StaleSequence           the decision was taken or has changed; nothing was done
 |   +- SequenceAhead           the log does not reach that far
 |   +- EntriesLost             * the store came back without entries that were acknowledged
 +- LimitReached                a limit of the server; ``retry_after`` says when to ask again
 +- StoreFull                   the server's store has no room; nothing was done
 +- Unavailable                 later: repeated by the client itself while its ``retry_for`` lasts
 |   +- StoreUnavailable
 |   +- ShuttingDown
 |   +- ConnectionLost          * no connection, or it broke; whether the call was carried out is not known
 |   +- DeadlineExceeded        * no answer in time; whether the call was carried out is not known
 +- ServerError                 a defect
     +- InternalError
     +- SessionDamaged          what is stored of the session is broken
     +- MessageTooLarge         * a message passed the limit of either side
     +- UnexpectedAnswer        * not what a Skerry server says

Classes with a ``*`` have no reason of their own: the service did not refuse, something else happened. A reason that is
newer than this client raises the group that its status code stands for. Match the class or ``reason``, never the text.
"""

from __future__ import annotations

from collections.abc import Mapping

import grpc


class SkerryError(Exception):
    """A call that did not succeed. The text is one sentence for people."""

    reason: str | None = None
    """The ``ErrorReason`` without its prefix, for example ``RULE_BROKEN``. ``None`` if the service gave none."""
    code: grpc.StatusCode = grpc.StatusCode.UNKNOWN
    """The status code of the call."""

    def __init__(
        self, sentence: str, *, metadata: Mapping[str, str] | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.metadata: Mapping[str, str] = dict(metadata or {})
        """What ``ErrorReason`` says of this reason, for example ``sequence``."""
        self.retry_after = retry_after
        """Seconds after which the server says that a repeat can help."""

    @property
    def rule(self) -> str | None:
        """The id of the rule that was broken, for example ``KRETA-PEACE-1``."""
        return self.metadata.get("rule")


class BadRequest(SkerryError):
    """The request is wrong in itself; it will not succeed later either."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class InvalidField(BadRequest):
    """A field is missing, malformed or out of range: ``metadata["field"]``."""

    reason = "INVALID_FIELD"


class UnknownField(BadRequest):
    """The request holds a field that this server does not know."""

    reason = "UNKNOWN_FIELD"


class MalformedMove(BadRequest):
    """Not a move of this game."""

    reason = "MALFORMED_MOVE"


class BadOptions(BadRequest):
    """The game cannot be set up with these options or this number of seats: ``metadata["field"]``."""

    reason = "BAD_OPTIONS"


class RequestIdReused(BadRequest):
    """The request id was used for another request; nothing was done."""

    reason = "REQUEST_ID_REUSED"


class NotFound(SkerryError):
    """What the request names is not there."""

    code = grpc.StatusCode.NOT_FOUND


class GameNotFound(NotFound):
    """The server does not play such a game."""

    reason = "GAME_NOT_FOUND"


class SessionNotFound(NotFound):
    """No such session: never created, or its lifetime has passed."""

    reason = "SESSION_NOT_FOUND"


class Denied(SkerryError):
    """Whoever asks may not."""

    code = grpc.StatusCode.PERMISSION_DENIED


class TokenMissing(Denied):
    """The call needs a token."""

    reason = "TOKEN_MISSING"
    code = grpc.StatusCode.UNAUTHENTICATED


class TokenInvalid(Denied):
    """The token is malformed or opens nothing at this session."""

    reason = "TOKEN_INVALID"
    code = grpc.StatusCode.UNAUTHENTICATED


class NotAllowed(Denied):
    """The token is good, but not for this."""

    reason = "NOT_ALLOWED"


class JoinCodeWrong(Denied):
    """The session asks for a join code, and it is another one: ``Table.join_code``."""

    reason = "JOIN_CODE_WRONG"


class SeatReserved(Denied):
    """The open seats are reserved for bots, and the caller has not proved to be one of them."""

    reason = "SEAT_RESERVED"


class ApiKeyMissing(Denied):
    """The operator lets nobody make this call without an API key."""

    reason = "API_KEY_MISSING"
    code = grpc.StatusCode.UNAUTHENTICATED


class ApiKeyInvalid(Denied):
    """The API key is malformed, none that is known to the server, or has expired."""

    reason = "API_KEY_INVALID"
    code = grpc.StatusCode.UNAUTHENTICATED


class ApiKeyScope(Denied):
    """The API key is good, but not for this call: it would need one of ``metadata["scopes"]``."""

    reason = "API_KEY_SCOPE"


class NotNow(SkerryError):
    """The session is not in a state for this."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class RuleBroken(NotNow):
    """A numbered rule forbids the move: ``rule``. The text has the rule in a sentence."""

    reason = "RULE_BROKEN"


class NotYourTurn(NotNow):
    """The seat has nothing to decide now; ``metadata["to_act"]`` names the seats that have."""

    reason = "NOT_YOUR_TURN"


class NotStarted(NotNow):
    """The game has not begun."""

    reason = "NOT_STARTED"


class AlreadyStarted(NotNow):
    """The game has begun."""

    reason = "ALREADY_STARTED"


class GameOver(NotNow):
    """The game is over."""

    reason = "GAME_OVER"


class NotFinished(NotNow):
    """There is no finished game in this session to be played again, or to go on from."""

    reason = "NOT_FINISHED"


class SeatTaken(NotNow):
    """The seat asked for is not open."""

    reason = "SEAT_TAKEN"


class NoPlayer(NotNow):
    """No player sits on the seat: ``metadata["seat"]``."""

    reason = "NO_PLAYER"


class SubstitutePlays(NotNow):
    """A substitute plays the seat. ``come_back`` takes the seat from it."""

    reason = "SUBSTITUTE_PLAYS"


class NotToAct(NotNow):
    """The seat owes no decision: ``metadata["seat"]``."""

    reason = "NOT_TO_ACT"


class InPlay(NotNow):
    """Players sit at the table, so the game cannot be called off: ``metadata["seats"]``."""

    reason = "IN_PLAY"


class TimeUp(NotNow):
    """The move came after the seat's time was up; what the session does then is about to happen."""

    reason = "TIME_UP"


class ProposalExpired(NotNow):
    """The table that was offered to somebody who looks for one is offered no more: it was not confirmed in time."""

    reason = "PROPOSAL_EXPIRED"


class NameTaken(NotNow):
    """Somebody at the table has that name, or one that reads the same: ``metadata["display_name"]``."""

    reason = "NAME_TAKEN"


class SeatOpen(NotNow):
    """Nobody sits on a seat that the game's options name: ``metadata["seat"]``."""

    reason = "SEAT_OPEN"


class TooFewSeats(NotNow):
    """Too few seats are taken to start; ``metadata["seats"]`` says how many are needed."""

    reason = "TOO_FEW_SEATS"


class RulesetUnsupported(NotNow):
    """The session was begun under a ruleset that this server does not carry."""

    reason = "RULESET_UNSUPPORTED"


class OutOfStep(SkerryError):
    """The session is not what the caller knew: read it again and decide anew."""

    code = grpc.StatusCode.ABORTED


class StaleSequence(OutOfStep):
    """The decision was taken or has changed; nothing was done."""

    reason = "STALE_SEQUENCE"


class SequenceAhead(OutOfStep):
    """The sequence named lies ahead of the log; ``metadata["sequence"]`` is the log's."""

    reason = "SEQUENCE_AHEAD"
    code = grpc.StatusCode.OUT_OF_RANGE


class EntriesLost(OutOfStep):
    """The store was restarted and may lack entries that were acknowledged. What was seen may not be what now stands.

    Raised while observing, when the session's epoch changed or its log is shorter than what was received already.
    Read the position again and observe from there; ``metadata["sequence"]`` is the last one received before.
    """

    code = grpc.StatusCode.DATA_LOSS


class LimitReached(SkerryError):
    """A limit of the server (``metadata["limit"]``). Not repeated by itself: ``retry_after`` says when to."""

    reason = "LIMIT_REACHED"
    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class StoreFull(SkerryError):
    """The server's store has no room; nothing was done. Not repeated by itself: it takes somebody to make room."""

    reason = "STORE_FULL"
    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class Unavailable(SkerryError):
    """It did not work now and may work later. The client has repeated the call for as long as it was allowed to."""

    code = grpc.StatusCode.UNAVAILABLE


class StoreUnavailable(Unavailable):
    """The server cannot reach its store."""

    reason = "STORE_UNAVAILABLE"


class ShuttingDown(Unavailable):
    """The server is going away."""

    reason = "SHUTTING_DOWN"


class ConnectionLost(Unavailable):
    """There is no connection to the server, or it broke. Whether the call was carried out is not known."""


class DeadlineExceeded(Unavailable):
    """No answer came in time. Whether the call was carried out is not known."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED


class ServerError(SkerryError):
    """A defect, or a server that is not what this client takes it for."""


class InternalError(ServerError):
    """A defect of the server. Nothing was done that an answer has not acknowledged."""

    reason = "INTERNAL"
    code = grpc.StatusCode.INTERNAL


class SessionDamaged(ServerError):
    """What the server has stored of the session is broken. Nothing was done; other sessions are served as before."""

    reason = "SESSION_DAMAGED"
    code = grpc.StatusCode.DATA_LOSS


class MessageTooLarge(ServerError):
    """A message passed the size limit of either side."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class UnexpectedAnswer(ServerError):
    """Not what a Skerry server says: an older one, another service, or a proxy in between."""
