"""The guided first game of Small Islands: one round, from the objective to two houses, in which the learner lands."""

from __future__ import annotations

from typing import Final

from skerry_games.lessons import Lesson, LessonStep, Reply
from skerry_games.small_islands.moves import (
    ChooseObjective,
    LandShip,
    LayTile,
    NoToken,
    PickTile,
    PlaceHouse,
    PlaceToken,
    TakeTile,
    TakeToken,
)
from skerry_games.small_islands.phases.ending import ports_around
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus, Symbol
from skerry_games.small_islands.state import Options, State
from skerry_games.small_islands.tabletop.cells import LAND, Cell, cell_at

_CARDS: Final = {card.id: number for number, card in enumerate(COMPONENTS.cards)}
_TILES: Final = {face.id: number for number, face in enumerate(COMPONENTS.faces)}

_HOME: Final = cell_at(7, 7)
"""A cell of the island of the starting tiles."""
_EAST: Final = cell_at(10, 7)
"""Where the learner lays a tile, and makes an island of two."""
_HOME_HOUSES: Final = (_HOME, cell_at(8, 7), cell_at(7, 8), cell_at(8, 8), cell_at(7, 9))
_EAST_HOUSES: Final = (_EAST, cell_at(9, 8), cell_at(10, 8))
_HOME_TILES: Final = ("tile:S1A", "tile:S2A", "tile:S4A", "tile:S3A", "tile:L47")
_EAST_TILES: Final = ("tile:L36", "tile:L01", "tile:L13")
_HARBOUR: Final = cell_at(7, 10)


def _chooses(seat: int, card: str, aside: str) -> Reply:
    return Reply(seat, ChooseObjective((_CARDS[card],), (_CARDS[aside],)))


def _explores(seat: int, taken: str, laid: str, at: tuple[int, int], turns: int = 0) -> tuple[Reply, ...]:
    """Return the moves of a turn in which a seat lays a tile at a column and row, and uses no bonus token."""
    lay = LayTile(cell_at(*at), turns)
    return tuple([Reply(seat, move) for move in (TakeTile(_TILES[taken]), PickTile(_TILES[laid]), lay, NoToken())])


def _counts(state: State, cell: Cell, symbol: Symbol) -> int:
    """Return how many of these symbols the island of a cell shows."""
    island = state.table.chart.site_at(cell)
    return island.counts[symbol] if island else 0


