"""The drawings of Tenerife's pieces and cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from skerry_games.looks.scene import SceneSymbol, Size
from skerry_games.looks.svg import centred_rect, element, lines_of, moved, path, small_print, text
from skerry_games.sentences import joined_by, phrase
from skerry_games.tenerife.board import Board
from skerry_games.tenerife.printed.tenerife_board import Good
from skerry_games.tenerife.state import BackColour, Character
from skerry_games.texts.text_lines import named

CARD: Final[Size] = (112, 150)
_LETTERS: Final = 8
"""The letters of a name for which a card has room. Longer names have smaller letters (``drawn_words``)."""
TOWN_CARD: Final[Size] = (112, 26)
_NAMED_BELOW: Final = ("ORO", "SCR")
"""The places to which roads lead from above, so that their names stand below them."""
SHIP: Final = "M-30 8H30L22 26H-22zM-2 8V-30Q24-22 22 2H-2zM-6 2V-20Q-22-14-22 2z"
_PIECES: Final[Mapping[str, tuple[Size, str]]] = {
    "mansion": ((24, 26), "M-12-1-9-3V12H9V-3l3 2v-3L6-9v-4H3v2L0-14-12-4z"),
    "element": ((34, 34), "M-15 15V-4L0-16 15-4V15z"),
    "warehouse": ((20, 20), "M-9 9V-3L0-10 9-3V9z"),
    "merchant-token": ((26, 26), "M-11 14Q-11 0-5-3a6.5 6.5 0 1 1 10 0Q11 0 11 14z"),
    "ship": ((64, 60), SHIP),
}
_FARMHAND: Final = "M-12-6H12M-6-6q0-7 6-7t6 7M-4.5-4.5v3a4.5 4.5 0 0 0 9 0v-3M-9 14q0-11 9-11t9 11z"
_EAR: Final = "M0 11V-9M0-6q-6 0-6-6 6 0 6 6zM0-6q6 0 6-6-6 0-6 6zM0 3q-6 0-6-6 6 0 6 6zM0 3q6 0 6-6-6 0-6 6z"
_CHARACTERS: Final[Mapping[Character, str]] = {
    Character.MASON: "M5 27l9-9M11 15l6 6 11-11q-1-5-6-6zM3 25l4 4",
    Character.FARMER: (
        "M16 29V8M16 12q-7 0-7-7 7 0 7 7zM16 12q7 0 7-7-7 0-7 7zM16 21q-7 0-7-7 7 0 7 7zM16 21q7 0 7-7-7 0-7 7z"
    ),
    Character.MERCHANT: "M16 5v22M10 27h12M6 9h20M6 9l-4 9h8zM26 9l-4 9h8z",
    Character.EXPORTER: "M4 14h14v14H4zM4 21h14M11 14v14M18 11 28 4M21 4h7v7",
    Character.THIEVES: "M3 11q13-5 26 0-1 11-8 11-4 0-5-4-1 4-5 4-7 0-8-11zM8 15q3-2 5 1M24 15q-3-2-5 1",
}
_EFFECTS: Final[Mapping[Character, str]] = {
    Character.MASON: "builds in the town of the round",
    Character.FARMER: "stores goods in a farmers' town",
    Character.MERCHANT: "scores the mansions of other players",
    Character.EXPORTER: "sells your goods",
    Character.THIEVES: "rob the character before them",
}
_SHORT_EFFECTS: Final[Mapping[Character, str]] = {
    Character.MASON: "builds",
    Character.FARMER: "stores goods",
    Character.MERCHANT: "visits, scores",
    Character.EXPORTER: "sells goods",
    Character.THIEVES: "rob",
}
"""What is printed on cards. Their labels say more."""
GOODS: Final[Mapping[Good, str]] = {
    Good.SUGAR: "M-8 11H8L3-9q-3-4-6 0zM-6 3H6M-4.5-3h9",
    Good.WINE: "M-6-11H6q5 11 0 22H-6q-5-11 0-22zM-8-5H8M-8 5H8",
}


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return the pieces, markers and cards."""
    return (
        *(SceneSymbol(name, name, size, _owned(outline)) for name, (size, outline) in _PIECES.items()),
        SceneSymbol("farmhand", "the farmhand: the next warehouse is built here", (28, 30), _farmhand()),
        SceneSymbol("farmers-symbol", "farmer's symbol", (20, 24), _ear()),
        *(
            SceneSymbol(
                f"current-{place.id}",
                phrase("tenerife-place-of-round", name=place.name),
                (20, 20),
                _current(place.name, name_y(place.id)),
            )
            for place in board.places
        ),
        SceneSymbol("active-space", "the character that acts", (CARD[0] + 8, CARD[1] + 8), _lamp()),
        SceneSymbol("round", "round", (0, 12), ""),
        SceneSymbol("still-to-come", "the towns still to come", (70, 12), small_print("Still to come", 0, 4)),
        *(SceneSymbol(f"town-{town.id}", town.name, TOWN_CARD, _town_card(town.name)) for town in board.places),
        SceneSymbol("closed-plot", "a plot that is closed in this game", (34, 34), _cross()),
        *(
            SceneSymbol(
                f"card-{name}{suffix}",
                _card_label(character, colour),
                CARD,
                _card(character, colour),
                _mark(character),
            )
            for character, name in ((None, "back"), *((one, named(one)) for one in Character))
            for colour, suffix in ((BackColour.OWN, ""), (BackColour.SECOND, "-second"))
        ),
    )


