"""Write the instructions of each game into its pages in docs/reference/games, from ``Game.how_to_play``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import ENGLISH, languages
from skerry_games.texts.instruction_text import instructions_text

PAGES = Path(__file__).parents[1] / "docs" / "reference" / "games"
_BLOCK = re.compile(r"(<!-- how to play: written by scripts/write_how_to_play.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
_BULLET = re.compile(r"(- |1\. )?")
_WIDTH = 120


def pages_of(game: AnyGame) -> Iterator[tuple[Path, str]]:
    """Yield the pages of a game, each with its language. A page in a language other than English may be missing."""
    yield PAGES / f"{game.id}.md", ENGLISH
    for language in languages():
        if (page := PAGES / language / f"{game.id}.md").exists():
            yield page, language


def written(page: str, game: AnyGame, language: str) -> str:
    """Return the page of a game with current instructions."""
    assert game.how_to_play is not None
    lines = instructions_text(game, game.how_to_play(game), language).splitlines()
    text = "".join(f"{_wrapped(line)}\n" for line in lines)
    return _BLOCK.sub(lambda found: f"{found[1]}\n{text}\n", page)


def _wrapped(line: str) -> str:
    bullet = _BULLET.match(line)
    indent = " " * len(bullet[0]) if bullet else ""
    return fill(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    for game in all_games().values():
        for path, language in pages_of(game):
            path.write_text(written(path.read_text(encoding="utf-8"), game, language), encoding="utf-8")
