"""Sentences for moves and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from skerry_games.canarias import events, moves
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, SETTLERS
from skerry_games.canarias.printed.islands import ISLANDS, SQUARES
from skerry_games.canarias.printed.terms import Colour, Feature, Power
from skerry_games.sentences import counted, listed, phrase, player, winners_sentence


def _colour(colour: int) -> str:
    return Colour(colour).name.lower()


def _a(words: str) -> str:
    """Return the words with ``a`` or ``an`` before them."""
    return phrase("canarias-an", words=words) if words[0] in "aeiou" else phrase("canarias-a", words=words)


_BUILDINGS: Final = tuple(Colour)
"""The features that are buildings of a colour."""


def feature_name(feature: int) -> str:
    """Return ``coast``, or ``green buildings``."""
    if feature in _BUILDINGS:
        return phrase("canarias-buildings", colour=_colour(feature))
    return "mountains" if feature == Feature.MOUNTAIN else Feature(feature).name.lower()


def next_to_phrase(feature: int) -> str:
    """Return the object of ``next to``: ``the coast``, or ``a green building``."""
    return (
        _a(phrase("canarias-building", colour=_colour(feature)))
        if feature in _BUILDINGS
        else phrase("canarias-the", feature_name=feature_name(feature))
    )


def card_name(card: int) -> str:
    """Return ``reaper (Segador: farmland, green)`` or ``red pirate``. The first two wishes tell the cards apart."""
    if card >= FIRST_PIRATE:
        return phrase("canarias-pirate", colour=_colour(card - FIRST_PIRATE))
    settler = SETTLERS[card]
    wishes = ", ".join(Feature(feature).name.lower() for feature in settler.priorities[:2])
    return f"{settler.english} ({settler.occupation}: {wishes})"


def _which(card: int | None) -> str:
    """Return ``the red pirate``, or ``a card`` for a hidden card."""
    return "a card" if card is None else phrase("canarias-the-2", card_name=card_name(card))


def _squares(squares: Iterable[int]) -> str:
    return listed(SQUARES[square] for square in squares)


def _seats(seats: Iterable[int]) -> str:
    return listed(f"{player(seat)}" for seat in seats)


def _cards(count: int) -> str:
    return counted(count, "card")


def _points(number: int) -> str:
    return counted(number, "point")


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.TakeIsland: lambda move: phrase("canarias-take-island", islands=ISLANDS[move.island].id),
    moves.Build: lambda move: phrase("canarias-build-house", card_name=card_name(move.card)),
    moves.Draw: lambda move: "draw cards",
    moves.TakeExtra: lambda move: "take the extra card",
    moves.BuildPalace: lambda move: phrase("canarias-build-palace-from-houses", squares=_squares(move.squares)),
    moves.BuildTown: lambda move: phrase("canarias-build-town-from-houses", squares=_squares(move.squares)),
    moves.Load: lambda move: phrase("canarias-put-ship", which=_which(move.card)),
    moves.ChooseColour: lambda move: phrase("canarias-choose", colour=_colour(move.colour)),
    moves.Place: lambda move: phrase("canarias-build", squares=SQUARES[move.square]),
    moves.GiveUp: lambda move: phrase("canarias-give-up-house", squares=SQUARES[move.square]),
    moves.Divert: lambda move: phrase("canarias-send-pirate", seat=player(move.seat)),
    moves.DrawStartSeat: lambda move: phrase("canarias-let-go-first", seat=player(move.seat)),
    moves.DealIsland: lambda move: phrase("canarias-deal-island", islands=ISLANDS[move.island].id),
    moves.DealCard: lambda move: phrase("canarias-deal", which=_which(move.card), seat=player(move.seat)),
    moves.StartShip: lambda move: phrase("canarias-put-empty-ship", which=_which(move.card)),
    moves.TurnUp: lambda move: phrase("canarias-turn-up", card_name=card_name(move.card)),
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop, a template for players' names."""
    return _MOVES[type(move)](move)


def _only_choice(automatic: bool) -> str:
    return " (the only choice)" if automatic else ""


def _began_drawing(event: events.DrawingBegun) -> str:
    if not event.cards:
        return phrase("canarias-draws-no-cards-deck", seat=player(event.seat))
    return phrase("canarias-draws-instead-building", seat=player(event.seat), cards=_cards(event.cards))