def _card_label(character: Character | None, colour: BackColour) -> str:
    card = named(character) if character else "face-down card"
    words = phrase("tenerife-second-colour", character=card) if colour is BackColour.SECOND else card
    return joined_by(": ", (words, _EFFECTS[character])) if character else words


def _town_card(name: str) -> str:
    frame = centred_rect(*TOWN_CARD, rx=4, fill="var(--card)", stroke="var(--line)")
    return frame + text(name, 0, 5, 13, serif=True)


def _owned(outline: str) -> str:
    return path(outline, fill="currentColor", stroke="var(--rim)", stroke_width=1.2, stroke_linejoin="round")


def _farmhand() -> str:
    return path(_FARMHAND, fill="var(--plain)", stroke="var(--ink)", stroke_width=1.5, stroke_linejoin="round")


def _ear() -> str:
    return path(_EAR, fill="none", stroke="var(--moss)", stroke_width=2)


def name_y(place: str) -> int:
    """Return how far below the middle of a place its name stands; above it, if negative."""
    return 34 if place in _NAMED_BELOW else -24


def _current(name: str, y: int) -> str:
    """Return what marks a place: its name again, light on dark, and a dark dot."""
    width = round(len(name) * 9.4) + 10
    plate = element("rect", x=-width / 2, y=y - 18, width=width, height=25, rx=4, fill="var(--ink)")
    return plate + text(name, 0, y, 19, serif=True, fill="var(--card)") + element("circle", r=8, fill="var(--ink)")


def _lamp() -> str:
    """Return what marks the character that acts: a frame, and a lamp above it."""
    width, height = CARD[0] + 10, CARD[1] + 10
    frame = centred_rect(width, height, rx=7, fill="none", stroke="var(--orange)", stroke_width=5)
    lamp = path(
        "M-9 0q0-9 9-9t9 9q0 4-4 7H-5q-4-3-4-7zM-4 10H4",
        fill="var(--plain)",
        stroke="var(--ink)",
        stroke_width=1.6,
        stroke_linejoin="round",
    )
    return frame + moved(lamp, 0, -height / 2 - 8)


def _cross() -> str:
    return path("M-9-9 9 9M-9 9 9-9", stroke="var(--soft)", stroke_width=2, fill="none")


def _mark(character: Character | None) -> tuple[int, int, int]:
    return (0, 0, 30) if character is None else (-40, -60, 15)


def _card(character: Character | None, colour: BackColour) -> str:
    """Return a card: its character, or its back. All owners have the same edge. One of the second colour has two."""
    width, height = CARD
    ground = "var(--sand)" if character is None else "var(--card)"
    frame = centred_rect(width, height, rx=5, fill=ground, stroke="var(--earth)", stroke_width=1.5)
    second = centred_rect(width - 11, height - 11, rx=3, fill="none", stroke="var(--soft)", stroke_dasharray="5 4")
    inside = "" if colour is BackColour.OWN else second
    if character is None:
        return frame + inside + element("circle", r=28, fill="currentColor")
    drawing = path(_CHARACTERS[character], fill="none", stroke="var(--ink)", stroke_width=1.4, stroke_linejoin="round")
    name = lines_of([text(named(character), 0, 36, 24, serif=True)], _LETTERS, 24)
    effect = text(_SHORT_EFFECTS[character], 0, 60, 17, fill="var(--soft)")
    x, y, _ = _mark(character)
    owner = element("circle", cx=x, cy=y, r=13, fill="currentColor")
    return frame + inside + owner + moved(drawing, -32, -58, scale=2) + name + effect
