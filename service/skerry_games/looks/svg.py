"""Writes elements of SVG."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from textwrap import wrap
from typing import Any

SERIF = "Alegreya, 'Iowan Old Style', Georgia, serif"
SANS = "'Source Sans 3', 'Segoe UI', system-ui, sans-serif"


def element(name: str, content: str = "", /, **attributes: Any) -> str:
    """Return an element. ``_`` in the names of attributes stands for ``-``. Attributes that are ``None`` are left out.

    ``content`` is SVG; attributes are escaped.
    """
    words = [
        f' {key.strip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return f"<{name}{''.join(words)}>{content}</{name}>" if content else f"<{name}{''.join(words)}/>"


def _value(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def path(outline: str, **attributes: Any) -> str:
    """Return a path."""
    return element("path", d=outline, **attributes)


def text(words: str, x: float, y: float, size: int, *, serif: bool = False, fill: str = "var(--ink)") -> str:
    """Return a line of text around ``x``. ``words`` are escaped."""
    return element(
        "text",
        escape(words),
        x=x,
        y=y,
        font_size=size,
        font_family=SERIF if serif else SANS,
        font_weight=600,
        text_anchor="middle",
        fill=fill,
    )


def small_print(words: str, x: float, y: float, letters: int = 80, *, anchor: str = "middle") -> str:
    """Return a caption in lines of at most so many letters. ``y`` is the baseline of the first; words are escaped.

    ``anchor``: ``start`` if the lines begin at ``x``, ``middle`` if they lie around it.
    """
    lines = wrap(words, letters, break_on_hyphens=False)
    drawn = (element("text", escape(line), x=x, y=y + 13 * row) for row, line in enumerate(lines))
    return lines_of(drawn, letters, 13, font_size=12, font_family=SANS, text_anchor=anchor, fill="var(--soft)")


def lines_of(lines: Iterable[str], letters: int, step: int, **attributes: Any) -> str:
    """Return the lines of one text, in a group that another language may divide again (``drawn_words``).

    ``lines``: elements of text, at most so many letters each. ``step``: from one line to the next.
    """
    return element("g", "".join(lines), data_lines=f"{letters} {step}", **attributes)


def title(words: str) -> str:
    """Return the name of the element around it, for screen readers. ``words`` are escaped."""
    return element("title", escape(words))


def moved(content: str, x: float, y: float, *, rotation: int = 0, scale: float = 1, **attributes: Any) -> str:
    """Return a group with its origin at a point, turned clockwise by degrees."""
    steps = [f"translate({_value(x)} {_value(y)})"]
    if rotation:
        steps.append(f"rotate({rotation})")
    if scale != 1:
        steps.append(f"scale({_value(float(scale))})")
    return element("g", content, transform=" ".join(steps), **attributes)


def polygon(points: tuple[tuple[int, int], ...], **attributes: Any) -> str:
    """Return a polygon."""
    return element("polygon", points=" ".join(f"{x},{y}" for x, y in points), **attributes)


def centred_rect(width: int, height: int, **attributes: Any) -> str:
    """Return a rectangle around (0, 0), such as the edge of a card."""
    return element("rect", x=-width / 2, y=-height / 2, width=width, height=height, **attributes)


def upright(content: str) -> str:
    """Return a group that stays upright around (0, 0) when its piece is turned, by ``turned_back``."""
    return element("g", content, data_upright="")


def turned_back(drawing: str, rotation: int) -> str:
    """Return the drawing for a piece that is turned clockwise by degrees, with its upright groups turned back."""
    return drawing.replace(' data-upright=""', f' transform="rotate({-rotation})"') if rotation else drawing
