"""Link cards: what a chat or a search engine shows for the link to a session (Open Graph, Twitter cards).

A card shows only what GetSession returns to a caller without a token. Its language is that of the address, such as
``?language=de``, or else that of ``Accept-Language``, which few chats send.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from urllib.parse import parse_qs, urlencode

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2 as sessions
from skerry_games.catalogue import all_games
from skerry_games.sentences import joined_by
from skerry_service.api.pictures.rasterizer import has_rasterizer
from skerry_service.api.requests.request_checks import language_tag_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.wire.caller_language import caller_language, enter_language, localized

_LANGUAGE = "language"
PICTURE_WIDTH = 1200
"""Pixels. Services that show cards recommend this width."""


def enter_language_of_address(query: bytes) -> bool:
    """Answer the call in the language that the query of a page's address names; return whether it names one."""
    try:
        (tag,) = parse_qs(query.decode("ascii"))[_LANGUAGE]
        enter_language(language_tag_of(tag))
    except (KeyError, ValueError, InvalidField):
        return False
    return True


def link_card(answer: pb.GetSessionResponse, origin: str | None, *, names_language: bool = False) -> bytes:
    """Return the elements of a card for the head of an HTML document, in the language of the call.

    ``answer``: to a caller without a token; ``origin``: under which callers reach this server. Without it, the card has
    no picture, because its address must be absolute. Cards show no SVG, so a server that draws no PNG has none either.
    ``names_language``: whether the address of the page names the language.
    """
    language = caller_language()
    session = answer.session
    game = _titles().get(session.game, session.game)
    names = [seat.display_name for seat in session.seats if seat.HasField("display_name")]
    has_picture = origin is not None and answer.HasField("position") and has_rasterizer()
    words = localized(_STATES.get(session.state, _describe_nothing)(answer))
    named = {"description": words, "twitter:card": "summary_large_image" if has_picture else "summary"}
    if session.visibility != sessions.VISIBILITY_PUBLIC:
        named["robots"] = "noindex"
    properties = {
        "og:site_name": "Skerry",
        "og:type": "website",
        "og:title": f"{game}: {', '.join(names)}" if names else game,
        "og:description": words,
    }
    if origin is not None:
        properties["og:url"] = f"{origin}/{session.name}" + (f"?{_LANGUAGE}={language}" if names_language else "")
    if has_picture:
        number = answer.position.sequence
        query = urlencode({"sequence": number, "width": PICTURE_WIDTH, _LANGUAGE: language})
        alternative = localized(phrase("card-table", game=verbatim(game), entry=number))
        properties |= {
            "og:image": f"{origin}/v1/{session.name}/picture.png?{query}",
            "og:image:alt": alternative,
        }
    return "\n    ".join(
        [
            f"<title>{escape(game)} – Skerry</title>",
            *(f'<meta name="{name}" content="{escape(text)}" />' for name, text in named.items()),
            *(f'<meta property="{name}" content="{escape(text)}" />' for name, text in properties.items()),
        ]
    ).encode()


@cache
def _titles() -> dict[str, str]:
    return {game.id: game.title for game in all_games().values()}


def _describe_lobby(answer: pb.GetSessionResponse) -> str:
    seats = answer.session.seats
    return phrase("card-lobby", taken=sum(seat.HasField("display_name") for seat in seats), seats=len(seats))


def _describe_play(answer: pb.GetSessionResponse) -> str:
    names = _names(answer, answer.position.to_act)
    return phrase("card-to-move", names=names) if names else "In play."


def _describe_end(answer: pb.GetSessionResponse) -> str:
    outcome = answer.session.outcome
    first = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
    points = {outcome.scores[seat] for seat in first if seat < len(outcome.scores)}
    names = _names(answer, first)
    if not first:
        return "Game over."
    if len(points) != 1:
        return phrase("card-winner", names=names)
    return phrase("card-winner-with", names=names, points=points.pop())


def _describe_cancelled(answer: pb.GetSessionResponse) -> str:
    return "This game was cancelled."


def _describe_nothing(answer: pb.GetSessionResponse) -> str:
    return "An island board game."


def _names(answer: pb.GetSessionResponse, seats: Sequence[int]) -> str:
    by_seat = {seat.seat: seat.display_name for seat in answer.session.seats}
    return joined_by(", ", [verbatim(by_seat[seat]) for seat in seats if by_seat.get(seat)])


_STATES: dict[int, Callable[[pb.GetSessionResponse], str]] = {
    sessions.SESSION_STATE_LOBBY: _describe_lobby,
    sessions.SESSION_STATE_PLAYING: _describe_play,
    sessions.SESSION_STATE_FINISHED: _describe_end,
    sessions.SESSION_STATE_CANCELLED: _describe_cancelled,
}
