"""What a frontend says and lights in Kreta. Places and pieces have the ids of ``look.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from skerry_games.api import Viewer
from skerry_games.kreta import events, moves
from skerry_games.kreta.actions.abbot import open_to
from skerry_games.kreta.actions.castellan import awards, fort_awards
from skerry_games.kreta.actions.farmer import harvest_points, harvest_targets
from skerry_games.kreta.events import Event
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import Move
from skerry_games.kreta.province_sets import PROVINCES, ProvinceCounts, count_at, members
from skerry_games.kreta.state import NOBODY, KretaCard, Phase, SeatState, State, Tile
from skerry_games.kreta.teaching.attempts import attempts
from skerry_games.kreta.view import View
from skerry_games.looks.guidance import Annotation, Fact, Gain, Guide, Heading
from skerry_games.sentences import counted, joined_by, listed, phrase, player
from skerry_games.texts.text_lines import named

Paths = tuple[tuple[str, ...], ...]


def _province(province: int) -> str:
    return f"province:{BOARD.provinces[province].id}"


def _card(seat: int, card: KretaCard) -> str:
    return f"card:{seat}:{named(card)}"


# ---------------------------------------------------------------- moves

_TASKS: Final[Mapping[Phase, str]] = {
    Phase.PLAY_CARD: "play a card",
    Phase.MARCH: "march on, or stop",
    Phase.KEEP_OR_REPLACE: "keep the new fort card, or replace it",
}
_ACTIONS: Final[Mapping[KretaCard, str]] = {
    KretaCard.ARCHITECT: "choose where to build a fort or a village",
    KretaCard.ADMIRAL: "place a ship, or sail",
    KretaCard.COMMANDER: "place a villager, or march",
    KretaCard.ABBOT: "choose where the abbot goes",
    KretaCard.FARMER: "choose which tile to harvest",
}


def task(view: View) -> str:
    """Return the task of the acting seat; empty if no seat has to decide."""
    if view.phase is Phase.ACTION and view.action is not None:
        return _ACTIONS[view.action]
    return _TASKS.get(view.phase, "")


_HEADINGS: Final[Mapping[type, Heading]] = {
    moves.PlayCard: Heading("Play a card"),
    moves.PlaceShip: Heading("Place a ship"),
    moves.Sail: Heading("Sail"),
    moves.Recruit: Heading("Place a villager"),
    moves.March: Heading("March"),
    moves.Halt: Heading("Stop"),
    moves.PlaceAbbot: Heading("Place the abbot"),
    moves.MoveAbbot: Heading("Move the abbot"),
    moves.Harvest: Heading("Harvest"),
    moves.BuildFort: Heading("Build a fort"),
    moves.BuildVillage: Heading("Build a village"),
    moves.KeepFort: Heading("The new fort card"),
    moves.ReplaceFort: Heading("The new fort card"),
    moves.DealHills: Heading("Deal tiles"),
    moves.DealMountains: Heading("Deal tiles"),
    moves.TurnUpFort: Heading("Turn up a fort card"),
    moves.DrawStartSeat: Heading("Draw the start seat"),
}


def heading(move: Move) -> Heading:
    """Return the heading of a kind of move."""
    return _HEADINGS[type(move)]


_PATHS: Final[Mapping[type, Callable[[Any, View], Paths]]] = {
    moves.PlayCard: lambda move, view: _playing(move, view.acting_seat or 0),
    moves.PlaceShip: lambda move, view: ((_province(move.harbour),),),
    moves.Sail: lambda move, view: _sailing(move),
    moves.Recruit: lambda move, view: ((_province(move.province),),),
    moves.March: lambda move, view: ((_province(move.from_province), _province(move.to_province)),),
    moves.PlaceAbbot: lambda move, view: ((_province(move.province),),),
    moves.MoveAbbot: lambda move, view: ((_province(move.to_province),),),
    moves.Harvest: lambda move, view: ((_province(move.province),),),
    moves.BuildFort: lambda move, view: ((f"fort:{move.space}",),),
    moves.BuildVillage: lambda move, view: ((_province(move.province),),),
    moves.KeepFort: lambda move, view: ((f"fort-card:{move.number}",),),
    moves.ReplaceFort: lambda move, view: (("fort-cards:pile",),),
}


def paths(move: Move, view: View) -> Paths:
    """Return the ways to choose a legal move. Only ``Halt`` and moves of chance have none."""
    chosen = _PATHS.get(type(move))
    return chosen(move, view) if chosen else ()


def _playing(move: moves.PlayCard, seat: int) -> Paths:
    """Return the card, and after a king the card that it copies."""
    first = _card(seat, move.card)
    return ((first, _card(seat, move.copied)),) if move.copied else ((first,),)


def _sailing(move: moves.Sail) -> Paths:
    """Return from where to where ships sail, in either order of two ships."""
    legs = [(_province(origin), _province(target)) for origin, target in move.ways]
    orders = (legs, legs[::-1]) if len(legs) > 1 else (legs,)
    return tuple([tuple([step for leg in order for step in leg]) for order in orders])


# ---------------------------------------------------------------- events


def _dealt(event: events.TilesDealt) -> tuple[str, ...]:
    return tuple([f"tile:{BOARD.provinces[province].id}" for province, _ in event.tiles])


_TOUCHED: Final[Mapping[type, Callable[[Any], tuple[str, ...]]]] = {
    events.TilesDealt: _dealt,
    events.FortTurnedUp: lambda event: (f"fort-card:{event.number}", f"fort:{event.number}"),
    events.CardPlayed: lambda event: tuple(
        [_card(event.seat, card) for card in (event.card, event.copied) if card is not None]
    ),
    events.ShipPlaced: lambda event: (_province(event.harbour),),
    events.ShipSailed: lambda event: (_province(event.from_harbour), _province(event.to_harbour)),
    events.VillagerRecruited: lambda event: (_province(event.province),),
    events.VillagerMarched: lambda event: tuple(
        map(_province, (event.from_province, *event.crossed, event.to_province))
    ),
    events.AbbotPlaced: lambda event: (_province(event.province),),
    events.AbbotMoved: lambda event: (_province(event.from_province), _province(event.to_province)),
    events.TileHarvested: lambda event: (_province(event.province),),
    events.FortBuilt: lambda event: (f"fort:{event.space}",),
    events.VillageBuilt: lambda event: (_province(event.province),),
    events.ScoringBegun: lambda event: (f"fort:{event.fort}",),
    events.ProvinceScored: lambda event: (_province(event.province),),
    events.FortKept: lambda event: (f"fort-card:{event.number}",),
    events.FortReplaced: lambda event: ("fort-cards:pile",),
}


def touched(event: Event) -> tuple[str, ...]:
    """Return the places and pieces that an event is about."""
    about = _TOUCHED.get(type(event))
    return about(event) if about else ()


def gains(event: Event) -> tuple[Gain, ...]:
    """Return the points of a harvest, or of the seats in a province that is scored."""
    if isinstance(event, events.TileHarvested):
        return (Gain(event.seat, event.points, "Harvests"),)
    if not isinstance(event, events.ProvinceScored):
        return ()
    most = max(event.influence)
    return tuple(
        Gain(seat, award, "Most influence" if share == most else "Second-most influence")
        for seat, (award, share) in enumerate(zip(event.awards, event.influence, strict=True))
        if award
    )


# ---------------------------------------------------------------- positions


def facts(view: View, seat: int) -> tuple[Fact, ...]:
    """Return the numbers of a seat's cards, of its pieces in the supply, and of its tiles."""
    one = view.seats[seat]
    return (
        Fact("cards", f"{len(one.hand)}"),
        Fact("villagers", f"{one.supply.villagers}"),
        Fact("villages", f"{one.supply.villages}"),
        Fact("forts", f"{one.supply.forts}"),
        Fact("ships", f"{one.supply.ships}"),
        Fact("harvest", f"{sum(one.harvested)}"),
    )


