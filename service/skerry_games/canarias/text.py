"""A position in words: every fact of the view, and what is printed on the islands and cards in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from skerry_games.api import Viewer
from skerry_games.canarias.board import BOARDS, Board, Island, PrintedCard
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.terms import Colour, Feature, Piece
from skerry_games.canarias.state import PerColour
from skerry_games.canarias.view import BuildingView, SeatView, View
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.texts.text_lines import if_any, joined, line, listed, named, number, seat, seat_subject


def text(view: View, viewer: Viewer) -> str:
    """Return the position as that viewer sees it, a template for the players' names."""
    return joined(_lines(view, viewer))


def board_text(board: Board) -> str:
    """Return what is printed, and the pieces of each colour."""
    return joined(_board_lines(board))


def _lines(view: View, viewer: Viewer) -> Iterator[str]:
    board = BOARDS[0]
    yield line("phase", named(view.phase))
    yield line("round", number(view.round), "the last round" if view.last_round else None)
    yield line("start", seat(view.start_seat))
    yield line("turn", seat(view.turn))
    yield line("to act", seat(view.acting_seat))
    yield line("cards to draw", number(view.to_draw or None))
    yield line("extra card", "taken" if view.extra_taken else None)
    if view.card is not None:
        yield _card("current card", board.cards[view.card])
    yield line("to build", if_any(view.piece), if_any(view.colour), listed("from houses on", _squares(view.material)))
    yield line("robbed by the pirate", *map(seat, view.victims))
    yield line("deck", counted(view.deck, "card"))
    yield line("discard pile", *map(_id, view.discard))
    yield line("ship", counted(view.ship, "card"))
    for passenger in view.aboard:
        from_seat = (
            "from the deck" if passenger.seat is None else phrase("canarias-from-seat", passenger=passenger.seat)
        )
        yield _card(phrase("canarias-ship-card", from_seat=from_seat), board.cards[passenger.card])
    for colour, owner in zip(Colour, view.privileges, strict=True):
        yield _privilege(colour, owner)
    supply = zip(Colour, view.houses_left, view.palaces_left, view.towns_left, strict=True)
    for colour, houses, palaces, towns in supply:
        yield _supply(colour, houses, palaces, towns)
    for who, one in enumerate(view.seats):
        yield _seat(who, one, viewer)
        if one.island is not None:
            yield _island(board.islands[one.island])
    for card in view.hand:
        yield _card("in your hand: card", board.cards[card])


@lru_cache(maxsize=1 << 6)
def _privilege(colour: Colour, owner: int | None) -> str:
    return line(
        phrase("canarias-privilege", colour=named(colour)),
        phrase("canarias-power", powers=named(BOARDS[0].powers[colour])),
        seat(owner) or "no owner",
    )


@lru_cache(maxsize=1 << 9)
def _supply(colour: Colour, houses: int, palaces: int, towns: int) -> str:
    return line(
        phrase("canarias-supply", colour=named(colour)),
        phrase("canarias-houses-palaces-towns", houses=houses, palaces=palaces, towns=towns),
    )


@lru_cache(maxsize=1 << 9)
def _seat(who: int, one: SeatView, viewer: Viewer) -> str:
    return line(
        seat_subject(who, viewer),
        counted(one.score, "point"),
        listed("points", _per_colour(one.points)),
        phrase("canarias-hand", cards=counted(one.hand, "card")),
        "has put a card on the ship" if one.loaded else None,
        None if one.island is None else phrase("canarias-island-2", islands=BOARDS[0].islands[one.island].id),
        listed("buildings", map(_building, one.buildings)),
        listed("hand", map(_id, one.cards)),
    )


def _per_colour(counts: PerColour) -> Iterator[str]:
    return (joined_by(" ", (named(colour), f"{count}")) for colour, count in zip(Colour, counts, strict=True) if count)


def _building(building: BuildingView) -> str:
    return joined_by(" ", (SQUARES[building.square], named(building.colour), named(building.piece)))


def _id(card: int | None) -> str | None:
    return None if card is None else CARD_IDS[card]


def _squares(squares: Iterable[int]) -> Iterator[str]:
    return (SQUARES[square] for square in squares)


@lru_cache(maxsize=1 << 6)
def _island(island: Island) -> str:
    return line(
        phrase("canarias-island-3", island=island.id),
        listed("squares", _squares(island.squares)),
        listed("village", _squares(island.village)),
        listed("farmland", _squares(island.farmland)),
        *(
            listed(phrase("canarias-next", feature=named(land.feature)), _squares(land.squares))
            for land in island.touching
        ),
        listed("neighbours", ("-".join(_squares(pair)) for pair in island.neighbours)),
    )


def _card(subject: str, card: PrintedCard) -> str:
    return line(joined_by(" ", (subject, card.id)), *_printed(card))


@lru_cache(maxsize=1 << 7)
def _printed(card: PrintedCard) -> tuple[str | None, ...]:
    """Return the house of a card and its priorities, the most important first."""
    if card.occupation is None:
        return (phrase("canarias-pirate", pirate="pirate", colour=named(card.colour)),)
    settler = phrase("canarias-settler-called", settler=card.english, occupation=card.occupation)
    wishes = listed("next to", map(_feature, card.priorities))
    return settler, phrase("canarias-house-3", colour=named(card.colour)), wishes


def _feature(feature: Feature) -> str:
    return phrase("canarias-buildings-2", feature=named(feature)) if feature < len(Colour) else f"{named(feature)}"


def _board_lines(board: Board) -> Iterator[str]:
    yield line("edition", board.edition)
    pieces = zip(Piece, (board.houses, board.palaces, board.towns), strict=True)
    yield line("pieces of each colour", *(counted(count, named(piece)) for piece, count in pieces))
    for colour, power in zip(Colour, board.powers, strict=True):
        yield line(phrase("canarias-privilege", colour=named(colour)), phrase("canarias-power-2", power=named(power)))
    yield from map(_island, board.islands)
    for card in board.cards:
        yield _card("card", card)
