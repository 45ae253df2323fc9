"""Positions as text. A line for each thing that differs from the beginning of a game of two seats:

    turn: 0                      seat 0 plays a card (without this line, seat 0 does)
    turn: 0 commander            seat 0 carries out its commander, which lies on the table
    KYD: A1 vv0 V1 | ship 0 1    in Kydonia: the abbot of seat 1, two villagers of seat 0, a village of seat 1;
                                 in its harbour a ship of each of them
    LEF: v0 | bare               a villager in Lefka Ori, whose tile has been harvested
    fort 14: 1                   a fort of seat 1 on fort space 14
    seat 0: table king farmer | tiles olive olive wine | 7 points
    row: 2 14                    the face-up fort cards (without this line, 2 and 14)
    scored: 1 3 | buried 9       fort cards that have been scored, and that were put under the pile

``position`` reads it, ``drawn`` draws a province or a seat of a state in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from skerry_games.kreta import GAME
from skerry_games.kreta.chance import HILL_DEALS, MOUNTAIN_DEALS, deal_hills, deal_mountains
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import SET_OF, count_at
from skerry_games.kreta.state import KretaCard, Options, Phase, SeatState, State, Tile, with_seat

Change = Callable[[SeatState], SeatState]

NUMBERS = {province.id: number for number, province in enumerate(BOARD.provinces)}
ROW = (2, 14)


def at(province: str) -> int:
    """Return the number of the province with that id."""
    return NUMBERS[province]


def position(text: str = "", seats: int = 2) -> State:
    """Return the state that the text draws."""
    state = _beginning(seats)
    for line in filter(None, (line.strip() for line in text.splitlines())):
        subject, _, rest = line.partition(":")
        clauses = [clause.split() for clause in rest.split("|")]
        state = _read(state, subject, clauses)
    assert all(count_at(state.figures, number) <= 7 for number in NUMBERS.values()), "more than 7 figures are drawn"
    return state


def _beginning(seats: int) -> State:
    state, _ = deal_hills(GAME.setup(Options(start_seat=0), seats), -1, HILL_DEALS[0])
    state, _ = deal_mountains(state, -1, MOUNTAIN_DEALS[0])
    return _read(replace(state, phase=Phase.PLAY_CARD), "row", [[str(number) for number in ROW]])


def _read(state: State, subject: str, clauses: list[list[str]]) -> State:
    if subject == "turn":
        return _read_turn(state, *clauses[0])
    if subject in ("row", "scored"):
        return _read_cards(state, [[subject, *clauses[0]], *clauses[1:]])
    if subject.startswith("fort "):
        bit = 1 << int(subject.removeprefix("fort "))
        return _change(state, int(clauses[0][0]), lambda seat: replace(seat, forts=seat.forts | bit))
    if subject.startswith("seat "):
        return _read_seat(state, int(subject.removeprefix("seat ")), clauses)
    return _read_province(state, at(subject), clauses)


def _read_turn(state: State, seat: str, card: str = "") -> State:
    if not card:
        return replace(state, turn=int(seat))
    action = KretaCard[card.upper()]
    laid = _change(state, int(seat), lambda owner: replace(owner, hand=owner.hand & ~(1 << action)))
    return replace(laid, turn=int(seat), phase=Phase.ACTION, action=action)


def _read_cards(state: State, clauses: list[list[str]]) -> State:
    for kind, *numbers in clauses:
        cards = tuple(map(int, numbers))
        shown = sum(1 << card for card in cards)
        if kind == "row":
            back = sum(1 << card for card in state.row)
            state = replace(state, row=cards, unseen=(state.unseen | back) & ~shown)
        elif kind == "scored":
            state = replace(state, scorings=len(cards), unseen=state.unseen & ~shown)
        else:
            state = replace(state, buried=shown, unseen=state.unseen & ~shown)
    return state


def _read_seat(state: State, me: int, clauses: list[list[str]]) -> State:
    seat = state.seats[me]
    for first, *rest in clauses:
        if first == "table":
            seat = replace(seat, hand=seat.hand & ~sum(1 << KretaCard[card.upper()] for card in rest))
        elif first == "tiles":
            seat = replace(seat, harvested=tuple(rest.count(tile.name.lower()) for tile in Tile))
        else:
            assert rest in (["point"], ["points"]), f"not drawn like this: {first} {rest}"
            seat = replace(seat, score=int(first))
    return replace(state, seats=with_seat(state, me, seat))


def _read_province(state: State, province: int, clauses: list[list[str]]) -> State:
    place = SET_OF[province]
    figures, *others = clauses
    for drawn in figures:
        match = re.fullmatch(r"(A|v+|V+)(\d)", drawn)
        assert match, f"not drawn like this: {drawn}"
        kind, count, owner = match[1][0], len(match[1]), int(match[2])
        field = {"A": "abbot", "v": "villagers", "V": "villages"}[kind]
        seat = state.seats[owner]
        seats = with_seat(state, owner, replace(seat, **{field: getattr(seat, field) + count * place}))
        state = replace(state, seats=seats, figures=state.figures + count * place)
    for kind, *owners in others:
        if kind == "bare":
            state = replace(state, tiles=state.tiles - count_at(state.tiles, province) * place)
        for owner in map(int, owners):
            assert kind == "ship", f"not drawn like this: {kind}"
            state = _change(state, owner, lambda seat: replace(seat, ships=seat.ships | place))
    return state


def _change(state: State, me: int, change: Change) -> State:
    return replace(state, seats=with_seat(state, me, change(state.seats[me])))


def drawn(state: State, province: str) -> str:
    """Return a province in the notation of ``position``: owners of each piece in order, the tile only if bare."""
    number = at(province)
    figures = [
        sign * count_at(counts, number) + str(owner)
        for owner, seat in enumerate(state.seats)
        for sign, counts in (("A", seat.abbot), ("v", seat.villagers), ("V", seat.villages))
        if count_at(counts, number)
    ]
    ships = [str(owner) for owner, seat in enumerate(state.seats) if seat.ships & SET_OF[number]]
    clauses = [" ".join(figures), " ".join(["ship", *ships]) if ships else ""]
    clauses.append("" if count_at(state.tiles, number) else "bare")
    return " | ".join(filter(None, clauses))
