"""Moves and events in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from skerry_service.games.sentences import player
from skerry_service.games.small_islands import events as told
from skerry_service.games.small_islands import moves
from skerry_service.games.small_islands.cells import Cell, column, row
from skerry_service.games.small_islands.components import COMPONENTS, Bonus, Symbol
from skerry_service.games.small_islands.events import Event, Part, PartKind, Source
from skerry_service.games.small_islands.moves import Move
from skerry_service.games.small_islands.state import End

_TURNED: Final = ("", ", turned once", ", turned twice", ", turned three times")
_FROM: Final = {Source.START: "", Source.DISPLAY: " from the display", Source.HAND: " from the hand"}
_PARTS: Final = {PartKind.SCARCEST: "of the scarcest resource", PartKind.SIZE: "tiles", PartKind.FIXED: "fixed"}
_PLURALS: Final = {"leaf": "leaves"}
_ENDS: Final = {
    End.RESERVE: "the reserve is too small for another round",
    End.STUCK: "nothing could be taken or placed any more",
    End.SHIPS: "all ships are placed",
}


def _tile(face: int) -> str:
    return f"tile {COMPONENTS.faces[face].id}"


def _tiles(faces: Collection[int]) -> str:
    if not faces:
        return "no tile"
    return f"{'tile' if len(faces) == 1 else 'tiles'} {listed(COMPONENTS.faces[face].id for face in faces)}"


def _at(cell: Cell) -> str:
    """Return column and row, from 0 at the top left."""
    return f"({column(cell)}, {row(cell)})"


def _cards(cards: Iterable[int]) -> str:
    return listed(COMPONENTS.cards[card].id for card in cards)


def listed(words: Iterable[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number} {_PLURALS.get(thing, f'{thing}s')}"


def _points(number: int) -> str:
    return _counted(number, "point")


def _token(token: Bonus, shows: Symbol) -> str:
    return f"the {token.name.lower()} token as {'a port' if shows is Symbol.PORT else f'a {shows.name.lower()}'}"


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} begin",
    moves.DrawTile: lambda move: f"draw {_tile(move.tile)}",
    moves.DrawCard: lambda move: f"draw card {COMPONENTS.cards[move.card].id}",
    moves.DrawDiscovery: lambda move: f"draw the discovery tokens {listed(map(str, move.values))}",
    moves.LayStart: lambda move: f"lay {_tile(move.face)} at {_at(move.cell)}{_TURNED[move.turns]}",
    moves.ChooseObjective: lambda move: f"choose {_cards(move.chosen)} and put {_cards(move.aside)} aside",
    moves.TakeTile: lambda move: f"take {_tile(move.tile)}",
    moves.LandShip: lambda move: f"land with {'a grey' if move.grey else 'your own'} ship at {_at(move.cell)}",
    moves.PickTile: lambda move: f"pick {_tile(move.tile)}",
    moves.LayTile: lambda move: f"lay the tile at {_at(move.cell)}{_TURNED[move.turns]}",
    moves.TakeToken: lambda move: f"use {_token(move.token, move.shows)}",
    moves.NoToken: lambda move: "use no bonus token",
    moves.PlaceToken: lambda move: (
        f"put the token at {_at(move.cell)}" + (f" on a {move.covers.name.lower()}" if move.covers else "")
    ),
    moves.PlaceHouse: lambda move: f"place a house at {_at(move.cell)}",
    moves.StopBuilding: lambda move: "place no more houses",
    moves.PickResource: lambda move: f"be paid for each {move.resource.name.lower()}",
    moves.KeepDiscovery: lambda move: f"keep the discovery token of {_points(move.value)}",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop."""
    return _MOVES[type(move)](move)


def _chosen(event: told.ObjectiveChosen) -> str:
    if not event.chosen:
        return f"{player(event.seat)} has chosen an objective."
    returned = _cards(event.returned)
    return f"{player(event.seat)} chooses {_cards(event.chosen)}, puts {_cards(event.aside)} aside, returns {returned}."


def _placed(event: told.TokenPlaced) -> str:
    words = f"{player(event.seat)} puts {_token(event.token, event.shows)} at {_at(event.cell)}"
    if event.covered is None:
        return f"{words}."
    return f"{words} on a {event.covered.name.lower()}{' token' if event.on_token else ''}."


def _part(part: Part) -> str:
    kind = _PARTS.get(part.kind)
    if part.kind is PartKind.FIXED:
        return f"{part.points} fixed"
    return f"{part.points} for {f'{part.count} {kind}' if kind else _counted(part.count, part.kind.name.lower())}"


def _paid(event: told.HousePaid) -> str:
    sums = f": {listed(map(_part, event.parts))}" if event.parts else ""
    return f"{player(event.seat)} gets {_points(event.points)} for the house at {_at(event.cell)}{sums}."


