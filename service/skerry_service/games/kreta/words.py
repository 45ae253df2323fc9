"""Moves and events in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from skerry_service.games.kreta import events as told
from skerry_service.games.kreta import moves
from skerry_service.games.kreta.board import BOARD
from skerry_service.games.kreta.events import Event
from skerry_service.games.kreta.moves import Move
from skerry_service.games.kreta.state import Card, Tile
from skerry_service.games.sentences import player


def _name(province: int) -> str:
    return BOARD.provinces[province].name


def _listed(words: Iterable[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _card(card: Card) -> str:
    return card.name.lower()


def _tiles(tiles: Iterable[Tile]) -> str:
    return ", ".join(tile.name.lower() for tile in tiles)


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _movement_points(number: int) -> str:
    return "1 movement point" if number == 1 else f"{number} movement points"


def _play(move: moves.PlayCard) -> str:
    return f"play the {_card(move.card)}" + (f" as the {_card(move.copied)}" if move.copied else "")


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.PlayCard: _play,
    moves.PlaceShip: lambda move: f"place a ship at {_name(move.harbour)}",
    moves.Sail: lambda move: f"sail to {_listed(map(_name, move.harbours))}",
    moves.Recruit: lambda move: f"add a villager in {_name(move.province)}",
    moves.March: lambda move: f"march from {_name(move.origin)} to {_name(move.target)}",
    moves.Halt: lambda move: "halt",
    moves.MoveAbbot: lambda move: f"put the abbot into {_name(move.province)}",
    moves.Harvest: lambda move: f"harvest {_name(move.province)}",
    moves.BuildFort: lambda move: f"build a fort on space {move.space}",
    moves.BuildVillage: lambda move: f"build a village in {_name(move.province)}",
    moves.KeepFort: lambda move: "keep the fort card",
    moves.ReplaceFort: lambda move: "replace the fort card",
    moves.DealHills: lambda move: f"deal {_tiles(move.tiles)} to the hills",
    moves.DealMountains: lambda move: f"deal {_tiles(move.tiles)} to the mountains",
    moves.TurnUpFort: lambda move: f"turn up fort card {move.number}",
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} begin",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop."""
    return _MOVES[type(move)](move)


def _dealt(event: told.TilesDealt) -> str:
    return f"Tiles are dealt: {_listed(f'{tile.name.lower()} to {_name(province)}' for province, tile in event.tiles)}."


def _turned_up(event: told.FortTurnedUp) -> str:
    origin = "The pile's top card takes its place: fort" if event.replacement else "Fort"
    touched = _listed(map(_name, BOARD.forts[event.number - 1].provinces))
    return f"{origin} card {event.number} is turned up, for {touched}."


def _played(event: told.CardPlayed) -> str:
    return f"{player(event.seat)} plays the {_card(event.card)}" + (
        f" as the {_card(event.copied)}." if event.copied else "."
    )


def _march_ended(event: told.MarchEnded) -> str:
    if event.points_left == 0:
        return f"{player(event.seat)} has used all movement points."
    left = _movement_points(event.points_left)
    if event.automatic:
        return f"{player(event.seat)} has {left} left, but no villager can march."
    return f"{player(event.seat)} halts with {left} left."


def _scored(event: told.ProvinceScored) -> str:
    province = f"{_name(event.province)}, worth {event.value}"
    if not any(event.influence):
        return f"{province}, scores for nobody: no seat has influence there."
    shares = _listed(f"{share} of {player(seat)}" for seat, share in enumerate(event.influence) if share)
    gains = _listed(f"{_points(award)} for {player(seat)}" for seat, award in enumerate(event.awards) if award)
    return f"{province}, has influence {shares}: {gains}."


def _ended(event: told.GameEnded) -> str:
    best = _points(max(event.scores))
    if len(event.winners) == 1:
        return f"The game is over: {player(event.winners[0])} wins with {best}."
    return f"The game is over: {_listed(f'{player(seat)}' for seat in event.winners)} share the win with {best}."


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    told.TilesDealt: _dealt,
    told.FortTurnedUp: _turned_up,
    told.StartSeatSet: lambda event: f"{player(event.seat)} begins.",
    told.CardPlayed: _played,
    told.ShipPlaced: lambda event: f"{player(event.seat)} places a ship at {_name(event.harbour)}.",
    told.ShipSailed: lambda event: (
        f"A ship of {player(event.seat)} sails from {_name(event.origin)} to {_name(event.target)}."
    ),
    told.VillagerRecruited: lambda event: f"{player(event.seat)} adds a villager in {_name(event.province)}.",
    told.VillagerMarched: lambda event: (
        f"A villager of {player(event.seat)} marches from {_name(event.origin)} to {_name(event.target)};"
        f" {_movement_points(event.points_left)} left."
    ),
    told.MarchEnded: _march_ended,
    told.AbbotPlaced: lambda event: f"The abbot of {player(event.seat)} comes to {_name(event.province)}.",
    told.AbbotMoved: lambda event: (
        f"The abbot of {player(event.seat)} walks from {_name(event.origin)} to {_name(event.target)}."
    ),
    told.TileHarvested: lambda event: (
        f"{player(event.seat)} harvests {event.tile.name.lower()} in {_name(event.province)}"
        f" for {_points(event.points)}."
    ),
    told.FortBuilt: lambda event: f"{player(event.seat)} builds a fort on space {event.space}.",
    told.VillageBuilt: lambda event: f"{player(event.seat)} builds a village in {_name(event.province)}.",
    told.ScoringBegun: lambda event: f"Scoring {event.scoring} of 11: fort card {event.fort} is scored.",
    told.ProvinceScored: _scored,
    told.CardsReturned: lambda event: "All seats take their cards back.",
    told.FortKept: lambda event: f"{player(event.seat)} keeps fort card {event.number}.",
    told.FortReplaced: lambda event: f"{player(event.seat)} puts fort card {event.number} under the pile.",
    told.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)


def points(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    if isinstance(event, told.TileHarvested):
        return {event.seat: event.points}
    if isinstance(event, told.ProvinceScored):
        return {seat: award for seat, award in enumerate(event.awards) if award}
    return {}
