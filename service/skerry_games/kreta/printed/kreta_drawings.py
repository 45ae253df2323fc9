"""The drawings of Kreta's figures, tiles and cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from skerry_games.kreta.board import Board
from skerry_games.kreta.state import KretaCard, Tile
from skerry_games.looks.scene import SceneSymbol
from skerry_games.looks.svg import centred_rect, element, lines_of, moved, path, small_print, text
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.texts.text_lines import named

CARD: Final = (74, 96)
_LETTERS: Final = 9
"""The letters of a name for which a card has room. Longer names have smaller letters (``drawn_words``)."""
FORT_CARD: Final = (186, 42)
MOST_INFLUENCE: Final = 15
"""A province holds 7 figures, a ship and 3 forts of a seat at most, so influence is one hexadecimal digit."""

_FIGURES: Final[Mapping[str, str]] = {
    "villager": "M0-11a5 5 0 1 1 0 10 5 5 0 1 1 0-10zM-8 11Q-8-1 0-1T8 11z",
    "village": "M-10 11V-1L0-10 10-1V11z",
    "abbot": "M-1.5-17h3v3h3v3h-3v3Q8-7 9 11H-9Q-8-7-1.5-8v-3h-3v-3h3z",
    "ship": "M-1-14Q10-10 9 2H-1zM-13 3H13L9 11H-9z",
    "fort": "M-13 12V-12h6v5h4v-5h6v5h4v-5h6v24z",
}
_TILES: Final[Mapping[Tile, str]] = {
    Tile.WHEAT: "M0 8V-6M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z",
    Tile.OLIVE: "M-7 5Q0-2 7-7M-3-1a3 4 0 1 0 .1 0zM3 1a3 4 0 1 0 .1 0z",
    Tile.WINE: "M-5-7H5Q5 1 0 1T-5-7zM0 1v6M-4 7h8",
    Tile.THYME: "M0 8V-7M0-5l5-3M0-5l-5-3M0 0l6-3M0 0l-6-3M0 5l6-3M0 5l-6-3",
    Tile.CHEESE: "M-8 3 7-6V5H-8zM-8 1 7 0",
}
EFFECTS: Final[Mapping[KretaCard, str]] = {
    KretaCard.KING: "acts as a card you have played",
    KretaCard.ARCHITECT: "builds a fort or a village",
    KretaCard.ADMIRAL: "places a ship, or sails",
    KretaCard.COMMANDER: "places a villager, or marches",
    KretaCard.CASTELLAN: "scores the next fort",
    KretaCard.ABBOT: "keeps others out of a province",
    KretaCard.FARMER: "harvests a tile",
}
_CARDS: Final[Mapping[KretaCard, str]] = {
    KretaCard.KING: "M6 24V10l6 6 4-9 4 9 6-6v14zM6 27h20",
    KretaCard.ARCHITECT: "M5 27V14h5v3h3v-3h6v3h3v-3h5v13zM14 27v-6h4v6M16 14V6l6 2-6 2",
    KretaCard.ADMIRAL: "M16 5v17M16 6q9 3 8 13h-8M4 22h24l-4 6H8z",
    KretaCard.COMMANDER: "M16 5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 1 1 0-9zM8 28q0-13 8-13t8 13z",
    KretaCard.CASTELLAN: "M7 28V9h4v3h3V9h4v3h3V9h4v19zM13 28v-6q3-4 6 0v6",
    KretaCard.ABBOT: "M16 4v9M12 8h8M9 28q0-14 7-14t7 14z",
    KretaCard.FARMER: (
        "M16 28V10M16 14q-7 0-7-7 7 0 7 7zM16 14q7 0 7-7-7 0-7 7zM16 22q-7 0-7-7 7 0 7 7zM16 22q7 0 7-7-7 0-7 7z"
    ),
}


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return figures, tiles, character cards and fort cards."""
    return (
        *(SceneSymbol(name, name, (26, 26), _figure(outline)) for name, outline in _FIGURES.items()),
        *(
            SceneSymbol(f"tile-{named(tile)}", named(tile), (22, 22), _tile(outline))
            for tile, outline in _TILES.items()
        ),
        *(
            SceneSymbol(f"card-{named(card)}", joined_by(": ", (named(card), EFFECTS[card])), CARD, _card(card))
            for card in KretaCard
        ),
        *(
            SceneSymbol(
                f"fort-card-{space.number}",
                phrase("kreta-fort-card", number=space.number),
                FORT_CARD,
                _fort_card(board, space.number),
            )
            for space in board.fort_spaces
        ),
        SceneSymbol("next-fort", "the fort that is scored next", (32, 32), _ring("var(--ink)")),
        SceneSymbol("scored-fort", "a fort that has been scored", (22, 22), _strike()),
        SceneSymbol("later-fort", "a fort that is scored later", (32, 32), _ring("var(--soft)")),
        SceneSymbol("scorings", "scorings", (0, 12), ""),
        SceneSymbol("fort-card-back", "fort cards face down", (42, 42), _fort_back()),
        *(
            SceneSymbol(
                f"influence-{share}", phrase("kreta-influence-2", shares=share), (26, 16), _share(share), (-6, 0, 9)
            )
            for share in range(1, MOST_INFLUENCE + 1)
        ),
        *(
            SceneSymbol(f"points-{points}", counted(points, "point"), (26, 16), _share(points), (-6, 0, 9))
            for points in range(1, max(space.total_value for space in board.fort_spaces) + 1)
        ),
    )


