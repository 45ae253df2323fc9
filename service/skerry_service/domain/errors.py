"""The errors of calls, except those of the games' rules (``skerry_games.api``). One class for each ``ErrorReason``.

A message consists of full sentences to the caller and holds for every transport. Transports may add to it
(``api.error_table.describe``). Messages about a field have the form ``field: Sentence.``

SkerryError
 +- InvalidField, RequestIdReused                          the request itself is invalid
 +- GameNotFound, SessionNotFound, LadderNotFound,         the named resource does not exist
 |  TournamentNotFound, BotNotFound, ReplicaNotFound
 +- TokenMissing, TokenInvalid, NotAllowed, JoinCodeWrong, the caller is not authorized
 |  SeatReserved, ApiKeyMissing, ApiKeyInvalid, ApiKeyScope
 +- NotYourTurn, NotStarted, AlreadyStarted, GameOver,     the session's state does not permit the call
 |  SeatTaken, NoPlayer, NameTaken, SeatOpen, TooFewSeats, RulesetUnsupported, SubstitutePlays, InPlay,
 |  TimeUp, NotToAct, NotFinished, NothingToUndo, ProposalExpired, LadderClosed, VersionOutdated,
 |  BotRests, TournamentClosed
 +- FormatUnsupported                                      the server lacks an optional package
 +- StaleSequence, SequenceAhead                           the caller and the server know different states
 +- LimitReached, StoreFull, StoreUnavailable,             temporary: retry after ``retry_after`` seconds
 |  ShuttingDown
 +- SessionDamaged                                         permanent: the stored session is damaged
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from skerry_service.domain.languages.phrases import listed, phrase, quoted, verbatim


class SkerryError(Exception):
    """An error of a call: sentences for people, ``metadata`` for programs. Nothing was stored.

    ``sentence``: a text or a message of the catalogues, so that it can be written in other languages.
    """

    retry_after: float | None = None
    """Seconds after which a retry can succeed; ``None`` if it cannot."""

    def __init__(self, sentence: str, **metadata: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.metadata = {key: str(value) for key, value in metadata.items()}


class InvalidField(SkerryError):
    """A field is missing, malformed or out of range. ``sentence``: the problem and what is allowed."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}", field=field)
        self.sentence = sentence


class RequestIdReused(SkerryError):
    """Another request has used the request id."""

    def __init__(self) -> None:
        super().__init__("This request id was used for another request. Send a new request id.")


class GameNotFound(SkerryError):
    """The server has no such game."""

    def __init__(self, game: str) -> None:
        super().__init__(phrase("error-no-game", game=quoted(game)), game=game)


class SessionNotFound(SkerryError):
    """The session does not exist or has expired."""

    def __init__(self, session: str) -> None:
        super().__init__(phrase("error-no-session", session=quoted(session)), session=session)


class WrongCell(SkerryError):
    """The resource lives in another cell, or the caller asks for another one."""

    def __init__(self, name: str | None, cell: str, own: str = "") -> None:
        """``name``: the resource; ``None`` for a call that names none and asks for the cell. ``own``: the server's."""
        if name is not None:
            super().__init__(phrase("error-wrong-cell", name=quoted(name), cell=verbatim(cell)), cell=cell)
        else:
            super().__init__(phrase("error-unknown-cell", cell=quoted(cell), own=verbatim(own)), cell=cell)


class LadderNotFound(SkerryError):
    """The ladder, or a season of it, does not exist."""

    def __init__(self, ladder: str, season: int = 0) -> None:
        if season:
            super().__init__(phrase("error-no-season", ladder=quoted(ladder), season=season), ladder=ladder)
        else:
            super().__init__(phrase("error-no-ladder", ladder=quoted(ladder)), ladder=ladder)


class TournamentNotFound(SkerryError):
    """The tournament does not exist."""

    def __init__(self, tournament: str) -> None:
        super().__init__(phrase("error-no-tournament", tournament=quoted(tournament)), tournament=tournament)


class BotNotFound(SkerryError):
    """The bot is not registered."""

    def __init__(self, bot: str) -> None:
        super().__init__(phrase("error-no-bot", bot=quoted(bot)), bot=bot)


class ReplicaNotFound(SkerryError):
    """No live replica has the name, or its version cannot be drained from another one."""

    def __init__(self, replica: str) -> None:
        super().__init__(phrase("error-no-replica", replica=quoted(replica)), replica=replica)


