"""The guided first game of Islas Canarias: two rounds, with a palace, a privilege and two ships."""

from __future__ import annotations

from typing import Final

from skerry_games.canarias.actions.construction import free_squares_next_to
from skerry_games.canarias.moves import Build, BuildPalace, Draw, Load, Place, TakeIsland
from skerry_games.canarias.printed.cards import CARD_IDS, PRIORITIES
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.state import Options, State
from skerry_games.lessons import Lesson, LessonStep, Reply

_CARDS: Final = {card: number for number, card in enumerate(CARD_IDS)}
_SQUARES: Final = {square: number for number, square in enumerate(SQUARES)}


def _suits(state: State, card: str) -> list[list[int]]:
    """Return how many empty squares suit each wish of a settler, one list for each seat (CANARIAS-ARRIVE-2)."""
    wishes = PRIORITIES[_CARDS[card]]
    return [[free_squares_next_to(seat, wish).bit_count() for wish in wishes] for seat in state.seats]


LESSON: Final = Lesson(
    options=Options(start_seat=0),
    seats=2,
    seed=8,
    course=(
        LessonStep(
            text="You settle an island: houses, palaces and towns are your points.",
            more="When a player has 19 points, one last round is played. The most points win.",
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
            text="In your turn you build a house or draw 3 cards. Build the house of the market gardener.",
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
            more="Settlers of the ship go where most empty squares suit them: you have 5 at the coast, your rival 3.",
            marks=("hand:0:capitan-c", "ship"),
            moves=(Load(_CARDS["capitan-c"]),),
            wrong={"hand:0:pastor-a": "Keep the shepherd: you can build that house next."},
            claim=lambda state: [counts[0] for counts in _suits(state, "capitan-c")] == [5, 3],
        ),
        Reply(1, Draw()),
        Reply(1, Load(_CARDS["pirate-brown"])),
        LessonStep(
            text="After all turns the ship arrives. The captain went where most empty coast squares are: to you!",
            more="That house costs no turn. Build it on C1.",
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
            more="Each house is 1 point: you have 2.",
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
            more="They need not be neighbours. Further green palaces are 2 points. Three green houses make a town: 5.",
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
            text="You are the first with 3 points in green. You own its privilege until another player has more green.",
            more="You may now build palaces from houses of two colours. Put the basket weaver on the ship.",
            marks=("colour:green", "hand:0:cestero-c"),
            moves=(Load(_CARDS["cestero-c"]),),
            # The next step says what the weaver counts.
            claim=lambda state: (
                (sum(state.seats[0].points), state.privileges[2]) == (4, 0)
                and [counts[:3] for counts in _suits(state, "cestero-c")] == [[0, 3, 3], [0, 3, 4]]
            ),
        ),
        Reply(1, Place(_SQUARES["C1"])),
        LessonStep(
            text="The weaver counted your empty squares and your rival's: by blue houses 0 to 0, by farmland 3 to 3, "
            "by mountains 3 to 4.",
            more="The next wish decides a tie, so your rival gets the weaver. Read all four before you load a card.",
            marks=("home:0", "home:1"),
        ),
        LessonStep(
            text="You know the rules. Beware of pirates: each takes a house from the owner of its colour's privilege.",
            more="Draw cards before your hand is empty. Play on as you like: you may stop at any time.",
        ),
    ),
)
