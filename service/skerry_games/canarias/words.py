"""Sentences for moves and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from skerry_games.canarias import events, moves
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, SETTLERS
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.terms import Colour, Feature, Power
from skerry_games.sentences import counted, joined_by, listed, phrase, player, winners_sentence


@lru_cache(maxsize=1 << 10)
def _colour(colour: int) -> str:
    return Colour(colour).name.lower()


def _a(word: str) -> str:
    """Return the article of English before a word: ``a`` or ``an``."""
    return "an" if word[0] in "aeiou" else "a"


_BUILDINGS: Final = tuple(Colour)
"""The features that are buildings of a colour."""


@lru_cache(maxsize=1 << 10)
def feature_name(feature: int) -> str:
    """Return ``coast``, or ``green buildings``."""
    if feature in _BUILDINGS:
        return phrase("canarias-buildings", colour=_colour(feature))
    return "mountains" if feature == Feature.MOUNTAIN else Feature(feature).name.lower()


@lru_cache(maxsize=1 << 10)
def next_to_phrase(feature: int) -> str:
    """Return the object of ``next to``: ``the coast``, or ``a green building``."""
    return (
        phrase("canarias-building", a=_a(_colour(feature)), colour=_colour(feature))
        if feature in _BUILDINGS
        else phrase("canarias-the", feature_name=feature_name(feature))
    )


@lru_cache(maxsize=1 << 10)
def card_name(card: int) -> str:
    """Return ``reaper (Segador: farmland, green)`` or ``red pirate``. The first two wishes tell the cards apart."""
    if card >= FIRST_PIRATE:
        return phrase("canarias-pirate", pirate="pirate", colour=_colour(card - FIRST_PIRATE))
    settler = SETTLERS[card]
    wishes = joined_by(", ", (Feature(feature).name.lower() for feature in settler.priorities[:2]))
    return phrase("canarias-settler", settler=settler.english, occupation=settler.occupation, wishes=wishes)


@lru_cache(maxsize=1 << 10)
def _which(card: int | None) -> str:
    """Return ``the red pirate``, or ``a card`` for a hidden card."""
    return "a card" if card is None else phrase("canarias-the-2", card_name=card_name(card))


@lru_cache(maxsize=1 << 9)
def _squares(squares: tuple[int, ...]) -> str:
    return listed(SQUARES[square] for square in squares)


@lru_cache(maxsize=1 << 10)
def _seats(seats: tuple[int, ...]) -> str:
    return listed(map(player, seats))


def _cards(count: int) -> str:
    return counted(count, "card")


def _points(number: int) -> str:
    return counted(number, "point")


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.TakeIsland: lambda move: phrase("canarias-take-island", island=ISLANDS[move.island].id),
    moves.Build: lambda move: phrase("canarias-build-house", card_name=card_name(move.card)),
    moves.Draw: lambda move: "draw cards",
    moves.TakeExtra: lambda move: "take the extra card",
    moves.BuildPalace: lambda move: phrase("canarias-build-palace-from-houses", squares=_squares(move.squares)),
    moves.BuildTown: lambda move: phrase("canarias-build-town-from-houses", squares=_squares(move.squares)),
    moves.Load: lambda move: phrase("canarias-put-ship", which=_which(move.card)),
    moves.ChooseColour: lambda move: phrase("canarias-choose", colour=_colour(move.colour)),
    moves.Place: lambda move: phrase("canarias-build", square=SQUARES[move.square]),
    moves.GiveUp: lambda move: phrase("canarias-give-up-house", square=SQUARES[move.square]),
    moves.Divert: lambda move: phrase("canarias-send-pirate", seat=player(move.seat)),
    moves.DrawStartSeat: lambda move: phrase("canarias-let-go-first", seat=player(move.seat)),
    moves.DealIsland: lambda move: phrase("canarias-deal-island", island=ISLANDS[move.island].id),
    moves.DealCard: lambda move: phrase("canarias-deal", which=_which(move.card), seat=player(move.seat)),
    moves.StartShip: lambda move: phrase("canarias-put-empty-ship", which=_which(move.card)),
    moves.TurnUp: lambda move: phrase("canarias-turn-up", card_name=card_name(move.card)),
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop, a template for players' names."""
    return _MOVES[type(move)](move)


