"""States as text: a round in which only the last character is still to be laid. Each line sets one part:

    place: ICO                       the current place (without this line PUE, which has no farmer's symbol)
    round: 7                         the round (without this line the first one that can be at that place)
    column: M0 T1 f0 E2              characters below the spaces from 1 on: Mason, Farmer, merChant, Exporter, Thieves,
                                     each with its seat, in small letters with a back of the second colour
    ICO: 0 1 1                       mansions of seat 0, seat 1 and again seat 1 in Icod
    hall: 0. / 01.. / ....           elements on the Town Hall's plots, row by row
    storage: 0 / - / - / 1 1 / - / - warehouses on the storage spaces
    farmhand: 4                      where the farmhand stands (without this line on space 1)
    seat 0: 3 mansions | in ICO | 7 points

Spaces that the column line does not name get an exporter of the last seat, which has no effect while that seat has
no warehouse. The character below the last space is still the only one in its owner's hand, and ``acting.reveal`` lays
it. ``drawn`` draws a part of a state in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from skerry_games.tenerife import GAME
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CLOSED,
    LA_LAGUNA,
    NO_SEAT,
    CharacterCard,
    Hand,
    Options,
    Owners,
    Phase,
    State,
    full_hand,
    town_cards,
    with_item,
    with_seat,
)

NUMBERS = {place.id: number for number, place in enumerate(BOARD.places)}
LETTERS = dict(zip("MFCETmft", CharacterCard, strict=True))
ROWS = ((0, 2), (2, 6), (6, 10))
SIGNS = {NO_SEAT: ".", CLOSED: "x"} | {seat: str(seat) for seat in range(4)}
OWNERS = {sign: owner for owner, sign in SIGNS.items()}


def at(place: str) -> int:
    """Return the number of the place with that id."""
    return NUMBERS[place]


def position(text: str = "", seats: int = 3, *, transport_spaces: int | None = None, turbulent: bool = False) -> State:
    """Return the state that the text draws."""
    options = Options(start_seat=0, transport_spaces=transport_spaces, turbulent=turbulent)
    lines = dict(line.strip().split(":", 1) for line in text.splitlines() if line.strip())
    state = _at_place(GAME.setup(options, seats), at(lines.pop("place", "PUE").strip()))
    state = _with_column(state, lines.pop("column", "").split())
    for subject, rest in lines.items():
        state = _read(state, subject.strip(), rest.strip())
    return state


def _at_place(state: State, place: int) -> State:
    cards = town_cards(len(state.seats))
    if place == LA_LAGUNA:
        return replace(state, phase=Phase.LAY, place=place, undrawn=0, round=cards.bit_count() + 1)
    return replace(state, phase=Phase.LAY, place=place, undrawn=cards & ~(1 << place), round=1)


def _with_column(state: State, drawn_cards: list[str]) -> State:
    """Lay all of the cards but the last one."""
    spaces = len(state.cards)
    filled = drawn_cards + [f"E{len(state.seats) - 1}"] * (spaces - len(drawn_cards))
    *laid, last = [(LETTERS[word[0]], int(word[1])) for word in filled]
    for seat, owner in enumerate(state.seats):
        own = [card for card, whose in laid if whose == seat]
        hand = (last[0],) if seat == last[1] else _without(full_hand(state.turbulent), own)
        state = replace(state, seats=with_seat(state, seat, replace(owner, hand=hand)))
    return replace(
        state,
        owners=(*(owner for _, owner in laid), NO_SEAT),
        cards=(*(card for card, _ in laid), None),
        vacant=1 << spaces,
        turn=last[1],
    )


def _without(hand: Hand, laid: Iterable[CharacterCard]) -> Hand:
    left = [*hand]
    for card in laid:
        if card in left:
            left.remove(card)
    return tuple(left)


def _read(state: State, subject: str, rest: str) -> State:
    if subject == "round":
        return replace(state, round=int(rest), undrawn=state.undrawn if int(rest) == 1 else 0)
    if subject == "farmhand":
        return replace(state, farmhand=int(rest))
    if subject == "hall":
        return replace(state, hall=tuple(OWNERS[sign] for sign in rest if sign in OWNERS))
    if subject == "storage":
        return replace(state, storage=tuple(_owners(clause.replace("-", "")) for clause in rest.split("/")))
    if subject.startswith("seat "):
        return _read_seat(state, int(subject.removeprefix("seat ")), rest)
    return replace(state, towns=with_item(state.towns, at(subject), _owners(rest)))


def _owners(words: str) -> Owners:
    return tuple(map(int, words.split()))


def _read_seat(state: State, number: int, rest: str) -> State:
    seat = state.seats[number]
    for clause in rest.split("|"):
        first, last = clause.split()
        if first == "in":
            seat = replace(seat, merchant=at(last))
        elif last in ("mansion", "mansions"):
            seat = replace(seat, mansions=int(first))
        else:
            assert last in ("point", "points"), f"not drawn like this: {clause}"
            seat = replace(seat, score=int(first))
    return replace(state, seats=with_seat(state, number, seat))


def drawn(state: State, subject: str) -> str:
    """Return a town, the hall or the storage as ``position`` reads it."""
    if subject == "hall":
        return " / ".join("".join(SIGNS[owner] for owner in state.hall[first:end]) for first, end in ROWS)
    if subject == "storage":
        return " / ".join(" ".join(map(str, owners)) or "-" for owners in state.storage)
    return " ".join(map(str, state.towns[at(subject)]))
