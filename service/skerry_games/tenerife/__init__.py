"""Tenerife, by Dirk Holdorf, for 2 to 4 seats.

``RULES.md`` holds the numbered rules, ``README.md`` the page for bot authors.
``house.json`` holds the board, ``actions/`` the rules of laying characters and of each character.
"""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.rulebook import load_rules
from skerry_games.tenerife import board, chance, events, guide, look, moves, redeal, rules, state, text, view, words
from skerry_games.tenerife.teaching import how_to_play

GAME: Final[Game[state.State, moves.Move, view.View, events.Event, state.Options]] = Game(
    id="tenerife",
    title="Tenerife",
    author="Dirk Holdorf",
    ruleset="tenerife-2",
    seats=chance.SEATS,
    rules=load_rules(__package__),
    boards=board.BOARDS,
    max_moves=rules.MAX_MOVES,
    options_type=state.Options,
    seat_options=("start_seat",),
    state_type=state.State,
    move_type=moves.Move,
    event_type=events.Event,
    view_type=view.View,
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
