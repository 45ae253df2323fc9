"""Pairs: a game for the tests, with all kinds of hidden information.

It passes the conformance suite. Each of its faulty copies fails (``tests/games/test_conformance_catches.py``).
"""

from __future__ import annotations

from typing import Final

from skerry_games.api import Game
from skerry_games.looks import plain_look
from skerry_games.rulebook import load_rules
from skerry_games.texts.plain_text import plain_board_text, plain_text
from tests.games.pairs import rules, view
from tests.games.pairs.state import COPIES, VALUES, Board, Event, Move, Options, State, View

GAME: Final[Game[State, Move, View, Event, Options]] = Game(
    id="pairs",
    title="Pairs",
    author="the tests",
    ruleset="1",
    seats=rules.SEATS,
    rules=load_rules(__name__),
    boards=tuple(Board(edition, (COPIES,) * len(VALUES)) for edition in rules.EDITIONS),
    max_moves=40,
    options_type=Options,
    seat_options=(),
    state_type=State,
    move_type=Move,
    event_type=Event,
    view_type=View,
    setup=rules.setup,
    to_act=rules.to_act,
    legal_moves=rules.legal_moves,
    apply=rules.apply,
    draw=rules.draw,
    outcome=rules.outcome,
    scores=lambda state: state.scores,
    view=view.view,
    show=view.show,
    show_move=view.show_move,
    redeal=rules.redeal,
    say_move=view.say_move,
    say=view.say,
    text=plain_text,
    board_text=plain_board_text,
    look=plain_look.LOOK,
)