class WebhookEndpointNotFound(SkerryError):
    """The API key has no such webhook endpoint."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(phrase("error-no-endpoint", endpoint=quoted(endpoint)), endpoint=endpoint)


class TokenMissing(SkerryError):
    """The call needs a token."""

    def __init__(self) -> None:
        super().__init__("This call needs a token.")


class TokenInvalid(SkerryError):
    """The token does not belong to this session."""

    def __init__(self) -> None:
        super().__init__("The token is malformed or does not belong to this session.")


class NotAllowed(SkerryError):
    """The token is valid but does not permit this call."""


class JoinCodeWrong(SkerryError):
    """The join code is missing or wrong."""

    def __init__(self) -> None:
        super().__init__("The join code is missing or wrong. Ask the host or the organizer for it.")


class SeatReserved(SkerryError):
    """The open seats are reserved for others."""

    def __init__(self, handle: str) -> None:
        """``handle``: the bot that the seat is reserved for; empty if no open seat is reserved for the calling bot."""
        if handle:
            super().__init__(phrase("error-seat-reserved", bot=verbatim(handle)), reserved_for=handle)
        else:
            super().__init__("No open seat of this session is reserved for this bot.")


class ApiKeyMissing(SkerryError):
    """The server requires an API key for this call."""

    def __init__(self) -> None:
        super().__init__("This call needs an API key.")


class ApiKeyInvalid(SkerryError):
    """The API key is unknown, malformed or expired."""

    def __init__(self, sentence: str = "The API key is malformed or unknown.") -> None:
        super().__init__(sentence)


class ApiKeyScope(SkerryError):
    """The API key is valid but lacks a scope."""

    def __init__(self, needed: Sequence[str]) -> None:
        """``needed``: scopes, any one of which permits the call."""
        super().__init__(phrase("error-scope", scopes=verbatim(" or ".join(needed))))
        self.metadata = {"scopes": ", ".join(needed)}


class NotYourTurn(SkerryError):
    """Another seat is to act."""

    def __init__(self, to_act: Sequence[int], names: Sequence[str]) -> None:
        """``names``: the players' names by seat."""
        players = listed([verbatim(names[seat]) for seat in to_act])
        sentence = phrase("error-not-your-turn", players=players, number=len(to_act))
        super().__init__(sentence, to_act=", ".join(map(str, to_act)))


class NotStarted(SkerryError):
    """The game has not started, or had not started at the entry that the caller names."""

    def __init__(self, entry: int | None = None) -> None:
        super().__init__("The game has not started." if entry is None else phrase("error-not-started-at", entry=entry))


class AlreadyStarted(SkerryError):
    """The game has started."""

    def __init__(self) -> None:
        super().__init__("The game has already started.")


class GameOver(SkerryError):
    """The game is over."""

    def __init__(self) -> None:
        super().__init__("The game is over.")


class NotFinished(SkerryError):
    """The call needs a finished game."""

    def __init__(self) -> None:
        super().__init__("The game of this session is not finished.")


class SeatTaken(SkerryError):
    """The wanted seat is not open, or the seat to be opened is not abandoned."""

    def __init__(self, seat: int, sentence: str = "", retry_after: float | None = None) -> None:
        """``sentence``: why the seat is not open now; empty if another occupant has it."""
        super().__init__(sentence or phrase("error-seat-taken", seat=seat), seat=seat)
        self.retry_after = retry_after


class NoPlayer(SkerryError):
    """The seat has no player."""

    def __init__(self, seat: int) -> None:
        super().__init__(phrase("error-no-player", seat=seat), seat=seat)


class SubstitutePlays(SkerryError):
    """A substitute plays the caller's seat."""

    def __init__(self) -> None:
        super().__init__("A bot is playing your seat. Return to the session first.")


class TimeUp(SkerryError):
    """The seat's time was up before the call arrived."""

    def __init__(self, sentence: str = "Your time was up before this move arrived.") -> None:
        super().__init__(sentence)


class NotToAct(SkerryError):
    """The named seat is not to act."""

    def __init__(self, seat: int, name: str) -> None:
        """``name``: the player's name."""
        super().__init__(phrase("error-not-to-act", name=verbatim(name)), seat=seat)


class NothingToUndo(SkerryError):
    """No move of the seat can be taken back now."""


class InPlay(SkerryError):
    """The host cannot cancel a game while players are in it."""

    def __init__(self, seats: Sequence[int], names: Sequence[str]) -> None:
        """``names``: the players' names by seat."""
        players = listed([verbatim(names[seat]) for seat in seats])
        sentence = phrase("error-in-play", players=players, number=len(seats))
        super().__init__(sentence, seats=", ".join(map(str, seats)))