def _chose_colour(event: events.ColourChosen) -> str:
    piece = _a(f"{_colour(event.colour)} {event.piece.name.lower()}")
    return phrase("canarias-takes", seat=player(event.seat), piece=piece, only_choice=_only_choice(event.automatic))


def _placed(event: events.HousePlaced) -> str:
    reason = f" next to {next_to_phrase(event.next_to)}" if event.next_to is not None else ""
    house = phrase("canarias-house", a=_a(_colour(event.colour)), squares=SQUARES[event.square])
    return phrase(
        "canarias-builds",
        seat=player(event.seat),
        house=house,
        reason=reason,
        only_choice=_only_choice(event.automatic),
    )


def _upgraded(event: events.PalaceBuilt | events.TownBuilt) -> str:
    piece = _a(f"{_colour(event.colour)} {'palace' if isinstance(event, events.PalaceBuilt) else 'town'}")
    material = phrase("canarias-houses", squares=_squares(event.material))
    gain = phrase("canarias-gains", points=_points(event.points)) if event.points else "gains no points"
    where = f"{SQUARES[event.square]}{_only_choice(event.automatic)}"
    return phrase(
        "canarias-builds-from", seat=player(event.seat), piece=piece, where=where, material=material, gain=gain
    )


def _took_privilege(event: events.PrivilegeTaken) -> str:
    origin = "" if event.previous is None else f" from {player(event.previous)}"
    return phrase("canarias-takes-privilege", seat=player(event.seat), colour=_colour(event.colour), origin=origin)


def _arrived(event: events.ShipArrived) -> str:
    subject = "It" if event.cards == 1 else "One of them"
    return phrase("canarias-ship-arrives-with-stays", cards=_cards(event.cards), subject=subject)


def _compared(step: events.Comparison) -> str:
    counts = ", ".join(phrase("canarias-for", count=count, seat=player(seat)) for seat, count in step.counts)
    return f"{feature_name(step.feature)}: {counts}"


def _chose(event: events.SettlerChose) -> str:
    compared = "; ".join(map(_compared, event.comparisons))
    if event.winner is None:
        return phrase("canarias-chooses-no-island", card_name=card_name(event.card), compared=compared)
    tie = phrase("canarias-thanks-privilege", colour=_colour(COLOUR_OF[Power.TIES])) if event.privilege else ""
    return phrase(
        "canarias-chooses-s-island",
        card_name=card_name(event.card),
        winner=player(event.winner),
        tie=tie,
        compared=compared,
    )


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
    verb = "has" if len(event.victims) == 1 else "tie for"
    most = max(points for _, points in event.compared)
    return phrase("canarias-pirate-robs-who-most", colour=colour, seats=_seats(event.victims), verb=verb, most=most)


def _diverted(event: events.PirateDiverted) -> str:
    if event.victim is None:
        return phrase("canarias-cannot-send-pirate-another", seat=player(event.seat))
    return phrase(
        "canarias-sends-pirate",
        seat=player(event.seat),
        victim=player(event.victim),
        only_choice=_only_choice(event.automatic),
    )


def _gave_up(event: events.HouseGivenUp) -> str:
    house = phrase("canarias-house-2", colour=_colour(event.colour), squares=SQUARES[event.square])
    return phrase("canarias-gives-up", seat=player(event.seat), house=house, only_choice=_only_choice(event.automatic))


def _round_ended(event: events.RoundEnded) -> str:
    scores = ", ".join(
        phrase("canarias-for-2", points=_points(score), seat=player(seat)) for seat, score in enumerate(event.scores)
    )
    last = " The next round is the last." if event.last_follows else ""
    return phrase("canarias-round-over", round=event.round, scores=scores, last=last)


def _left_on_ship(event: events.ShipRevealed) -> str:
    loader = "" if event.seat is None else phrase("canarias-put-there-by", seat=player(event.seat))
    return phrase("canarias-card-left-ship", card_name=card_name(event.card), loader=loader)


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatSet: lambda event: phrase("canarias-goes-first", seat=player(event.seat)),
    events.IslandTaken: lambda event: phrase(
        "canarias-island",
        seat=player(event.seat),
        value="is dealt" if event.dealt else "takes",
        islands=ISLANDS[event.island].id,
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
        lower=event.piece.name.lower(),
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
        "canarias-still-holds", seat=player(event.seat), listed=listed(f"the {card_name(card)}" for card in event.hand)
    ),
    events.ShipRevealed: _left_on_ship,
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence, a template for players' names."""
    return _EVENTS[type(event)](event)
