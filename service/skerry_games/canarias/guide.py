"""What a frontend says and lights at Islas Canarias, beside the pieces of its look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import singledispatch
from itertools import permutations
from typing import Any, Final

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.canarias import events, moves
from skerry_games.canarias.actions.construction import allowed_squares, free_squares_next_to
from skerry_games.canarias.actions.pirates import strike
from skerry_games.canarias.actions.privileges import NEEDED
from skerry_games.canarias.actions.ship_arrival import GOAL, choose_island
from skerry_games.canarias.look import (
    POWERS,
    aboard_ids,
    building_id,
    card_ids,
    colour_id,
    free_islands,
    hand_id,
    home_id,
    island_id,
    material_id,
    square_id,
)
from skerry_games.canarias.printed.cards import CARDS, COLOUR_OF, FIRST_PIRATE, HOUSE_COLOUR, PRIORITIES
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.squares import BUILDING, bits, members
from skerry_games.canarias.printed.terms import HOUSE, NOTHING, Colour, Feature, Piece, Power
from skerry_games.canarias.state import NO_SEAT, PerColour, Phase, SeatState, State, is_pirate
from skerry_games.canarias.teaching.attempts import attempts
from skerry_games.canarias.view import BuildingView, SeatView, View
from skerry_games.canarias.words import feature_name, next_to_phrase, say
from skerry_games.looks.guidance import Annotation, Fact, Gain, Guide, Heading, with_one_badge_each
from skerry_games.sentences import counted, joined_by, listed, phrase, player, uncapitalized
from skerry_games.texts.text_lines import named

Ids = tuple[str, ...]

_TASKS: Final[Mapping[Phase, str]] = {
    Phase.TAKE_ISLAND: "take an island",
    Phase.BUILD_OR_DRAW: "play a settler to build a house, or draw cards",
    Phase.LOAD: "put a card face down on the ship",
    Phase.GIVE_UP: "choose the house that you lose to the pirate",
    Phase.DIVERT: "choose which player the pirate robs instead",
}


def task(view: View) -> str:
    """Return what the acting seat must do now; empty if no seat has to decide."""
    thing = "house" if view.piece is None else named(view.piece)
    if view.phase is Phase.COLOUR:
        return phrase("canarias-choose-colour", thing=thing)
    if view.phase is Phase.PLACE:
        if view.colour is None:
            return phrase("canarias-choose-square-of", thing=thing)
        return phrase("canarias-choose-square", colour=named(view.colour), thing=thing)
    return _TASKS.get(view.phase, "")


_GROWING: Final = Heading("Palace or town: choose the houses it replaces", confirm=True)
_HEADINGS: Final[Mapping[type, Heading]] = {
    moves.TakeIsland: Heading("Take an island", confirm=True),
    moves.Build: Heading("Build a house"),
    moves.Draw: Heading("Draw instead of building"),
    moves.TakeExtra: Heading("Use a privilege"),
    moves.BuildPalace: _GROWING,
    moves.BuildTown: _GROWING,
    moves.Load: Heading("Put a card on the ship"),
    moves.ChooseColour: Heading("Choose a colour"),
    moves.Place: Heading("Choose a square"),
    moves.GiveUp: Heading("Give up a house"),
    moves.Divert: Heading("Send the pirate elsewhere"),
}
_CHANCE: Final = Heading("Draw at random")


def heading(move: moves.Move) -> Heading:
    """Return the heading of a move."""
    return _HEADINGS.get(type(move), _CHANCE)


# ---------------------------------------------------------------- paths


def paths(move: moves.Move, view: View) -> tuple[Ids, ...]:
    """Return the ways to choose a move: the houses of a palace or town in any order, a card by any of its copies."""
    seat = view.acting_seat
    way = _PATHS.get(type(move))
    return () if seat is None or way is None else way(move, view, seat)


def _by_card(move: moves.Build | moves.Load, view: View, seat: int) -> tuple[Ids, ...]:
    return tuple([(name,) for card, name in card_ids(seat, view.hand) if card == move.card])


def _houses(view: View, seat: int, *squares: int) -> Ids:
    """Return the ids of the houses on squares of a seat's island."""
    standing = {building.square: building for building in view.seats[seat].buildings}
    return tuple([building_id(seat, standing[square]) for square in squares])


def _by_houses(move: moves.BuildPalace | moves.BuildTown, view: View, seat: int) -> tuple[Ids, ...]:
    return tuple(permutations(_houses(view, seat, *move.squares)))


