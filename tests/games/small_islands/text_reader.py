"""Reads a view of Small Islands from its text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from skerry_games.small_islands.printed.components import COMPONENTS, Bonus, Symbol
from skerry_games.small_islands.printed.objective_words import mission_words, reward_words, symbol_name
from skerry_games.small_islands.state import End, Mode, Phase
from skerry_games.small_islands.tabletop.cells import cell_at
from skerry_games.small_islands.tabletop.table import Laid, Ship, Token
from skerry_games.small_islands.view import IslandView, SeatView, View
from tests.games.text_lines import SEAT, Facts, Lines, member, seat

CELL = r"\((\d+, \d+)\)"
PLACES = ("choice", "objective", "aside", "returned")
TILES = {face.id: number for number, face in enumerate(COMPONENTS.faces)}
CARDS = {card.id: number for number, card in enumerate(COMPONENTS.cards)}


def read(text: str) -> View:
    """Return the view that the text describes. Raises AssertionError if a line or a fact is unknown."""
    lines = Lines(text)
    token, left, taken = lines.facts("token in use"), lines.facts("tiles left"), lines.fact("tile taken")
    end, housed = lines.fact("end"), lines.fact("houses go on the island of")
    shows = token.word("as (.+)")
    bonus = token.rest()
    islands: defaultdict[int, list[int]] = defaultdict(list)
    tiles = tuple(_laid(facts, islands) for _, facts in lines.every(f"at {CELL}: tile .+"))
    hands = _of_seats(lines, r"in the hand of seat (?P<owner>\d): tile .+", _tile)
    cards = {place: _of_seats(lines, rf"{place} of seat (?P<owner>\d)", _card) for place in PLACES}
    seats = tuple(
        _seat(
            facts, hands[int(match["seat"])], {place: of_seats[int(match["seat"])] for place, of_seats in cards.items()}
        )
        for match, facts in lines.every(SEAT)
    )
    picked = [_tile(facts) for _, facts in lines.every("picked from the hand: tile .+")]
    found = View(
        mode=member(Mode, lines.fact("mode") or ""),
        phase=member(Phase, lines.fact("phase") or ""),
        acting_seat=lines.seat("turn"),
        round=lines.number("round") or 0,
        first_seat=lines.seat("first"),
        table_size=_table_size(lines.facts("table")),
        tiles=tiles,
        ships=tuple(_ship(facts) for _, facts in lines.every(f"at {CELL}: ship")),
        tokens=tuple(_token(facts) for _, facts in lines.every(f"at {CELL}: token")),
        islands=tuple(_island(facts, islands, len(seats)) for _, facts in lines.every(r"island \d+")),
        grey_ships=lines.number("grey ships left") or 0,
        display=tuple(_tile(facts) for _, facts in lines.every("in the display: tile .+")),
        navigation_stack=left.number(r"navigation stack (\d+)") or 0,
        reserve=left.number(r"reserve (\d+)") or 0,
        gone=tuple(TILES[tile] for tile in lines.facts("tiles out of the game").rest()),
        taken=None if taken is None else TILES[taken],
        picked=picked[0] if picked else None,
        token=member(Bonus, bonus[0]) if bonus else None,
        shows=None if shows is None else member(Symbol, shows),
        housed=None if housed is None else _cell(housed),
        discoveries_left=lines.number("discovery tokens left") or 0,
        end=None if end is None else member(End, end),
        seats=seats,
    )
    left.end()
    lines.end()
    return found


def _of_seats(lines: Lines, subject: str, read_one: Callable[[Facts], int]) -> Mapping[int, tuple[int, ...]]:
    """Take all lines of that kind; return what they name, by seat."""
    found: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for match, facts in lines.every(subject):
        found[int(match["owner"])] += (read_one(facts),)
    return found


def _cell(words: str) -> int:
    x, y = words.strip("()").split(", ")
    return cell_at(int(x), int(y))


def _cells(words: str | None) -> tuple[int, ...]:
    return tuple(map(_cell, re.findall(CELL, words or "")))


def _place(facts: Facts) -> int:
    """Return the cell in the subject ``at (7, 8): ship``."""
    return _cells(facts.subject)[0]


def _tile(facts: Facts) -> int:
    return _turned_tile(facts)[0]


def _turned_tile(facts: Facts) -> tuple[int, int]:
    """Return the tile and its turns. Expects the printed corners, symbols and ports, the corners as they lie."""
    match = re.search(r"tile (\w+)(?: turned (\d))?$", facts.subject)
    assert match
    number, turns = TILES[match[1]], int(match[2] or 0)
    face = COMPONENTS.faces[number]
    assert facts.next() == "".join(face.shape.name[(corner - turns) % 4] for corner in range(4))
    symbols = ", ".join(symbol.name.lower() for symbol in face.symbols)
    assert not symbols or facts.has(symbols)
    assert (facts.number(r"(\d) ports?") or 0) == face.ports
    return number, turns


def _table_size(facts: Facts) -> int:
    size = facts.number(r"(\d+) columns and rows") or 0
    assert facts.rest() == ["words count from the corner between (7, 7) and (8, 8)"]
    return size


def _laid(facts: Facts, islands: dict[int, list[int]]) -> Laid:
    number, turns = _turned_tile(facts)
    if island := facts.number(r"island (\d+)"):
        islands[island].append(_place(facts))
    return Laid(_place(facts), number, turns)


def _ship(facts: Facts) -> Ship:
    owner = facts.next()
    return Ship(_place(facts), None if owner == "grey" else seat(owner))


def _token(facts: Facts) -> Token:
    owner, shown = seat(facts.next()), facts.take(r"(\w+) on spot (\d)")
    assert shown
    return Token(_place(facts), owner, member(Symbol, shown[1]), int(shown[2]))


def _island(facts: Facts, islands: Mapping[int, Sequence[int]], seats: int) -> IslandView:
    cells = tuple(sorted(islands[int(facts.subject.split()[1])]))
    assert facts.number(r"(\d+) tiles?") == len(cells)
    symbols = tuple(
        facts.number(rf"(\d+) (?:{symbol_name(symbol, 1)}|{symbol_name(symbol, 2)})") or 0 for symbol in Symbol
    )
    houses = tuple(facts.number(rf"seat {who} has (\d+) houses?") or 0 for who in range(seats))
    return IslandView(cells, symbols, houses)


def _card(facts: Facts) -> int:
    number = CARDS[(facts.word(r"card (\w+)") or "")]
    card = COMPONENTS.cards[number]
    assert card.mission is None or facts.has(mission_words(card.mission))
    assert card.reward is None or facts.has(reward_words(card.reward))
    return number


def _seat(facts: Facts, hand: tuple[int, ...], cards: Mapping[str, tuple[int, ...]]) -> SeatView:
    ship = facts.word("ship at (.+)")
    return SeatView(
        score=facts.number(r"(\d+) points?") or 0,
        hand=hand,
        tiles_in_hand=facts.number(r"(\d) tiles? in hand") or 0,
        open_hand=tuple(TILES[tile] for tile in facts.listed("known to all")),
        has_chosen=facts.has("has chosen an objective"),
        cards=cards["choice"],
        objective=cards["objective"],
        aside=cards["aside"],
        returned=cards["returned"],
        tokens=tuple(member(Bonus, token) for token in facts.listed("bonus tokens")),
        houses=_cells(facts.word("houses at (.+)")),
        houses_at_hand=facts.number(r"(\d) houses? at hand") or 0,
        houses_left=facts.number(r"(\d) houses? left") or 0,
        ship=None if ship is None else _cell(ship),
        ports=facts.number(r"(\d+) ports? around it") or 0,
        last_laid=facts.number(r"last tile or ship was number (\d+)"),
        discovery_count=facts.number(r"(\d+) discovery tokens?") or 0,
        discoveries=tuple(map(int, facts.listed("discoveries worth"))),
        tokens_drawn=facts.number(r"has drawn (\d+) discovery tokens?") or 0,
        drawn=tuple(map(int, facts.listed("drawn worth"))),
    )
