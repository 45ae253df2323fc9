"""Small Islands, by Alexis Allard, for 2 to 4 seats. The rules: ``RULES.md``; tiles and cards: ``house.json``."""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.rulebook import load_rules
from skerry_games.small_islands.chance import draw, setup
from skerry_games.small_islands.components import EDITIONS
from skerry_games.small_islands.ending import outcome, scores
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.pieces import pieces
from skerry_games.small_islands.redeal import redeal
from skerry_games.small_islands.rules import MAX_MOVES, apply, legal_moves, to_act
from skerry_games.small_islands.state import SEATS, Options, State
from skerry_games.small_islands.view import View, show, show_move, view
from skerry_games.small_islands.words import points, say, say_move

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="small_islands",
    title="Small Islands",
    author="Alexis Allard",
    ruleset="small-islands-2",
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
