"""Sentences for moves and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from skerry_games.canarias import events, moves
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, SETTLERS
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.terms import Colour, Feature, Power
from skerry_games.sentences import counted, listed, player, winners_sentence


def _colour(colour: int) -> str:
    return Colour(colour).name.lower()


def _a(words: str) -> str:
    """Return the words with ``a`` or ``an`` before them."""
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


_BUILDINGS: Final = tuple(Colour)
"""The features that are buildings of a colour."""


def feature_name(feature: int) -> str:
    """Return ``coast``, or ``green buildings``."""
    if feature in _BUILDINGS:
        return f"{_colour(feature)} buildings"
    return "mountains" if feature == Feature.MOUNTAIN else Feature(feature).name.lower()


def next_to_phrase(feature: int) -> str:
    """Return the object of ``next to``: ``the coast``, or ``a green building``."""
    return _a(f"{_colour(feature)} building") if feature in _BUILDINGS else f"the {feature_name(feature)}"


def card_name(card: int) -> str:
    """Return ``reaper (Segador: farmland, green)`` or ``red pirate``. The first two wishes tell the cards apart."""
    if card >= FIRST_PIRATE:
        return f"{_colour(card - FIRST_PIRATE)} pirate"
    settler = SETTLERS[card]
    wishes = ", ".join(Feature(feature).name.lower() for feature in settler.priorities[:2])
    return f"{settler.english} ({settler.occupation}: {wishes})"


def _which(card: int | None) -> str:
    """Return ``the red pirate``, or ``a card`` for a hidden card."""
    return "a card" if card is None else f"the {card_name(card)}"


def _squares(squares: Iterable[int]) -> str:
    return listed(SQUARES[square] for square in squares)


def _seats(seats: Iterable[int]) -> str:
    return listed(f"{player(seat)}" for seat in seats)


def _cards(count: int) -> str:
    return counted(count, "card")


def _points(number: int) -> str:
    return counted(number, "point")


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.TakeIsland: lambda move: f"take island {ISLANDS[move.island].id}",
    moves.Build: lambda move: f"build a house for the {card_name(move.card)}",
    moves.Draw: lambda move: "draw cards",
    moves.TakeExtra: lambda move: "take the extra card",
    moves.BuildPalace: lambda move: f"build a palace from the houses on {_squares(move.squares)}",
    moves.BuildTown: lambda move: f"build a town from the houses on {_squares(move.squares)}",
    moves.Load: lambda move: f"put {_which(move.card)} on the ship",
    moves.ChooseColour: lambda move: f"choose {_colour(move.colour)}",
    moves.Place: lambda move: f"build on {SQUARES[move.square]}",
    moves.GiveUp: lambda move: f"give up the house on {SQUARES[move.square]}",
    moves.Divert: lambda move: f"send the pirate to {player(move.seat)}",
    moves.DrawStartSeat: lambda move: f"let {player(move.seat)} go first",
    moves.DealIsland: lambda move: f"deal island {ISLANDS[move.island].id}",
    moves.DealCard: lambda move: f"deal {_which(move.card)} to {player(move.seat)}",
    moves.StartShip: lambda move: f"put {_which(move.card)} on the empty ship",
    moves.TurnUp: lambda move: f"turn up the {card_name(move.card)}",
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop, a template for players' names."""
    return _MOVES[type(move)](move)


def _only_choice(automatic: bool) -> str:
    return " (the only choice)" if automatic else ""


def _began_drawing(event: events.DrawingBegun) -> str:
    if not event.cards:
        return f"{player(event.seat)} draws no cards: the deck and the discard pile are empty."
    return f"{player(event.seat)} draws {_cards(event.cards)} instead of building."


def _chose_colour(event: events.ColourChosen) -> str:
    piece = _a(f"{_colour(event.colour)} {event.piece.name.lower()}")
    return f"{player(event.seat)} takes {piece}{_only_choice(event.automatic)}."


def _placed(event: events.HousePlaced) -> str:
    reason = f" next to {next_to_phrase(event.next_to)}" if event.next_to is not None else ""
    house = f"{_a(_colour(event.colour))} house on {SQUARES[event.square]}"
    return f"{player(event.seat)} builds {house}{reason}{_only_choice(event.automatic)}."


def _upgraded(event: events.PalaceBuilt | events.TownBuilt) -> str:
    piece = _a(f"{_colour(event.colour)} {'palace' if isinstance(event, events.PalaceBuilt) else 'town'}")
    material = f"the houses on {_squares(event.material)}"
    gain = f"gains {_points(event.points)}" if event.points else "gains no points"
    where = f"{SQUARES[event.square]}{_only_choice(event.automatic)}"
    return f"{player(event.seat)} builds {piece} on {where} from {material}, and {gain}."


def _took_privilege(event: events.PrivilegeTaken) -> str:
    origin = "" if event.previous is None else f" from {player(event.previous)}"
    return f"{player(event.seat)} takes the {_colour(event.colour)} privilege{origin}."


