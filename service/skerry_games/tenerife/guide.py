"""What a frontend says and lights in Tenerife. Places and pieces have the ids of ``look.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from skerry_games.looks.guidance import Fact, Gain, Guide, Heading
from skerry_games.tenerife import events, moves
from skerry_games.tenerife.events import Event
from skerry_games.tenerife.foresight import annotate
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import FACES
from skerry_games.tenerife.teaching.attempts import attempts
from skerry_games.tenerife.view import View
from skerry_games.tenerife.words import TASKS
from skerry_games.texts.text_lines import named

Paths = tuple[tuple[str, ...], ...]
Ids = tuple[str, ...]


def _place(place: int) -> str:
    return f"place:{BOARD.places[place].id}"


# ---------------------------------------------------------------- moves

_HEADINGS: Final[Mapping[type, Heading]] = {
    moves.Lay: Heading("Lay a character"),
    moves.BuildElement: Heading("Build in the Town Hall"),
    moves.BuildMansion: Heading("Build a mansion"),
    moves.Export: Heading("Sell goods"),
    moves.MoveMerchant: Heading("Move the merchant"),
    moves.TurnUpTown: Heading("Turn up a town"),
    moves.DrawStartSeat: Heading("Draw the start seat"),
}


def _laying(move: moves.Lay, view: View) -> Paths:
    """Return each equal card in the hand, and the space."""
    if view.acting_seat is None or move.character is None:
        return ()
    card = FACES[move.character, move.colour]
    copies = view.seats[view.acting_seat].hand.count(card)
    return tuple([(f"hand:{view.acting_seat}:{named(card)}:{copy}", f"space:{move.space}") for copy in range(copies)])


_PATHS: Final[Mapping[type, Callable[[Any, View], Paths]]] = {
    moves.Lay: _laying,
    moves.BuildElement: lambda move, view: ((f"plot:{move.plot}",),),
    moves.BuildMansion: lambda move, view: ((_place(move.town),),),
    moves.Export: lambda move, view: ((f"storage:{move.storage}",),),
    moves.MoveMerchant: lambda move, view: ((_place(move.place),),),
}


def task(view: View) -> str:
    """Return the task of the acting seat; empty if no seat has to decide."""
    return TASKS.get(view.phase, "")


def heading(move: Move) -> Heading:
    """Return the heading of a kind of move."""
    return _HEADINGS[type(move)]


def paths(move: Move, view: View) -> Paths:
    """Return the ways to choose a legal move. Only moves of chance have none."""
    chosen = _PATHS.get(type(move))
    return chosen(move, view) if chosen else ()


# ---------------------------------------------------------------- events


def _exported(event: events.WarehouseExported) -> Ids:
    at = (f"space:{event.space}", f"storage:{event.storage}")
    return at if event.transport is None else (*at, f"ship:{event.transport}")


def _went(event: events.MerchantMoved) -> Ids:
    origin = () if event.from_place is None else (_place(event.from_place),)
    return (f"space:{event.space}", *origin, _place(event.to_place), f"ship:{event.transport}")


_TOUCHED: Final[Mapping[type, Callable[[Any], Ids]]] = {
    events.RoundBegun: lambda event: (_place(event.place),),
    events.CharacterLaid: lambda event: (f"space:{event.space}",),
    events.CharactersRevealed: lambda event: tuple([f"space:{card.space}" for card in event.cards]),
    events.CharacterRobbed: lambda event: (f"space:{event.space}", f"space:{event.by_space}"),
    events.CharacterFreed: lambda event: (f"space:{event.space}", f"space:{event.by_space}"),
    events.NoEffect: lambda event: (f"space:{event.space}",),
    events.MansionBuilt: lambda event: (
        f"space:{event.space}",
        f"mansion:{BOARD.places[event.town].id}:{event.plot - 1}",
    ),
    events.ElementBuilt: lambda event: (f"space:{event.space}", f"plot:{event.plot}"),
    events.WarehouseBuilt: lambda event: (f"space:{event.space}", f"storage:{event.storage}"),
    events.FarmhandMoved: lambda event: ("farmhand",),
    events.WarehouseExported: _exported,
    events.MerchantMoved: _went,
    events.MerchantRobbed: lambda event: (f"space:{event.space}",),
    events.HallScored: lambda event: tuple([f"plot:{plot}" for line in event.lines for plot in line]),
}
_SOURCES: Final[Mapping[type, str]] = {
    events.MansionBuilt: "Mansions",
    events.WarehouseExported: "Goods sold",
    events.MerchantMoved: "Merchant",
    events.MerchantRobbed: "Thieves",
    events.HallScored: "Town Hall",
}


def touched(event: Event) -> Ids:
    """Return the places and pieces that an event is about."""
    about = _TOUCHED.get(type(event))
    return about(event) if about else ()


def gains(event: Event) -> tuple[Gain, ...]:
    """Return the points of a character or of the Town Hall. What thieves do for a robbed character is theirs."""
    source = _SOURCES.get(type(event))
    scored: Any = event
    if source is None or not scored.points:
        return ()
    return (Gain(scored.seat, scored.points, "Thieves" if getattr(event, "victim", None) is not None else source),)


def facts(view: View, seat: int) -> tuple[Fact, ...]:
    """Return a seat's mansions in the supply, its cards in hand, and where its merchant is."""
    one = view.seats[seat]
    left = Fact("mansions left", f"{one.mansions}"), Fact("cards", f"{one.cards_in_hand}")
    return left if one.merchant is None else (*left, Fact("merchant in", BOARD.places[one.merchant].name))


GUIDE: Final[Guide[Move, View, Event]] = Guide(task, heading, paths, touched, gains, facts, annotate, attempts)
