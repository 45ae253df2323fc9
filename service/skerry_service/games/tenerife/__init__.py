"""Tenerife, by Dirk Holdorf, for 2 to 4 seats. The rules: ``RULES.md``; the board: ``board.json``."""

from __future__ import annotations

from typing import Final

from skerry_service.games.api import Game
from skerry_service.games.rulebook import load_rules
from skerry_service.games.tenerife.board import EDITIONS
from skerry_service.games.tenerife.chance import SEATS, draw, setup
from skerry_service.games.tenerife.events import Event
from skerry_service.games.tenerife.moves import Move
from skerry_service.games.tenerife.pieces import pieces
from skerry_service.games.tenerife.redeal import redeal
from skerry_service.games.tenerife.rules import MAX_MOVES, apply, legal_moves, outcome, scores, to_act
from skerry_service.games.tenerife.state import Options, State
from skerry_service.games.tenerife.view import View, show, show_move, view
from skerry_service.games.tenerife.words import points, say, say_move

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="tenerife",
    title="Tenerife",
    author="Dirk Holdorf",
    ruleset="tenerife-2",
    seats=SEATS,
    rules=load_rules(__package__),
    editions=EDITIONS,
    max_moves=MAX_MOVES,
    options_type=Options,
    seat_options=("start_seat",),
    state_type=State,
    move_type=Move,
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    apply=apply,
    draw=draw,
    outcome=outcome,
    scores=scores,
    view=view,
    show=show,
    show_move=show_move,
    redeal=redeal,
    say_move=say_move,
    say=say,
    points=points,
    pieces=pieces,
)
