"""Every refusal of a call that is not the rules' own (``games.api``). One class for each ``ErrorReason``.

SkerryError
 +- InvalidField, UnknownField, RequestIdReused            the request is wrong in itself
 +- GameNotFound, SessionNotFound                          what it names is not there
 +- TokenMissing, TokenInvalid, NotAllowed                 who asks may not
 +- NotYourTurn, NotStarted, AlreadyStarted, GameOver,     not now
 |  SeatTaken, TooFewSeats, RulesetNotCarried
 +- StaleSequence, SequenceAhead                           the caller looks at another state than the server
 +- LimitReached, StoreUnavailable, ShuttingDown           later (``retry_after`` seconds)
"""

from __future__ import annotations


class SkerryError(Exception):
    """A refusal: one sentence for people, ``metadata`` for programs. Nothing was stored."""

    retry_after: float | None = None
    """Seconds after which repeating the call can help; ``None`` if it cannot."""

    def __init__(self, sentence: str, **metadata: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.metadata = {key: str(value) for key, value in metadata.items()}


class InvalidField(SkerryError):
    """A field is missing, malformed or out of range."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}", field=field)


class UnknownField(SkerryError):
    """The request holds a field that this server does not know."""

    def __init__(self, message: str, name: str | None = None) -> None:
        """``name``: the field's, where the transport has names and not numbers."""
        if name is None:
            super().__init__(f"{message} holds a field that this server does not know", field=message)
        else:
            super().__init__(f"{message} has no field {name!r}", field=message, name=name)


class RequestIdReused(SkerryError):
    """The request id belongs to another request."""

    def __init__(self) -> None:
        super().__init__("this request_id was used for another request; nothing was done")


class GameNotFound(SkerryError):
    """No such game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"there is no game {game!r} here", game=game)


class SessionNotFound(SkerryError):
    """No such session, or no longer."""

    def __init__(self, session: str) -> None:
        super().__init__(f"there is no session {session!r}, or no longer", session=session)


class TokenMissing(SkerryError):
    """The call needs a token."""

    def __init__(self) -> None:
        super().__init__("this call needs a token: send the metadata 'authorization: Bearer <token>'")


class TokenInvalid(SkerryError):
    """The token opens nothing at this session."""

    def __init__(self) -> None:
        super().__init__("the token is malformed or belongs to no seat of this session")


class NotAllowed(SkerryError):
    """The token is good but not for this."""


class NotYourTurn(SkerryError):
    """The seat has nothing to decide now."""

    def __init__(self, to_act: tuple[int, ...]) -> None:
        seats = ", ".join(map(str, to_act))
        super().__init__(f"it is not your turn; to act: seat {seats}", to_act=seats)


class NotStarted(SkerryError):
    """The game has not begun."""

    def __init__(self) -> None:
        super().__init__("the game has not begun")


class AlreadyStarted(SkerryError):
    """The game has begun."""

    def __init__(self) -> None:
        super().__init__("the game has begun already")


class GameOver(SkerryError):
    """The game is over."""

    def __init__(self) -> None:
        super().__init__("the game is over")


class SeatTaken(SkerryError):
    """The seat asked for is not open."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is taken", seat=seat)


class TooFewSeats(SkerryError):
    """The game cannot begin with the seats that are taken."""

    def __init__(self, taken: int, playable: tuple[int, ...]) -> None:
        counts = ", ".join(map(str, playable))
        super().__init__(f"{taken} seats are taken; the game is for {counts}", seats=counts)


class RulesetNotCarried(SkerryError):
    """The session is played by rules that this server does not have."""

    def __init__(self, ruleset: str, carried: str) -> None:
        super().__init__(
            f"the session is played by ruleset {ruleset}; this server carries {carried}",
            ruleset=ruleset,
            carried=carried,
        )


class StaleSequence(SkerryError):
    """The caller decided on a position that has passed."""

    def __init__(self, expected: int, sequence: int) -> None:
        super().__init__(
            f"expected_sequence {expected} is stale: the session stands at {sequence}; look again", sequence=sequence
        )


class SequenceAhead(SkerryError):
    """The caller knows entries that the log does not have."""

    def __init__(self, named: int, sequence: int) -> None:
        super().__init__(
            f"sequence {named} lies ahead of the log, which stands at {sequence}; read the session again",
            sequence=sequence,
        )


class LimitReached(SkerryError):
    """A limit of this server."""

    retry_after = 5.0

    def __init__(self, limit: str, sentence: str) -> None:
        super().__init__(sentence, limit=limit)


class StoreUnavailable(SkerryError):
    """The store cannot be reached. Whether a write under way was carried out is not known."""

    retry_after = 0.5

    def __init__(self) -> None:
        super().__init__("the store cannot be reached at the moment; repeat the call with the same request_id")


class ShuttingDown(SkerryError):
    """The server is going away."""

    retry_after = 1.0

    def __init__(self) -> None:
        super().__init__("this server is shutting down; repeat the call with the same request_id")