def _by_square(move: moves.Place, view: View, seat: int) -> tuple[Ids, ...]:
    name = material_id if move.square in view.material else square_id
    return ((name(seat, move.square),),)


def _by_island(move: moves.Divert, view: View, seat: int) -> tuple[Ids, ...]:
    island = view.seats[move.seat].island
    return () if island is None else ((island_id(island),),)


_PATHS: Final[Mapping[type, Callable[[Any, View, int], tuple[Ids, ...]]]] = {
    moves.TakeIsland: lambda move, view, seat: ((island_id(move.island),),),
    moves.Build: _by_card,
    moves.Load: _by_card,
    moves.Draw: lambda move, view, seat: (("deck",),),
    moves.TakeExtra: lambda move, view, seat: ((colour_id(COLOUR_OF[Power.CARD]),),),
    moves.ChooseColour: lambda move, view, seat: ((colour_id(move.colour),),),
    moves.Place: _by_square,
    moves.GiveUp: lambda move, view, seat: (_houses(view, seat, move.square),),
    moves.Divert: _by_island,
    moves.BuildPalace: _by_houses,
    moves.BuildTown: _by_houses,
}


# ---------------------------------------------------------------- events


def _homes(*seats: int | None) -> Ids:
    return tuple([home_id(seat) for seat in seats if seat is not None])


def _squares(seat: int, squares: Iterable[int]) -> Ids:
    return tuple([square_id(seat, square) for square in squares])


def _drawn(event: events.CardDrawn) -> Ids:
    """Return the deck and the hand, with the card if the viewer knows it."""
    known = () if event.card is None else (card_ids(event.seat, [event.card])[0][1],)
    return "deck", hand_id(event.seat), *known


def _built(event: events.HousePlaced | events.PalaceBuilt | events.TownBuilt, piece: Piece) -> Ids:
    """Return the building with its square, and the squares of the houses that it replaces."""
    material = () if isinstance(event, events.HousePlaced) else event.material
    squares = dict.fromkeys([event.square, *material])
    building = BuildingView(event.square, piece, event.colour)
    return building_id(event.seat, building), *_squares(event.seat, squares)


_TOUCHED: Final[Mapping[type, Callable[[Any], Ids]]] = {
    events.StartSeatSet: lambda event: _homes(event.seat),
    events.IslandTaken: lambda event: (home_id(event.seat), island_id(event.island)),
    events.CardDrawn: _drawn,
    events.DeckRenewed: lambda event: ("discard", "deck"),
    events.ShipBegun: lambda event: ("deck", "ship"),
    events.TurnBegun: lambda event: _homes(event.seat),
    events.DrawingBegun: lambda event: ("deck", hand_id(event.seat)),
    events.ExtraTaken: lambda event: (colour_id(COLOUR_OF[Power.CARD]), hand_id(event.seat)),
    events.SettlerPlayed: lambda event: (hand_id(event.seat), "now"),
    events.MaterialChosen: lambda event: _squares(event.seat, event.squares),
    events.ColourChosen: lambda event: (colour_id(event.colour),),
    events.HousePlaced: lambda event: _built(event, Piece.HOUSE),
    events.PalaceBuilt: lambda event: _built(event, Piece.PALACE),
    events.TownBuilt: lambda event: _built(event, Piece.TOWN),
    events.PrivilegeTaken: lambda event: (colour_id(event.colour), *_homes(event.seat)),
    events.CardLoaded: lambda event: (hand_id(event.seat), "ship"),
    events.NothingLoaded: lambda event: (hand_id(event.seat),),
    events.ShipArrived: lambda event: ("ship",),
    events.ShipCardTurnedUp: lambda event: ("ship", "now"),
    events.SettlerChose: lambda event: ("now", *_homes(event.winner)),
    events.NoHouseLeft: lambda event: _homes(event.seat),
    events.PirateStruck: lambda event: ("now", colour_id(event.colour), *_homes(*event.victims)),
    events.PirateDiverted: lambda event: ("now", *_homes(event.victim)),
    events.HouseGivenUp: lambda event: _squares(event.seat, [event.square]),
    events.NothingToGiveUp: lambda event: _homes(event.seat),
    events.RoundEnded: lambda event: _homes(event.next_start_seat),
    events.HandRevealed: lambda event: (hand_id(event.seat),),
    events.ShipRevealed: lambda event: ("ship",),
    events.GameEnded: lambda event: _homes(*event.winners),
}


def touched(event: events.Event) -> Ids:
    """Return the ids of what an event is about."""
    return _TOUCHED[type(event)](event)


