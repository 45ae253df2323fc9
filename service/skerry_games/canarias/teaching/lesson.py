"""The guided first game of Islas Canarias: two rounds, with a palace, a privilege and two ships."""

from __future__ import annotations

from typing import Final

from skerry_games.canarias.moves import Build, BuildPalace, Draw, Load, Place, TakeIsland
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.islands import SQUARES
from skerry_games.canarias.state import Options
from skerry_games.lessons import Lesson, LessonStep, Reply

_CARDS: Final = {card: number for number, card in enumerate(CARD_IDS)}
_SQUARES: Final = {square: number for number, square in enumerate(SQUARES)}

LESSON: Final = Lesson(
    options=Options(start_seat=0),
    seats=2,
    seed=8,
    course=(
        LessonStep(
            text="You settle an island: houses, palaces and towns are your points.",
            more="When a player has 19 points, one last round is played.",
        ),
        LessonStep(
            text="Take this island: the land around its squares decides who wants to live there.",
            marks=("island:1",),
            moves=(TakeIsland(0),),
        ),
        Reply(1, TakeIsland(1)),
        LessonStep(
            text="These are your settlers. Each card lists four wishes: what the house wants to be next to.",
            more="The first wish that can be fulfilled is binding.",
            marks=(
                "hand:0:capitan-c",
                "hand:0:herrero-a",
                "hand:0:hortelano-c",
                "hand:0:cestero-c",
                "hand:0:pastor-a",
            ),
            claim=lambda state: len(state.seats[0].hand) == 5,
        ),
        LessonStep(
            text="In your turn you build a house or draw cards. Build the house of the market gardener.",
            marks=("hand:0:hortelano-c",),
            moves=(Build(_CARDS["hortelano-c"]),),
            wrong={
                "deck": "You have five cards. Build first, and draw when you need settlers.",
                "hand:0:capitan-c": "Keep the captain: he is useful in a moment.",
            },
        ),
        LessonStep(
            text="The gardener's first wish is the farmland, so only squares next to it are lit. Choose B3.",
            marks=("square:0:B3",),
            moves=(Place(_SQUARES["B3"]),),
            wrong={
                "square:0:A1": "A1 is not next to the farmland, the gardener's first wish. Choose B3.",
                "square:0:C5": "C5 is allowed too, but it is also on the coast. Keep it for the captain.",
            },
            claim=lambda state: state.actor == 0,
        ),
        LessonStep(
            text="Then you send one card away on the ship, face down. Choose the captain: he wants the coast.",
            more="You have 5 empty coast squares, your opponent has 3. He will probably come back to you.",
            marks=("hand:0:capitan-c", "ship"),
            moves=(Load(_CARDS["capitan-c"]),),
            wrong={"hand:0:pastor-a": "Keep the shepherd: you can build that house next."},
        ),
        Reply(1, Draw()),
        Reply(1, Load(_CARDS["pirate-brown"])),
        LessonStep(
            text="The ship has arrived. The captain went where most empty squares are on the coast: to you!",
            more="That is a free house. Build it on C1.",
            marks=("square:0:C1",),
            moves=(Place(_SQUARES["C1"]),),
            wrong={"square:0:B1": "B1 is not on the coast, which is the captain's first wish. Choose C1."},
        ),
        Reply(1, Place(_SQUARES["C3"])),
        Reply(1, Build(_CARDS["carpintero-c"])),
        Reply(1, Place(_SQUARES["A2"])),
        Reply(1, Load(_CARDS["curtidor-a"])),
        LessonStep(
            text="A new round. Build the shepherd: the first wish is to be next to a brown building, your captain's.",
            more="You have 2 points.",
            marks=("hand:0:pastor-a", "house-brown:0:C1"),
            moves=(Build(_CARDS["pastor-a"]),),
            claim=lambda state: sum(state.seats[0].points) == 2,
        ),
        LessonStep(
            text="B1 is next to the brown house. Build there.",
            marks=("square:0:B1",),
            moves=(Place(_SQUARES["B1"]),),
        ),
        LessonStep(
            text="You have two green houses. Touch both to turn them into a palace: 3 points, and a free square.",
            more="They need not be neighbours. Three houses of a colour make a town, for 5 points.",
            marks=("house-green:0:B1", "house-green:0:B3"),
            moves=(BuildPalace((_SQUARES["B3"], _SQUARES["B1"])).as_listed(),),
            wrong={"house-brown:0:C1": "The houses of a palace have one colour. Touch the two green ones."},
        ),
        LessonStep(
            text="The palace stands on one of the two squares. Choose B3, and keep B1 free for the next house.",
            marks=("material:0:B3",),
            moves=(Place(_SQUARES["B3"]),),
        ),
        LessonStep(
            text="With 3 points in green you took the green privilege, a power until a player has more green.",
            more="Now put the basket weaver on the ship.",
            marks=("colour:green", "hand:0:cestero-c"),
            moves=(Load(_CARDS["cestero-c"]),),
            claim=lambda state: sum(state.seats[0].points) == 4 and state.privileges[2] == 0,
        ),
        Reply(1, Place(_SQUARES["C1"])),
        LessonStep(
            text="The weaver compared the islands: no blue house, farmland 3 to 3, mountains 3 to 4: your rival's.",
            more="Ties are decided by the next wish. Look at all four before you load a card.",
            marks=("home:0", "home:1"),
        ),
        LessonStep(
            text="You know the rules. Draw cards when your hand is empty, and beware of pirates: they take houses.",
            more="Play on as you like. You may stop at any time.",
        ),
    ),
)
