"""The guided first game of Tenerife: one round, in which every character acts or is robbed."""

from __future__ import annotations

from typing import Final

from skerry_games.lessons import Lesson, LessonStep, Reply
from skerry_games.tenerife.moves import BuildMansion, Lay
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import Character, Options

_PLACES: Final = {place.id: number for number, place in enumerate(BOARD.places)}

LESSON: Final = Lesson(
    options=Options(start_seat=0),
    seats=2,
    seed=2,
    course=(
        LessonStep(
            text="You send characters to the towns of Tenerife: they build mansions, trade and steal for points.",
            more="The game ends when the Town Hall of La Laguna is built. The most points win.",
        ),
        LessonStep(
            text="Each round is about one place. Now it is La Orotava: 3 plots for mansions, and a farmer's symbol.",
            marks=("place:ORO",),
            claim=lambda state: state.place == _PLACES["ORO"] and len(BOARD.places[state.place].plots) == 3,
        ),
        LessonStep(
            text="You take turns to lay characters face down in this row. Then they act in order, from space 1.",
            more="You see whose card lies where, but not which character it is.",
            marks=("space:1", "space:8"),
        ),
        LessonStep(
            text="Lay your farmer below space 1: in a town with his symbol, he stores sugar or wine to sell.",
            more="Touch the card, then the space.",
            marks=("hand:0:farmer:0", "space:1"),
            moves=(Lay(1, Character.FARMER),),
            wrong={"hand:0:exporter:0": "The exporter has nothing to sell yet. The farmer has to act before him."},
        ),
        Reply(1, Lay(2, Character.MASON)),
        LessonStep(
            text="Is that a mason? Lay your thieves below space 3: they rob the card directly in front of them.",
            more="They rob masons, merchants and exporters. These do not act, and you gain instead. Farmers are safe.",
            marks=("space:2", "hand:0:thieves:0", "space:3"),
            moves=(Lay(3, Character.THIEVES),),
            wrong={"hand:0:merchant:0": "No mansion of your rival stands here yet: the merchant would earn nothing."},
        ),
        Reply(1, Lay(4, Character.FARMER)),
        LessonStep(
            text="Lay a mason below space 5: he builds a mansion in La Orotava for 2 points.",
            marks=("hand:0:mason:0", "hand:0:mason:1", "space:5"),
            moves=(Lay(5, Character.MASON),),
        ),
        Reply(1, Lay(7, Character.MERCHANT)),
        LessonStep(
            text="Lay the exporter below space 6. He sells what your farmer has stored: that sugar is worth 5.",
            more="There are only 2 ships a round for exporters and merchants.",
            marks=("hand:0:exporter:0", "space:6", "storage:1"),
            moves=(Lay(6, Character.EXPORTER),),
        ),
        Reply(1, Lay(8, Character.MASON)),
        LessonStep(
            text="It was a mason! Your thieves take the material. Build a mansion in Icod, for 2 points.",
            more="Stolen material is used in a town that a road joins to the current one.",
            marks=("space:2", "space:3", "place:ICO"),
            moves=(BuildMansion(_PLACES["ICO"], 1),),
            wrong={"place:GAR": "No road joins Garachico to La Orotava. Choose Icod."},
        ),
        LessonStep(
            text="You have 9 points: 2 for each of two mansions, and 5 for the sugar. Your rival has 3.",
            more="One of them is the merchant's: 1 point for your mansion.",
            claim=lambda state: [seat.score for seat in state.seats] == [9, 3],
        ),
        LessonStep(
            text="When all town cards are used up, masons build in the Town Hall. At the end, your own mansions there "
            "score in straight lines.",
            more="1, 2, 3 or 4 side by side are worth 1, 3, 4 or 7 points. Each mansion counts in one line.",
            marks=("plot:4", "plot:5", "plot:6"),
        ),
        LessonStep(
            text="You know the rules. Lay thieves behind cards that you suspect. Behind your rival's thieves, they "
            "free your card in front of those.",
            more="Play on as you like. You may stop at any time.",
        ),
    ),
)
