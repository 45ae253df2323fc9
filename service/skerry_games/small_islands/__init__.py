"""Small Islands, a game by Alexis Allard for 2 to 4 players.

``RULES.md`` has the numbered rules, ``house.json`` the tiles, cards and tokens.
"""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.rulebook import load_rules
from skerry_games.small_islands import chance, guide, look, redeal, rules, text, view, words
from skerry_games.small_islands.board import BOARDS
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.phases import ending
from skerry_games.small_islands.state import SEATS, Options, State
from skerry_games.small_islands.teaching import how_to_play
from skerry_games.small_islands.view import View

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="small_islands",
    title="Small Islands",
    author="Alexis Allard",
    ruleset="small-islands-2",
    seats=SEATS,
    rules=load_rules(__package__),
    boards=BOARDS,
    max_moves=rules.MAX_MOVES,
    options_type=Options,
    seat_options=("start_seat",),
    state_type=State,
    move_type=Move,
    event_type=Event,
    view_type=View,
    setup=chance.setup,
    to_act=rules.to_act,
    legal_moves=rules.legal_moves,
    apply=rules.apply,
    draw=chance.draw,
    outcome=ending.outcome,
    scores=ending.scores,
    view=view.view,
    show=view.show,
    show_move=view.show_move,
    redeal=redeal.redeal,
    say_move=words.say_move,
    say=words.say,
    text=text.text,
    board_text=text.board_text,
    look=look.LOOK,
    guide=guide.GUIDE,
    steps=rules.steps,
    how_to_play=how_to_play.how_to_play,
    reveals=view.reveals,
)