class ProposalExpired(SkerryError):
    """The match proposal has expired."""

    def __init__(self, sentence: str = "This match proposal has expired. Wait for the next one.") -> None:
        super().__init__(sentence)


class TournamentClosed(SkerryError):
    """The tournament is not in the state that the call needs, or is full."""

    def __init__(self, tournament: str, why: str) -> None:
        """``why``: a clause about the tournament."""
        sentence = phrase("error-tournament-closed", tournament=quoted(tournament), why=why)
        super().__init__(sentence, tournament=tournament)


class LadderClosed(SkerryError):
    """The ladder begins no new games."""

    def __init__(self, ladder: str, why: str) -> None:
        """``why``: a clause about the ladder."""
        super().__init__(phrase("error-ladder-closed", ladder=quoted(ladder), why=why), ladder=ladder)


class VersionOutdated(SkerryError):
    """The bot has a newer version."""

    def __init__(self, bot: str, newest: str) -> None:
        super().__init__(phrase("error-version-outdated", bot=quoted(bot)), hash=newest)


class BotRests(SkerryError):
    """The bot failed in several games in succession."""

    def __init__(self, bot: str, reason: str, session: str) -> None:
        name = f"sessions/{session}"
        sentence = phrase("error-bot-rests", bot=quoted(bot), session=verbatim(name), reason=reason)
        super().__init__(sentence, session=name)


class NameTaken(SkerryError):
    """Another seat or entrant has this name, or one that looks the same."""

    def __init__(self, name: str, place: Literal["table", "tournament"] = "table") -> None:
        """``name``: the other one's name."""
        super().__init__(phrase("error-name-taken", name=verbatim(name), place=place), display_name=name)


class SeatOpen(SkerryError):
    """The start would remove an open seat that the game's options name."""

    def __init__(self, option: str, seat: int) -> None:
        sentence = phrase("error-seat-open", seat=seat, option=verbatim(option))
        super().__init__(sentence, field=option, seat=seat)


class TooFewSeats(SkerryError):
    """The game cannot start with this number of seats."""

    def __init__(self, taken: int, playable: tuple[int, ...]) -> None:
        sentence = phrase("error-too-few-seats", taken=taken, playable=listed(map(str, playable), "or"))
        super().__init__(sentence, seats=", ".join(map(str, playable)))


class RulesetUnsupported(SkerryError):
    """The server does not support the session's ruleset."""

    def __init__(self, ruleset: str, supported: str) -> None:
        super().__init__(
            phrase("error-ruleset", ruleset=verbatim(ruleset), supported=verbatim(supported)),
            ruleset=ruleset,
            supported=supported,
        )


class FormatUnsupported(SkerryError):
    """This server draws no pictures of a format."""

    def __init__(self, wanted: str, advice: str) -> None:
        super().__init__(phrase("error-format", format=verbatim(wanted.upper()), advice=advice), format=wanted)


class StaleSequence(SkerryError):
    """The caller decided on an outdated position."""

    def __init__(self, expected: int, sequence: int) -> None:
        super().__init__(phrase("error-stale", expected=expected, sequence=sequence), sequence=sequence)


class SequenceAhead(SkerryError):
    """The caller names an entry that the log does not have."""

    def __init__(self, named: int, sequence: int) -> None:
        super().__init__(phrase("error-ahead", named=named, sequence=sequence), sequence=sequence)


class LimitReached(SkerryError):
    """The call would exceed a limit of this server."""

    retry_after: float | None = 5.0
    """A guess, for limits without a known end."""

    def __init__(self, limit: str, sentence: str, retry_after: float | None = retry_after) -> None:
        """``retry_after``: ``None`` if waiting does not help."""
        super().__init__(sentence, limit=limit)
        self.retry_after = retry_after


class StoreFull(SkerryError):
    """The store is full. Nothing was stored."""

    retry_after = 5.0

    def __init__(self) -> None:
        super().__init__("The store of this server is full. Retry later.")


class StoreUnavailable(SkerryError):
    """The store is unreachable. A write in progress may have been stored or not."""

    retry_after: float | None = 0.5

    def __init__(
        self,
        sentence: str = "The store is unreachable. Repeat the call with the same request id.",
        retry_after: float | None = retry_after,
    ) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class SessionDamaged(SkerryError):
    """The stored data of a session is inconsistent."""

    def __init__(self, session: str) -> None:
        super().__init__(phrase("error-damaged", session=quoted(session)), session=session)


class ShuttingDown(SkerryError):
    """The server is shutting down."""

    retry_after = 1.0

    def __init__(self) -> None:
        super().__init__("This server is shutting down. Repeat the call with the same request id.")