def _drew(event: told.DiscoveryDrawn) -> str:
    tokens = _counted(event.count, "discovery token") if event.count else "no discovery token"
    drew = f"{player(event.seat)} draws {tokens}"
    return f"{drew}: {listed(map(str, event.values))}." if event.values else f"{drew}."


def _ended_building(event: told.BuildingEnded) -> str:
    words = f"{player(event.seat)} {'can place no house' if event.automatic else 'stops placing houses'}"
    return f"{words} and takes {_counted(event.houses, 'house')} from its reserve." if event.houses else f"{words}."


def _secrets(event: told.SecretsShown) -> str:
    hand = f"{_tiles(event.hand)} in hand"
    cards = ((event.aside, "put aside"), (event.returned, "returned"))
    shown = listed([hand, *(f"{_cards(those)} {what}" for those, what in cards if those)])
    return f"{player(event.seat)} shows what was secret: {shown}."


def _bonus(event: told.BonusScored) -> str:
    tokens = f"discovery tokens of {listed(map(str, event.discoveries))}" if event.discoveries else "no discovery token"
    ports = _counted(event.ports, "port")
    return f"{player(event.seat)} has {tokens} and {ports} around its ship: {_points(event.points)}."


def _game_ended(event: told.GameEnded) -> str:
    winners = [seat for seat, rank in enumerate(event.ranks) if rank == 1]
    names = f"{listed(map(player, winners))} {'wins' if len(winners) == 1 else 'win'}"
    return f"The game is over, {_ENDS[event.end]}: {names} with {_points(event.scores[winners[0]])}."


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    told.StartSeatSet: lambda event: f"{player(event.seat)} begins.",
    told.TileDealt: lambda event: (
        f"{player(event.seat)} draws {'a tile' if event.tile is None else _tile(event.tile)}."
    ),
    told.TileTurnedUp: lambda event: (
        f"The {'navigation stack' if event.from_stack else 'reserve'} gives {_tile(event.tile)} to the display."
    ),
    told.CardDealt: lambda event: (
        f"{player(event.seat)} draws {'a card' if event.card is None else f'card {COMPONENTS.cards[event.card].id}'}."
    ),
    told.TileLaid: lambda event: (
        f"{player(event.seat)} lays {_tile(event.face)}{_FROM[event.source]}"
        f" at {_at(event.cell)}{_TURNED[event.turns]}."
    ),
    told.IslandsJoined: lambda event: (
        f"The islands of {listed(map(_at, event.islands))} become one island of {_counted(event.tiles, 'tile')}."
    ),
    told.RoundBegun: lambda event: (
        f"Round {event.round} begins, with {player(event.first)} as the first player;"
        f" {_counted(event.reserve, 'tile')} left in the reserve."
    ),
    told.ObjectiveChosen: _chosen,
    told.ExplorationBegun: lambda event: f"All have chosen: {player(event.first)} begins to explore.",
    told.TileTaken: lambda event: f"{player(event.seat)} takes {_tile(event.tile)}.",
    told.HandShown: lambda event: (
        f"{player(event.seat)} shows {listed(map(_tile, event.tiles))}: none fits."
        f" The game goes on without {_tile(event.gone)}."
    ),
    told.TilePicked: lambda event: f"{player(event.seat)} picks {_tile(event.tile)} to lay.",
    told.TokenTaken: lambda event: f"{player(event.seat)} uses {_token(event.token, event.shows)}.",
    told.TokenForgone: lambda event: f"{player(event.seat)} uses no bonus token.",
    told.TokenPlaced: _placed,
    told.ShipPlaced: lambda event: (
        f"{player(event.seat)} lands with {'a grey' if event.grey else 'its own'} ship at {_at(event.cell)}."
    ),
    told.LastRewardBegun: lambda event: (
        f"{player(event.seat)} can neither explore nor land: the last reward phase begins."
    ),
    told.ObjectiveRevealed: lambda event: f"{player(event.seat)} reveals {_cards(event.cards)}.",
    told.HousePlaced: lambda event: (
        f"{player(event.seat)} places a house at {_at(event.cell)},"
        f" on the island of {_at(event.island)} with {_counted(event.tiles, 'tile')}."
    ),
    told.HousePaid: _paid,
    told.DiscoveryDrawn: _drew,
    told.DiscoveryKept: lambda event: (
        f"{player(event.seat)} keeps a discovery token{f' of {_points(event.value)}' if event.value else ''}."
    ),
    told.BuildingEnded: _ended_building,
    told.CardsShuffled: lambda event: "Used and returned cards are shuffled back.",
    told.SecretsShown: _secrets,
    told.BonusScored: _bonus,
    told.GameEnded: _game_ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)


def points(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    if isinstance(event, told.HousePaid | told.BonusScored):
        return {event.seat: event.points}
    return {}
