"""Sentences for moves and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from skerry_games.sentences import counted, listed, player, winners_sentence
from skerry_games.tenerife import events, moves
from skerry_games.tenerife.events import Event, Reason
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import CHARACTER, BackColour, Character, Phase

TASKS: Final[Mapping[Phase, str]] = {
    Phase.LAY: "choose a character, and the space to lay it below, face down",
    Phase.CHOOSE_PLOT: "choose a plot of the Town Hall",
    Phase.CHOOSE_TOWN: "choose the town where the thieves build",
    Phase.CHOOSE_WAREHOUSE: "choose which goods to sell",
    Phase.CHOOSE_DESTINATION: "choose where the merchant goes",
}
"""What the acting seat has to do, by phase."""


def _name(place: int) -> str:
    return BOARD.places[place].name


def _character(character: Character | None) -> str:
    return character.name.lower() if character else "character"


def _card(character: Character | None, colour: BackColour) -> str:
    """Return ``a farmer``, ``an exporter``, ``thieves of the second colour``, or ``a character`` if hidden."""
    article = {Character.THIEVES: "", Character.EXPORTER: "an "}.get(character, "a ") if character else "a "
    return f"{article}{_character(character)}{' of the second colour' if colour is BackColour.SECOND else ''}"


def _points(number: int) -> str:
    return counted(number, "point", none="no")


def _goods(storage: int) -> str:
    """Return ``the sugar from storage space 1``."""
    return f"the {_good(storage)} from storage space {storage}"


def _good(storage: int) -> str:
    return BOARD.storage[storage - 1].good.name.lower()


def _rob(robbed: str, victim: int | None) -> str:
    return "" if victim is None else f"rob {player(victim)}'s {robbed} and "


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.Lay: lambda move: f"lay {_card(move.character, move.colour)} below space {move.space}",
    moves.BuildElement: lambda move: f"{_rob('mason', move.victim)}build on plot {move.plot} of the Town Hall",
    moves.BuildMansion: lambda move: f"{_rob('mason', move.victim)}build a mansion in {_name(move.town)}",
    moves.Export: lambda move: f"{_rob('exporter', move.victim)}export {_goods(move.storage)}",
    moves.MoveMerchant: lambda move: f"move the merchant to {_name(move.place)}",
    moves.TurnUpTown: lambda move: f"turn up {_name(move.town)}",
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} go first",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop, a template for players' names."""
    return _MOVES[type(move)](move)


# The sentence names the owner of the character before the reason, so reasons name no player.
_REASONS: Final[Mapping[Reason, str]] = {
    Reason.TOWN_FULL: "the town has no free plot",
    Reason.HALL_FULL: "the Town Hall has no free plot",
    Reason.NO_MANSION: "no mansion is left in the supply",
    Reason.NO_SYMBOL: "the current place has no farmer's symbol",
    Reason.STORAGE_FULL: "all wine storage spaces are full",
    Reason.NO_WAREHOUSE: "the owner of the exporter has no warehouse",
    Reason.NO_TRANSPORT: "all transport spaces are taken",
    Reason.NOBODY_AHEAD: "no character is in front of them",
    Reason.FARMER_AHEAD: "thieves cannot rob farmers",
    Reason.THIEVES_BEHIND: "only the last thieves in a row count",
    Reason.OWN_AHEAD: "the character in front of them has the same owner",
    Reason.FREED: "they have freed the character in front of them",
    Reason.NO_PLOT: "neither another town nor the Town Hall has a free plot",
}


def _no_effect(event: events.NoEffect) -> str:
    have = "have" if event.character is Character.THIEVES else "has"
    return f"{_whose(event)} {have} no effect: {_REASONS[event.reason]}."


def _whose(event: Any) -> str:
    return f"{player(event.seat)}'s {_character(event.character)} below space {event.space}"


def _begun(event: events.RoundBegun) -> str:
    place = f"at the Town Hall in {_name(event.place)}" if event.hall_round else f"in {_name(event.place)}"
    return f"Round {event.round} begins {place}. {player(event.start_seat)} goes first."


def _revealed(event: events.CharactersRevealed) -> str:
    cards = listed(f"{player(card.seat)}'s {_character(CHARACTER[card.card])}" for card in event.cards)
    return f"All characters are revealed, from space {event.cards[0].space}: {cards}."


def _acts(event: Any, robbed: str) -> str:
    """Return the subject of a sentence: the player, and the victim if the player robs a character."""
    robs = "" if event.victim is None else f" robs {player(event.victim)}'s {robbed} and"
    return f"{player(event.seat)}{robs}"


def _merchant(event: events.MerchantMoved) -> str:
    way = "is placed in" if event.from_place is None else f"goes from {_name(event.from_place)} to"
    return f"{player(event.seat)}'s merchant {way} {_name(event.to_place)} and scores {_points(event.points)}."


def _hall(event: events.HallScored) -> str:
    if not event.lines:
        return f"{player(event.seat)} has built nothing in the Town Hall and scores no points for it."
    lines = listed("-".join(map(str, line)) for line in event.lines)
    plots = "plot" if event.points == 1 else "plots"
    return f"{player(event.seat)} scores {_points(event.points)} for the Town Hall: {plots} {lines}."


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatDrawn: lambda event: f"{player(event.seat)} is drawn to go first.",
    events.RoundBegun: _begun,
    events.CharacterLaid: lambda event: (
        f"{player(event.seat)} lays {_card(event.character, event.colour)} below space {event.space}."
    ),
    events.CharactersRevealed: _revealed,
    events.CharacterRobbed: lambda event: (
        f"{_whose(event)} is robbed by {player(event.by_seat)}'s thieves below space {event.by_space} and does not act."
    ),
    events.CharacterFreed: lambda event: (
        f"{_whose(event)} is freed by {player(event.seat)}'s own thieves below space {event.by_space}."
    ),
    events.NoEffect: _no_effect,
    events.MansionBuilt: lambda event: (
        f"{_acts(event, 'mason')} builds a mansion in {_name(event.town)} for {_points(event.points)}."
    ),
    events.ElementBuilt: lambda event: f"{_acts(event, 'mason')} builds on plot {event.plot} of the Town Hall.",
    events.WarehouseBuilt: lambda event: (
        f"{player(event.seat)} builds a {_good(event.storage)} warehouse on storage space {event.storage}."
    ),
    events.FarmhandMoved: lambda event: (
        f"The farmhand goes from storage space {event.from_storage} to storage space {event.to_storage}."
    ),
    events.WarehouseExported: lambda event: (
        f"{_acts(event, 'exporter')} exports {_goods(event.storage)} for {_points(event.points)}."
    ),
    events.MerchantMoved: _merchant,
    events.MerchantRobbed: lambda event: (
        f"{player(event.seat)} robs {player(event.victim)}'s merchant for {_points(event.points)}."
    ),
    events.RoundEnded: lambda event: f"Round {event.round} is over. All players take back their characters.",
    events.HallScored: _hall,
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence, a template for players' names."""
    return _EVENTS[type(event)](event)
