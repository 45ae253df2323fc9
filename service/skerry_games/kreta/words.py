"""Sentences for moves and events. ``{0}`` stands for the player of seat 0, and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import starmap
from typing import Any, Final

from skerry_games.kreta import events, moves
from skerry_games.kreta.events import Event
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import KretaCard, Tile
from skerry_games.sentences import counted, joined_by, listed, phrase, player, winners_sentence

_KINDS: Final[Mapping[Tile, str]] = {
    Tile.WHEAT: "wheat",
    Tile.OLIVE: "olives",
    Tile.WINE: "wine",
    Tile.THYME: "thyme",
    Tile.CHEESE: "cheese",
}


def _name(province: int) -> str:
    return BOARD.provinces[province].name


@lru_cache(maxsize=1 << 10)
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


@lru_cache(maxsize=1 << 10)
def _from_to(origin: int, target: int) -> str:
    return phrase("kreta-from", origin=_name(origin), target=_name(target))


@lru_cache(maxsize=1 << 10)
def _in(message: str, province: int) -> str:
    """Return the move of a piece into a province."""
    return phrase(message, province=_name(province))


@lru_cache(maxsize=1 << 10)
def _way(message: str, origin: int, target: int) -> str:
    """Return the move of a piece from one province to another."""
    return phrase(message, from_to=_from_to(origin, target))


@lru_cache(maxsize=1 << 10)
def _sail(ways: tuple[tuple[int, int], ...]) -> str:
    return phrase("kreta-sail", ways=listed(starmap(_from_to, ways)))


@lru_cache(maxsize=1 << 10)
def _number(message: str, number: int) -> str:
    """Return the move about a fort card."""
    return phrase(message, number=number)


@lru_cache(maxsize=1 << 10)
def _by(message: str, seat: int, province: int) -> str:
    """Return what a seat does in a province."""
    return phrase(message, seat=player(seat), province=_name(province))


def _play(move: moves.PlayCard) -> str:
    if move.copied:
        return phrase("kreta-play-as", card=_card(move.card), copied=_card(move.copied))
    return phrase("kreta-play", card=_card(move.card))


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.PlayCard: _play,
    moves.PlaceShip: lambda move: phrase("kreta-place-ship-at", harbour=_name(move.harbour)),
    moves.Sail: lambda move: _sail(move.ways),
    moves.Recruit: lambda move: _in("kreta-place-villager", move.province),
    moves.March: lambda move: _way("kreta-march", move.from_province, move.to_province),
    moves.Halt: lambda move: "halt",
    moves.PlaceAbbot: lambda move: _in("kreta-place-abbot", move.province),
    moves.MoveAbbot: lambda move: _way("kreta-move-abbot", move.from_province, move.to_province),
    moves.Harvest: lambda move: _in("kreta-harvest-tile", move.province),
    moves.BuildFort: lambda move: phrase("kreta-build-fort-space", space=move.space),
    moves.BuildVillage: lambda move: _in("kreta-build-village", move.province),
    moves.KeepFort: lambda move: _number("kreta-keep-fort-card", move.number),
    moves.ReplaceFort: lambda move: _number("kreta-replace-fort-card", move.number),
    moves.DealHills: lambda move: phrase("kreta-deal-hills", tiles=_tiles(move.tiles)),
    moves.DealMountains: lambda move: phrase("kreta-deal-mountains", tiles=_tiles(move.tiles)),
    moves.TurnUpFort: lambda move: _number("kreta-turn-up-fort-card", move.number),
    moves.DrawStartSeat: lambda move: phrase("kreta-let-go-first", seat=player(move.seat)),
}


def say_move(move: Move) -> str:
    """Return the move as an imperative clause without a full stop."""
    return _MOVES[type(move)](move)


def _dealt(event: events.TilesDealt) -> str:
    tiles = (phrase("kreta-tile-to", tile=_KINDS[tile], province=_name(province)) for province, tile in event.tiles)
    return phrase("kreta-tiles-dealt", tiles=listed(tiles))


def _turned_up(event: events.FortTurnedUp) -> str:
    return _fort("kreta-fort-card-replaces" if event.replacement else "kreta-fort-card-turned-up", event.number)


@lru_cache(maxsize=1 << 10)
def _fort(message: str, number: int) -> str:
    return phrase(message, number=number, scored=listed(map(_name, BOARD.forts[number - 1].provinces)))


def _played(event: events.CardPlayed) -> str:
    who, card = player(event.seat), _card(event.card)
    if event.copied:
        return phrase("kreta-plays-as", seat=who, card=card, copied=_card(event.copied))
    return phrase("kreta-plays", seat=who, card=card)


def _marched(event: events.VillagerMarched) -> str:
    left = _movement_points(event.points_left)
    way = _from_to(event.from_province, event.to_province)
    return phrase("kreta-marches-villager-has-left", seat=player(event.seat), way=way, left=left)


def _march_ended(event: events.MarchEnded) -> str:
    if event.points_left == 0:
        return phrase("kreta-s-march-ends", seat=player(event.seat))
    left = _movement_points(event.points_left)
    if event.automatic:
        return phrase("kreta-s-march-ends-with", seat=player(event.seat), left=left)
    return phrase("kreta-halts-with-left", seat=player(event.seat), left=left)


@lru_cache(maxsize=1 << 10)
def _worth(province: int, value: int) -> str:
    return phrase("kreta-worth", province=_name(province), value=value)


def _scored(event: events.ProvinceScored) -> str:
    province = _worth(event.province, event.value)
    if not any(event.influence):
        return phrase("kreta-no-player-has-influence", province=province)
    return phrase("kreta-in", province=province, shares=_shares(event.influence), gains=_gains(event.awards))


@lru_cache(maxsize=1 << 10)
def _shares(influence: tuple[int, ...]) -> str:
    return listed([_share(seat, share) for seat, share in enumerate(influence) if share])


@lru_cache(maxsize=1 << 10)
def _share(seat: int, share: int) -> str:
    return phrase("kreta-has-influence", seat=player(seat), share=share)


@lru_cache(maxsize=1 << 10)
def _gains(awards: tuple[int, ...]) -> str:
    return joined_by(", and ", [_gain(awards, award) for award in sorted({*awards} - {0}, reverse=True)])


def _gain(awards: tuple[int, ...], award: int) -> str:
    """Return the clause for seats with that award: ``{0} scores 3 points`` or ``{0} and {1} score 3 points each``."""
    seats = tuple([seat for seat, other in enumerate(awards) if other == award])
    if len(seats) == 1:
        return phrase("kreta-scores", seats=player(seats[0]), points=_points(award))
    return phrase("kreta-score-each", seats=_players(seats), points=_points(award))


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.TilesDealt: _dealt,
    events.FortTurnedUp: _turned_up,
    events.StartSeatSet: lambda event: phrase("kreta-goes-first", seat=player(event.seat)),
    events.CardPlayed: _played,
    events.ShipPlaced: lambda event: phrase(
        "kreta-places-ship-at", seat=player(event.seat), harbour=_name(event.harbour)
    ),
    events.ShipSailed: lambda event: phrase(
        "kreta-s-ship-sails", seat=player(event.seat), from_to=_from_to(event.from_harbour, event.to_harbour)
    ),
    events.VillagerRecruited: lambda event: _by("kreta-places-villager", event.seat, event.province),
    events.VillagerMarched: _marched,
    events.MarchEnded: _march_ended,
    events.AbbotPlaced: lambda event: _by("kreta-places-their-abbot", event.seat, event.province),
    events.AbbotMoved: lambda event: phrase(
        "kreta-s-abbot-moves", seat=player(event.seat), from_to=_from_to(event.from_province, event.to_province)
    ),
    events.TileHarvested: lambda event: phrase(
        "kreta-harvests",
        seat=player(event.seat),
        tile=_KINDS[event.tile],
        province=_name(event.province),
        points=_points(event.points),
    ),
    events.FortBuilt: lambda event: phrase("kreta-builds-fort-space", seat=player(event.seat), space=event.space),
    events.VillageBuilt: lambda event: _by("kreta-builds-village", event.seat, event.province),
    events.ScoringBegun: lambda event: phrase("kreta-scoring-fort-card-scored", scoring=event.scoring, fort=event.fort),
    events.ProvinceScored: _scored,
    events.CardsReturned: lambda event: "All players take their cards back.",
    events.FortKept: lambda event: phrase("kreta-keeps-fort-card", seat=player(event.seat), number=event.number),
    events.FortReplaced: lambda event: phrase(
        "kreta-puts-fort-card-under", seat=player(event.seat), number=event.number
    ),
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)
