"""Every refusal of a call that is not the rules' own (``skerry_games.api``). One class for each ``ErrorReason``.

What a refusal says is full sentences to the caller, true over every transport; each may add what is its own
(``api.errors.describe``). Of a field it is ``field: Sentence.``

SkerryError
 +- InvalidField, RequestIdReused                          the request is wrong in itself
 +- GameNotFound, SessionNotFound                          what it names is not there
 +- TokenMissing, TokenInvalid, NotAllowed, JoinCodeWrong, who asks may not
 |  SeatReserved, ApiKeyMissing, ApiKeyInvalid, ApiKeyScope
 +- NotYourTurn, NotStarted, AlreadyStarted, GameOver,     not now
 |  SeatTaken, NoPlayer, NameTaken, SeatOpen, TooFewSeats, RulesetUnsupported, SubstitutePlays, InPlay,
 |  TimeUp, NotToAct, NotFinished, ProposalExpired
 +- StaleSequence, SequenceAhead                           the caller looks at another state than the server
 +- LimitReached, StoreFull, StoreUnavailable,             later (``retry_after`` seconds)
 |  ShuttingDown
 +- SessionDamaged                                         never: what is stored of it is broken
"""

from __future__ import annotations

from collections.abc import Sequence

from skerry_games.sentences import listed


class SkerryError(Exception):
    """A refusal: sentences for people, ``metadata`` for programs. Nothing was stored."""

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


class RequestIdReused(SkerryError):
    """The request id belongs to another request."""

    def __init__(self) -> None:
        super().__init__("Your request id was used for another request before; nothing was done.")


class GameNotFound(SkerryError):
    """No such game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"There is no game {game!r} here.", game=game)


class SessionNotFound(SkerryError):
    """No such session, or no longer."""

    def __init__(self, session: str) -> None:
        super().__init__(f"There is no session {session!r}, or no longer.", session=session)


class TokenMissing(SkerryError):
    """The call needs a token."""

    def __init__(self) -> None:
        super().__init__("This call needs a token.")


class TokenInvalid(SkerryError):
    """The token opens nothing at this session."""

    def __init__(self) -> None:
        super().__init__("Your token is malformed, or opens nothing at this session.")


class NotAllowed(SkerryError):
    """The token is good but not for this."""


class JoinCodeWrong(SkerryError):
    """The session asks for a join code, and it is another one."""

    def __init__(self) -> None:
        super().__init__("This session asks for its join code, and this is not it. Its host can tell you.")


class SeatReserved(SkerryError):
    """The seats that are open are for others."""

    def __init__(self, handle: str) -> None:
        """``handle``: the bot for which a seat is; empty: the caller is a bot for which there is none."""
        if handle:
            super().__init__(f"This seat is reserved for the bot {handle}, which shows its token.", reserved_for=handle)
        else:
            super().__init__("No open seat of this session is reserved for this bot.")


class ApiKeyMissing(SkerryError):
    """The operator lets nobody make this call without an API key."""

    def __init__(self) -> None:
        super().__init__("This call needs an API key.")


class ApiKeyInvalid(SkerryError):
    """No such API key, or no longer."""

    def __init__(self, sentence: str = "Your API key is malformed, or none that is known here.") -> None:
        super().__init__(sentence)


class ApiKeyScope(SkerryError):
    """The API key is good, but not for this."""

    def __init__(self, needed: Sequence[str]) -> None:
        """``needed``: scopes, of which one would do."""
        super().__init__(f"Your API key is not for this: it would need the scope {' or '.join(needed)}.")
        self.metadata = {"scopes": ", ".join(needed)}


class NotYourTurn(SkerryError):
    """The seat has nothing to decide now."""

    def __init__(self, to_act: Sequence[int], names: Sequence[str]) -> None:
        """``names``: of the players, by seat."""
        players = listed([names[seat] for seat in to_act])
        verb = "is" if len(to_act) == 1 else "are"
        super().__init__(f"It is not your turn: {players} {verb} to act.", to_act=", ".join(map(str, to_act)))


class NotStarted(SkerryError):
    """The game has not begun, or had not at the entry that the caller asks about."""

    def __init__(self, asked: int | None = None) -> None:
        super().__init__("The game has not begun." if asked is None else f"The game had not begun at entry {asked}.")


class AlreadyStarted(SkerryError):
    """The game has begun."""

    def __init__(self) -> None:
        super().__init__("The game has begun already.")


class GameOver(SkerryError):
    """The game is over."""

    def __init__(self) -> None:
        super().__init__("The game is over.")


class NotFinished(SkerryError):
    """There is no finished game to be played again, or to go on from."""

    def __init__(self) -> None:
        super().__init__("The game of this session is not finished.")


class SeatTaken(SkerryError):
    """The seat asked for is not open, or that to be opened no leaver's."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"Seat {seat} is taken.", seat=seat)


