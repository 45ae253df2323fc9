"""What a seat would mean at Islas Canarias by touching a place or a piece, legal or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from skerry_games.canarias import moves
from skerry_games.canarias.look import building_id, card_ids, island_id
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import COLOUR_OF
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.terms import Colour, Piece, Power
from skerry_games.canarias.state import Phase
from skerry_games.canarias.view import View
from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import phrase, player
from skerry_games.texts.text_lines import named

Attempts = Iterator[Move | Explanation]
_SQUARES: Final = {name: square for square, name in enumerate(SQUARES)}
_ISLANDS: Final = {island_id(number): number for number in range(len(ISLANDS))}
_COLOURS: Final = {named(colour): colour for colour in Colour}


def attempts(view: View, seat: int, touched: tuple[str, ...]) -> tuple[Move | Explanation, ...]:
    """Return the moves that touching these ids in order would mean, and reasons for what is never played."""
    target, chosen = touched[-1], touched[:-1]
    kind = target.partition(":")[0]
    meant = _building if kind.partition("-")[0] in _BUILDINGS else _KINDS.get(kind)
    return () if meant is None else tuple(meant(view, seat, target, chosen))


def _card(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    card = {name: card for card, name in card_ids(seat, view.hand)}.get(target)
    if card is not None:
        yield moves.Build(card)
        yield moves.LOAD[card]


def _deck(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    yield moves.DRAW


def _discard(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("The discard pile becomes the deck when the deck is empty.", "CANARIAS-TURN-4")


def _ship(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    if view.phase is Phase.LOAD or not view.hand:
        yield Explanation("Choose a card of your hand: it goes on the ship, face down.", "CANARIAS-SHIP-1")
    else:
        yield moves.LOAD[view.hand[0]]


def _colour(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    colour = _COLOURS[target.partition(":")[2]]
    if view.phase is Phase.COLOUR:
        yield moves.CHOOSE_COLOUR[colour]
    elif colour is COLOUR_OF[Power.CARD] and view.privileges[colour] == seat:
        yield moves.TAKE_EXTRA
    else:
        yield Explanation(
            "A privilege goes by itself to the seat with the most points in its colour.", "CANARIAS-PRIV-1"
        )


def _supply(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("A house comes from the supply in the colour of the settler that you play.", "CANARIAS-BUILD-1")


def _square(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    _, owner, name = target.split(":")
    yield from _on_island(view, seat, int(owner), _SQUARES[name])


def _on_island(view: View, seat: int, owner: int, square: int) -> Attempts:
    """Yield what touching a square of a seat's island means."""
    if view.phase is Phase.DIVERT:
        yield moves.Divert(owner)
    elif owner != seat:
        yield Explanation(phrase("canarias-this-s-island-build", owner=player(owner)), "CANARIAS-BUILD-1")
    elif view.phase is Phase.GIVE_UP:
        yield moves.GIVE_UP[square]
    else:
        yield moves.PLACE[square]


def _home(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    owner = int(target.partition(":")[2])
    if view.phase is Phase.DIVERT or owner != seat:
        yield from _on_island(view, seat, owner, 0)


def _island(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    island = _ISLANDS[target]
    owner = next((number for number, one in enumerate(view.seats) if one.island == island), None)
    if owner is None or view.phase is Phase.TAKE_ISLAND:
        yield moves.TAKE_ISLAND[island]
    elif view.phase is Phase.DIVERT or owner != seat:
        yield from _on_island(view, seat, owner, 0)


def _building(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    """Yield the palaces and towns that a house of the seat's own could become a part of."""
    _, owner, name = target.split(":")
    square = _SQUARES[name]
    if owner != str(seat) or view.phase not in (Phase.BUILD_OR_DRAW, Phase.LOAD):
        yield from _on_island(view, seat, int(owner), square)
        return
    houses = {
        building_id(seat, building): building.square
        for building in view.seats[seat].buildings
        if building.piece is Piece.HOUSE
    }
    if target not in houses:
        yield Explanation("Only houses become a palace or a town. Palaces and towns stay.", "CANARIAS-TOWN-1")
        return
    before = [houses[each] for each in chosen if each in houses and each != target]
    if len(before) >= 2:
        yield moves.BUILD_TOWN[tuple(sorted((*before[:2], square)))]
    elif before:
        yield moves.BUILD_PALACE[tuple(sorted((*before, square)))]
    others = [other for other in houses.values() if other != square]
    yield from (moves.BUILD_PALACE[tuple(sorted((square, other)))] for other in others)
    if not others:
        yield Explanation("A palace takes 2 houses of one colour, and this is your only house.", "CANARIAS-PALACE-1")


_BUILDINGS: Final = frozenset(named(piece) for piece in Piece)
_KINDS: Final[Mapping[str, Callable[[View, int, str, tuple[str, ...]], Attempts]]] = {
    "hand": _card,
    "deck": _deck,
    "discard": _discard,
    "discard-cards": _discard,
    "ship": _ship,
    "colour": _colour,
    "supply": _supply,
    "square": _square,
    "material": _square,
    "home": _home,
    "island": _island,
}
