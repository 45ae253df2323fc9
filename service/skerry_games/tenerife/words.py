"""Sentences for moves and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from skerry_games.sentences import counted, listed, phrase, player, winners_sentence
from skerry_games.tenerife import events, moves
from skerry_games.tenerife.events import Event, Reason
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import CHARACTER, BackColour, Character, CharacterCard, Phase

TASKS: Final[Mapping[Phase, str]] = {
    Phase.LAY: "choose a character, and the space to lay it below, face down",
    Phase.CHOOSE_PLOT: "choose a plot of the Town Hall",
    Phase.CHOOSE_TOWN: "choose the town where the thieves build",
    Phase.CHOOSE_WAREHOUSE: "choose which goods to sell",
    Phase.CHOOSE_DESTINATION: "choose where the merchant goes",
}
"""What the acting seat has to do, by phase."""


def _name(place: int) -> str:
    return BOARD.places[place].name


def _character(character: Character | None) -> str:
    return character.name.lower() if character else "character"


@lru_cache(maxsize=1 << 10)
def _card(character: Character | None, colour: BackColour) -> str:
    """Return ``a farmer``, ``an exporter``, ``thieves of the second colour``, or ``a character`` if hidden."""
    return phrase(
        "tenerife-a-card",
        character=_character(character),
        article={Character.THIEVES: "none", Character.EXPORTER: "an"}.get(character, "a") if character else "a",
        colour=colour.name.lower(),
    )


@lru_cache(maxsize=1 << 10)
def _points(number: int) -> str:
    return counted(number, "point", none="no")


@lru_cache(maxsize=1 << 10)
def _goods(storage: int) -> str:
    """Return ``the sugar from storage space 1``."""
    return phrase("tenerife-from-storage-space", good=_good(storage), storage=storage)


def _good(storage: int) -> str:
    return BOARD.storage[storage - 1].good.name.lower()


def _build_element(move: moves.BuildElement) -> str:
    if move.victim is None:
        return phrase("tenerife-build-plot-town-hall", plot=move.plot)
    return phrase("tenerife-rob-build-plot-town-hall", victim=player(move.victim), plot=move.plot)


def _build_mansion(move: moves.BuildMansion) -> str:
    return phrase("tenerife-rob-build-mansion", victim=player(move.victim), town=_name(move.town))


@lru_cache(maxsize=1 << 10)
def _move_merchant(place: int) -> str:
    return phrase("tenerife-move-merchant", place=_name(place))


def _export(move: moves.Export) -> str:
    if move.victim is None:
        return phrase("tenerife-export", goods=_goods(move.storage))
    return phrase("tenerife-rob-export", victim=player(move.victim), goods=_goods(move.storage))


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    moves.Lay: lambda move: phrase(
        "tenerife-lay-below-space", character=_card(move.character, move.colour), space=move.space
    ),
    moves.BuildElement: _build_element,
    moves.BuildMansion: _build_mansion,
    moves.Export: _export,
    moves.MoveMerchant: lambda move: _move_merchant(move.place),
    moves.TurnUpTown: lambda move: phrase("tenerife-turn-up", town=_name(move.town)),
    moves.DrawStartSeat: lambda move: phrase("tenerife-let-go-first", seat=player(move.seat)),
}


def say_move(move: Move) -> str:
    """Return the move as an imperative without a full stop, a template for players' names."""
    return _MOVES[type(move)](move)


# The sentence names the owner of the character before the reason, so reasons name no player.
_REASONS: Final[Mapping[Reason, str]] = {
    Reason.TOWN_FULL: "the town has no free plot",
    Reason.HALL_FULL: "the Town Hall has no free plot",
    Reason.NO_MANSION: "no mansion is left in the supply",
    Reason.NO_SYMBOL: "the current place has no farmer's symbol",
    Reason.STORAGE_FULL: "all wine storage spaces are full",
    Reason.NO_WAREHOUSE: "the owner of the exporter has no warehouse",
    Reason.NO_TRANSPORT: "all transport spaces are taken",
    Reason.NOBODY_AHEAD: "no character is in front of them",
    Reason.FARMER_AHEAD: "thieves cannot rob farmers",
    Reason.THIEVES_BEHIND: "only the last thieves in a row count",
    Reason.OWN_AHEAD: "the character in front of them has the same owner",
    Reason.FREED: "they have freed the character in front of them",
    Reason.NO_PLOT: "neither another town nor the Town Hall has a free plot",
}


def _no_effect(event: events.NoEffect) -> str:
    have = "have" if event.character is Character.THIEVES else "has"
    return phrase(
        "tenerife-no-effect",
        whose=_whose(event),
        have=have,
        reasons=_REASONS[event.reason],
    )


