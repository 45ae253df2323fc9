"""The description of every type of move and event equals the list that a person has read."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.games.sentences import as_text, list_path, wordings


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_every_description_is_in_the_list(game: AnyGame) -> None:
    read = wordings(game)
    listed, known = as_text(read), list_path(game).read_text(encoding="utf-8")
    print(listed)
    difference = "\n".join(unified_diff(known.splitlines(), listed.splitlines(), "listed", "now", n=1))
    assert not difference, f"python -m tests.games.sentences {game.id}:\n{difference}"
    assert not [kind for kind, texts in read.items() if not texts], "never occurs in random games"
