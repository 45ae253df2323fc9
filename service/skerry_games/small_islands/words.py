"""Sentences for moves and events, in which ``{0}`` stands for the player of seat 0 and so on; cards and tiles in words.

The words name what a player sees: neither ids nor coordinates. The text of a position has both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from skerry_games.sentences import listed, player
from skerry_games.small_islands import events, moves
from skerry_games.small_islands.events import Event, Part, PartKind, TileSource
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.printed.components import (
    COMPONENTS,
    Bonus,
    Mission,
    MissionKind,
    ObjectiveCard,
    Reward,
    RewardKind,
    Symbol,
)
from skerry_games.small_islands.state import End
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, Cell, column, row

_HALF: Final = DEFAULT_SIZE // 2
_TURNED: Final = ("", ", turned once", ", turned twice", ", turned three times")
_FROM: Final = {TileSource.START: "", TileSource.DISPLAY: " from the display", TileSource.HAND: " from their hand"}
_PARTS: Final = {PartKind.SCARCEST: ("symbol", " of the scarcest resource"), PartKind.SIZE: ("tile", "")}
"""The noun that is counted, and a suffix, for kinds whose name does not give them."""
_PLURALS: Final = {"leaf": "leaves"}
_KINDS: Final = {"SSSS": "sea", "LSSS": "cape", "LLSS": "coast", "LSLS": "isthmus", "LLLS": "bay", "LLLL": "inland"}
"""The kinds of tiles, by their shapes: land at no corner, one, two, two opposite ones, three, and all."""
_ENDS: Final = {
    End.RESERVE: "too few tiles are left for another round",
    End.STUCK: "a player could neither explore nor land",
    End.SHIPS: "all ships have been placed",
}


def tile_words(shape: str, symbols: Iterable[Symbol], ports: int) -> str:
    """Return a kind of tile and what is printed on it: ``coast tile (2 flowers, house, port)``.

    ``shape`` has a letter for each corner, as in ``Shape.name``.
    """
    printed = [_several(count, symbol) for symbol, count in Counter([*symbols, *[Symbol.PORT] * ports]).items()]
    return f"{_KINDS[shape]} tile" + (f" ({', '.join(printed)})" if printed else "")


def _several(count: int, symbol: Symbol) -> str:
    return symbol_name(symbol) if count == 1 else counted_symbol(count, symbol)


def _tile_names() -> Iterator[tuple[str, str]]:
    """Yield the name of each face with an article, and a name that no other face has."""
    seen = Counter[str]()
    for number, face in enumerate(COMPONENTS.faces):
        name = tile_words(face.shape.name, face.symbols, face.ports)
        if number >= COMPONENTS.landscape:
            name = f"starting {name}"
        seen[name] += 1
        copy = f"copy {seen[name]} of " if seen[name] > 1 else ""
        yield f"{'an' if name.startswith('i') else 'a'} {name}", f"{copy}the {name}"


def _tile(face: int | None) -> str:
    return "a tile" if face is None else _TILES[face][0]


def _exact_tile(face: int | None) -> str:
    """Return a name that differs from those of all other tiles. Moves need it, events do not."""
    return "a tile" if face is None else _TILES[face][1]


def _tiles(faces: Collection[int]) -> str:
    return listed(map(_tile, faces)) if faces else "no tiles"


def place_words(cell: Cell) -> str:
    """Return where a cell lies, seen from the point in the middle of a table of 16 columns, with north at the top.

    Moves and events do not know the size of their table. So the words count from this point on all tables: a cell has
    one name. The text of a position says between which cells the point lies.
    """
    x, y = column(cell), row(cell)
    north_south = f"{_HALF - y} north" if y < _HALF else f"{y - _HALF + 1} south"
    east_west = f"{_HALF - x} west" if x < _HALF else f"{x - _HALF + 1} east"
    return f"{north_south} and {east_west} of the middle"


def _card(card: int | None) -> str:
    return "a card" if card is None else f'"{_objective(COMPONENTS.cards[card])}"'


def _objective(card: ObjectiveCard) -> str:
    """Return what is printed on a card: ``more flowers than leaves: 1 point per flower, plus 2``."""
    parts = (card.mission and _condition(card.mission), card.reward and _payment(card.reward))
    return ": ".join([part for part in parts if part])


def _capitalized(words: str) -> str:
    return words[0].upper() + words[1:]


def _cards(cards: Iterable[int]) -> str:
    return listed(map(_card, cards))


def _plural(thing: str) -> str:
    return _PLURALS.get(thing, f"{thing}s")


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number or 'no'} {_plural(thing)}"


def _points(number: int) -> str:
    return _counted(number, "point")


def _worth(values: Collection[int]) -> str:
    return f" worth {listed(map(str, values))}" if values else ""


def _one_discovery(value: int | None) -> str:
    return "a discovery token" if value is None else f"a discovery token worth {_points(value)}"


def _token(token: Bonus, shows: Symbol) -> str:
    name = f"the {'wild' if token is Bonus.ANY else token.name.lower()} token"
    return name if token.name == shows.name else f"{name} as a {shows.name.lower()}"


def _choice(move: moves.ChooseObjective) -> str:
    if not move.chosen:
        return "choose an objective"
    comma = "," if len(move.chosen) > 1 else ""
    return f"choose {_cards(move.chosen)}{comma} and put {_cards(move.aside)} aside"


def _discovery_draw(move: moves.DrawDiscovery) -> str:
    tokens = "a discovery token" if len(move.values) == 1 else "discovery tokens"
    return f"let {player(move.seat)} draw {tokens}{_worth(move.values)}"


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} go first",
    moves.DealTile: lambda move: f"deal {_exact_tile(move.tile)} to {player(move.seat)}",
    moves.TurnUpTile: lambda move: f"turn up {_exact_tile(move.tile)}",
    moves.DealCard: lambda move: f"deal {_card(move.card)} to {player(move.seat)}",
    moves.DrawDiscovery: _discovery_draw,
    moves.LayStart: lambda move: f"lay {_exact_tile(move.tile)} {place_words(move.at)}{_TURNED[move.turns]}",
    moves.ChooseObjective: _choice,
    moves.TakeTile: lambda move: f"take {_exact_tile(move.tile)} from the display",
    moves.LandShip: lambda move: f"land with {'a grey' if move.grey else 'your own'} ship {place_words(move.at)}",
    moves.PickTile: lambda move: f"pick {_exact_tile(move.tile)} from your hand",
    moves.LayTile: lambda move: f"lay the tile {place_words(move.at)}{_TURNED[move.turns]}",
    moves.TakeToken: lambda move: f"use {_token(move.token, move.shows)}",
    moves.NoToken: lambda move: "use no bonus token",
    moves.PlaceToken: lambda move: (
        f"place {_token(move.token, move.shows)}{f' on a {move.covers.name.lower()}' if move.covers else ''}"
        f" {place_words(move.at)}"
    ),
    moves.PlaceHouse: lambda move: f"place a house {place_words(move.at)}",
    moves.StopBuilding: lambda move: "stop placing houses",
    moves.PickResource: lambda move: f"score the {_plural(move.resource.name.lower())} of the island",
    moves.KeepDiscovery: lambda move: f"keep {_one_discovery(move.value)}",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative clause without a full stop. It leaves hidden details out."""
    return _MOVES[type(move)](move)


