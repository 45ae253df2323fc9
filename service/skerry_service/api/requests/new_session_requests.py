"""Requests of CreateSession and ForkSession."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from skerry.v1 import service_pb2 as pb
from skerry_games.sentences import listed
from skerry_service.access.caller_shares import current_share
from skerry_service.access.calling_key import current_applications
from skerry_service.api.requests.request_checks import (
    USUAL_OPEN_AFTER_MS,
    abandonment_of,
    choice_of,
    clock_of,
    delay_of,
    game_of,
    game_with_options,
    hints_of,
    labels_of,
    seed_of,
)
from skerry_service.api.requests.seat_requests import seats_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.lessons.course import lesson_of
from skerry_service.domain.record import (
    LESSON,
    Occupant,
    SeatRecord,
    Spectating,
    UndoPolicy,
    Visibility,
    level_of_substitutes,
)
from skerry_service.domain.table import OPEN
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.wire.payloads import read_options

_LESSON_FIELDS = ("game", "lesson", "request_id", "labels", "spectating", "visibility")
"""The fields of a request that a lesson does not decide."""


def new_session_of(request: pb.CreateSessionRequest, games: NewGames, levels: Sequence[str]) -> NewSession:
    """Return the settings of a new session. ``levels``: of bots. Raises GameNotFound, BadOptions, InvalidField."""
    if request.lesson:
        return _lesson_of(request, games)
    options = (request.options,) if request.HasField("options") else ()
    game = game_with_options(request.game, options, games)
    spectating = choice_of(request, "spectating", tuple(Spectating))
    seats = seats_of(request.seats, levels)
    _require_ratable(request, seats)
    return NewSession(
        game=game,
        options=read_options(request.options, game),
        seats=seats,
        visibility=choice_of(request, "visibility", tuple(Visibility)),
        spectating=spectating,
        seed=seed_of(request.seed),
        labels=labels_of(request.labels),
        public_player_ids=request.public_player_ids,
        requires_join_code=request.join_code_required,
        abandonment=abandonment_of(request.abandonment, levels),
        usual_level=level_of_substitutes(seats, levels),
        clock=clock_of(request.clock) if request.HasField("clock") else None,
        delay=delay_of(request.delay, spectating) if request.HasField("delay") else None,
        share=current_share(),
        applications=current_applications(),
        undo=choice_of(request, "undo", tuple(UndoPolicy)),
        hints=hints_of(request, levels),
        rated=request.rated,
        cell=games.cell,
    )


def _require_ratable(request: pb.CreateSessionRequest, seats: Sequence[SeatRecord]) -> None:
    """Raise InvalidField for a rated session whose result would say nothing about its players."""
    obstacles = {
        "a seed": bool(request.seed),
        "hints": request.hints,
        "undo": int(request.undo) == UndoPolicy.OWN_MOVES,
        "bots": any(one.occupant is Occupant.BOT or one.reserved_for for one in seats),
        "VISIBILITY_UNLISTED": int(request.visibility) == Visibility.UNLISTED,
        "seats that the host can open within a day": 0 < request.abandonment.open_after_ms < USUAL_OPEN_AFTER_MS,
        "spectator delay": request.HasField("delay"),  # standings would show the result early
    }
    if request.rated and (found := [words for words, present in obstacles.items() if present]):
        raise InvalidField("rated", phrase("field-rated", found=listed(found)))


def _lesson_of(request: pb.CreateSessionRequest, games: NewGames) -> NewSession:
    """Return the settings of a lesson. Raises GameNotFound, InvalidField."""
    game = game_of(request.game, games.game)
    lesson = lesson_of(game)
    if lesson is None:
        raise InvalidField("lesson", phrase("field-no-lesson", game=verbatim(game.title)))
    for field, _ in request.ListFields():
        if field.name not in _LESSON_FIELDS:
            raise InvalidField(field.name, phrase("field-of-lesson", fields=listed(map(verbatim, _LESSON_FIELDS))))
    bot = SeatRecord(Occupant.BOT, level=LESSON)
    return NewSession(
        game=game,
        options=lesson.options,
        seats=tuple([OPEN if seat == lesson.seat else bot for seat in range(lesson.seats)]),
        visibility=choice_of(request, "visibility", (Visibility.UNLISTED,)),
        spectating=choice_of(request, "spectating", tuple(Spectating)),
        seed=lesson.seed_bytes,
        labels=labels_of(request.labels),
        share=current_share(),
        applications=current_applications(),
        lesson=True,
        cell=games.cell,
    )


def fork_of(request: pb.ForkSessionRequest, levels: Sequence[str]) -> partial[NewSession]:
    """Return the settings of a fork, without those of the original session. Raises InvalidField."""
    spectating = choice_of(request, "spectating", tuple(Spectating))
    seats = seats_of(request.seats, levels)
    return partial(
        NewSession,
        seats=seats,
        visibility=choice_of(request, "visibility", (Visibility.UNLISTED, Visibility.PUBLIC)),
        spectating=spectating,
        labels=labels_of(request.labels),
        requires_join_code=request.join_code_required,
        abandonment=abandonment_of(request.abandonment, levels),
        usual_level=level_of_substitutes(seats, levels),
        clock=clock_of(request.clock) if request.HasField("clock") else None,
        delay=delay_of(request.delay, spectating) if request.HasField("delay") else None,
        share=current_share(),
        applications=current_applications(),
    )
