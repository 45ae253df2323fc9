"""Sentences for moves and events. ``{0}`` stands for the player of seat 0, and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from skerry_games.kreta import events, moves
from skerry_games.kreta.events import Event
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import KretaCard, Tile
from skerry_games.sentences import counted, listed, player, winners_sentence

_KINDS: Final[Mapping[Tile, str]] = {
    Tile.WHEAT: "wheat",
    Tile.OLIVE: "olives",
    Tile.WINE: "wine",
    Tile.THYME: "thyme",
    Tile.CHEESE: "cheese",
}


def _name(province: int) -> str:
    return BOARD.provinces[province].name


def _players(seats: Iterable[int]) -> str:
    return listed(map(player, seats))


def _card(card: KretaCard) -> str:
    return card.name.lower()


def _tiles(tiles: Iterable[Tile]) -> str:
    return listed(_KINDS[tile] for tile in tiles)


def _points(number: int) -> str:
    return counted(number, "point")


def _movement_points(number: int) -> str:
    return counted(number, "movement point", none="no")


def _from_to(way: tuple[int, int]) -> str:
    origin, target = way
    return f"from {_name(origin)} to {_name(target)}"


def _play(move: moves.PlayCard) -> str:
    return f"play the {_card(move.card)}" + (f" as the {_card(move.copied)}" if move.copied else "")


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.PlayCard: _play,
    moves.PlaceShip: lambda move: f"place a ship at {_name(move.harbour)}",
    moves.Sail: lambda move: f"sail {listed(map(_from_to, move.ways))}",
    moves.Recruit: lambda move: f"place a villager in {_name(move.province)}",
    moves.March: lambda move: f"march {_from_to((move.from_province, move.to_province))}",
    moves.Halt: lambda move: "halt",
    moves.PlaceAbbot: lambda move: f"place the abbot in {_name(move.province)}",
    moves.MoveAbbot: lambda move: f"move the abbot {_from_to((move.from_province, move.to_province))}",
    moves.Harvest: lambda move: f"harvest the tile in {_name(move.province)}",
    moves.BuildFort: lambda move: f"build a fort on space {move.space}",
    moves.BuildVillage: lambda move: f"build a village in {_name(move.province)}",
    moves.KeepFort: lambda move: f"keep fort card {move.number}",
    moves.ReplaceFort: lambda move: f"replace fort card {move.number}",
    moves.DealHills: lambda move: f"deal {_tiles(move.tiles)} to the hills",
    moves.DealMountains: lambda move: f"deal {_tiles(move.tiles)} to the mountains",
    moves.TurnUpFort: lambda move: f"turn up fort card {move.number}",
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} go first",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative clause without a full stop."""
    return _MOVES[type(move)](move)


def _dealt(event: events.TilesDealt) -> str:
    return f"Tiles are dealt: {listed(f'{_KINDS[tile]} to {_name(province)}' for province, tile in event.tiles)}."


def _turned_up(event: events.FortTurnedUp) -> str:
    source = "comes from the pile as the replacement" if event.replacement else "is turned up"
    scored = listed(map(_name, BOARD.forts[event.number - 1].provinces))
    return f"Fort card {event.number} {source}. It scores {scored}."


def _played(event: events.CardPlayed) -> str:
    return f"{player(event.seat)} plays the {_card(event.card)}" + (
        f" as the {_card(event.copied)}." if event.copied else "."
    )


def _marched(event: events.VillagerMarched) -> str:
    left = _movement_points(event.points_left)
    way = _from_to((event.from_province, event.to_province))
    return f"{player(event.seat)} marches a villager {way} and has {left} left."


def _march_ended(event: events.MarchEnded) -> str:
    if event.points_left == 0:
        return f"{player(event.seat)}'s march ends."
    left = _movement_points(event.points_left)
    if event.automatic:
        return f"{player(event.seat)}'s march ends with {left} left, because no villager can march."
    return f"{player(event.seat)} halts with {left} left."


def _scored(event: events.ProvinceScored) -> str:
    province = f"{_name(event.province)} (worth {event.value})"
    if not any(event.influence):
        return f"In {province}, no player has influence, so no points are awarded."
    shares = listed(f"{player(seat)} has influence {share}" for seat, share in enumerate(event.influence) if share)
    gains = ", and ".join(_gain(event, award) for award in sorted({*event.awards} - {0}, reverse=True))
    return f"In {province}, {shares}. {gains}."


def _gain(event: events.ProvinceScored, award: int) -> str:
    """Return the clause for seats with that award: ``{0} scores 3 points`` or ``{0} and {1} score 3 points each``."""
    seats = [seat for seat, other in enumerate(event.awards) if other == award]
    if len(seats) == 1:
        return f"{player(seats[0])} scores {_points(award)}"
    return f"{_players(seats)} score {_points(award)} each"


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.TilesDealt: _dealt,
    events.FortTurnedUp: _turned_up,
    events.StartSeatSet: lambda event: f"{player(event.seat)} goes first.",
    events.CardPlayed: _played,
    events.ShipPlaced: lambda event: f"{player(event.seat)} places a ship at {_name(event.harbour)}.",
    events.ShipSailed: lambda event: (
        f"{player(event.seat)}'s ship sails {_from_to((event.from_harbour, event.to_harbour))}."
    ),
    events.VillagerRecruited: lambda event: f"{player(event.seat)} places a villager in {_name(event.province)}.",
    events.VillagerMarched: _marched,
    events.MarchEnded: _march_ended,
    events.AbbotPlaced: lambda event: f"{player(event.seat)} places their abbot in {_name(event.province)}.",
    events.AbbotMoved: lambda event: (
        f"{player(event.seat)}'s abbot moves {_from_to((event.from_province, event.to_province))}."
    ),
    events.TileHarvested: lambda event: (
        f"{player(event.seat)} harvests {_KINDS[event.tile]} in {_name(event.province)} for {_points(event.points)}."
    ),
    events.FortBuilt: lambda event: f"{player(event.seat)} builds a fort on space {event.space}.",
    events.VillageBuilt: lambda event: f"{player(event.seat)} builds a village in {_name(event.province)}.",
    events.ScoringBegun: lambda event: f"Scoring {event.scoring} of 11: fort card {event.fort} is scored.",
    events.ProvinceScored: _scored,
    events.CardsReturned: lambda event: "All players take their cards back.",
    events.FortKept: lambda event: f"{player(event.seat)} keeps fort card {event.number}.",
    events.FortReplaced: lambda event: f"{player(event.seat)} puts fort card {event.number} under the pile.",
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)
