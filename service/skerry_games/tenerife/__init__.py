"""Tenerife, by Dirk Holdorf, for 2 to 4 seats. The rules: ``RULES.md``; the board: ``board.json``."""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.rulebook import load_rules
from skerry_games.tenerife.board import EDITIONS
from skerry_games.tenerife.chance import SEATS, draw, setup
from skerry_games.tenerife.events import Event
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.pieces import pieces
from skerry_games.tenerife.redeal import redeal
from skerry_games.tenerife.rules import MAX_MOVES, apply, legal_moves, outcome, scores, to_act
from skerry_games.tenerife.state import Options, State
from skerry_games.tenerife.view import View, show, show_move, view
from skerry_games.tenerife.words import points, say, say_move

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
