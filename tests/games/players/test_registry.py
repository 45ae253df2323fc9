"""The registry of players by name."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from skerry_games import game_of
from skerry_games.information_state import InformationState
from skerry_games.players import Clock, UnknownPlayer, player, shipped_player, untimed
from skerry_games.players.greedy import GreedyPlayer
from skerry_games.players.mcts import MctsPlayer
from skerry_games.players.planner import PlanningPlayer
from skerry_games.players.random_player import RandomPlayer
from skerry_games.rng import Dice, Rng
from tests.games.players.matches import play_match

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "players.md"


class Last:
    """A player outside the library."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def choose(self, position: InformationState, clock: Clock) -> Any:
        return position.legal_moves[-1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("random", RandomPlayer),
        ("greedy", GreedyPlayer),
        ("easy", GreedyPlayer),
        ("mcts:7", MctsPlayer),
        ("mcts:20ms", MctsPlayer),
        ("expert", PlanningPlayer),
    ],
)
def test_shipped_players_are_found(text: str, kind: type) -> None:
    assert isinstance(player(text)(Dice(Random(1))), kind)
    assert isinstance(shipped_player(text)(Dice(Random(1))), kind)


def test_a_player_of_a_module_is_imported() -> None:
    assert isinstance(player(f"{__name__}:Last")(Dice(Random(1))), Last)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mcts",
        "mcts:",
        "mcts:0",
        "mcts:-1",
        "mcts:1.5",
        "mcts:ms",
        "greedy:2",
        "random:",
        "no.such:Bot",
        ".no:Bot",
        "os:path",
    ],
)
def test_an_unknown_name_raises_with_the_known_names(text: str) -> None:
    for find in (player, shipped_player):
        with pytest.raises(UnknownPlayer, match="Known players: random, easy, medium, hard, expert, greedy"):
            find(text)


def test_the_player_in_the_docs_plays() -> None:
    [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, PAGE.name, "exec"), names)
    outcome = play_match(game_of("kreta"), [names["Bot"], player("random")], 1)
    assert outcome.scores[0] > 0


def test_shipped_player_imports_nothing() -> None:
    with pytest.raises(UnknownPlayer):
        shipped_player(f"{__name__}:Last")


def test_untimed_never_runs_out() -> None:
    assert untimed() > 10**9
