"""Kreta, a game by Stefan Dorra for 2 to 4 players.

``RULES.md`` has the numbered rules, ``house.json`` the map.
"""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.kreta import chance, guide, look, rules, text, view, words
from skerry_games.kreta.board import BOARDS
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import Options, State
from skerry_games.kreta.teaching import how_to_play
from skerry_games.kreta.view import View
from skerry_games.rulebook import load_rules

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="kreta",
    title="Kreta",
    author="Stefan Dorra",
    ruleset="kreta-2",
    seats=chance.SEATS,
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
    outcome=rules.outcome,
    scores=rules.scores,
    view=view.view,
    show=view.show,
    show_move=view.show_move,
    redeal=view.redeal,
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
