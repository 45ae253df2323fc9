"""Every game has an up-to-date page for bot authors with its moves, events, views and states."""

from __future__ import annotations

import re

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.games.pages import LISTS, page_path, updated_page

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
UPDATE = "python -m tests.games.pages"


@every_game
def test_a_page_is_up_to_date(game: AnyGame) -> None:
    assert page_path(game).read_text(encoding="utf-8") == updated_page(game), f"{UPDATE} {game.id}"


@every_game
def test_a_page_has_all_lists_and_an_example_in_each_section(game: AnyGame) -> None:
    text = page_path(game).read_text(encoding="utf-8")
    assert re.findall(r"<!-- (\w+) -->", text) == [part for name in LISTS for part in (name, "end")]
    sections = dict(zip(*[iter(re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert list(sections) == ["Moves", "Events", "View", "State"]
    for section in sections.values():
        assert re.search(r"```pycon\n(?:.*\n)*?[^>.].*\n```", section)
