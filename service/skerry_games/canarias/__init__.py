"""Islas Canarias, by Leo Colovini, for 2 to 5 seats. The rules: ``RULES.md``; islands and cards: two JSON files."""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.canarias.chance import draw, setup
from skerry_games.canarias.events import Event
from skerry_games.canarias.islands import EDITIONS
from skerry_games.canarias.moves import Move
from skerry_games.canarias.pieces import pieces
from skerry_games.canarias.redeal import redeal
from skerry_games.canarias.rules import MAX_MOVES, apply, legal_moves, outcome, scores, to_act
from skerry_games.canarias.state import SEATS, Options, State
from skerry_games.canarias.view import View, show, show_move, view
from skerry_games.canarias.words import points, say, say_move
from skerry_games.rulebook import load_rules

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="canarias",
    title="Islas Canarias",
    author="Leo Colovini",
    ruleset="canarias-2",
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
