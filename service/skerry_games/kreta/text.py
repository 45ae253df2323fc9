"""A position in words: every fact of the view, and what is printed at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from skerry_games.api import Viewer
from skerry_games.kreta.board import Board
from skerry_games.kreta.kreta_board import BOARD, Province
from skerry_games.kreta.state import ROW, Tile
from skerry_games.kreta.view import ProvinceView, SeatView, SupplyView, View
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.texts.text_lines import if_any, joined, line, listed, named, number, pieces, seat, seat_subject


def text(view: View, viewer: Viewer) -> str:
    """Return the position as that viewer sees it, a template for the players' names."""
    return joined(_lines(view, viewer))


def board_text(board: Board) -> str:
    """Return what is printed, and the pieces of each seat."""
    return joined(_board_lines(board))


def _lines(view: View, viewer: Viewer) -> Iterator[str]:
    yield line("phase", named(view.phase))
    yield line("turn", seat(view.acting_seat))
    yield line("action", if_any(view.action))
    yield line("movement points", number(view.movement_points))
    yield line("scorings", phrase("kreta-done", done=view.scorings_done, row=ROW))
    yield line(
        "fort cards",
        listed("in the row", view.fort_row),
        phrase("kreta-face-down", face_down=view.face_down),
        phrase("kreta-pile", pile=view.pile),
        listed("scored", view.scored_forts),
        listed("under the pile", view.buried_forts),
    )
    for who, one in enumerate(view.seats):
        yield _seat(who, one, viewer)
    owners = dict(view.forts)
    for place, province in enumerate(view.provinces):
        yield _province(place, province, tuple([owners.get(space) for space in BOARD.provinces[place].fort_spaces]))


@lru_cache(maxsize=1 << 9)
def _seat(who: int, one: SeatView, viewer: Viewer) -> str:
    return line(
        seat_subject(who, viewer),
        counted(one.score, "point"),
        listed("hand", map(named, one.hand)),
        listed("table", map(named, one.table)),
        listed("supply", _supply(one.supply)),
        listed("harvested", _tiles(one.harvested)),
    )


def _supply(supply: SupplyView) -> Iterator[str]:
    return pieces(
        (supply.ships, "ship"),
        (supply.forts, "fort"),
        (supply.villages, "village"),
        (supply.villagers, "villager"),
        (supply.abbots, "abbot"),
    )


def _tiles(counts: Sequence[int]) -> Iterator[str]:
    return (joined_by(" ", (f"{count}", named(tile))) for tile, count in zip(Tile, counts, strict=True) if count)


@lru_cache(maxsize=1 << 9)
def _province(place: int, province: ProvinceView, owners: tuple[int | None, ...]) -> str:
    """``owners``: the seats of the forts on its spaces."""
    printed = BOARD.provinces[place]
    spaces = (
        f"{space}" if owner is None else phrase("kreta-seat", space=space, owner=owner)
        for space, owner in zip(printed.fort_spaces, owners, strict=True)
    )
    return line(
        *_printed(printed),
        listed("fort spaces", spaces),
        phrase("kreta-tile", tile=named(province.tile)) if province.tile else None,
        *(listed(phrase("kreta-seat-has", who=who), _pieces(who, province)) for who in range(len(province.villages))),
        phrase("kreta-influence-2", shares="-".join(map(str, province.influence))) if any(province.influence) else None,
    )


def _printed(printed: Province) -> tuple[str, str, str | None, str]:
    """Return the subject of a province, its terrain, its harbour and its value."""
    harbour = "harbour" if printed.harbour else None
    return (
        phrase("kreta-province", id=printed.id, name=printed.name),
        named(printed.terrain),
        harbour,
        phrase("kreta-worth-2", value=printed.value),
    )


def _pieces(who: int, province: ProvinceView) -> Iterator[str]:
    return pieces(
        (province.villagers[who], "villager"),
        (province.villages[who], "village"),
        (province.abbots.count(who), "abbot"),
        (province.ships.count(who), "ship"),
    )


def _board_lines(board: Board) -> Iterator[str]:
    ids = [province.id for province in board.provinces]
    yield line("edition", board.edition)
    yield line("pieces of each seat", *_supply(board.supply))
    yield line("tiles", *_tiles(board.tiles))
    for province in board.provinces:
        borders = listed("borders", (ids[other] for other in province.adjacent))
        yield line(*_printed(province), borders, listed("fort spaces", province.fort_spaces))
    for space in board.fort_spaces:
        touched = listed("touches", (ids[province] for province in space.provinces))
        yield line(
            phrase("kreta-fort-space", space=space.number),
            touched,
            "coast" if space.coast else None,
            phrase("kreta-worth-3", total_value=space.total_value),
        )
