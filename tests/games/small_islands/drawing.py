"""Positions as text: a picture of the table, and a line for each thing that differs from an exploration just begun.

    L06/2 .     ~0               a row of cells: tile L06 turned twice, an empty cell, the ship of seat 0 (~grey: grey)
    L42   L55   .                the next row; the picture's top left cell is (4, 4)

    turn: 1                      seat 1 has its turn (without this line, seat 0)
    stack: 2                     tiles in the navigation stack (without this line, none)
    reserve: 5                   tiles in the reserve; all others are gone (without this line, all that are left)
    display: L10 L11             (without this line, the last three tiles that lie nowhere else)
    token: 0 leaf 4,5            seat 0 has covered the first resource but leaves of (4, 5) with a leaf
    port: 1 4,5                  seat 1 has put a port on (4, 5)
    house: 0 4,4 8,8             houses of seat 0
    seat 0: hand L01 L02 | left any leaf | at hand 2 | objective O3 | 7 points

``position`` reads it. Tiles, tokens, houses and cards that are not named are dealt somehow, always in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from skerry_games.small_islands import GAME
from skerry_games.small_islands.printed.components import COMPONENTS, RESOURCES, Bonus, Symbol
from skerry_games.small_islands.state import NOTHING, Mode, ObjectiveDeck, Options, Phase, SeatState, State, with_seat
from skerry_games.small_islands.tabletop.cells import Cell, cell_at
from skerry_games.small_islands.tabletop.table import Laid, Ship, Table, with_port, with_resource

CORNER = 4
"""Column and row of the picture's top left cell."""

FACES = {face.id: number for number, face in enumerate(COMPONENTS.faces)}
CARDS = {card.id: number for number, card in enumerate(COMPONENTS.cards)}


def face(name: str) -> int:
    """Return the number of a tile, or of a side of a starting tile."""
    return FACES[name]


def card(name: str) -> int:
    """Return the number of a card."""
    return CARDS[name]


def cell(text: str) -> Cell:
    """Return the cell that is written like ``4,5``."""
    x, y = map(int, text.split(","))
    return cell_at(x, y)


@dataclass
class _Drawing:
    tiles: list[Laid] = field(default_factory=list)
    ships: list[Ship] = field(default_factory=list)
    rows: int = 0
    lines: list[tuple[str, str]] = field(default_factory=list)


def position(text: str = "", seats: int = 2, mode: Mode = Mode.NORMAL, size: int = 16) -> State:
    """Return the state that the text draws."""
    drawing = _Drawing()
    for line in filter(None, (line.strip() for line in text.splitlines())):
        subject, colon, rest = line.partition(":")
        if colon:
            drawing.lines.append((subject, rest))
        else:
            _draw_row(drawing, line.split())
    state = _beginning(drawing, seats, mode, size)
    for subject, rest in drawing.lines:
        state = _read(state, subject, rest)
    return _deal_the_rest(state, dict(drawing.lines))


def _draw_row(drawing: _Drawing, cells: Iterable[str]) -> None:
    for x, drawn in enumerate(cells):
        at = cell_at(CORNER + x, CORNER + drawing.rows)
        if drawn.startswith("~"):
            drawing.ships.append(Ship(at, None if drawn == "~grey" else int(drawn[1:])))
        elif drawn != ".":
            name, _, turns = drawn.partition("/")
            drawing.tiles.append(Laid(at, face(name), int(turns or 0)))
    drawing.rows += 1


def _beginning(drawing: _Drawing, seats: int, mode: Mode, size: int) -> State:
    state = GAME.setup(Options(mode=mode, table_size=size, start_seat=0), seats)
    table = Table(size, tuple(drawing.tiles), tuple(drawing.ships))
    assert not table.chart.land & table.chart.sea, "corners of the picture do not agree"
    owned = {ship.seat: ship.at for ship in drawing.ships}
    return replace(
        state,
        phase=Phase.TURN,
        turn=0,
        round=1,
        table=table,
        seats=tuple(SeatState(hand=(), ship=owned.get(seat, NOTHING)) for seat in range(seats)),
        chosen=(1 << seats) - 1,
        display=(),
    )


