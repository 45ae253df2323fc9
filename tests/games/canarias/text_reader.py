"""Reads a view of Islas Canarias from its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skerry_games.canarias.board import BOARDS, Island, PrintedCard
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.components_file import NUMBER
from skerry_games.canarias.printed.terms import Colour, Feature, Piece, Power
from skerry_games.canarias.state import PerColour, Phase
from skerry_games.canarias.view import BuildingView, Passenger, SeatView, View
from tests.games.text_lines import SEAT, Facts, Lines, member, seat

BOARD = BOARDS[0]


def read(text: str) -> View:
    """Return the view that the text describes. Raises AssertionError if a line or a fact is unknown."""
    lines = Lines(text)
    rounds, to_build = lines.facts("round"), lines.facts("to build")
    seats = tuple(_seat(facts) for _, facts in lines.every(SEAT))
    for _, facts in lines.every(r"island \d"):
        _expect_island(facts)
    supply = [_supply(facts) for _, facts in lines.every("supply .+")]
    cards = [_card(facts) for _, facts in lines.every("current card .+")]
    material = to_build.listed("from houses on")
    piece, colour = [*to_build.rest(), None, None][:2]
    found = View(
        phase=member(Phase, lines.fact("phase") or ""),
        round=rounds.number(r"(\d+)"),
        last_round=rounds.has("the last round"),
        start_seat=lines.seat("start"),
        turn=lines.seat("turn"),
        acting_seat=lines.seat("to act"),
        seats=seats,
        privileges=tuple(_privilege(facts) for _, facts in lines.every("privilege .+")),
        houses_left=_per_colour(houses for houses, _, _ in supply),
        palaces_left=_per_colour(palaces for _, palaces, _ in supply),
        towns_left=_per_colour(towns for _, _, towns in supply),
        deck=lines.facts("deck").number(r"(\d+) cards?") or 0,
        discard=tuple(map(CARD_IDS.index, lines.facts("discard pile").rest())),
        ship=lines.facts("ship").number(r"(\d+) cards?") or 0,
        to_draw=lines.number("cards to draw") or 0,
        extra_taken=lines.fact("extra card") == "taken",
        card=cards[0] if cards else None,
        piece=None if piece is None else member(Piece, piece),
        material=_squares(material),
        colour=None if colour is None else member(Colour, colour),
        victims=tuple(map(seat, lines.facts("robbed by the pirate").rest())),
        hand=tuple(_card(facts) for _, facts in lines.every("in your hand: card .+")),
        aboard=tuple(_passenger(facts) for _, facts in lines.every("on the ship from .+: card .+")),
    )
    rounds.end()
    lines.end()
    return found


def _per_colour(counts: Iterable[int]) -> PerColour:
    orange, brown, green, blue, beige, red = counts
    return orange, brown, green, blue, beige, red


def _seat(facts: Facts) -> SeatView:
    island = facts.word(r"island (\d)")
    points = dict(word.rsplit(" ", 1) for word in facts.listed("points"))
    return SeatView(
        island=None if island is None else [one.id for one in BOARD.islands].index(island),
        buildings=tuple(map(_building, facts.listed("buildings"))),
        points=_per_colour(int(points.get(colour.name.lower(), 0)) for colour in Colour),
        score=facts.number(r"(\d+) points?") or 0,
        hand=facts.number(r"(\d+) cards? in hand") or 0,
        loaded=facts.has("has put a card on the ship"),
        cards=tuple(map(CARD_IDS.index, facts.listed("hand"))),
    )


def _building(words: str) -> BuildingView:
    square, colour, piece = words.split()
    return BuildingView(NUMBER[square], member(Piece, piece), member(Colour, colour))


def _supply(facts: Facts) -> tuple[int, int, int]:
    match = facts.take(r"(\d+) houses, (\d+) palaces, (\d+) towns")
    assert match
    return int(match[1]), int(match[2]), int(match[3])


def _privilege(facts: Facts) -> int | None:
    colour = member(Colour, facts.subject.removeprefix("privilege "))
    assert member(Power, facts.word("power (.+)") or "") is BOARD.powers[colour]
    owner = facts.next()
    return None if owner == "no owner" else seat(owner)


def _squares(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(NUMBER[word] for word in words)


def _expect_island(facts: Facts) -> None:
    printed = next(island for island in BOARD.islands if facts.subject == f"island {island.id}")
    read_island = Island(
        id=printed.id,
        squares=_squares(facts.listed("squares")),
        village=_squares(facts.listed("village")),
        farmland=_squares(facts.listed("farmland")),
        touching=tuple(
            type(land)(land.feature, _squares(facts.listed(f"next to {land.feature.name.lower()}")))
            for land in printed.touching
        ),
        neighbours=tuple((NUMBER[pair[:2]], NUMBER[pair[3:]]) for pair in facts.listed("neighbours")),
        borders=printed.borders,
    )
    assert read_island == printed


def _card(facts: Facts) -> int:
    card = CARD_IDS.index(facts.subject.rsplit(" ", 1)[1])
    printed: PrintedCard = BOARD.cards[card]
    if printed.occupation is None:
        assert facts.has(f"{printed.colour.name.lower()} pirate")
        return card
    assert facts.has(f"{printed.english} ({printed.occupation})")
    assert facts.has(f"{printed.colour.name.lower()} house")
    wishes = [member(Feature, wish.removesuffix(" buildings")) for wish in facts.listed("next to")]
    assert tuple(wishes) == printed.priorities
    return card


def _passenger(facts: Facts) -> Passenger:
    loader = facts.subject.removeprefix("on the ship from ").split(":")[0]
    return Passenger(_card(facts), None if loader == "the deck" else seat(loader))
