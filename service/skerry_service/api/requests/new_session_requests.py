"""Requests of CreateSession and ForkSession."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from skerry.v1 import service_pb2 as pb
from skerry_service.access.caller_shares import current_share
from skerry_service.api.requests.request_checks import (
    abandonment_of,
    choice_of,
    clock_of,
    delay_of,
    game_of,
    labels_of,
    seed_of,
)
from skerry_service.api.requests.seat_requests import seats_of
from skerry_service.domain.record import Spectating, Visibility
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.wire.payloads import read_options


def new_session_of(request: pb.CreateSessionRequest, games: NewGames, levels: Sequence[str]) -> NewSession:
    """Return the settings of a new session. ``levels``: of bots. Raises GameNotFound, BadOptions, InvalidField."""
    game, spectating = game_of(request.game, games.game), choice_of(request, "spectating", tuple(Spectating))
    seats = seats_of(request.seats, levels)
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
        abandonment=abandonment_of(request.abandonment, seats, levels),
        clock=clock_of(request.clock) if request.HasField("clock") else None,
        delay=delay_of(request.delay, spectating) if request.HasField("delay") else None,
        share=current_share(),
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
        abandonment=abandonment_of(request.abandonment, seats, levels),
        clock=clock_of(request.clock) if request.HasField("clock") else None,
        delay=delay_of(request.delay, spectating) if request.HasField("delay") else None,
        share=current_share(),
    )
