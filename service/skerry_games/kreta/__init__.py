"""Kreta, by Stefan Dorra, for 2 to 4 seats. The rules: ``RULES.md``; the map: ``map.json``."""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.kreta.board import EDITIONS
from skerry_games.kreta.chance import SEATS, draw, setup
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move
from skerry_games.kreta.pieces import pieces
from skerry_games.kreta.rules import MAX_MOVES, apply, legal_moves, outcome, scores, to_act
from skerry_games.kreta.state import Options, State
from skerry_games.kreta.view import View, redeal, show, show_move, view
from skerry_games.kreta.words import points, say, say_move
from skerry_games.rulebook import load_rules

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="kreta",
    title="Kreta",
    author="Stefan Dorra",
    ruleset="kreta-2",
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
