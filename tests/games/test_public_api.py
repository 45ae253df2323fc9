"""The public API of ``skerry_games``: its names, its README, and that msgspec is its only dependency."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import skerry_games
from skerry_games import CHANCE_ACTS, Dice, IllegalMove, Position, WrongActor, all_games, start
from skerry_games.api import AnyGame
from tests.games.conformance.play import dice, play

README = Path(skerry_games.__path__[0]) / "README.md"
ELSEWHERE = ("google", "grpc", "redis", "asyncio", "skerry", "skerry_client", "skerry_service")
BARRED = f"""
import sys
from importlib.abc import MetaPathFinder

class Bar(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {ELSEWHERE}:
            raise ImportError(f"{{name}} is not there")

sys.meta_path.insert(0, Bar())
"""
GAMES = [pytest.param(game, id=game.id) for game in all_games().values()]


def test_the_public_names_are_these() -> None:
    assert skerry_games.__all__ == [
        "CHANCE",
        "CHANCE_ACTS",
        "OVER",
        "BadOptions",
        "Dice",
        "Game",
        "GameError",
        "IllegalMove",
        "InformationState",
        "MalformedMove",
        "Outcome",
        "Position",
        "Rng",
        "Rule",
        "SeededRng",
        "WrongActor",
        "__version__",
        "all_games",
        "fill",
        "game_of",
        "seen_from",
        "start",
    ]
    assert [name for name in vars(Position) if not name.startswith("_")] == [
        "to_act",
        "scores",
        "outcome",
        "legal_moves",
        "play",
        "draw",
        "drawn",
        "view",
        "text",
        "annotations",
        "explain",
        "touched",
        "svg",
        "shown",
        "redeal",
        "events",
        "game",
        "state",
    ]


def test_the_readme_plays_a_game_with_nothing_but_msgspec() -> None:
    example, match = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    every_game = [f"start({game!r}, rng=rng)" for game in all_games()]
    quick = match.replace("mcts:50", "mcts:1")
    program = f"{BARRED}\n{example}\n[{', '.join(every_game)}]\n{quick}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the 11th fort card has been scored" in done.stdout
    assert re.search("TENERIFE-END-[123]", done.stdout)


@pytest.mark.parametrize("game", GAMES)
def test_positions_play_a_game_as_its_functions_do(game: AnyGame) -> None:
    played = play(game, game.seats[0], 1)
    position = start(game.id)
    for step in played.steps:
        assert position.state == step.before
        assert position.to_act == game.to_act(step.before)
        assert position.legal_moves(step.actor) == game.legal_moves(step.before, step.actor)
        position = position.play(step.move, step.actor)
        assert position.events == step.events
    assert position.to_act == ()
    assert position.legal_moves() == ()
    assert position.outcome == game.outcome(played.last)


@pytest.mark.parametrize("game", GAMES)
def test_with_a_generator_only_seats_have_to_decide(game: AnyGame) -> None:
    rng = Dice(Random(3))
    position = start(game.id, game.seats[-1], rng=rng)
    while position.to_act:
        assert position.to_act != CHANCE_ACTS
        seat = rng.choice(position.to_act)
        before, move = position.state, rng.choice(position.legal_moves(seat))
        position = position.play(move, seat, rng)
        assert position.state != before
    assert position.outcome is not None
    assert position.scores == position.outcome.scores


@pytest.mark.parametrize("game", GAMES)
def test_chance_moves_can_be_played_or_drawn(game: AnyGame) -> None:
    position = start(game.id)
    assert position.to_act == CHANCE_ACTS
    assert position.play(position.draw(dice(1, 1))) == position.play(position.draw(dice(1, 1)))
    drawn = start(game.id, rng=dice(1, 1))
    assert drawn == position.drawn(dice(1, 1))
    assert {drawn, position.drawn(dice(1, 1))} == {drawn}
    assert (drawn != position.drawn(dice(1, 1))) is False
    assert drawn != position
    with pytest.raises(WrongActor, match="nothing to draw"):
        drawn.draw(dice(1, 1))


@pytest.mark.parametrize("game", GAMES)
def test_a_redealt_position_looks_the_same(game: AnyGame) -> None:
    position = start(game.id, rng=dice(5, 1))
    for viewer in (*range(game.seats[0]), None):
        assert position.redeal(viewer, dice(6, 1)).view(viewer) == position.view(viewer)


def test_simultaneous_decisions_need_the_actor() -> None:
    position = start("small_islands", rng=dice(1, 1))
    while len(position.to_act) < 2:
        position = position.play(dice(2, 2).choice(position.legal_moves()), rng=dice(3, 3))
    with pytest.raises(WrongActor, match="Name the actor"):
        position.legal_moves()
    with pytest.raises(WrongActor, match="Name the actor"):
        position.play(position.legal_moves(position.to_act[0])[0])


def test_shown_masks_hidden_events() -> None:
    position, seat = start("canarias", rng=dice(1, 1)), 0
    while not any(type(event).__name__ == "CardLoaded" for event in position.events):
        seat = position.to_act[0]
        position = position.play(position.legal_moves(seat)[-1], seat, dice(4, 4))
    assert position.shown(seat) != position.shown(1 - seat)


def test_wrong_calls_raise() -> None:
    position = start("kreta", rng=dice(1, 1))
    [seat] = position.to_act
    with pytest.raises(WrongActor, match="has nothing to decide now"):
        position.play(position.legal_moves()[0], 1 - seat)
    later = position.play(position.legal_moves()[0], rng=dice(1, 2))
    with pytest.raises(IllegalMove):
        later.play(position.legal_moves()[0])
    with pytest.raises(KeyError, match=r"Unknown game 'chess'. Known games: .*canarias, .*kreta"):
        start("chess")
    with pytest.raises(skerry_games.BadOptions):
        start("kreta", 9)
    with pytest.raises(TypeError, match="colour"):
        start("kreta", colour=1)
    with pytest.raises(TypeError, match="start_seat"):
        start("kreta", start_seat=1.0)
