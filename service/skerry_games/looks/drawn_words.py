"""Writes the words in drawings in other languages than English."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from textwrap import wrap
from typing import Final

from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language

_LINE: Final = re.compile(r"(<text[^>]*>)([^<]*)</text>")
_BLOCK: Final = re.compile(r'(<g data-lines="(\d+) (\d+)"[^>]*>)((?:<text[^>]*>[^<]*</text>)+)</g>')
"""A text in lines: the most letters of each, and the distance from one to the next (``svg.lines_of``)."""
_SIZE: Final = re.compile(r'font-size="(\d+)"')
_ROWS: Final = 3
"""The lines for which there is room, even if English has fewer."""
_SMALL: Final = 10
"""The size of letters in a text with more lines. They share the height of those for which there is room."""
_Y: Final = re.compile(r' y="(-?[\d.]+)"')


@lru_cache(maxsize=2048)
def drawn_in(drawing: str, language: str) -> str:
    """Return a drawing with its words in a language. Words that the language lacks stay in English."""
    if language == ENGLISH or "<text" not in drawing:
        return drawing
    parts, end = [], 0
    for block in _BLOCK.finditer(drawing):
        parts += [_lines(drawing[end : block.start()], language), _block(block, language)]
        end = block.end()
    return "".join([*parts, _lines(drawing[end:], language)])


def _lines(drawing: str, language: str) -> str:
    """Return a drawing whose texts have one line each."""
    return _LINE.sub(lambda line: f"{line[1]}{_words(line[2], language)}</text>", drawing)


def _words(escaped: str, language: str) -> str:
    return escape(in_language(unescape(escaped), language))


def _block(block: re.Match[str], language: str) -> str:
    """Return a text in lines, divided again, from the height of the first line on.

    A word that is longer than a line has smaller letters.
    """
    lines = _LINE.findall(block[4])
    first, y = lines[0][0], _Y.search(lines[0][0])
    assert y is not None, "not made by svg.lines_of"
    words = in_language(" ".join(unescape(line) for _, line in lines), language)
    own, drawn = wrap(words, int(block[2]), break_on_hyphens=False, break_long_words=False), []
    room = max(len(lines), _ROWS)
    step = int(block[3]) * min(1, room / len(own))
    for row, line in enumerate(own):
        height = f' y="{float(y[1]) + step * row:.4g}"'
        drawn.append(f"{_Y.sub(height, first)}{escape(line)}</text>")
    written = f"{block[1]}{''.join(drawn)}</g>"
    if len(own) > room:
        return _SIZE.sub(f'font-size="{_SMALL}"', written)
    longest = max(int(block[2]), *map(len, own))
    return _SIZE.sub(lambda size: f'font-size="{int(size[1]) * int(block[2]) // longest}"', written)
