"""Reads a view of Tenerife from its text."""

from __future__ import annotations

from skerry_games.tenerife.moves import Town
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import FACES, BackColour, Character, CharacterCard, Phase
from skerry_games.tenerife.view import PlotView, SeatView, SpaceView, TownView, View
from tests.games.text_lines import SEAT, Facts, Lines, member, seat


def read(text: str) -> View:
    """Return the view that the text describes. Raises AssertionError if a line or a fact is unknown."""
    lines = Lines(text)
    rounds, transport = lines.facts("round"), lines.facts("transport")
    place, farmhand = lines.fact("current place"), lines.fact("farmhand") or ""
    found = View(
        phase=member(Phase, lines.fact("phase") or ""),
        acting_seat=lines.seat("turn"),
        round=int(rounds.next()),
        hall_round=rounds.number(r"round (\d+) of the Town Hall") or 0,
        start_seat=lines.seat("start"),
        current_place=None if place is None else _place(place),
        column=tuple(_space(facts) for _, facts in lines.every(r"space \d+")),
        active_space=lines.number("active space"),
        transport_spaces=transport.number(r"(\d) spaces") or 0,
        transport=tuple(map(seat, transport.listed("taken by"))),
        towns=tuple(_town(facts) for _, facts in lines.every("town .+")),
        hall=tuple(_plot(facts) for _, facts in lines.every(r"plot \d+")),
        storage=tuple(_storage(facts) for _, facts in lines.every(r"storage space \d")),
        farmhand=int(farmhand.removeprefix("storage space ")),
        seats=tuple(_seat(facts) for _, facts in lines.every(SEAT)),
        undrawn_towns=tuple(map(_place, lines.facts("undrawn town cards").rest())),
        turbulent=lines.fact("variant") == "turbulent",
    )
    rounds.end()
    transport.end()
    lines.end()
    return found


def _place(words: str) -> Town:
    return [place.id for place in BOARD.places].index(words[:3])


def _space(facts: Facts) -> SpaceView:
    if facts.has("vacant"):
        return SpaceView(None, None, None)
    owner, character = seat(facts.next()), facts.next()
    colour = BackColour.SECOND if facts.has("second colour") else BackColour.OWN
    return SpaceView(owner, colour, None if character == "face down" else member(Character, character))


def _town(facts: Facts) -> TownView:
    printed = BOARD.places[_place(facts.subject.removeprefix("town "))]
    assert facts.number(r"(\d) plots") == len(printed.plots)
    assert facts.listed("roads to") == [BOARD.places[other].id for other in printed.neighbours]
    return TownView(tuple(map(seat, facts.listed("mansions of"))), facts.has("farmer's symbol"))


def _plot(facts: Facts) -> PlotView:
    printed = BOARD.hall_plots[int(facts.subject.split()[1]) - 1]
    assert facts.number(r"row (\d)") == printed.row
    assert facts.number(r"column (\d)") == printed.column
    state = facts.next()
    return PlotView(seat(state) if state.startswith("seat") else None, state == "closed")


def _storage(facts: Facts) -> tuple[int, ...]:
    printed = BOARD.storage[int(facts.subject.split()[2]) - 1]
    assert facts.next() == printed.good.name.lower()
    assert facts.number(r"worth (\d)") == printed.value
    assert facts.number(r"room for (\d)") == printed.room
    return tuple(map(seat, facts.listed("warehouses of")))


def _seat(facts: Facts) -> SeatView:
    merchant = facts.word("merchant in (.+)")
    return SeatView(
        score=facts.number(r"(\d+) points?") or 0,
        mansions=facts.number(r"(\d+) mansions? in the supply") or 0,
        merchant=None if merchant is None else _place(merchant),
        cards_in_hand=facts.number(r"(\d) cards? in hand") or 0,
        hand=tuple(map(_card, facts.listed("hand"))),
    )


def _card(words: str) -> CharacterCard:
    colour = BackColour.SECOND if words.endswith(" (second colour)") else BackColour.OWN
    return FACES[member(Character, words.removesuffix(" (second colour)")), colour]
