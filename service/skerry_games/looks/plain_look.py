"""How a game looks that has no drawings: each field of its view is a row of cards with words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from skerry_games.annotations import Numbered
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, SceneSymbol, Viewer
from skerry_games.looks.svg import centred_rect, element
from skerry_games.sentences import phrase
from skerry_games.texts.plain_text import annotation_of, field_name, fields_of, in_words, items_of

_LETTERS: Final = 60
"""The letters of the longest words that a card can show."""
_ROW, _MARGIN, _NAME = 34, 8, 150
"""The height of a row, the space between cards, and the width of a field's name."""
_TABLE, _SEAT = 1092, 538
"""The width of the table, and of what belongs to a seat."""


def symbols(board: object) -> tuple[SceneSymbol, ...]:
    """Return a card for each length of words, and the place of a field's name, which has no frame."""
    cards = (SceneSymbol(f"card-{letters}", "card", (0, 12), _frame(letters)) for letters in range(_LETTERS + 1))
    return (SceneSymbol("name", "name", (0, 12), ""), *cards)


def _frame(letters: int) -> str:
    """Return the frame of a card, whose words begin at its left edge."""
    width = _width(letters)
    frame = centred_rect(width, 26, rx=4, fill="var(--card)", stroke="var(--line)")
    return element("g", frame, transform=f"translate({width // 2 - 4} 0)")


def _width(letters: int) -> int:
    return 16 + 8 * letters


def areas(board: object, view: Struct) -> tuple[SceneArea, ...]:
    """Return the table, and what belongs to each seat."""
    table, *seats = _fields(view)
    return (
        SceneArea("table", "The table", (_TABLE, _ROW * max(1, len(table))), ""),
        *(
            SceneArea(
                f"seat:{seat}",
                phrase("common-seat-area", seat=seat),
                (_SEAT, _ROW * len(rows)),
                "",
                seat=seat,
                role=AreaRole.SEAT,
            )
            for seat, rows in enumerate(seats)
        ),
    )


def pieces(view: Struct, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return a card for each value, beside the name of its field."""
    table, *seats = _fields(view)
    found = [*_cards("table", _TABLE, table)]
    for seat, rows in enumerate(seats):
        found += _cards(f"seat:{seat}", _SEAT, rows)
    return tuple(found)


def _fields(view: Struct) -> list[dict[str, str]]:
    """Return the fields of the table in words, by name, followed by those of each seat."""
    found = [dict[str, str]()]
    for name, kind in fields_of(type(view)):
        content, numbered = getattr(view, name), annotation_of(kind, Numbered)
        if numbered is None or numbered.field != "seat":
            found[0][name] = in_words(content, kind) or ""
            continue
        found += [{} for _ in range(len(content) + 1 - len(found))]
        for seat, item in enumerate(content, start=1):
            inner = fields_of(type(item)) if isinstance(item, Struct) else ()
            found[seat] |= {name: in_words(getattr(item, name), kind) or "" for name, kind in inner}
            if not inner:
                found[seat][name] = in_words(item, items_of(kind)[0]) or ""
    return found


def _cards(area: str, right: int, rows: Mapping[str, str]) -> Iterator[ScenePiece]:
    """Yield a card for each item of a field, as many as fit, and one for the others."""
    for row, (name, content) in enumerate(rows.items()):
        y, x = _ROW * row + _ROW // 2, _NAME
        yield ScenePiece(f"{area}:{name}", "name", area, "", (_MARGIN, y), badge=field_name(name))
        items = content.split(", ") if content else []
        for index, words in enumerate(items):
            fits = len(words) <= _LETTERS and x + _width(len(words)) + _width(1) < right
            shown, label = (words, words) if fits else ("…", ", ".join(items[index:]))
            symbol = f"card-{len(shown)}"
            yield ScenePiece(f"{area}:{name}:{index}", symbol, area, "", (x, y), label=label, badge=shown)
            if not fits:
                break
            x += _width(len(words)) + _MARGIN


LOOK: Final[Look[Any, Any]] = Look(symbols, areas, pieces)
