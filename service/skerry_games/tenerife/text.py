"""A position in words: every fact of the view, and what is printed at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from skerry_games.api import Viewer
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.tenerife.board import Board, TableSize
from skerry_games.tenerife.printed.tenerife_board import BOARD, BoardPlace, StorageSpace
from skerry_games.tenerife.state import CHARACTER, COLOUR, BackColour, CharacterCard
from skerry_games.tenerife.view import PlotView, SeatView, SpaceView, TownView, View
from skerry_games.texts.text_lines import if_any, joined, line, listed, named, number, seat, seat_subject


def text(view: View, viewer: Viewer) -> str:
    """Return the position as that viewer sees it, a template for the players' names."""
    return joined(_lines(view, viewer))


def board_text(board: Board) -> str:
    """Return what is printed, and the pieces and cards of each seat."""
    return joined(_board_lines(board))


def _lines(view: View, viewer: Viewer) -> Iterator[str]:
    yield line("phase", named(view.phase))
    yield line("turn", seat(view.acting_seat))
    yield line("start", seat(view.start_seat))
    yield line("round", str(view.round), phrase("tenerife-round-town-hall", hall_round=view.hall_round))
    yield line("variant", "turbulent" if view.turbulent else None)
    yield line("current place", _place(view.current_place))
    yield line("active space", number(view.active_space))
    yield from map(_space_line, range(1, len(view.column) + 1), view.column)
    yield line(
        "transport",
        phrase("tenerife-spaces", transport_spaces=view.transport_spaces),
        listed("taken by", map(seat, view.transport)),
    )
    yield from map(_town, range(len(view.towns)), view.towns)
    yield from map(_hall_plot, range(len(view.hall)), view.hall)
    yield from map(_warehouses, range(len(view.storage)), view.storage)
    yield line("farmhand", phrase("tenerife-storage-space-2", farmhand=view.farmhand))
    yield line("undrawn town cards", *(_place(town) for town in view.undrawn_towns))
    for who, seen in enumerate(view.seats):
        yield _seat(who, seen, viewer)


def _place(place: int | None) -> str | None:
    return None if place is None else joined_by(" ", (BOARD.places[place].id, BOARD.places[place].name))


@lru_cache(maxsize=1 << 9)
def _space_line(number: int, space: SpaceView) -> str:
    return line(phrase("tenerife-space", space=number), *_space(space))


def _space(space: SpaceView) -> tuple[str | None, ...]:
    if space.seat is None:
        return ("vacant",)
    character = if_any(space.character) or "face down"
    return seat(space.seat), character, "second colour" if space.colour is BackColour.SECOND else None


@lru_cache(maxsize=1 << 9)
def _town(place: int, town: TownView) -> str:
    printed = BOARD.places[place]
    return line(
        phrase("tenerife-town", id=printed.id, name=printed.name),
        phrase("tenerife-plots", number=len(printed.plots)),
        listed("mansions of", map(seat, town.mansions)),
        "farmer's symbol" if town.farmers_symbol else None,
        _roads(printed),
    )


def _roads(printed: BoardPlace) -> str | None:
    return listed("roads to", (BOARD.places[other].id for other in printed.neighbours))


@lru_cache(maxsize=1 << 9)
def _hall_plot(number: int, plot: PlotView) -> str:
    printed = BOARD.hall_plots[number]
    return line(
        phrase("tenerife-plot", index=number + 1),
        phrase("tenerife-row", row=printed.row),
        phrase("tenerife-column", column=printed.column),
        _plot(plot),
    )


def _plot(plot: PlotView) -> str:
    return "closed" if plot.closed else seat(plot.seat) or "free"


@lru_cache(maxsize=1 << 9)
def _warehouses(number: int, owners: tuple[int, ...]) -> str:
    return line(
        phrase("tenerife-storage-space", space=number + 1),
        *_storage(BOARD.storage[number]),
        listed("warehouses of", map(seat, owners)),
    )


def _storage(storage: StorageSpace) -> tuple[str | None, ...]:
    return (
        named(storage.good),
        phrase("tenerife-worth", value=storage.value),
        phrase("tenerife-room", room=storage.room),
    )


@lru_cache(maxsize=1 << 9)
def _seat(who: int, one: SeatView, viewer: Viewer) -> str:
    return line(
        seat_subject(who, viewer),
        counted(one.score, "point"),
        phrase("tenerife-supply", mansions=counted(one.mansions, "mansion")),
        None if one.merchant is None else phrase("tenerife-merchant", merchant=_place(one.merchant)),
        phrase("tenerife-hand", cards=counted(one.cards_in_hand, "card")),
        _hand(one.hand),
    )


def _hand(hand: Sequence[CharacterCard]) -> str | None:
    return listed("hand", map(_card, hand))


def _card(card: CharacterCard) -> str:
    character = named(CHARACTER[card])
    return phrase("tenerife-card", character=character) if COLOUR[card] is BackColour.SECOND else character


def _board_lines(board: Board) -> Iterator[str]:
    yield line("edition", board.edition)
    for place in board.places:
        yield line(
            phrase("tenerife-hall" if place.town_hall else "tenerife-town", id=place.id, name=place.name),
            None if place.town_hall else phrase("tenerife-plots", number=len(place.plots)),
            "farmer's symbol" if place.farmers_symbol else None,
            _roads(place),
        )
    for plot, printed in enumerate(board.hall_plots, start=1):
        closed = "closed with two seats" if printed.closed_with_two_seats else None
        yield line(
            phrase("tenerife-plot-2", plot=plot),
            phrase("tenerife-row", row=printed.row),
            phrase("tenerife-column", column=printed.column),
            closed,
        )
    for space, storage in enumerate(board.storage_spaces, start=1):
        yield line(phrase("tenerife-storage-space", space=space), *_storage(storage))
    yield line(
        "farmhand after the last storage space",
        phrase("tenerife-storage-space-3", farmhand_returns_to=board.farmhand_returns_to),
    )
    yield line("points for lines of 1, 2, 3 and 4", *map(str, board.line_points))
    yield line("pieces of each seat", counted(board.mansions, "mansion"), counted(1, "merchant"))
    yield line("cards of each seat", _hand(board.hand))
    yield line("cards of each seat in the turbulent game", _hand(board.turbulent_hand))
    for size in board.table_sizes:
        yield _table_size(size)


def _table_size(size: TableSize) -> str:
    return line(
        phrase("tenerife-with-seats", seats=size.seats),
        phrase("tenerife-spaces-column", spaces=size.spaces),
        phrase("tenerife-characters-each", characters_each=size.characters_each),
        phrase("tenerife-transport-spaces", transport_spaces=size.transport_spaces),
        None if size.removed_town is None else phrase("tenerife-without-card", removed_town=_place(size.removed_town)),
    )