def annotate(view: View, viewer: Viewer) -> tuple[Annotation, ...]:
    """Return what fort cards would pay now, what a farmer would get, and where peace or 7 figures forbid to add."""
    if view.phase is Phase.OVER:
        return ()
    state = _state(view)
    return (*_in_provinces(view), *_closed(state), *_harvests(state), *_of_fort_cards(view))


def _state(view: View) -> State:
    """Return the state that the view shows, as far as provinces and pieces go."""
    provinces, forts = view.provinces, [0] * len(view.seats)
    for space, owner in view.forts:
        forts[owner] |= 1 << space
    return State(
        phase=view.phase,
        turn=NOBODY if view.acting_seat is None else view.acting_seat,
        seats=tuple(
            [
                SeatState(
                    villagers=_packed(province.villagers[seat] for province in provinces),
                    villages=_packed(province.villages[seat] for province in provinces),
                    abbot=_packed(province.abbots.count(seat) for province in provinces),
                    ships=_packed(province.ships.count(seat) for province in provinces),
                    forts=forts[seat],
                    harvested=one.harvested,
                    score=one.score,
                )
                for seat, one in enumerate(view.seats)
            ]
        ),
        figures=_packed(province.figures for province in provinces),
        tiles=_packed(province.tile or 0 for province in provinces),
        row=view.fort_row,
    )


