"""Boards in text, as people are shown them. ``test_person`` plays whole games."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import iter_modules

import pytest
from rich.console import Console

from skerry.games.canarias.v1 import canarias_pb2 as canarias
from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.games.small_islands.v1 import small_islands_pb2 as small_islands
from skerry.games.tenerife.v1 import tenerife_pb2 as tenerife
from skerry.v1 import payload_pb2
from skerry_games.catalogue import all_games
from skerry_service import local
from skerry_service.cli.play import boards
from skerry_service.cli.play.boards import beside, draw_board
from skerry_service.cli.play.view_text import tables
from tests.clients.play import SEED

DRAWN = [module.name for module in iter_modules(boards.__path__) if module.name in all_games()]
"""The games that have a board here. Others are shown as tables."""


def board_of(game: str) -> payload_pb2.Board:
    with local.Client() as skerry:
        return skerry.game(game).board


def lines_of(view: payload_pb2.View) -> Sequence[str]:
    return draw_board(board_of(str(view.WhichOneof("game"))), view)[0]


@pytest.mark.parametrize("game", DRAWN)
def test_every_game_is_drawn_from_its_first_position_on(game: str) -> None:
    with local.Client() as skerry:
        table = skerry.create(game, seats=2, seed=SEED)
        table.join("Ada")
        table.join("Bob")
        view = table.position().view
    picture, legend = draw_board(board_of(game), view)
    assert legend
    assert all(len(line) <= 120 and line.isprintable() for line in [*picture, *legend])


def test_the_title_of_a_narrow_table_stays_on_one_line() -> None:
    console = Console(width=80)
    (table,) = tables(kreta.Province(polygon=[kreta.Point(x=1, y=2)]))
    with console.capture() as printed:
        console.print(table)
    title, *_ = printed.get().splitlines()
    assert title.strip() == "polygon"


def test_what_is_no_game_is_not_drawn() -> None:
    assert draw_board(payload_pb2.Board(), payload_pb2.View()) == ((), ())


def test_kreta_shows_provinces_with_their_pieces_and_forts() -> None:
    state = kreta.ProvinceState(
        province="MES", tile=kreta.TILE_WINE, villagers=[2, 0], villages=[0, 1], abbots=[1], ships=[0]
    )
    forts = [kreta.FortState(space=1, seat=1)]
    text = "\n".join(lines_of(payload_pb2.View(kreta=kreta.View(provinces=[state], forts=forts))))
    assert all(words in text for words in ("MES 6", "wine", "0:2vS", "1:VA", "[1]"))


@pytest.mark.parametrize("province", ["CAN", "IER", "LEF", "MIR", "RET", "SEL"])
def test_kreta_shows_the_pieces_of_four_seats_in_the_narrowest_province(province: str) -> None:
    state = kreta.ProvinceState(
        province=province, tile=kreta.TILE_WINE, villagers=[2, 0, 1, 1], villages=[0, 1, 0, 0], abbots=[3], ships=[2, 3]
    )
    forts = [kreta.FortState(space=space, seat=1) for space in range(1, 27)]
    text = "\n".join(lines_of(payload_pb2.View(kreta=kreta.View(provinces=[state], forts=forts))))
    assert text.count("[1]") == 26
    assert all(words in text for words in (f"{province} ", "0:2v", "1:V", "2:vS", "3:vAS"))


def test_canarias_shows_each_island_with_its_buildings() -> None:
    building = canarias.Building(square="A1", piece=canarias.PIECE_PALACE, colour=canarias.COLOUR_RED)
    seat = canarias.SeatState(seat=0, score=5, island="1", buildings=[building])
    lines = lines_of(payload_pb2.View(canarias=canarias.View(seats=[seat, canarias.SeatState(seat=1)])))
    assert lines[0] == "seat 0, 5 points, island 1"
    assert lines[2].split() == ["A", "Re", ".", "vv", "vv", "."]
    assert len(lines) == 5


def test_tenerife_shows_the_column_the_towns_and_the_storage() -> None:
    view = tenerife.View(
        column=[tenerife.SpaceState(space=1, seat=0), tenerife.SpaceState(space=2)],
        towns=[tenerife.TownState(town=town, mansions=[1]) for town in ("GAR", "ICO", "PUE", "ORO", "TAC", "SCR")],
        hall=[tenerife.PlotState(plot=plot, closed=plot < 3) for plot in range(1, 11)],
        storage=[tenerife.StorageState(storage=space, warehouses=[1] * (space == 4)) for space in range(1, 7)],
        current_place="ICO",
        farmhand=4,
    )
    text = "\n".join(lines_of(payload_pb2.View(tenerife=view)))
    assert " 1  0 ?" in text
    assert " 2  ." in text
    assert ">Icod               1 . . ." in text
    assert "1x   2x" in text
    assert "4 wine for 3: 1 . . farmhand" in text


def test_small_islands_shows_tiles_as_they_are_turned() -> None:
    laid = small_islands.LaidTile(at=small_islands.Cell(x=3, y=4), tile="L04", turns=1)
    token = small_islands.TokenState(at=laid.at, shows=small_islands.SYMBOL_LEAF, place=0)
    ship = small_islands.ShipState(at=small_islands.Cell(x=4, y=4), seat=1)
    seat = small_islands.SeatState(seat=0, cards=["O7"])
    view = small_islands.View(tiles=[laid], tokens=[token], ships=[ship], seats=[seat], display=["L04"])
    lines = lines_of(payload_pb2.View(small_islands=view))
    row = next(number for number, line in enumerate(lines) if line.startswith("  4 |"))
    assert lines[row - 1].split("|")[2:4] == ["~~  ##", "~~~~~~"]
    assert [cell.strip() for cell in lines[row].split("|")[2:4]] == ["l", "S1"]
    assert "##  ~~" in lines[[line.strip() for line in lines].index("L04") + 1]
    assert (
        lines[-1]
        == "O7: islands with at least 1 temple and 2 flowers, 1 point per temple and per flower for each house"
    )


def test_blocks_stand_beside_each_other_as_far_as_there_is_room() -> None:
    assert beside([["ab", "c"], ["d"]], width=20) == ["ab   d", "c"]
    assert beside([["ab", "c"], ["d"]], width=5) == ["ab", "c", "", "d"]
