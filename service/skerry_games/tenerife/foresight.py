"""What follows from what a viewer knows of Tenerife: the rules, asked with the known part of the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skerry_games.api import Viewer
from skerry_games.looks.guidance import Annotation
from skerry_games.sentences import counted, joined_by, listed, phrase, player
from skerry_games.tenerife.actions.activation import act_at
from skerry_games.tenerife.actions.character_column import ahead_of
from skerry_games.tenerife.actions.roads import destinations, foreign_mansions
from skerry_games.tenerife.actions.storage import lowest_warehouses
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.events import CharacterFreed, CharacterRobbed, Event, NoEffect
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CLOSED,
    FACES,
    LA_LAGUNA,
    NO_PLACE,
    NO_SEAT,
    PLACES,
    PUERTO,
    THIEVES,
    CharacterCard,
    Phase,
    SeatState,
    State,
    at_hall,
    with_item,
)
from skerry_games.tenerife.view import PlotView, SpaceView, View
from skerry_games.tenerife.words import TASKS, say
from skerry_games.texts.text_lines import named


def annotate(view: View, viewer: Viewer) -> tuple[Annotation, ...]:
    """Return what places, plots, storage spaces, merchants and characters pay as things stand."""
    if view.phase is Phase.OVER:
        return ()
    known = _known(view)
    return (*_places(known, viewer), *_plots(known), *_stored(known), *_merchants(known), *_characters(known))


def _known(view: View) -> State:
    """Return a state with all that the viewer knows. A space with a hidden card is one without a card."""
    return State(
        phase=view.phase,
        turn=NO_SEAT if view.acting_seat is None else view.acting_seat,
        seats=tuple(
            [
                SeatState(one.hand, one.mansions, NO_PLACE if one.merchant is None else one.merchant, one.score)
                for one in view.seats
            ]
        ),
        hall=tuple(map(_owner, view.hall)),
        owners=tuple([NO_SEAT if space.seat is None else space.seat for space in view.column]),
        cards=tuple(map(_card, view.column)),
        vacant=0,
        undrawn=sum([1 << town for town in view.undrawn_towns]),
        transport_spaces=view.transport_spaces,
        turbulent=view.turbulent,
        puerto_farmer=view.towns[PUERTO].farmers_symbol,
        round=view.round,
        place=NO_PLACE if view.current_place is None else view.current_place,
        active=view.active_space or 0,
        transport=view.transport,
        towns=tuple([town.mansions for town in view.towns]),
        storage=view.storage,
        farmhand=view.farmhand,
    )


def _owner(plot: PlotView) -> int:
    if plot.closed:
        return CLOSED
    return NO_SEAT if plot.seat is None else plot.seat


def _card(space: SpaceView) -> CharacterCard | None:
    return FACES[space.character, space.colour] if space.character and space.colour else None


def _points(number: int) -> str:
    return counted(number, "point", none="no")


def _shares(points: list[int]) -> str:
    """Return ``{0} 2 points and {1} 1 point``, without seats that score nothing."""
    return listed(joined_by(" ", (player(seat), _points(share))) for seat, share in enumerate(points) if share)


# ---------------------------------------------------------------- the island


def _places(known: State, viewer: Viewer) -> Iterator[Annotation]:
    """Yield what merchants score in each place. The badge is what the viewer's own merchant would score there."""
    for place in PLACES:
        pays = [foreign_mansions(known, seat, place) for seat in range(len(known.seats))]
        if any(pays):
            text = phrase("tenerife-merchant-stops-scores", place=BOARD.places[place].name, shares=_shares(pays))
            if place == LA_LAGUNA:
                hall = [split_of(known.hall, seat)[0] for seat in range(len(known.seats))]
                text = joined_by(" ", (text, phrase("tenerife-town-hall-scores", shares=_shares(hall))))
            badge = "" if viewer is None or not pays[viewer] else f"+{pays[viewer]}"
            yield Annotation(f"place:{BOARD.places[place].id}", text, badge)


def _plots(known: State) -> Iterator[Annotation]:
    """Yield what an element on each free plot adds for each seat, while elements can be built."""
    if not at_hall(known) and known.phase is not Phase.CHOOSE_PLOT:
        return
    for plot, owner in enumerate(known.hall, start=1):
        if owner == NO_SEAT:
            more = [
                split_of(with_item(known.hall, plot - 1, seat), seat)[0] - split_of(known.hall, seat)[0]
                for seat in range(len(known.seats))
            ]
            text = phrase("tenerife-element-plot-adds-at", plot=plot, shares=_shares(more))
            badge = f"+{more[known.turn]}" if known.phase is Phase.CHOOSE_PLOT else ""
            yield Annotation(f"plot:{plot}", text, badge)


def _stored(known: State) -> Iterator[Annotation]:
    """Yield what the warehouses of each storage space sell for, and which of them thieves would take."""
    for number, owners in enumerate(known.storage, start=1):
        if owners:
            here, space = sorted(set(owners)), BOARD.storage[number - 1]
            taken = [seat for seat in here if number in lowest_warehouses(known, seat)]
            sale = {"seats": _any(here), "good": named(space.good), "points": _points(space.value)}
            if taken:
                text = phrase("tenerife-exporter-sells-thieves-take", **sale, taken=_any(taken))
            else:
                text = phrase("tenerife-exporter-sells-this", **sale)
            yield Annotation(f"storage:{number}", text)


def _any(seats: Iterable[int]) -> str:
    return listed(map(player, seats), "or")


def _merchants(known: State) -> Iterator[Annotation]:
    for number, seat in enumerate(known.seats):
        if seat.merchant != NO_PLACE:
            ways = [
                phrase(
                    "tenerife-for",
                    place=BOARD.places[place].name,
                    points=_points(foreign_mansions(known, number, place)),
                )
                for place in destinations(known, number)
            ]
            yield Annotation(
                f"merchant:{number}",
                phrase("tenerife-s-merchant-can-go", seat=player(number), ways=listed(ways, "or")),
            )


# ---------------------------------------------------------------- the column


def _characters(known: State) -> Iterator[Annotation]:
    """Yield what each known character that has not acted would do now."""
    for space in range(known.active + 1, len(known.cards) + 1):
        card = known.cards[space - 1]
        if card is not None and not (card in THIEVES and _is_hidden(known, ahead_of(known, space))):
            after, happened = act_at(known, space)
            sentences: list[str] = [*map(say, happened)]
            if after.active == space:
                sentences.append(phrase("tenerife-has", seat=player(after.turn), task=TASKS[after.phase]))
            yield Annotation(
                f"space:{space}",
                phrase("tenerife-as-things-stand", sentences=joined_by(" ", sentences)),
                _badge(happened),
            )


def _is_hidden(known: State, space: int) -> bool:
    return space > 0 and known.cards[space - 1] is None


def _badge(happened: tuple[Event, ...]) -> str:
    """Return ``+2``, ``robbed`` or ``nothing``; empty for a decision."""
    for event in happened:
        if isinstance(event, CharacterRobbed):
            return "robbed"
        if isinstance(event, NoEffect):
            return "nothing"
        if points := getattr(event, "points", 0):
            return f"+{points}"
    return "freed" if any(isinstance(event, CharacterFreed) for event in happened) else ""
