"""States as text: lines for the differences from the first turn of a game with two seats, and drawn islands.

    turn: 1 load                        seat 1 has built or drawn, and loads (without this line, seat 0 builds or draws)
    round: 3 | start 1 | last           the round, its start seat, and whether it is the last
    ship: hidalgo-c 0:segador-a         the card that was there, then that of seat 0
    port: hidalgo-c 0:segador-a         the same, but the ship has arrived and is being unloaded
    deck: cantero-a pirate-red          these are in the deck, and all cards that are nowhere else on the discard pile
    discard: cantero-a                  the other way round
    rest: 1                             with both of them: all other cards are in the hand of seat 1
    privileges: red 0 | blue 1          owners (without this line, none has an owner)
    supply: red house 0 | red town 1    pieces left (without this line, all pieces not on the islands)
    seat 0 on island 1: segador-a pirate-red
      r  .  #  #  G  ~                  its hand, and its island: a red house, a green palace,
      .  .  .  .  BB .                  a blue town; . is an empty square, ~ water,
      .  .  =  =  .  ~                  # the village and = the farmland

Colours are o(range), n for brown, g(reen), b(lue), e for beige, r(ed). A seat that is not drawn has the empty island of
its number plus one, and no cards. ``position`` reads it, ``drawn`` draws an island in the same signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from skerry_games.canarias import GAME
from skerry_games.canarias.actions.privileges import points_for
from skerry_games.canarias.knowledge import Knowledge, counts
from skerry_games.canarias.printed.cards import CARD_IDS, DISTINCT
from skerry_games.canarias.printed.components_file import COLUMNS, NUMBER
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.squares import BUILDING
from skerry_games.canarias.printed.terms import Colour
from skerry_games.canarias.state import (
    NO_SEAT,
    IslandOption,
    Options,
    Phase,
    SeatState,
    State,
    at_sea,
    per_colour,
    with_colour,
    with_seat,
)

LETTERS = "ongber"
FIRST_ON_SHIP = "hidalgo-c"

Lines = dict[str, str]


def card(name: str) -> int:
    """Return the number of the card with that id."""
    return CARD_IDS.index(name)


def cards(names: str) -> tuple[int, ...]:
    """Return the numbers of the cards with these ids, ascending."""
    return tuple(sorted(map(card, names.split())))


def sq(name: str) -> int:
    """Return the number of the square with that name."""
    return NUMBER[name]


def sqs(names: str) -> tuple[int, ...]:
    """Return the numbers of the squares with these names."""
    return tuple(map(sq, names.split()))


def position(text: str = "", seats: int = 2) -> State:
    """Return the state that the text draws."""
    lines, islands = _read(text)
    state = _beginning(seats)
    for me, (island, hand, rows) in islands.items():
        state = replace(state, seats=with_seat(state.seats, me, _island(island, hand, rows)))
    state = _turn(_privileges(_supply(state, lines), lines), lines)
    return _known(_lay_cards(_ship(state, lines), lines))


def _read(text: str) -> tuple[Lines, dict[int, tuple[int, str, list[str]]]]:
    """Return the lines by their subjects, and for each seat its island, its hand, and the rows of the island."""
    lines, islands, rows = Lines(), {}, list[str]()
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if seat := re.fullmatch(r"seat (\d) on island (\d):(.*)", line):
            rows = []
            islands[int(seat[1])] = (int(seat[2]) - 1, seat[3], rows)
        elif ":" in line.split()[0]:
            subject, _, rest = line.partition(":")
            assert subject in ("turn", "round", "ship", "port", "deck", "discard", "rest", "privileges", "supply"), line
            lines[subject] = rest.strip()
        else:
            rows.append(line)
    return lines, islands


def _beginning(seats: int) -> State:
    empty = tuple(SeatState(island=number, free=BUILDING[number]) for number in range(seats))
    first = GAME.setup(Options(islands=IslandOption.CHOOSE), seats)
    return replace(
        first, phase=Phase.BUILD_OR_DRAW, resume=Phase.BUILD_OR_DRAW, seats=empty, start=0, turn=0, actor=0, round=1
    )


def _island(island: int, hand: str, rows: list[str]) -> SeatState:
    """Return the seat with what is drawn on its island."""
    built: dict[str, list[int]] = {kind: [0] * 6 for kind in ("houses", "palaces", "towns")}
    free = BUILDING[island]
    for row, line in enumerate(rows):
        for column, sign in enumerate(line.split()):
            bit = 1 << row * COLUMNS + column
            assert (sign in "~#=") == (not bit & BUILDING[island]), f"{sign} is not where island {island + 1} has it"
            if sign not in "~#=.":
                kind = "houses" if sign.islower() else ("palaces" if len(sign) == 1 else "towns")
                built[kind][LETTERS.index(sign[0].lower())] |= bit
                free &= ~bit
    houses, palaces, towns = (tuple(squares) for squares in built.values())
    held = cards(hand)
    return SeatState(
        island=island,
        free=free,
        houses=houses,  # type: ignore[arg-type]
        palaces=palaces,  # type: ignore[arg-type]
        towns=towns,  # type: ignore[arg-type]
        points=tuple(map(points_for, houses, palaces, towns)),  # type: ignore[arg-type]
        hand=held,
    )


def _clauses(lines: Lines, subject: str) -> Iterator[list[str]]:
    for clause in filter(None, lines.get(subject, "").split("|")):
        yield clause.split()


def _supply(state: State, lines: Lines) -> State:
    for kind in ("houses", "palaces", "towns"):
        for colour in Colour:
            used = sum(getattr(seat, kind)[colour].bit_count() for seat in state.seats)
            left = getattr(state, f"{kind}_left")
            state = replace(state, **{f"{kind}_left": with_colour(left, colour, left[colour] - used)})
    for name, kind, count in _clauses(lines, "supply"):
        field = f"{kind}s_left"
        left = (
            per_colour(int(count))
            if name == "every"
            else with_colour(getattr(state, field), Colour[name.upper()], int(count))
        )
        state = replace(state, **{field: left})
    return state


def _privileges(state: State, lines: Lines) -> State:
    for name, owner in _clauses(lines, "privileges"):
        state = replace(state, privileges=with_colour(state.privileges, Colour[name.upper()], int(owner)))
    return state


def _turn(state: State, lines: Lines) -> State:
    for seat, *loading in _clauses(lines, "turn"):
        phase = Phase.LOAD if loading else Phase.BUILD_OR_DRAW
        state = replace(state, turn=int(seat), actor=int(seat), phase=phase)
    for name, *number in _clauses(lines, "round"):
        if name == "start":
            state = replace(state, start=int(number[0]))
        else:
            state = replace(state, last=True) if name == "last" else replace(state, round=int(name))
    return state


def _ship(state: State, lines: Lines) -> State:
    in_port = "port" in lines
    entries = lines.get("port" if in_port else "ship", FIRST_ON_SHIP).split()
    ship = [(card(name), int(seat) if seat else NO_SEAT) for seat, _, name in (e.rpartition(":") for e in entries)]
    state = replace(state, ship=tuple(ship))
    if in_port:
        return replace(state, ship=tuple(sorted(ship)), phase=Phase.TURN_UP, resume=Phase.TURN_UP)
    return state


def _lay_cards(state: State, lines: Lines) -> State:
    used = {*(one for one, _ in state.ship), *(one for seat in state.seats for one in seat.hand)}
    piles = {name: cards(lines.get(name, "")) for name in ("deck", "discard")}
    used |= {*piles["deck"], *piles["discard"]}
    others = tuple(one for one in DISTINCT if one not in used)
    if "rest" in lines:
        me = int(lines["rest"])
        seat = state.seats[me]
        held = replace(seat, hand=tuple(sorted(seat.hand + others)))
        state = replace(state, seats=with_seat(state.seats, me, held))
    else:
        piles["discard" if "deck" in lines else "deck"] += others
    return replace(state, deck=tuple(sorted(piles["deck"])), discard=tuple(sorted(piles["discard"])))


def _known(state: State) -> State:
    """Return the state in which all cards come from the current deck, as public knowledge."""
    aboard = sum({1 << seat for _, seat in state.ship if seat != NO_SEAT})
    loaded = aboard if at_sea(state) else 0
    held = counts(len(seat.hand) + (loaded >> me & 1) for me, seat in enumerate(state.seats))
    return replace(state, known=Knowledge(least=held, most=held, loaders=aboard & ~loaded))


def drawn(state: State, me: int) -> str:
    """Return the island of a seat, as ``position`` reads it, one line for each row."""
    seat = state.seats[me]
    island = ISLANDS[seat.island]
    signs = dict.fromkeys(island.building, ".")
    signs |= dict.fromkeys(island.village, "#") | dict.fromkeys(island.farmland, "=")
    for colour, letter in enumerate(LETTERS):
        for sets, sign in ((seat.houses, letter), (seat.palaces, letter.upper()), (seat.towns, letter.upper() * 2)):
            signs |= {square: sign for square in island.building if sets[colour] >> square & 1}
    rows = [
        [signs.get(row * COLUMNS + column, "~") for column in range(len(island.outline[row]))]
        for row in range(len(island.outline))
    ]
    return "\n".join(" ".join(row) for row in rows)


def lies(text: str) -> str:
    """Return a drawn island without the blanks that make it readable, to be compared with ``drawn``."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
