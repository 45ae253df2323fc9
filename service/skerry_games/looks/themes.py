"""The colours of drawings by name. Each theme defines every name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Theme = Mapping[str, str]
"""The colour of each name, as ``#rrggbb``."""

SEATS: Final = 5
"""Seats with a colour and a mark of their own."""

LIGHT: Final[Theme] = MappingProxyType(
    {
        "paper": "#f6f3ec",
        "card": "#fffdf8",
        "ink": "#1e2b33",
        "soft": "#56646c",
        "line": "#d9d2c2",
        "sea": "#cfe3e8",
        "deep": "#0f5c73",
        "coral": "#b5402a",
        "sand": "#e9dfc7",
        "moss": "#7e9a5b",
        "rim": "#1e2b33",
        "blazon": "#fffdf8",
        "earth": "#7a6a4f",
        "mountain": "#d3c0a3",
        "hill": "#c9d09a",
        "plain": "#eedda0",
        "dark": "#1e2b33",
        "water": "#bfdfe8",
        "shore": "#e8dcae",
        "flower": "#d86a9a",
        "orange": "#e0822e",
        "brown": "#7d4b2a",
        "green": "#4c8a3d",
        "blue": "#2f6db5",
        "beige": "#f0dfb4",
        "red": "#bf3429",
        "seat-0": "#a8321f",
        "seat-1": "#1d5fb4",
        "seat-2": "#ebb41f",
        "seat-3": "#4fa88a",
        "seat-4": "#5b3a80",
    }
)
DARK: Final[Theme] = MappingProxyType(
    {
        **LIGHT,
        "paper": "#10191e",
        "card": "#18252c",
        "ink": "#eaf0f0",
        "soft": "#9fb0b6",
        "line": "#2d3d45",
        "sea": "#173843",
        "deep": "#6cc3d8",
        "coral": "#f08a6b",
        "sand": "#3a3527",
        "moss": "#8fae6a",
        "rim": "#f6f3ec",
        "earth": "#a08d6c",
        "mountain": "#5a4c3a",
        "hill": "#4a5136",
        "plain": "#6b5f36",
    }
)
PRINT: Final[Theme] = MappingProxyType({**LIGHT, "paper": "#ffffff", "card": "#ffffff", "sea": "#ffffff"})

VARIABLES: Final[Theme] = MappingProxyType({name: f"var(--{name})" for name in LIGHT})
"""Colours that the style sheet of a page defines, so that a picture in it follows the reader's choice."""

THEMES: Final[Mapping[str, Theme]] = MappingProxyType({"light": LIGHT, "dark": DARK, "print": PRINT})

MARKS: Final = (
    "M0-7 7 6H-7Z",
    "M0-7A7 7 0 1 1 0 7 7 7 0 1 1 0-7Z",
    "M-6-6H6V6H-6Z",
    "M0-8 2-2 8 0 2 2 0 8-2 2-8 0-2-2Z",
    "M0-8 7-3 5 6H-5L-7-3Z",
)
"""The outline of each seat's mark around (0, 0), 16 wide and high: sail, wheel, crate, star, knot. Readers
need not rely on the colour alone."""