def _chosen(event: events.ObjectiveChosen) -> str:
    if not event.chosen:
        return f"{player(event.seat)} has chosen an objective."
    chosen, aside, returned = map(_cards, (event.chosen, event.aside, event.returned))
    return f"{player(event.seat)} chooses {chosen}, puts {aside} aside and returns {returned}."


def _placed(event: events.TokenPlaced) -> str:
    words = f"{player(event.seat)} places {_token(event.token, event.shows)}"
    if event.covered is not None:
        words += f" on a {event.covered.name.lower()}{' token' if event.on_token else ''}"
    return f"{words} {place_words(event.at)}."


def _part(part: Part) -> str:
    thing, of_what = _PARTS.get(part.kind, (part.kind.name.lower(), ""))
    if not part.count:
        return f"nothing for {_plural(thing)}{of_what}"
    return f"{part.points} for {_counted(part.count, thing)}{of_what}"


def _paid(event: events.HousePaid) -> str:
    counted = [_part(part) for part in event.parts if part.kind is not PartKind.FIXED]
    fixed = "".join(f", plus {part.points}" for part in event.parts if part.kind is PartKind.FIXED)
    sums = f": {listed(counted)}{fixed}" if counted else ""
    return f"{player(event.seat)} scores {_points(event.points)} for the house{sums}."


