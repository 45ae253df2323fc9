"""Sentences for moves and events, in which ``{0}`` stands for the player of seat 0 and so on; cards and tiles in words.

The words name what a player sees: neither ids nor coordinates. The text of a position has both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from skerry_games.sentences import capitalized, counted, joined_by, listed, phrase, player, plural
from skerry_games.small_islands import events, moves
from skerry_games.small_islands.events import Event, Part, PartKind
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus, Symbol
from skerry_games.small_islands.printed.objective_words import card_words, counted_symbol, symbol_name
from skerry_games.small_islands.state import End
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, Cell, column, row

_HALF: Final = DEFAULT_SIZE // 2
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
    tile = f"{_KINDS[shape]} tile"
    return phrase("small_islands-tile-printed", tile=tile, printed=joined_by(", ", printed)) if printed else tile


def _several(count: int, symbol: Symbol) -> str:
    return symbol_name(symbol) if count == 1 else counted_symbol(count, symbol)


def _tile_names() -> Iterator[tuple[str, str]]:
    """Yield the name of each face with an article, and a name that no other face has."""
    seen = Counter[str]()
    for number, face in enumerate(COMPONENTS.faces):
        name = tile_words(face.shape.name, face.symbols, face.ports)
        if number >= COMPONENTS.landscape:
            name = phrase("small_islands-starting", name=name)
        seen[name] += 1
        copy, a = seen[name], "an" if name.startswith("i") else "a"
        exact = (
            phrase("small_islands-copy", name=name, copy=copy) if copy > 1 else phrase("small_islands-the", name=name)
        )
        yield phrase("small_islands-a-tile", a=a, name=name), exact


def _tile(face: int | None) -> str:
    return "a tile" if face is None else _TILES[face][0]


def _exact_tile(face: int | None) -> str:
    """Return a name that differs from those of all other tiles. Moves need it, events do not."""
    return "a tile" if face is None else _TILES[face][1]


def _tiles(faces: Collection[int]) -> str:
    return listed(map(_tile, faces)) if faces else "no tiles"


@lru_cache(maxsize=1 << 10)
def place_words(cell: Cell) -> str:
    """Return where a cell lies, seen from the point in the middle of a table of 16 columns, with north at the top.

    Moves and events do not know the size of their table. So the words count from this point on all tables: a cell has
    one name. The text of a position says between which cells the point lies.
    """
    x, y = column(cell), row(cell)
    north_south = (
        phrase("small_islands-north", half=_HALF - y) if y < _HALF else phrase("small_islands-south", y=y - _HALF + 1)
    )
    east_west = (
        phrase("small_islands-west", half=_HALF - x) if x < _HALF else phrase("small_islands-east", x=x - _HALF + 1)
    )
    return phrase("small_islands-middle", north_south=north_south, east_west=east_west)


@lru_cache(maxsize=1 << 10)
def _card(card: int | None) -> str:
    return "a card" if card is None else phrase("small_islands-quoted", card=card_words(COMPONENTS.cards[card]))


def _cards(cards: Iterable[int]) -> str:
    return listed(map(_card, cards))


def _counted(number: int, thing: str) -> str:
    return counted(number, thing, none="no")


def _points(number: int) -> str:
    return _counted(number, "point")


def _worth(values: Collection[int]) -> dict[str, str]:
    """Return the parameters of a message with tokens that are worth something, if that is known."""
    return {"known": "yes", "worth": listed(map(str, values))} if values else {"known": "no", "worth": ""}


@lru_cache(maxsize=1 << 10)
def _one_discovery(value: int | None) -> str:
    return (
        phrase("small_islands-a-discovery-token")
        if value is None
        else phrase("small_islands-discovery-token-worth", points=_points(value))
    )


@lru_cache(maxsize=1 << 10)
def _token(token: Bonus, shows: Symbol) -> str:
    name = phrase("small_islands-token", kind="wild" if token is Bonus.ANY else token.name.lower())
    return name if token.name == shows.name else phrase("small_islands-as", token=name, symbol=shows.name.lower())


def _choice(move: moves.ChooseObjective) -> str:
    if not move.chosen:
        return "choose an objective"
    chosen, aside = _cards(move.chosen), _cards(move.aside)
    return phrase("small_islands-choose-put-aside", cards=chosen, number=len(move.chosen), aside=aside)


def _discovery_draw(move: moves.DrawDiscovery) -> str:
    return phrase("small_islands-let-draw", seat=player(move.seat), number=len(move.values), **_worth(move.values))


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.DrawStartSeat: lambda move: phrase("small_islands-let-go-first", seat=player(move.seat)),
    moves.DealTile: lambda move: phrase(
        "small_islands-deal", exact_tile=_exact_tile(move.tile), seat=player(move.seat)
    ),
    moves.TurnUpTile: lambda move: phrase("small_islands-turn-up", exact_tile=_exact_tile(move.tile)),
    moves.DealCard: lambda move: phrase("small_islands-deal-2", card=_card(move.card), seat=player(move.seat)),
    moves.DrawDiscovery: _discovery_draw,
    moves.LayStart: lambda move: phrase(
        "small_islands-lay",
        exact_tile=_exact_tile(move.tile),
        place_words=place_words(move.at),
        turns=move.turns,
    ),
    moves.ChooseObjective: _choice,
    moves.TakeTile: lambda move: phrase("small_islands-take-from-display", exact_tile=_exact_tile(move.tile)),
    moves.LandShip: lambda move: phrase(
        "small_islands-land-with-ship", ship="grey" if move.grey else "own", place_words=place_words(move.at)
    ),
    moves.PickTile: lambda move: phrase("small_islands-pick-from-hand", exact_tile=_exact_tile(move.tile)),
    moves.LayTile: lambda move: phrase("small_islands-lay-tile", place_words=place_words(move.at), turns=move.turns),
    moves.TakeToken: lambda move: phrase("small_islands-use", token=_token(move.token, move.shows)),
    moves.NoToken: lambda move: "use no bonus token",
    moves.PlaceToken: lambda move: phrase(
        "small_islands-place",
        token=_token(move.token, move.shows),
        covers="some" if move.covers else "none",
        symbol=move.covers.name.lower() if move.covers else "",
        place_words=place_words(move.at),
    ),
    moves.PlaceHouse: lambda move: phrase("small_islands-place-house", place_words=place_words(move.at)),
    moves.StopBuilding: lambda move: "stop placing houses",
    moves.PickResource: lambda move: phrase("small_islands-score-island", symbols=plural(move.resource.name.lower())),
    moves.KeepDiscovery: lambda move: phrase("small_islands-keep", one_discovery=_one_discovery(move.value)),
}


def say_move(move: Move) -> str:
    """Return the move as an imperative clause without a full stop. It leaves hidden details out."""
    return _MOVES[type(move)](move)


def _chosen(event: events.ObjectiveChosen) -> str:
    if not event.chosen:
        return phrase("small_islands-has-chosen-objective", seat=player(event.seat))
    chosen, aside, returned = map(_cards, (event.chosen, event.aside, event.returned))
    return phrase(
        "small_islands-chooses-puts-aside-returns",
        seat=player(event.seat),
        chosen=chosen,
        aside=aside,
        returned=returned,
    )


def _placed(event: events.TokenPlaced) -> str:
    return phrase(
        "small_islands-places",
        seat=player(event.seat),
        token=_token(event.token, event.shows),
        covers="none" if event.covered is None else "token" if event.on_token else "symbol",
        symbol="" if event.covered is None else event.covered.name.lower(),
        place_words=place_words(event.at),
    )


def _part(part: Part) -> str:
    if part.kind is PartKind.SCARCEST:
        symbols = _counted(part.count, "symbol")
        if not part.count:
            return phrase("small_islands-nothing-for-scarcest")
        return phrase("small_islands-for-scarcest", points=part.points, counted=symbols)
    thing = "tile" if part.kind is PartKind.SIZE else part.kind.name.lower()
    if not part.count:
        return phrase("small_islands-nothing", things=plural(thing))
    return phrase("small_islands-for", points=part.points, counted=_counted(part.count, thing))


def _paid(event: events.HousePaid) -> str:
    sums = [_part(part) for part in event.parts if part.kind is not PartKind.FIXED]
    fixed = [part.points for part in event.parts if part.kind is PartKind.FIXED]
    paid = {"seat": player(event.seat), "points": _points(event.points)}
    if not sums:
        return phrase("small_islands-scores-house", **paid)
    if not fixed:
        return phrase("small_islands-scores-house-for", **paid, sums=listed(sums))
    return phrase("small_islands-scores-house-plus", **paid, sums=listed(sums), plus=sum(fixed))


def _drew(event: events.DiscoveryDrawn) -> str:
    tokens = _counted(event.count, "discovery token")
    return phrase(
        "small_islands-draws",
        seat=player(event.seat),
        tokens=tokens if event.count != 1 else phrase("small_islands-a-discovery-token"),
        **_worth(event.values),
    )


def _ended_building(event: events.BuildingEnded) -> str:
    ended = {"seat": player(event.seat), "why": "automatic" if event.automatic else "stops"}
    if not event.houses:
        return phrase("small_islands-building-ends", **ended)
    return phrase("small_islands-takes-from-their-reserve", **ended, houses=_counted(event.houses, "house"))


def _secrets(event: events.SecretsShown) -> str:
    shown: list[str] = [phrase("small_islands-hand", hand=_tiles(event.hand))]
    if event.aside:
        shown.append(phrase("small_islands-put-aside", cards=_cards(event.aside)))
    if event.returned:
        shown.append(phrase("small_islands-returned", cards=_cards(event.returned)))
    return phrase("small_islands-reveals-all-secrets", seat=player(event.seat), secrets=joined_by("; ", shown))


def _bonus(event: events.BonusScored) -> str:
    ports, kept = _counted(event.ports, "port"), len(event.discoveries)
    return phrase(
        "small_islands-scores-at-end",
        seat=player(event.seat),
        points=_points(event.points),
        ports=phrase("small_islands-around-their-ship", ports=ports) if event.ports else ports,
        tokens=phrase("small_islands-discovery-tokens", number=kept),
        **_worth(event.discoveries),
    )


def _game_ended(event: events.GameEnded) -> str:
    winners = [seat for seat, rank in enumerate(event.ranks) if rank == 1]
    return phrase(
        "small_islands-game-over-because-with",
        why=_ENDS[event.end],
        winners=listed(map(player, winners)),
        number=len(winners),
        points=_points(event.scores[winners[0]]),
    )


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatSet: lambda event: phrase("small_islands-goes-first", seat=player(event.seat)),
    events.TileDealt: lambda event: phrase("small_islands-draws-2", seat=player(event.seat), tile=_tile(event.tile)),
    events.TileTurnedUp: lambda event: phrase(
        "small_islands-turned-up-from",
        tile=capitalized(_tile(event.tile)),
        source="stack" if event.from_stack else "reserve",
    ),
    events.CardDealt: lambda event: phrase("small_islands-draws-3", seat=player(event.seat), card=_card(event.card)),
    events.TileLaid: lambda event: phrase(
        "small_islands-lays",
        seat=player(event.seat),
        tile=_tile(event.tile),
        source=event.source.name.lower(),
        place_words=place_words(event.at),
        turns=event.turns,
    ),
    events.IslandsJoined: lambda event: phrase(
        "small_islands-tile-joins-islands-into", number=len(event.islands), tiles=_counted(event.tiles, "tile")
    ),
    events.RoundBegun: lambda event: phrase(
        "small_islands-round-begins-will-go",
        round=event.round,
        first_seat=player(event.first_seat),
        tiles=_counted(event.reserve, "tile"),
    ),
    events.ObjectiveChosen: _chosen,
    events.ExplorationBegun: lambda event: phrase(
        "small_islands-all-players-have-chosen", first_seat=player(event.first_seat)
    ),
    events.TileTaken: lambda event: phrase(
        "small_islands-takes-from-display", seat=player(event.seat), tile=_tile(event.tile)
    ),
    events.HandShown: lambda event: phrase(
        "small_islands-shows-none-which-fits", seat=player(event.seat), hand=_tiles(event.hand)
    ),
    events.TilePicked: lambda event: phrase(
        "small_islands-picks-from-their-hand", seat=player(event.seat), tile=_tile(event.tile)
    ),
    events.TokenTaken: lambda event: phrase(
        "small_islands-uses", seat=player(event.seat), token=_token(event.token, event.shows)
    ),
    events.TokenForgone: lambda event: phrase("small_islands-uses-no-bonus-token", seat=player(event.seat)),
    events.TokenPlaced: _placed,
    events.ShipLanded: lambda event: phrase(
        "small_islands-lands-with-ship",
        seat=player(event.seat),
        ship="grey" if event.grey else "own",
        place_words=place_words(event.at),
    ),
    events.LastRewardBegun: lambda event: phrase("small_islands-can-neither-explore-nor", seat=player(event.seat)),
    events.ObjectiveRevealed: lambda event: phrase(
        "small_islands-reveals-2", seat=player(event.seat), cards=_cards(event.cards)
    ),
    events.HousePlaced: lambda event: phrase(
        "small_islands-places-house-island",
        seat=player(event.seat),
        place_words=place_words(event.at),
        tiles=_counted(event.tiles, "tile"),
    ),
    events.HousePaid: _paid,
    events.DiscoveryDrawn: _drew,
    events.DiscoveryKept: lambda event: phrase(
        "small_islands-keeps", seat=player(event.seat), one_discovery=_one_discovery(event.value)
    ),
    events.BuildingEnded: _ended_building,
    events.CardsShuffled: lambda event: "The used and returned cards are shuffled back into their piles.",
    events.SecretsShown: _secrets,
    events.BonusScored: _bonus,
    events.GameEnded: _game_ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence."""
    return _EVENTS[type(event)](event)


_TILES: Final = tuple(_tile_names())