def _arrived(event: events.ShipArrived) -> str:
    subject = "It" if event.cards == 1 else "One of them"
    return f"The ship arrives with {_cards(event.cards)}. {subject} stays on board."


def _compared(step: events.Comparison) -> str:
    counts = ", ".join(f"{count} for {player(seat)}" for seat, count in step.counts)
    return f"{feature_name(step.feature)}: {counts}"


def _chose(event: events.SettlerChose) -> str:
    compared = "; ".join(map(_compared, event.comparisons))
    if event.winner is None:
        return f"The {card_name(event.card)} chooses no island ({compared})."
    tie = f", thanks to the {_colour(COLOUR_OF[Power.TIES])} privilege" if event.privilege else ""
    return f"The {card_name(event.card)} chooses {player(event.winner)}'s island{tie} ({compared})."


def _struck(event: events.PirateStruck) -> str:
    colour = _colour(event.colour)
    if event.owner is not None:
        if event.owner_protected:
            privilege = _colour(COLOUR_OF[Power.PIRATE])
            return f"The {colour} pirate comes for {player(event.owner)}, but the {privilege} privilege protects them."
        return f"The {colour} pirate robs {player(event.owner)}, who owns the {colour} privilege."
    if not event.victims:
        return f"The {colour} pirate finds no player to rob."
    verb = "has" if len(event.victims) == 1 else "tie for"
    most = max(points for _, points in event.compared)
    return f"The {colour} pirate robs {_seats(event.victims)}, who {verb} the most {colour} points: {most}."


def _diverted(event: events.PirateDiverted) -> str:
    if event.victim is None:
        return f"{player(event.seat)} cannot send the pirate to another player: no other player has a house."
    return f"{player(event.seat)} sends the pirate to {player(event.victim)}{_only_choice(event.automatic)}."


def _gave_up(event: events.HouseGivenUp) -> str:
    house = f"the {_colour(event.colour)} house on {SQUARES[event.square]}"
    return f"{player(event.seat)} gives up {house}{_only_choice(event.automatic)}."


def _round_ended(event: events.RoundEnded) -> str:
    scores = ", ".join(f"{_points(score)} for {player(seat)}" for seat, score in enumerate(event.scores))
    last = " The next round is the last." if event.last_follows else ""
    return f"Round {event.round} is over: {scores}.{last}"


def _left_on_ship(event: events.ShipRevealed) -> str:
    loader = "" if event.seat is None else f", put there by {player(event.seat)}"
    return f"The card left on the ship is the {card_name(event.card)}{loader}."


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatSet: lambda event: f"{player(event.seat)} goes first.",
    events.IslandTaken: lambda event: (
        f"{player(event.seat)} {'is dealt' if event.dealt else 'takes'} island {ISLANDS[event.island].id}."
    ),
    events.CardDrawn: lambda event: f"{player(event.seat)} draws {_which(event.card)}.",
    events.DeckRenewed: lambda event: f"The discard pile is shuffled into a new deck of {_cards(event.cards)}.",
    events.ShipBegun: lambda event: "The first card is put on the ship, face down.",
    events.TurnBegun: lambda event: f"Round {event.round}: it is {player(event.seat)}'s turn.",
    events.DrawingBegun: _began_drawing,
    events.ExtraTaken: lambda event: (
        f"{player(event.seat)} uses the {_colour(COLOUR_OF[Power.CARD])} privilege to draw an extra card."
    ),
    events.SettlerPlayed: lambda event: f"{player(event.seat)} plays the {card_name(event.card)}.",
    events.MaterialChosen: lambda event: (
        f"{player(event.seat)} turns the houses on {_squares(event.squares)} into a {event.piece.name.lower()}."
    ),
    events.ColourChosen: _chose_colour,
    events.HousePlaced: _placed,
    events.PalaceBuilt: _upgraded,
    events.TownBuilt: _upgraded,
    events.PrivilegeTaken: _took_privilege,
    events.CardLoaded: lambda event: f"{player(event.seat)} puts {_which(event.card)} on the ship.",
    events.NothingLoaded: lambda event: f"{player(event.seat)} has no card to put on the ship.",
    events.ShipArrived: _arrived,
    events.ShipCardTurnedUp: lambda event: f"The {card_name(event.card)} comes ashore.",
    events.SettlerChose: _chose,
    events.NoHouseLeft: lambda event: f"No house is left in the supply for {player(event.seat)}'s island.",
    events.PirateStruck: _struck,
    events.PirateDiverted: _diverted,
    events.HouseGivenUp: _gave_up,
    events.NothingToGiveUp: lambda event: f"{player(event.seat)} has no house to give up.",
    events.RoundEnded: _round_ended,
    events.HandRevealed: lambda event: (
        f"{player(event.seat)} still holds {listed(f'the {card_name(card)}' for card in event.hand)}."
    ),
    events.ShipRevealed: _left_on_ship,
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence, a template for players' names."""
    return _EVENTS[type(event)](event)