def _packed(counts: Iterable[int]) -> ProvinceCounts:
    return sum(count << 4 * province for province, count in enumerate(counts))


def _closed(state: State) -> Iterator[Annotation]:
    """Yield the provinces in which a seat may not add villagers or villages."""
    opened = [members(open_to(state, seat)) for seat in range(len(state.seats))]
    for province in PROVINCES:
        allowed = [seat for seat, provinces in enumerate(opened) if province in provinces]
        if len(allowed) < len(opened):
            who = phrase("kreta-only", seats=listed(map(player, allowed))) if allowed else phrase("kreta-no-player")
            name = BOARD.provinces[province].name
            yield Annotation(
                _province(province),
                phrase("kreta-may-add-villagers-villages", who=who, name=name),
            )


def _harvests(state: State) -> Iterator[Annotation]:
    """Yield the tiles that seats can harvest with a farmer, and for how many points."""
    targets = [members(harvest_targets(state, seat)) for seat in range(len(state.seats))]
    for province in PROVINCES:
        tile = count_at(state.tiles, province)
        paid = tuple(
            [
                harvest_points(seat, Tile(tile)) if province in reached else 0
                for seat, reached in zip(state.seats, targets, strict=True)
            ]
        )
        if any(paid):
            printed = BOARD.provinces[province]
            text = phrase("kreta-farmer-pays", paid=_paid(paid), tile=named(Tile(tile)), name=printed.name)
            yield Annotation(f"tile:{printed.id}", text)


def _in_provinces(view: View) -> Iterator[Annotation]:
    out = {*view.scored_forts, *view.buried_forts}
    for number, (printed, province) in enumerate(zip(BOARD.provinces, view.provinces, strict=True)):
        if any(province.influence) and not out.issuperset(printed.fort_spaces):
            shares = listed(
                phrase("kreta-has-influence", seat=player(seat), share=share)
                for seat, share in enumerate(province.influence)
                if share
            )
            paid = _paid(awards(province.influence, printed.value))
            yield Annotation(
                _province(number), phrase("kreta-scored-now-pays", name=printed.name, shares=shares, paid=paid)
            )


def _of_fort_cards(view: View) -> Iterator[Annotation]:
    influences = [province.influence for province in view.provinces]
    for number in view.fort_row:
        if any(paid := fort_awards(number, influences)):
            yield Annotation(
                f"fort-card:{number}", phrase("kreta-scored-now-fort-pays", number=number, paid=_paid(paid))
            )


def _paid(points: tuple[int, ...]) -> str:
    return listed(joined_by(" ", (player(seat), counted(award, "point"))) for seat, award in enumerate(points) if award)


GUIDE: Final[Guide[Move, View, Event]] = Guide(task, heading, paths, touched, gains, facts, annotate, attempts)