@singledispatch
def gains(event: events.Event) -> tuple[Gain, ...]:
    """Return the points that an event gives or takes."""
    return ()


@gains.register
def _(event: events.HousePlaced) -> tuple[Gain, ...]:
    return (Gain(event.seat, 1, "Houses"),)


@gains.register
def _(event: events.HouseGivenUp) -> tuple[Gain, ...]:
    return (Gain(event.seat, -1, "Lost to pirates"),)


@gains.register
def _(event: events.PalaceBuilt) -> tuple[Gain, ...]:
    return _grown(event, "Palaces")


@gains.register
def _(event: events.TownBuilt) -> tuple[Gain, ...]:
    return _grown(event, "Towns")


def _grown(event: events.PalaceBuilt | events.TownBuilt, source: str) -> tuple[Gain, ...]:
    """Return the gains of a palace or town, which takes over the points of the houses that it replaces."""
    houses = len(event.material)
    return Gain(event.seat, -houses, "Houses"), Gain(event.seat, event.points + houses, source)


# ---------------------------------------------------------------- what a viewer knows


def facts(view: View, seat: int) -> tuple[Fact, ...]:
    """Return the numbers of cards and buildings of a seat."""
    one = view.seats[seat]
    built = Counter(building.piece for building in one.buildings)
    return Fact("cards", f"{one.hand}"), *(Fact(f"{named(piece)}s", f"{built[piece]}") for piece in Piece)


# ---------------------------------------------------------------- annotations


def _public_state(view: View) -> State:
    """Return the state that a view shows: islands, points, privileges and supply, without cards."""
    return State(
        phase=view.phase,
        seats=tuple(map(_seat_state, view.seats)),
        deck=(),
        start=view.start_seat or 0,
        privileges=_per_colour([NO_SEAT if owner is None else owner for owner in view.privileges]),
        houses_left=view.houses_left,
        palaces_left=view.palaces_left,
        towns_left=view.towns_left,
    )


def _per_colour(numbers: list[int]) -> PerColour:
    orange, brown, green, blue, beige, red = numbers
    return orange, brown, green, blue, beige, red


def _seat_state(one: SeatView) -> SeatState:
    if one.island is None:
        return SeatState()
    built = {
        piece: _per_colour(
            [
                bits(tuple([each.square for each in one.buildings if each.piece == piece and each.colour == colour]))
                for colour in Colour
            ]
        )
        for piece in Piece
    }
    return SeatState(
        island=one.island,
        free=BUILDING[one.island] & ~bits(tuple([building.square for building in one.buildings])),
        houses=built[Piece.HOUSE],
        palaces=built[Piece.PALACE],
        towns=built[Piece.TOWN],
        points=one.points,
    )


def notes(view: View, viewer: Viewer) -> tuple[Annotation, ...]:
    """Return what is worth seeing: what settlers and pirates would do now, privileges, empty squares and limits."""
    state = _public_state(view)
    if view.phase is Phase.TAKE_ISLAND:
        return tuple(_of_free_islands(view))
    if view.round is None or view.phase is Phase.OVER:
        return ()
    seats = (note for seat in range(len(view.seats)) for note in _of_seat(view, state, seat, viewer))
    found = [*_of_ship(view, state), *_of_current(view, state), *_of_privileges(view, state), *seats]
    return with_one_badge_each(found)


def _of_free_islands(view: View) -> Iterator[Annotation]:
    for island in free_islands(view):
        empty = SeatState(island=island, free=BUILDING[island])
        yield Annotation(island_id(island), _counts(empty))


def _counts(seat: SeatState) -> str:
    """Return how many empty squares an island has next to each feature."""
    next_to = [(feature_name(feature), free_squares_next_to(seat, feature).bit_count()) for feature in Feature]
    counts = (
        listed(phrase("canarias-next-2", count=count, name=name) for name, count in next_to if count)
        if seat.free
        else "none"
    )
    return phrase("canarias-empty-squares", counts=counts)


def _of_ship(view: View, state: State) -> Iterator[Annotation]:
    """Yield when the ship arrives and the game ends, and what the cards that the viewer knows on it would do."""
    yield Annotation(
        "ship",
        "This is the last round."
        if view.last_round
        else phrase("canarias-round-if-player-has", round=view.round, goal=GOAL),
        "last round" if view.last_round else "",
    )
    arrives = "The ship arrives when every player has put a card on it."
    yield Annotation("ship", arrives if view.turn is not None else "All cards of the ship but one come ashore.")
    for card, name in aboard_ids(view):
        yield Annotation(name, _ashore(state, card))