def _drew(event: events.DiscoveryDrawn) -> str:
    tokens = "a discovery token" if event.count == 1 else _counted(event.count, "discovery token")
    return f"{player(event.seat)} draws {tokens}{_worth(event.values)}."


def _ended_building(event: events.BuildingEnded) -> str:
    words = f"{player(event.seat)} {'can place no more houses' if event.automatic else 'stops placing houses'}"
    return f"{words} and takes {_counted(event.houses, 'house')} from their reserve." if event.houses else f"{words}."


def _secrets(event: events.SecretsShown) -> str:
    cards = ((event.aside, "put aside"), (event.returned, "returned"))
    shown = [f"{_tiles(event.hand)} in hand", *(f"{_cards(those)} {what}" for those, what in cards if those)]
    return f"{player(event.seat)} reveals all secrets: {'; '.join(shown)}."


def _bonus(event: events.BonusScored) -> str:
    ports = f"{_counted(event.ports, 'port')}{' around their ship' if event.ports else ''}"
    kept = len(event.discoveries)
    tokens = "a discovery token" if kept == 1 else f"{'' if kept else 'no '}discovery tokens"
    score = f"{player(event.seat)} scores {_points(event.points)} at the end"
    return f"{score}, with {ports} and {tokens}{_worth(event.discoveries)}."


def _game_ended(event: events.GameEnded) -> str:
    winners = [seat for seat, rank in enumerate(event.ranks) if rank == 1]
    names = f"{listed(map(player, winners))} {'is' if len(winners) == 1 else 'are'} ahead"
    return f"The game is over because {_ENDS[event.end]}: {names} with {_points(event.scores[winners[0]])}."


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatSet: lambda event: f"{player(event.seat)} goes first.",
    events.TileDealt: lambda event: f"{player(event.seat)} draws {_tile(event.tile)}.",
    events.TileTurnedUp: lambda event: (
        f"{_capitalized(_tile(event.tile))} is turned up from the"
        f" {'navigation stack' if event.from_stack else 'reserve'}."
    ),
    events.CardDealt: lambda event: f"{player(event.seat)} draws {_card(event.card)}.",
    events.TileLaid: lambda event: (
        f"{player(event.seat)} lays {_tile(event.tile)}{_FROM[event.source]} {place_words(event.at)}"
        f"{_TURNED[event.turns]}."
    ),
    events.IslandsJoined: lambda event: (
        f"The tile joins {len(event.islands)} islands into one of {_counted(event.tiles, 'tile')}."
    ),
    events.RoundBegun: lambda event: (
        f"Round {event.round} begins: {player(event.first_seat)} will go first,"
        f" and the reserve has {_counted(event.reserve, 'tile')} left."
    ),
    events.ObjectiveChosen: _chosen,
    events.ExplorationBegun: lambda event: (
        f"All players have chosen an objective, and {player(event.first_seat)} goes first."
    ),
    events.TileTaken: lambda event: f"{player(event.seat)} takes {_tile(event.tile)} from the display.",
    events.HandShown: lambda event: (
        f"{player(event.seat)} shows {_tiles(event.hand)}, none of which fits, and the tile just taken leaves the game."
    ),
    events.TilePicked: lambda event: f"{player(event.seat)} picks {_tile(event.tile)} from their hand.",
    events.TokenTaken: lambda event: f"{player(event.seat)} uses {_token(event.token, event.shows)}.",
    events.TokenForgone: lambda event: f"{player(event.seat)} uses no bonus token.",
    events.TokenPlaced: _placed,
    events.ShipLanded: lambda event: (
        f"{player(event.seat)} lands with {'a grey' if event.grey else 'their own'} ship {place_words(event.at)}."
    ),
    events.LastRewardBegun: lambda event: (
        f"{player(event.seat)} can neither explore nor land, so the last reward phase begins."
    ),
    events.ObjectiveRevealed: lambda event: f"{player(event.seat)} reveals {_cards(event.cards)}.",
    events.HousePlaced: lambda event: (
        f"{player(event.seat)} places a house {place_words(event.at)}, on an island of {_counted(event.tiles, 'tile')}."
    ),
    events.HousePaid: _paid,
    events.DiscoveryDrawn: _drew,
    events.DiscoveryKept: lambda event: f"{player(event.seat)} keeps {_one_discovery(event.value)}.",
    events.BuildingEnded: _ended_building,
    events.CardsShuffled: lambda event: "The used and returned cards are shuffled back into their piles.",
    events.SecretsShown: _secrets,
    events.BonusScored: _bonus,
    events.GameEnded: _game_ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)