def _read(state: State, subject: str, rest: str) -> State:
    words = rest.split()
    if subject == "turn":
        return replace(state, turn=int(words[0]), first=int(words[0]))
    if subject == "stack":
        return replace(state, stack=int(words[0]))
    if subject == "display":
        return replace(state, display=tuple(map(face, words)))
    if subject in ("token", "port"):
        return _read_token(state, subject, words)
    if subject == "house":
        owner = int(words[0])
        houses = tuple(map(cell, words[1:]))
        return _change(state, owner, houses=houses, at_hand=min(4, 8 - len(houses)))
    if subject.startswith("seat "):
        return _read_seat(state, int(subject.removeprefix("seat ")), rest)
    assert subject == "reserve", f"not drawn like this: {subject}"
    return state


def _read_token(state: State, kind: str, words: list[str]) -> State:
    owner, at = int(words[0]), cell(words[-1])
    if kind == "port":
        table, _ = with_port(state.table, at, owner)
    else:
        shows = Symbol[words[1].upper()]
        covered = next(symbol for symbol in state.table.shown_at(at) if symbol in {*RESOURCES} - {shows})
        table, _ = with_resource(state.table, at, owner, shows, covered)
    tokens = state.seats[owner].tokens
    return _change(replace(state, table=table), owner, tokens=tokens & (tokens - 1))


def _read_seat(state: State, me: int, rest: str) -> State:
    for clause in rest.split("|"):
        first, *words = clause.split()
        if first == "hand":
            state = _change(state, me, hand=tuple(sorted(map(face, words))))
        elif first == "left":
            state = _change(state, me, tokens=sum(1 << Bonus[word.upper()] for word in words))
        elif first == "at":
            state = _change(state, me, at_hand=int(words[-1]))
        elif first == "objective":
            state = _with_objective(state, me, tuple(map(card, words)))
        else:
            assert words in (["point"], ["points"]), f"not drawn like this: {clause}"
            state = _change(state, me, score=int(first))
    return state


def _with_objective(state: State, me: int, cards: tuple[int, ...]) -> State:
    decks = []
    for deck, chosen in zip(state.decks, cards, strict=True):
        held = (*deck.cards[:me], (chosen,), *deck.cards[me + 1 :])
        decks.append(replace(deck, cards=held))
    return replace(state, decks=tuple(decks))


def _change(state: State, me: int, **changes: object) -> State:
    return replace(state, seats=with_seat(state, me, replace(state.seats[me], **changes)))


def _deal_the_rest(state: State, lines: dict[str, str]) -> State:
    laid = [tile.tile for tile in state.table.tiles]
    used = {*laid, *state.display, *(tile for seat in state.seats for tile in seat.hand)}
    free = [tile for tile in range(COMPONENTS.landscape) if tile not in used]
    if "display" not in lines:
        state = replace(state, display=tuple(free.pop() for _ in range(3)))
    for me, seat in enumerate(state.seats):
        if not seat.hand:
            state = _change(state, me, hand=tuple(sorted(free.pop() for _ in range(2))))
    left = int(lines["reserve"]) + state.stack if "reserve" in lines else len(free)
    return replace(
        state,
        unseen=tuple(free[:left]),
        gone=tuple(free[left:]),
        decks=tuple(map(_with_trios, state.decks)),
    )


def _with_trios(deck: ObjectiveDeck) -> ObjectiveDeck:
    used = {card for cards in deck.cards for card in cards}
    free = [card for card in deck.pile if card not in used]
    trios = tuple((*cards, *(free.pop() for _ in range(3 - len(cards)))) for cards in deck.cards)
    return ObjectiveDeck(tuple(free), trios)