def _ashore(state: State, card: int) -> str:
    """Return what a card would do if it came from the ship now."""
    if is_pirate(card):
        _, struck = strike(replace(state, card=card), ())
        sentences: str = joined_by(" ", map(say, struck))
    else:
        sentences = say(choose_island(state, card))
    return phrase("canarias-from-ship-now", sentences=uncapitalized(sentences))


def _of_current(view: View, state: State) -> Iterator[Annotation]:
    """Yield where the settler whose house is being built can live."""
    if view.phase is Phase.PLACE and view.card is not None and view.acting_seat is not None:
        where, _ = _home_of(state, view.acting_seat, view.card)
        yield Annotation("now", where)


def _home_of(state: State, seat: int, card: int) -> tuple[str, str]:
    """Return where a seat may put the house of a settler, in words and short."""
    building = replace(state, actor=seat, piece=HOUSE, card=card)
    next_to, squares = allowed_squares(building, HOUSE_COLOUR[card])
    if not squares:
        return phrase("canarias-s-island-has-no", seat=player(seat)), "no square"
    where = "anywhere" if next_to == NOTHING else phrase("canarias-next-3", next_to_phrase=next_to_phrase(next_to))
    names = listed((SQUARES[square] for square in members(squares)), "or")
    short = "any" if next_to == NOTHING else named(Feature(next_to))
    return phrase("canarias-its-house-s-island", seat=player(seat), where=where, names=names), joined_by(
        " ", (short, f"{squares.bit_count()}")
    )


def _of_privileges(view: View, state: State) -> Iterator[Annotation]:
    for colour, power in CARDS.powers.items():
        place, owner = colour_id(colour), view.privileges[colour]
        needed = NEEDED if owner is None else view.seats[owner].points[colour] + 1
        holder = "No player owns it yet" if owner is None else phrase("canarias-owns", owner=player(owner))
        taken = phrase("canarias-win", holder=holder, needed=needed, colour=named(colour))
        yield Annotation(
            place,
            phrase("canarias-owner-privilege", colour=named(colour), powers=POWERS[power], taken=taken),
            phrase("canarias-at", needed=needed),
        )
        yield Annotation(place, _ashore(state, FIRST_PIRATE + colour))
        for piece, left in zip(Piece, (view.houses_left, view.palaces_left, view.towns_left), strict=True):
            if not left[colour]:
                none = phrase("canarias-no-left-its-builder", colour=named(colour), piece=named(piece))
                yield Annotation(place, none)


def _of_seat(view: View, state: State, seat: int, viewer: Viewer) -> Iterator[Annotation]:
    """Yield the empty squares of an island, what a pirate takes, and where the cards in the viewer's hand lead."""
    one = state.seats[seat]
    if seat in view.victims or (view.phase is Phase.GIVE_UP and seat == view.acting_seat):
        yield Annotation(home_id(seat), phrase("canarias-loses-house-pirate", seat=player(seat)), "robbed")
    yield Annotation(home_id(seat), _counts(one), phrase("canarias-empty", bit_count=one.free.bit_count()))
    if seat == viewer:
        for card, name in card_ids(seat, view.hand):
            if is_pirate(card):
                yield Annotation(name, _ashore(state, card))
            else:
                yield Annotation(name, *_home_of(state, seat, card))
                yield from _of_settler(state, card, name)


def _of_settler(state: State, card: int, name: str) -> Iterator[Annotation]:
    """Yield which island a settler in hand would choose from the ship, and what its first wish counts on each."""
    winner, first = choose_island(state, card).winner, PRIORITIES[card][0]
    chosen = "no island" if winner is None else phrase("canarias-s-island", winner=player(winner))
    yield Annotation(name, phrase("canarias-from-ship-would-choose", chosen=chosen))
    for seat, one in enumerate(state.seats):
        count = free_squares_next_to(one, first).bit_count()
        text = phrase(
            "canarias-next-chosen" if seat == winner else "canarias-next-4",
            next_to_phrase=next_to_phrase(first),
            empty_squares=counted(count, "empty square", none="no"),
        )
        badge = phrase("canarias-count-chosen", count=count) if seat == winner else f"{count}"
        yield Annotation(home_id(seat), text, badge, name)


GUIDE: Final[Guide[moves.Move, View, events.Event]] = Guide(
    task, heading, paths, touched, gains, facts, notes, attempts
)
