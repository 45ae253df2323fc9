"""The guided first game of Kreta: one scoring from the first villager to the castellan, then a harvest."""

from __future__ import annotations

from typing import Final

from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import (
    BuildFort,
    Harvest,
    KeepFort,
    PlaceAbbot,
    PlaceShip,
    PlayCard,
    Recruit,
)
from skerry_games.kreta.state import KretaCard, Options
from skerry_games.lessons import Lesson, LessonStep, Reply

_NUMBERS: Final = {province.id: number for number, province in enumerate(BOARD.provinces)}
_KISSAMOS, _KYDONIA, _LEFKA_ORI, _RETHYMNO = (_NUMBERS[name] for name in ("KIS", "KYD", "LEF", "RET"))
_SCORED_FIRST: Final = ("province:KIS", "province:KYD", "province:LEF")

LESSON: Final = Lesson(
    options=Options(start_seat=0),
    seats=2,
    course=(
        LessonStep(
            text="Kreta is about influence: where you have more of it than the others, you score.",
            more="After 11 scorings, the player with the most points wins.",
        ),
        LessonStep(
            text="This card shows what is scored next: fort space 3, and the three provinces that meet there.",
            more="The number in a province is what it pays. Kydonia pays 6.",
            marks=("fort-card:3", "fort:3", *_SCORED_FIRST),
            claim=lambda state: state.row[0] == 3 and BOARD.provinces[_KYDONIA].value == 6,
        ),
        LessonStep(
            text="In your turn you play one card. Begin with the commander, who brings villagers.",
            marks=("card:0:commander",),
            moves=(PlayCard(KretaCard.COMMANDER),),
            wrong={
                "card:0:castellan": "The castellan scores now, while no player has influence. Keep him for later.",
                "card:0:farmer": "There is nothing to harvest yet. Begin with the commander.",
                "card:0:king": "The king copies a card that you have played, and you have played none yet.",
                "card:0:architect": "Forts come later. Begin with the commander.",
            },
        ),
        LessonStep(
            text="Place a villager in Kydonia: each villager is 1 influence.",
            marks=("province:KYD",),
            moves=(Recruit(_KYDONIA),),
            wrong={
                "province:KIS": "Kissamos pays only 3. Choose Kydonia, which pays 6.",
                "province:LEF": "Lefka Ori pays only 2. Choose Kydonia, which pays 6.",
            },
        ),
        Reply(1, PlayCard(KretaCard.COMMANDER)),
        Reply(1, Recruit(_KYDONIA)),
        LessonStep(
            text="Your rival has a villager in Kydonia too. Play your abbot to get ahead.",
            more="Tied players would both score the full 6.",
            marks=("card:0:abbot", "province:KYD"),
            moves=(PlayCard(KretaCard.ABBOT),),
            wrong={
                "card:0:commander": "Played cards stay on the table until the next scoring. Play the abbot.",
                "card:0:castellan": "Scored now, Kydonia pays both of you 6. Get ahead first.",
            },
        ),
        LessonStep(
            text="Place the abbot in Kydonia: he is 1 influence, and he keeps the peace.",
            more="From now on your rival may not add villagers there.",
            marks=("province:KYD",),
            moves=(PlaceAbbot(_KYDONIA),),
        ),
        Reply(1, PlayCard(KretaCard.ABBOT)),
        Reply(1, PlaceAbbot(_LEFKA_ORI)),
        LessonStep(
            text="Kydonia has a harbour. Play the admiral to bring a ship.",
            more="Your rival's abbot now leads in Lefka Ori.",
            marks=("card:0:admiral",),
            moves=(PlayCard(KretaCard.ADMIRAL),),
            wrong={"card:0:farmer": "A harvest needs a ship and a villager in one province. Bring the ship first."},
        ),
        LessonStep(
            text="Place the ship in Kydonia, where your villager is: it is 1 influence more.",
            marks=("province:KYD",),
            moves=(PlaceShip(_KYDONIA),),
            wrong={"province:RET": "Rethymno is not scored next. Choose Kydonia."},
        ),
        Reply(1, PlayCard(KretaCard.ARCHITECT)),
        Reply(1, BuildFort(6)),
        LessonStep(
            text="That fort of your rival's is 1 influence in four provinces. Build one too: play the architect.",
            marks=("fort:6", "card:0:architect"),
            moves=(PlayCard(KretaCard.ARCHITECT),),
            claim=lambda state: len(BOARD.forts[5].provinces) == 4,
        ),
        LessonStep(
            text="Build your fort on space 3: it counts in all three provinces that will be scored.",
            marks=("fort:3",),
            moves=(BuildFort(3),),
            wrong={
                "province:KYD": "A village needs a harvested tile, and you have none. Build the fort.",
                "fort:2": "Space 2 does not touch Kydonia. Choose space 3.",
                "fort:4": "Space 4 does not touch Lefka Ori. Choose space 3.",
            },
        ),
        Reply(1, PlayCard(KretaCard.KING, KretaCard.COMMANDER)),
        Reply(1, Recruit(_KISSAMOS)),
        LessonStep(
            text="Your rival's king copied the commander: you are tied in Kissamos. In Kydonia you lead by 4 to 2.",
            more="Play the castellan to score now.",
            marks=("card:0:castellan", *_SCORED_FIRST),
            moves=(PlayCard(KretaCard.CASTELLAN),),
        ),
        LessonStep(
            text="You got 6 for Kydonia and 3 for the tie in Kissamos. All played cards are back in hand.",
            more="You may keep the new fort card, or replace it from the pile. Keep it this time.",
            marks=("fort-card:14",),
            moves=(KeepFort(14),),
            claim=lambda state: [seat.score for seat in state.seats] == [9, 5],
        ),
        Reply(1, PlayCard(KretaCard.COMMANDER)),
        Reply(1, Recruit(_RETHYMNO)),
        LessonStep(
            text="You can also score by harvesting. Play the farmer.",
            more="You have a ship and a villager in Kydonia.",
            marks=("card:0:farmer", "province:KYD"),
            moves=(PlayCard(KretaCard.FARMER),),
        ),
        LessonStep(
            text="Harvest the wheat: the first tile of a kind pays 1 point, the next one 2.",
            more="For each tile you may later build a village, which is 2 influence.",
            marks=("province:KYD",),
            moves=(Harvest(_KYDONIA),),
        ),
        LessonStep(
            text="You know the rules. Play on: look at the two open fort cards, and lead there when they are scored.",
            more="You may stop at any time.",
        ),
    ),
)