# ---------------------------------------------------------------- cards


def mission_words(mission: Mission) -> str:
    """Return the condition of a mission (SMALL-MISSION-1 to SMALL-MISSION-4): ``islands with ...``."""
    return f"islands with {_condition(mission)}"


def _condition(mission: Mission) -> str:
    return _MISSIONS[mission.kind](mission.symbols)


def reward_words(reward: Reward) -> str:
    """Return the reward for each house (SMALL-PAY-1)."""
    return f"{_payment(reward)} for each house"


def _payment(reward: Reward) -> str:
    words = _REWARDS[reward.kind](reward)
    return f"{words}, plus {reward.plus}" if reward.plus and reward.kind is not RewardKind.FLAT else words


def symbol_name(symbol: Symbol, count: int = 1) -> str:
    """Return the name of that many symbols, such as ``leaves``."""
    name = symbol.name.lower()
    return name if count == 1 else _plural(name)


def counted_symbol(count: int, symbol: Symbol) -> str:
    """Return ``1 leaf`` or ``2 leaves``."""
    return f"{count} {symbol_name(symbol, count)}"


_MISSIONS: Final[Mapping[MissionKind, Callable[[tuple[Symbol, ...]], str]]] = {
    MissionKind.MORE: lambda symbols: f"more {symbol_name(symbols[0], 2)} than {symbol_name(symbols[1], 2)}",
    MissionKind.HAS: lambda symbols: (
        f"at least {' and '.join(counted_symbol(count, symbol) for symbol, count in Counter(symbols).items())}"
    ),
    MissionKind.TWO_EQUAL: lambda _: "equal numbers of two resources",
    MissionKind.EQUALS_ANOTHER: lambda symbols: f"as many {symbol_name(symbols[0], 2)} as another resource",
}
_REWARDS: Final[Mapping[RewardKind, Callable[[Reward], str]]] = {
    RewardKind.EACH: lambda reward: f"1 point per {' and per '.join(map(symbol_name, reward.symbols))}",
    RewardKind.LOWEST: lambda _: "2 points per symbol of the scarcest resource",
    RewardKind.FLAT: lambda reward: f"{reward.plus} points",
    RewardKind.SIZE: lambda _: "points by the size of the island",
    RewardKind.PICK: lambda _: "1 point per symbol of a resource that you pick",
    RewardKind.DISCOVERY: lambda _: "a discovery token (draw one per temple, keep one)",
}
_TILES: Final = tuple(_tile_names())