def _chosen(automatic: bool) -> str:
    """Return the variant of a message about a choice."""
    return "automatic" if automatic else "free"


def _began_drawing(event: events.DrawingBegun) -> str:
    if not event.cards:
        return phrase("canarias-draws-no-cards-deck", seat=player(event.seat))
    return phrase("canarias-draws-instead-building", seat=player(event.seat), cards=_cards(event.cards))


def _chose_colour(event: events.ColourChosen) -> str:
    colour = _colour(event.colour)
    return phrase(
        "canarias-takes",
        seat=player(event.seat),
        a=_a(colour),
        colour=colour,
        piece=event.piece.name.lower(),
        chosen=_chosen(event.automatic),
    )


def _placed(event: events.HousePlaced) -> str:
    colour = _colour(event.colour)
    house = {"seat": player(event.seat), "a": _a(colour), "colour": colour, "square": SQUARES[event.square]}
    chosen = _chosen(event.automatic)
    if event.next_to is None:
        return phrase("canarias-builds", **house, chosen=chosen)
    return phrase("canarias-builds-next-to", **house, feature=next_to_phrase(event.next_to), chosen=chosen)


def _upgraded(event: events.PalaceBuilt | events.TownBuilt) -> str:
    colour, piece = _colour(event.colour), "palace" if isinstance(event, events.PalaceBuilt) else "town"
    return phrase(
        "canarias-builds-from",
        seat=player(event.seat),
        a=_a(colour),
        colour=colour,
        piece=piece,
        square=SQUARES[event.square],
        chosen=_chosen(event.automatic),
        squares=_squares(event.material),
        points=counted(event.points, "point", none="no"),
    )


def _took_privilege(event: events.PrivilegeTaken) -> str:
    seat, colour = player(event.seat), _colour(event.colour)
    if event.previous is None:
        return phrase("canarias-takes-privilege", seat=seat, colour=colour)
    return phrase("canarias-takes-privilege-from", seat=seat, colour=colour, previous=player(event.previous))


def _arrived(event: events.ShipArrived) -> str:
    return phrase("canarias-ship-arrives-with-stays", cards=_cards(event.cards), number=event.cards)


def _compared(step: events.Comparison) -> str:
    counts = joined_by(", ", [_count(seat, count) for seat, count in step.counts])
    return joined_by(": ", (feature_name(step.feature), counts))


@lru_cache(maxsize=1 << 10)
def _count(seat: int, count: int) -> str:
    return phrase("canarias-for", count=count, seat=player(seat))


def _chose(event: events.SettlerChose) -> str:
    compared = joined_by("; ", map(_compared, event.comparisons))
    if event.winner is None:
        return phrase("canarias-chooses-no-island", card_name=card_name(event.card), compared=compared)
    chose = {"card_name": card_name(event.card), "winner": player(event.winner), "compared": compared}
    if event.privilege:
        return phrase("canarias-chooses-thanks-privilege", **chose, colour=_colour(COLOUR_OF[Power.TIES]))
    return phrase("canarias-chooses-s-island", **chose)


def _struck(event: events.PirateStruck) -> str:
    colour = _colour(event.colour)
    if event.owner is not None:
        if event.owner_protected:
            privilege = _colour(COLOUR_OF[Power.PIRATE])
            return phrase(
                "canarias-pirate-comes-but-privilege", colour=colour, owner=player(event.owner), privilege=privilege
            )
        return phrase("canarias-pirate-robs-who-owns", colour=colour, owner=player(event.owner))
    if not event.victims:
        return phrase("canarias-pirate-finds-no-player", colour=colour)
    most = max(points for _, points in event.compared)
    return phrase(
        "canarias-pirate-robs-who-most",
        colour=colour,
        seats=_seats(event.victims),
        number=len(event.victims),
        most=most,
    )


