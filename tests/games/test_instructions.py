"""How to play: complete, drawn from positions of the real rules, and with examples whose numbers the rules confirm."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.kreta import events as of_kreta
from skerry_games.looks.figures import drawing_of, moment
from skerry_games.looks.instructions import NAMES, HowToPlay
from skerry_games.looks.themes import THEMES
from skerry_games.sentences import fill
from skerry_games.texts.instruction_text import instructions_text
from tests.games.test_guides import seen_ids

ROOT = Path(__file__).parents[2]
GAMES = [pytest.param(game, id=game.id) for game in all_games().values() if game.how_to_play]
"""A new game has no instructions at first."""


def instructions_of(game: AnyGame) -> HowToPlay:
    assert game.how_to_play is not None
    return game.how_to_play(game)


def example_of(game: str) -> list[str]:
    """Return the captions of the worked example."""
    return [fill(figure.caption, NAMES) for figure in instructions_of(all_games()[game]).example.figures]


@pytest.mark.parametrize("game", GAMES)
def test_the_instructions_of_a_game_are_complete(game: AnyGame) -> None:
    how = instructions_of(game)
    assert 3 <= len(how.turn) <= 5
    assert len(how.set_up) >= 3
    assert how.example.rule in {rule.id for rule in game.rules}
    assert 6 <= how.least_age <= 14
    assert 10 <= how.minutes[0] <= how.minutes[1] <= 120
    captions = [figure.caption for figure in (*how.turn, *how.example.figures)]
    for sentence in (how.aim, how.house_edition, *how.set_up, *how.hints, *captions):
        assert re.fullmatch(r"[A-Z{].*[.]", sentence), sentence
    text = instructions_text(game, how)
    assert len(text) < 5_000
    assert "{" not in text


@pytest.mark.parametrize("game", GAMES)
def test_each_picture_shows_what_it_marks(game: AnyGame) -> None:
    how = instructions_of(game)
    for figure in (*how.turn, *how.example.figures):
        seen = seen_ids(game, figure.state, figure.viewer)
        assert seen.intersection(figure.around), figure.caption
        assert not figure.marked or seen.intersection(figure.marked), figure.caption
        picture = ElementTree.fromstring(drawing_of(game, figure, "light"))
        assert float(picture.get("width", 0)) >= 250
        assert "var(" not in drawing_of(game, figure, "dark")
        assert len(drawing_of(game, figure, "variables")) < 60_000
    assert drawing_of(game, how.turn[0], "variables") != drawing_of(game, how.turn[0], next(iter(THEMES)))


def test_equal_calls_give_equal_instructions() -> None:
    kreta = all_games()["kreta"]
    assert instructions_of(kreta) == instructions_of(kreta)


def test_the_influence_of_kreta_is_counted_piece_by_piece() -> None:
    """KRETA-SCORE-1: 2 for a village, 1 for everything else; KRETA-SCORE-3 and KRETA-SCORE-4: who scores how much."""
    _, *provinces = example_of("kreta")
    assert len(provinces) == 2
    worth = {"villager": 1, "village": 2, "abbot": 1, "ship": 1, "fort": 1}
    for caption in provinces:
        counted, scored = caption.split(". ", 1)
        shares = re.findall(r"(\w+) (\d+) \(([^)]*)\)", counted)
        assert shares
        for name, share, pieces in shares:
            found = [re.fullmatch(r"(\d+) (\w+?)s?", piece) for piece in pieces.split(", ")]
            assert sum(int(one[1]) * worth[one[2]] for one in found if one) == int(share)
            assert f"{name} has influence {share}" in scored
        value = int(re.findall(r"worth (\d+)", scored)[0])
        paid = re.findall(r"score?s? (\d+) point", scored)
        ranked = sorted((int(share) for _, share, _ in shares), reverse=True)
        ties = ranked[0] == ranked[1]
        assert [int(points) for points in paid] == ([value] if ties else [value, value // 2])


def test_the_basket_weaver_chooses_the_island_that_the_counts_say() -> None:
    """CANARIAS-ARRIVE-2: the most empty squares next to the first priority, then to the next for those that tie."""
    *compared, chosen = example_of("canarias")
    left = list(NAMES)
    for number, caption in enumerate(compared):
        counts = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)(?=[,. ]|$)", caption) if name in left}
        best = max(counts.values())
        left = [name for name in counts if counts[name] == best]
        assert (len(left) > 1) == (number < len(compared) - 1)
    assert f"chooses {left[0]}'s island" in chosen
    assert f"So {left[0]}'s island wins" in compared[-1]


def test_thieves_of_tenerife_act_on_the_character_before_them() -> None:
    """TENERIFE-THIEVES-1, -2 and TENERIFE-ROB-MASON-1."""
    robbed, built, freed = example_of("tenerife")
    sentence = r"(\w+)'s mason below space (\d+) is robbed by (\w+)'s thieves below space (\d+)"
    victim, space, thief, behind = re.findall(sentence, robbed)[0]
    assert int(behind) > int(space)
    assert victim != thief
    sentence = rf"{thief} robs {victim}'s mason and builds a mansion in (.+?) for (\d+) points"
    town, points = re.findall(sentence, built)[0]
    assert points == "2"
    game: Any = all_games()["tenerife"]
    figure, places = instructions_of(game).example.figures[1], game.boards[0].places
    (built_in,) = [place for place in places if place.name == town]
    assert f"place:{built_in.id}" in figure.around
    assert any(f"place:{places[near].id}" in figure.around for near in built_in.neighbours)
    owner, again = re.findall(r"(\w+)'s \w+ below space \d+ is freed by (\w+)'s own thieves", freed)[0]
    assert owner == again


def test_the_objective_of_small_islands_pays_the_sum_of_its_parts() -> None:
    """SMALL-PAY-1."""
    revealed, placed, paid = example_of("small_islands")
    assert "islands with" in revealed
    assert "fulfils the mission" in placed
    (total, parts) = re.findall(r"scores (\d+) points for the house: (.*)\.", paid)[0]
    found = [int(number) for number in re.findall(r"(?:^|and |plus |, )(\d+)(?: for|$)", parts)]
    assert sum(found) == int(total)


def test_a_moment_that_never_comes_is_an_error() -> None:
    kreta = all_games()["kreta"]
    with pytest.raises(LookupError, match="No wanted move in"):
        moment(kreta, 2, 1, lambda one: bool(one.events_of(type(None))))
    assert moment(kreta, 2, 1, lambda one: bool(one.events_of(of_kreta.FortBuilt))).events


@pytest.mark.parametrize("game", GAMES)
def test_the_docs_have_the_same_instructions(game: AnyGame) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_how_to_play.py"))
    for path, language in script["pages_of"](game):
        page = path.read_text(encoding="utf-8")
        assert script["written"](page, game, language) == page, "run scripts/write_how_to_play.py"
        aim = instructions_text(game, instructions_of(game), language).splitlines()[2]
        assert aim[:60] in page
