"""Moves and events in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from skerry_service.games.sentences import player
from skerry_service.games.tenerife import events as told
from skerry_service.games.tenerife import moves
from skerry_service.games.tenerife.board import BOARD
from skerry_service.games.tenerife.events import Event, Reason
from skerry_service.games.tenerife.moves import Move
from skerry_service.games.tenerife.state import CHARACTER, COLOUR, Character, Colour


def _name(place: int) -> str:
    return BOARD.places[place].name


def _listed(words: Iterable[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _character(character: Character | None) -> str:
    return character.name.lower() if character else "character"


def _one(character: Character | None) -> str:
    """Return ``a farmer``, ``an exporter``, ``thieves``."""
    if character is Character.THIEVES:
        return "thieves"
    return f"{'an' if character is Character.EXPORTER else 'a'} {_character(character)}"


def _colour(colour: Colour) -> str:
    return " of the second colour" if colour is Colour.SECOND else ""


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _goods(storage: int) -> str:
    space = BOARD.storage[storage - 1]
    return f"the {space.good.name.lower()} of storage space {storage}"


def _rob(robbed: str, victim: int | None) -> str:
    return "" if victim is None else f"rob {player(victim)}'s {robbed} and "


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.Lay: lambda move: (
        f"lay the {_character(CHARACTER[move.card])}{_colour(COLOUR[move.card])} below space {move.space}"
    ),
    moves.UnseenLay: lambda move: f"lay a character{_colour(move.colour)} below space {move.space}",
    moves.BuildElement: lambda move: f"{_rob('mason', move.victim)}build on plot {move.plot} of the Town Hall",
    moves.BuildMansion: lambda move: f"{_rob('mason', move.victim)}build a mansion in {_name(move.town)}",
    moves.Export: lambda move: f"{_rob('exporter', move.victim)}export {_goods(move.storage)}",
    moves.MoveMerchant: lambda move: f"move the merchant to {_name(move.place)}",
    moves.TurnUpTown: lambda move: f"turn up {_name(move.town)}",
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} begin",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop."""
    return _MOVES[type(move)](move)


_REASONS: Final[Mapping[Reason, str]] = {
    Reason.TOWN_FULL: "the town has no free plot",
    Reason.HALL_FULL: "the Town Hall has no free plot",
    Reason.NO_MANSION: "the supply of {{{seat}}} has no mansion",
    Reason.NO_SYMBOL: "there is no farmer's symbol here",
    Reason.STORAGE_FULL: "the storage is full",
    Reason.NO_WAREHOUSE: "there is no warehouse to export from",
    Reason.NO_TRANSPORT: "all transport spaces are taken",
    Reason.NOBODY_AHEAD: "nobody is in front of them",
    Reason.FARMER_AHEAD: "farmers are not robbed",
    Reason.THIEVES_BEHIND: "those behind them count",
    Reason.OWN_AHEAD: "the character in front of them is their own",
    Reason.FREED: "they have freed their own",
    Reason.NO_PLOT: "neither another town nor the Town Hall has a free plot",
}


def _no_effect(event: told.NoEffect) -> str:
    have = "have" if event.character is Character.THIEVES else "has"
    return f"{_whose(event)} {have} no effect: {_REASONS[event.reason].format(seat=event.seat)}."


def _whose(event: Any) -> str:
    return f"The {_character(event.character)} of {player(event.seat)} below space {event.space}"


def _begun(event: told.RoundBegun) -> str:
    if event.hall_round:
        return (
            f"Round {event.round}: the Town Hall is built in {_name(event.place)}; {player(event.start_seat)} begins."
        )
    return f"Round {event.round}: {_name(event.place)} is turned up; {player(event.start_seat)} begins."


def _revealed(event: told.CharactersRevealed) -> str:
    cards = ", ".join(f"{card.space} {_character(card.character)} of {player(card.seat)}" for card in event.cards)
    return f"The characters are revealed: {cards}."


def _by(event: told.MansionBuilt | told.ElementBuilt) -> str:
    return (
        player(event.seat)
        if event.victim is None
        else f"{player(event.seat)} robs the mason of {player(event.victim)} and"
    )


def _exported(event: told.WarehouseExported) -> str:
    goods = f"{_goods(event.storage)} for {_points(event.points)}"
    if event.victim is None:
        return f"{player(event.seat)} exports {goods}."
    return f"{player(event.seat)} robs the exporter of {player(event.victim)} and exports {goods}."


def _merchant(event: told.MerchantMoved) -> str:
    origin = "is placed in" if event.origin is None else f"goes from {_name(event.origin)} to"
    return f"The merchant of {player(event.seat)} {origin} {_name(event.target)} for {_points(event.points)}."


def _hall(event: told.HallScored) -> str:
    if not event.lines:
        return f"{player(event.seat)} has no element of the Town Hall."
    lines = _listed("-".join(map(str, line)) for line in event.lines)
    return f"{player(event.seat)} scores {_points(event.points)} for the Town Hall, with the lines {lines}."


def _ended(event: told.GameEnded) -> str:
    best = _points(max(event.scores))
    if len(event.winners) == 1:
        return f"The game is over: {player(event.winners[0])} wins with {best}."
    return f"The game is over: {_listed(f'{player(seat)}' for seat in event.winners)} share the win with {best}."


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    told.StartSeatDrawn: lambda event: f"{player(event.seat)} is drawn to begin.",
    told.RoundBegun: _begun,
    told.CharacterLaid: lambda event: (
        f"{player(event.seat)} lays {_one(event.character)}{_colour(event.colour)} below space {event.space}."
    ),
    told.CharactersRevealed: _revealed,
    told.CharacterRobbed: lambda event: (
        f"{_whose(event)} does not act: the thieves of {player(event.by_seat)} below space {event.by_space} rob it."
    ),
    told.CharacterFreed: lambda event: f"{_whose(event)} is freed by its own thieves below space {event.by_space}.",
    told.NoEffect: _no_effect,
    told.MansionBuilt: lambda event: (
        f"{_by(event)} builds a mansion in {_name(event.town)} for {_points(event.points)}."
    ),
    told.ElementBuilt: lambda event: f"{_by(event)} builds on plot {event.plot} of the Town Hall.",
    told.WarehouseBuilt: lambda event: f"{player(event.seat)} stores {_goods(event.storage)}.",
    told.FarmhandMoved: lambda event: f"The farmhand goes from storage space {event.origin} to {event.target}.",
    told.WarehouseExported: _exported,
    told.MerchantMoved: _merchant,
    told.MerchantRobbed: lambda event: (
        f"{player(event.seat)} robs the merchant of {player(event.victim)} for {_points(event.points)}."
    ),
    told.RoundEnded: lambda event: f"Round {event.round} is over: all take their characters back.",
    told.HallScored: _hall,
    told.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)


_SCORING: Final = (told.MansionBuilt, told.WarehouseExported, told.MerchantMoved, told.MerchantRobbed, told.HallScored)


def points(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    return {event.seat: event.points} if isinstance(event, _SCORING) else {}