def _diverted(event: events.PirateDiverted) -> str:
    if event.victim is None:
        return phrase("canarias-cannot-send-pirate-another", seat=player(event.seat))
    return phrase(
        "canarias-sends-pirate",
        seat=player(event.seat),
        victim=player(event.victim),
        chosen=_chosen(event.automatic),
    )


def _gave_up(event: events.HouseGivenUp) -> str:
    return phrase(
        "canarias-gives-up",
        seat=player(event.seat),
        colour=_colour(event.colour),
        square=SQUARES[event.square],
        chosen=_chosen(event.automatic),
    )


def _round_ended(event: events.RoundEnded) -> str:
    scores = joined_by(", ", [_score(seat, score) for seat, score in enumerate(event.scores)])
    message = "canarias-round-over-last-follows" if event.last_follows else "canarias-round-over"
    return phrase(message, round=event.round, scores=scores)


@lru_cache(maxsize=1 << 10)
def _score(seat: int, score: int) -> str:
    return phrase("canarias-for-2", points=_points(score), seat=player(seat))


def _left_on_ship(event: events.ShipRevealed) -> str:
    if event.seat is None:
        return phrase("canarias-card-left-ship", card_name=card_name(event.card))
    return phrase("canarias-card-left-ship-by", card_name=card_name(event.card), seat=player(event.seat))


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatSet: lambda event: phrase("canarias-goes-first", seat=player(event.seat)),
    events.IslandTaken: lambda event: phrase(
        "canarias-is-dealt-island" if event.dealt else "canarias-takes-island",
        seat=player(event.seat),
        island=ISLANDS[event.island].id,
    ),
    events.CardDrawn: lambda event: phrase("canarias-draws", seat=player(event.seat), which=_which(event.card)),
    events.DeckRenewed: lambda event: phrase("canarias-discard-pile-shuffled-into", cards=_cards(event.cards)),
    events.ShipBegun: lambda event: "The first card is put on the ship, face down.",
    events.TurnBegun: lambda event: phrase("canarias-round-s-turn", round=event.round, seat=player(event.seat)),
    events.DrawingBegun: _began_drawing,
    events.ExtraTaken: lambda event: phrase(
        "canarias-uses-privilege-draw-extra", seat=player(event.seat), colour=_colour(COLOUR_OF[Power.CARD])
    ),
    events.SettlerPlayed: lambda event: phrase(
        "canarias-plays", seat=player(event.seat), card_name=card_name(event.card)
    ),
    events.MaterialChosen: lambda event: phrase(
        "canarias-turns-houses-into",
        seat=player(event.seat),
        squares=_squares(event.squares),
        piece=event.piece.name.lower(),
    ),
    events.ColourChosen: _chose_colour,
    events.HousePlaced: _placed,
    events.PalaceBuilt: _upgraded,
    events.TownBuilt: _upgraded,
    events.PrivilegeTaken: _took_privilege,
    events.CardLoaded: lambda event: phrase("canarias-puts-ship", seat=player(event.seat), which=_which(event.card)),
    events.NothingLoaded: lambda event: phrase("canarias-has-no-card-put", seat=player(event.seat)),
    events.ShipArrived: _arrived,
    events.ShipCardTurnedUp: lambda event: phrase("canarias-comes-ashore", card_name=card_name(event.card)),
    events.SettlerChose: _chose,
    events.NoHouseLeft: lambda event: phrase("canarias-no-house-left-supply", seat=player(event.seat)),
    events.PirateStruck: _struck,
    events.PirateDiverted: _diverted,
    events.HouseGivenUp: _gave_up,
    events.NothingToGiveUp: lambda event: phrase("canarias-has-no-house-give", seat=player(event.seat)),
    events.RoundEnded: _round_ended,
    events.HandRevealed: lambda event: phrase(
        "canarias-still-holds",
        seat=player(event.seat),
        cards=listed(phrase("canarias-the-2", card_name=card_name(card)) for card in event.hand),
    ),
    events.ShipRevealed: _left_on_ship,
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence, a template for players' names."""
    return _EVENTS[type(event)](event)