class NoPlayer(SkerryError):
    """There is no player on the seat who could be removed."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"No player sits on seat {seat}.", seat=seat)


class SubstitutePlays(SkerryError):
    """The caller's seat is played by a substitute."""

    def __init__(self) -> None:
        super().__init__("A substitute plays your seat. Return to the session first.")


class TimeUp(SkerryError):
    """The move came after the seat's time was up."""

    def __init__(self) -> None:
        super().__init__("Your time is up; the move came too late.")


class NotToAct(SkerryError):
    """The seat that the caller names has nothing to decide now."""

    def __init__(self, seat: int, name: str) -> None:
        """``name``: the player's."""
        super().__init__(f"{name} owes no decision.", seat=seat)


class InPlay(SkerryError):
    """There are players whose game cannot be called off."""

    def __init__(self, seats: Sequence[int], names: Sequence[str]) -> None:
        """``names``: of the players, by seat."""
        players = listed([names[seat] for seat in seats])
        sits = "sits" if len(seats) == 1 else "sit"
        super().__init__(f"{players} {sits} at this table, in play.", seats=", ".join(map(str, seats)))


class ProposalExpired(SkerryError):
    """The table that was offered to somebody who looks for one is offered no more."""

    def __init__(self, sentence: str = "This table is offered no more; go on waiting for another one.") -> None:
        super().__init__(sentence)


class NameTaken(SkerryError):
    """Somebody at the table has that name, or one that reads the same."""

    def __init__(self, name: str) -> None:
        """``name``: as it stands at the table."""
        super().__init__(f"There is a player called {name} at this table; choose another name.", display_name=name)


class SeatOpen(SkerryError):
    """Nobody sits on a seat that the game's options name, and the start would take it away."""

    def __init__(self, option: str, seat: int) -> None:
        sentence = f"Nobody sits on seat {seat}, which the options of the game name. Fill it, or have bots fill it."
        super().__init__(sentence, field=option, seat=seat)


class TooFewSeats(SkerryError):
    """The game cannot begin with the seats that are taken."""

    def __init__(self, taken: int, playable: tuple[int, ...]) -> None:
        seats = "1 seat is" if taken == 1 else f"{taken} seats are"
        sentence = f"{seats} taken; the game is played by {listed(map(str, playable), 'or')}."
        super().__init__(sentence, seats=", ".join(map(str, playable)))


class RulesetUnsupported(SkerryError):
    """The session is played by rules that this server does not have."""

    def __init__(self, ruleset: str, supported: str) -> None:
        super().__init__(
            f"The session is played by the ruleset {ruleset}; this server carries {supported}.",
            ruleset=ruleset,
            supported=supported,
        )


class StaleSequence(SkerryError):
    """The caller decided on a position that has passed."""

    def __init__(self, expected: int, sequence: int) -> None:
        super().__init__(
            f"You decided on entry {expected}, which is stale: the session stands at {sequence}. Look again.",
            sequence=sequence,
        )


class SequenceAhead(SkerryError):
    """The caller knows entries that the log does not have."""

    def __init__(self, named: int, sequence: int) -> None:
        super().__init__(
            f"Sequence {named} lies ahead of the log, which stands at {sequence}. Read the session again.",
            sequence=sequence,
        )


class LimitReached(SkerryError):
    """A limit of this server."""

    retry_after: float | None = 5.0
    """A guess, where nobody can know when there is room again."""

    def __init__(self, limit: str, sentence: str, retry_after: float | None = retry_after) -> None:
        """``retry_after``: ``None`` where time does not help."""
        super().__init__(sentence, limit=limit)
        self.retry_after = retry_after


class StoreFull(SkerryError):
    """The store has no room for what was to be stored. Nothing was."""

    retry_after = 5.0

    def __init__(self) -> None:
        super().__init__("The store of this server is full; nothing was done.")


class StoreUnavailable(SkerryError):
    """The store cannot be reached. Whether a write under way was carried out is not known."""

    retry_after: float | None = 0.5

    def __init__(
        self,
        sentence: str = "The store cannot be reached at the moment. Repeat the call with the same request id.",
        retry_after: float | None = retry_after,
    ) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class SessionDamaged(SkerryError):
    """What is stored of a session does not fit together."""

    def __init__(self, session: str) -> None:
        super().__init__(f"What is stored of session {session!r} is damaged; nothing was done.", session=session)


class ShuttingDown(SkerryError):
    """The server is going away."""

    retry_after = 1.0

    def __init__(self) -> None:
        super().__init__("This server is shutting down. Repeat the call with the same request id.")