def _whose(event: Any) -> str:
    return _owned(event.seat, event.character, event.space)


@lru_cache(maxsize=1 << 10)
def _owned(seat: int, character: Character, space: int) -> str:
    return phrase("tenerife-s-below-space", seat=player(seat), character=_character(character), space=space)


def _begun(event: events.RoundBegun) -> str:
    place = _in("tenerife-at-town-hall" if event.hall_round else "tenerife-in", event.place)
    return phrase(
        "tenerife-round-begins-goes-first", round=event.round, place=place, start_seat=player(event.start_seat)
    )


@lru_cache(maxsize=1 << 10)
def _in(message: str, place: int) -> str:
    return phrase(message, place=_name(place))


@lru_cache(maxsize=1 << 10)
def _whose_card(seat: int, card: CharacterCard) -> str:
    return phrase("tenerife-s", card=player(seat), character=_character(CHARACTER[card]))


def _revealed(event: events.CharactersRevealed) -> str:
    cards = listed([_whose_card(card.seat, card.card) for card in event.cards])
    return phrase("tenerife-all-characters-revealed-from", space=event.cards[0].space, cards=cards)


def _acts(event: Any, message: str, robbing: str, **parameters: Any) -> str:
    """Return the message about a character that acts, or the one with its victim if it robs a character."""
    seat = player(event.seat)
    if event.victim is None:
        return phrase(message, seat=seat, **parameters)
    return phrase(robbing, seat=seat, victim=player(event.victim), **parameters)


def _merchant(event: events.MerchantMoved) -> str:
    where = {"seat": player(event.seat), "to_place": _name(event.to_place), "points": _points(event.points)}
    if event.from_place is None:
        return phrase("tenerife-s-merchant-placed", **where)
    return phrase("tenerife-s-merchant-scores", **where, from_place=_name(event.from_place))


def _hall(event: events.HallScored) -> str:
    if not event.lines:
        return phrase("tenerife-has-built-nothing-town", seat=player(event.seat))
    lines = listed("-".join(map(str, line)) for line in event.lines)
    return phrase(
        "tenerife-scores-town-hall",
        seat=player(event.seat),
        points=_points(event.points),
        number=event.points,
        lines=lines,
    )


def _ended(event: events.GameEnded) -> str:
    return winners_sentence(event.winners, _points(max(event.scores)))


_EVENTS: Final[Mapping[type, Callable[[Any], str]]] = {
    events.StartSeatDrawn: lambda event: phrase("tenerife-drawn-go-first", seat=player(event.seat)),
    events.RoundBegun: _begun,
    events.CharacterLaid: lambda event: phrase(
        "tenerife-lays-below-space",
        seat=player(event.seat),
        character=_card(event.character, event.colour),
        space=event.space,
    ),
    events.CharactersRevealed: _revealed,
    events.CharacterRobbed: lambda event: phrase(
        "tenerife-robbed-by-s-thieves",
        whose=_whose(event),
        by_seat=player(event.by_seat),
        by_space=event.by_space,
    ),
    events.CharacterFreed: lambda event: phrase(
        "tenerife-freed-by-s-own",
        whose=_whose(event),
        seat=player(event.seat),
        by_space=event.by_space,
    ),
    events.NoEffect: _no_effect,
    events.MansionBuilt: lambda event: _acts(
        event,
        "tenerife-builds-mansion",
        "tenerife-robs-builds-mansion",
        town=_name(event.town),
        points=_points(event.points),
    ),
    events.ElementBuilt: lambda event: _acts(
        event, "tenerife-builds-plot-town-hall", "tenerife-robs-builds-plot-town-hall", plot=event.plot
    ),
    events.WarehouseBuilt: lambda event: phrase(
        "tenerife-builds-warehouse-storage-space",
        seat=player(event.seat),
        good=_good(event.storage),
        storage=event.storage,
    ),
    events.FarmhandMoved: lambda event: phrase(
        "tenerife-farmhand-goes-from-storage", from_storage=event.from_storage, to_storage=event.to_storage
    ),
    events.WarehouseExported: lambda event: _acts(
        event, "tenerife-exports", "tenerife-robs-exports", goods=_goods(event.storage), points=_points(event.points)
    ),
    events.MerchantMoved: _merchant,
    events.MerchantRobbed: lambda event: phrase(
        "tenerife-robs-s-merchant", seat=player(event.seat), victim=player(event.victim), points=_points(event.points)
    ),
    events.RoundEnded: lambda event: phrase("tenerife-round-over-all-players", round=event.round),
    events.HallScored: _hall,
    events.GameEnded: _ended,
}


def say(event: Event) -> str:
    """Return the event as a sentence, a template for players' names."""
    return _EVENTS[type(event)](event)
