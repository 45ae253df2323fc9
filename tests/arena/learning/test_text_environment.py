"""Text environments: TextArena's interface, refusals, and messages that only their player may know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from skerry_arena.learning.text_environment import ObservationType, TextEnvironment
from skerry_arena.play.game_run import GameRun
from skerry_arena.programs.move_words import in_words, seat_names
from skerry_games import fill
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

GAMES = [pytest.param(game, id=game.id) for game in all_games().values()]
SEED = 7


def words(env: TextEnvironment) -> tuple[str, ...]:
    position = env._course.position
    return in_words(env.game, position.legal_moves(position.to_act[0]), seat_names(env.state.num_players))


def played(env: TextEnvironment, players: int, *, numbers: bool = True) -> list[list[Any]]:
    """Play a game of random moves. Return all messages of each player."""
    env.reset(players, SEED)
    received: list[list[Any]] = [[] for _ in range(players)]
    done, dice = False, Random(1)
    while not done:
        player, observation = env.get_observation()
        received[player] += observation
        moves = words(env)
        number = dice.randrange(len(moves))
        done, info = env.step(f"I take [{number if numbers else moves[number]}]")
        assert info == {}
    for player in range(players):
        received[player] += env.state.observations[player]
    return received


@pytest.mark.parametrize("game", GAMES)
def test_a_player_receives_exactly_what_its_seat_may_know(game: AnyGame) -> None:
    players = game.seats[-1]
    env = TextEnvironment(game.id)
    received, course = played(env, players), env._course
    for player, messages in enumerate(received):
        kinds = [kind for _, _, kind in messages]
        assert kinds[0] is ObservationType.PROMPT and kinds.count(ObservationType.PROMPT) == 1
        events = [
            fill(game.say(shown), seat_names(players))
            for step in course.steps
            for event in step.events
            if (shown := game.show(event, player)) is not None
        ]
        described = (ObservationType.GAME_ACTION_DESCRIPTION, ObservationType.GAME_MESSAGE)
        assert [message for _, message, kind in messages if kind in described] == events
        own = [sender for sender, _, kind in messages if kind is ObservationType.PLAYER_ACTION]
        assert set(own) == {player} and len(own) == env.state.game_info[player]["turn_count"]
        assert kinds.count(ObservationType.GAME_BOARD) == len(own)
    rewards, info = env.close()
    assert rewards is not None and sum(rewards.values()) == pytest.approx(0) and set(info) == set(range(players))
    assert env.step("[0]") == (True, {})


@pytest.mark.parametrize("game", GAMES)
def test_messages_do_not_depend_on_hidden_information(game: AnyGame) -> None:
    env, other = TextEnvironment(game.id), TextEnvironment(game.id)
    for one in (env, other):
        one.reset(2, SEED)
    dice, done = Random(1), False
    while not done:
        player, seen = env.get_observation()
        other._course = GameRun(game, env.options, 2, bytes(32))
        other._course.position = env._course.position.redeal(player, env._dice)
        assert "\n".join(other._board(player)) == "\n".join(env._board(player)) == seen[-1][1]
        done, _ = env.step(f"[{dice.randrange(len(words(env)))}]")


def test_equal_seeds_and_actions_give_equal_games_by_words_too() -> None:
    one = played(TextEnvironment("tenerife"), 2)
    other = played(TextEnvironment("tenerife", listed=False), 2, numbers=False)
    kept = (ObservationType.GAME_ACTION_DESCRIPTION, ObservationType.GAME_MESSAGE)
    for mine, theirs in zip(one, other, strict=True):
        assert [entry for entry in mine if entry[2] in kept] == [entry for entry in theirs if entry[2] in kept]
    assert "Your moves:" in one[0][-1][1] + "".join(message for _, message, _ in one[0])
    assert "Your moves:" not in "".join(message for _, message, _ in other[0])


def test_a_refused_action_costs_one_allowance_and_then_the_game() -> None:
    env = TextEnvironment("kreta", error_allowance=1)
    env.reset(2, SEED)
    player, _ = env.get_observation()
    assert env.step("I would rather [halt].") == (False, {})
    again, observation = env.get_observation()
    ((sender, message, kind),) = observation
    assert (again, sender, kind) == (player, -1, ObservationType.GAME_ADMIN)
    assert "KRETA-TURN-1: Play a card from your hand first. End your answer with" in message
    assert env.step("[0]") == (False, {})  # a legal move, which renews the allowance
    assert env.state.error_count == 0
    loser = env.state.current_player_id
    assert [env.step("x" * 1_000_000), env.step("[999999999]")] == [(False, {}), (True, {})]
    rewards, info = env.close()
    assert rewards == {loser: -1.0, 1 - loser: 1.0}
    assert info[loser]["invalid_move"] and not info[1 - loser]["invalid_move"]
    assert "made an invalid move" in info[0]["reason"]


@pytest.mark.parametrize("action", ["", "[]", "[", "[[[", "[-1]", "[١]", "\ud800", "[\x00]", "[0] or [nothing]"])
def test_an_action_that_names_no_move_is_refused(action: str) -> None:
    env = TextEnvironment("kreta")
    env.reset(2, SEED)
    assert env.step(action) == (False, {})
    assert env.state.error_count == 1


def test_wrong_numbers_of_players_games_and_options_are_refused() -> None:
    with pytest.raises(ValueError, match="has 2, 3, 4 players, not 9"):
        TextEnvironment("kreta").reset(9)
    with pytest.raises(KeyError):
        TextEnvironment("chess")
    with pytest.raises(TypeError):
        TextEnvironment("kreta", colour="red")


WITH_TEXTARENA = """
import textarena as ta
from textarena.core import Env
from skerry_arena.learning.text_environment import ObservationType, TextEnvironment

assert [one.name for one in ObservationType] == [one.name for one in ta.ObservationType]
for name in ("reset", "step", "get_observation", "close"):
    import inspect
    ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (TextEnvironment, Env))
    assert list(ours.parameters) == list(theirs.parameters), name
ta.register("Kreta-v0", entry_point="skerry_arena.learning.text_environment:TextEnvironment",
            default_wrappers=[ta.wrappers.LLMObservationWrapper, ta.wrappers.ActionFormattingWrapper],
            game="kreta", types=ta.ObservationType)
ta.register("Kreta-board-v0", entry_point="skerry_arena.learning.text_environment:TextEnvironment",
            default_wrappers=[ta.wrappers.GameBoardObservationWrapper], game="kreta", types=ta.ObservationType)
for name in ("Kreta-v0", "Kreta-board-v0"):
    env = ta.make(name)
    env.reset(num_players=3, seed=1)
    done, texts = False, []
    while not done:
        player, observation = env.get_observation()
        assert isinstance(observation, str) and f"You are seat {player} of 3 in Kreta" in observation
        done, info = env.step(action="0" if name == "Kreta-v0" else "[0]")
    rewards, game_info = env.close()
    assert sum(rewards.values()) == 0 and set(game_info) == {0, 1, 2}
print("played")
"""


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_textarena_plays_with_its_own_wrappers(tmp_path: Path) -> None:
    """TextArena has an environment of its own, because it needs many packages."""
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "textarena==0.7.4"], capture_output=True, text=True, check=False
    )
    if installed.returncode:
        pytest.skip(f"TextArena cannot be installed: {installed.stderr.strip().splitlines()[-1]}")
    path = ":".join(entry for entry in sys.path if entry)
    ran = subprocess.run(
        [python, "-c", f"import sys; sys.path += {path.split(':')!r}\n{WITH_TEXTARENA}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (0, "played\n"), ran.stderr