LESSON: Final = Lesson(
    options=Options(start_seat=2),
    seats=4,
    seed=100,
    course=(
        _chooses(1, "O11", "O10"),
        _chooses(2, "O1", "O4"),
        _chooses(3, "O5", "O3"),
        LessonStep(
            text="Together you discover small islands. You build houses on those that suit your secret objective.",
            more="After at most 4 rounds, the player with the most points wins.",
        ),
        LessonStep(
            text="An island is all the land that is joined across the sides of tiles. These 4 tiles are one island.",
            more="Two tiles that touch only at a corner are not joined.",
            marks=("tile:S1A", "tile:S2A", "tile:S3A", "tile:S4A"),
            claim=lambda state: [cells.bit_count() for cells in state.table.chart.islands] == [4],
        ),
        LessonStep(
            text="Choose this objective: if an island has more fruits than leaves, a house there is worth "
            "1 point for each fruit, plus 2.",
            more="The one for more leaves is put aside: it is one of your three in the next round.",
            marks=("card:O2",),
            moves=(ChooseObjective((_CARDS["O2"],), (_CARDS["O6"],)),),
            wrong={
                "card:O6": "That one pays by luck, for more leaves than fruits. First choose the one with fruits.",
                "card:O9": "That one needs a temple and two leaves on an island. First choose the one with fruits.",
            },
        ),
        *_explores(2, "L32", "L47", (7, 9)),
        *_explores(3, "L48", "L44", (9, 7), 1),
        LessonStep(
            text="Your turn. You explore: first take one of the 3 open tiles. This one has 2 fruits.",
            marks=("tile:L36",),
            moves=(TakeTile(_TILES["L36"]),),
            wrong={
                "tile:L07": "That tile has only 1 fruit. Take the one with 2.",
                "tile:L14": "That tile has no fruit, and your objective counts fruits. Take the one with 2.",
            },
            claim=lambda state: len(state.display) == 3,
        ),
        LessonStep(
            text="You hold 3 tiles now, and lay one of them. Choose the tile that you have just taken.",
            marks=("tile:L36",),
            moves=(PickTile(_TILES["L36"]),),
            wrong={
                "tile:L22": "Keep that tile for another turn: it has only 1 fruit.",
                "tile:L35": "Keep that tile for another turn: it has a leaf, and your objective wants few leaves.",
            },
            claim=lambda state: len(state.seats[0].hand) == 3,
        ),
        LessonStep(
            text="Where tiles meet, land has to meet land, and sea has to meet sea. This one has land on all sides.",
            more="So it fits only here. It makes an island of 2 tiles, with a free house symbol.",
            marks=("cell:10,7",),
            moves=(LayTile(_EAST, 0),),
            claim=lambda state: state.table.chart.fitting_cells[LAND] == 1 << _EAST,
        ),
        LessonStep(
            text="After laying a tile you may use one of your 4 bonus tokens. Touch the fruit, then its fruit side.",
            more="Its other side is a port. Each token is used once.",
            marks=("bonus:0:fruit",),
            moves=(TakeToken(Bonus.FRUIT, Symbol.FRUIT),),
            wrong={
                "bonus:0:flower": "Your objective does not count flowers. Touch the fruit.",
                "bonus:0:leaf": "One more leaf is what your objective does not want. Touch the fruit.",
                "bonus:0:any": "That token can show what you like. Keep it for later, and touch the fruit.",
            },
        ),
        LessonStep(
            text="Cover the leaf on this tile with it. Then your new island has 4 fruits and no leaf.",
            marks=("tile:L44",),
            moves=(PlaceToken(Bonus.FRUIT, Symbol.FRUIT, cell_at(9, 7), Symbol.LEAF),),
            wrong={
                "tile:L36": "There it would cover a flower, which does no harm. Cover the leaf.",
                "tile:S3A": "That leaf is on the other island. Cover the leaf on your new one.",
                "tile:S1A": "That flower is on the other island, and does no harm. Cover the leaf on your new one.",
            },
            claim=lambda state: (_counts(state, _EAST, Symbol.FRUIT), _counts(state, _EAST, Symbol.LEAF)) == (3, 1),
        ),
        *_explores(1, "L14", "L01", (9, 8), 1),
        *_explores(2, "L13", "L13", (10, 8)),
        *_explores(3, "L30", "L30", (8, 9)),
        LessonStep(
            text="The stack of 6 tiles for this round is used up, so you may land: that ends the exploration for all.",
            more="Touch your ship, then this place. The 2 ports around it are 2 points for you at the end.",
            marks=("own-ship:0", "cell:7,10"),
            moves=(LandShip(_HARBOUR, grey=False),),
            wrong={
                "cell:6,7": "No port is near that place. Choose the one with 2 ports around it.",
                "tile:L07": "You may go on exploring, but then another player may land first. Land now.",
                "tile:L40": "You may go on exploring, but then another player may land first. Land now.",
                "tile:L29": "You may go on exploring, but then another player may land first. Land now.",
            },
            claim=lambda state: state.stack == 0,
        ),
        LessonStep(
            text="All see your objective now. Place a house on your new island: its 5 fruits pay 5, and 2 are added.",
            more="A house stands on a free house symbol, on an island of 2 tiles or more.",
            marks=_EAST_TILES,
            moves=tuple(map(PlaceHouse, _EAST_HOUSES)),
            wrong=dict.fromkeys(_HOME_TILES, "That island suits your objective too. Build there in the next step."),
            claim=lambda state: _counts(state, _EAST, Symbol.FRUIT) == 5 and ports_around(state, 0) == 2,
        ),
        LessonStep(
            text="The first island has 3 fruits and 2 leaves. Place a house there too, for 5 points.",
            more="You have at most one house on each island.",
            marks=_HOME_TILES,
            moves=tuple(map(PlaceHouse, _HOME_HOUSES)),
            wrong=dict.fromkeys(_EAST_TILES, "You have a house on that island. Build on the other one."),
            claim=lambda state: (
                [_counts(state, _HOME, symbol) for symbol in (Symbol.FRUIT, Symbol.LEAF)] == [3, 2]
                and state.seats[0].score == 7
            ),
        ),
        LessonStep(
            text="You have 12 points. Now each of the others shows an objective, and builds if an island suits it.",
            more="Houses stay. You can place 4 in a round, and 8 in the whole game.",
            claim=lambda state: state.seats[0].score == 12,
        ),
        LessonStep(
            text="You know the rules. Watch the stack: once it is used up, land before an island stops suiting you.",
            more="Play on as you like. You may stop at any time.",
        ),
    ),
)