def _ring(colour: str) -> str:
    return element("circle", r=16, fill="none", stroke=colour, stroke_width=3)


def _strike() -> str:
    return path("M-9 9 9-9", fill="none", stroke="var(--soft)", stroke_width=3, stroke_linecap="round")


def _figure(outline: str) -> str:
    return path(outline, fill="currentColor", stroke="var(--rim)", stroke_width=1.2, stroke_linejoin="round")


def _tile(outline: str) -> str:
    frame = element("rect", x=-11, y=-11, width=22, height=22, rx=4, fill="var(--card)", stroke="var(--moss)")
    return frame + path(outline, fill="none", stroke="var(--ink)", stroke_width=1.5)


def _card(card: KretaCard) -> str:
    width, height = CARD
    frame = centred_rect(width, height, rx=4, fill="var(--card)", stroke="var(--line)")
    drawing = path(_CARDS[card], fill="none", stroke="var(--ink)", stroke_width=1.6, stroke_linejoin="round")
    size = 14 if len(named(card)) < _LETTERS else 13
    name = lines_of([text(named(card), 0, -2, size, serif=True)], _LETTERS, size)
    return frame + moved(drawing, -14, -46, scale=0.9) + name + small_print(EFFECTS[card], 0, 14, 12)


def _fort_card(board: Board, number: int) -> str:
    space = board.fort_spaces[number - 1]
    frame = centred_rect(*FORT_CARD, rx=4, fill="var(--card)", stroke="var(--line)")
    badge = element("circle", cx=-73, r=14, fill="var(--sand)", stroke="var(--earth)", stroke_width=1.5)
    names = [board.provinces[province].name for province in space.provinces]
    half = (len(names) + 1) // 2
    lines = [", ".join(part) for part in (names[:half], names[half:]) if part]
    top = 7 - 7 * (len(lines) - 1)
    words = [text(line, 18, top + 15 * row, 14, serif=True) for row, line in enumerate(lines)]
    return frame + badge + text(f"{number}", -73, 5, 15) + "".join(words)


def _fort_back() -> str:
    frame = centred_rect(42, 42, rx=4, fill="var(--sand)", stroke="var(--line)")
    return frame + path(_FIGURES["fort"], fill="var(--earth)")


def _share(number: int) -> str:
    """Return a plate with the owner's mark on its colour, and a number: influence, or points."""
    plate = element("rect", x=-13, y=-8, width=26, height=16, rx=3, fill="var(--card)", stroke="currentColor")
    return (
        plate
        + path("M-10-8H0V8H-10a3 3 0 0 1-3-3V-5a3 3 0 0 1 3-3z", fill="currentColor")
        + text(f"{number}", 6.5, 5 if number < 10 else 4, 13 if number < 10 else 11)
    )
