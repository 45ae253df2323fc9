"""The games in OpenSpiel: they pass its own test, follow the rules, and leak no hidden information."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.returns import returns
from skerry_games.api import CHANCE, CHANCE_ACTS, BadOptions
from skerry_games.canarias.state import IslandOption
from skerry_games.catalogue import all_games
from skerry_games.rng import Dice
from tests.games.conformance.play import spread
from tests.tiers import one_and_deep

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra openspiel brings it")
import numpy  # noqa: E402 - these need OpenSpiel
from open_spiel.python.algorithms.tabular_qlearner import QLearner  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.rl_environment import Environment  # noqa: E402

from skerry_arena.learning import openspiel  # noqa: E402

TABLES = [[(game.id, seats) for seats in game.seats] for game in all_games().values()]
ONE_OF_EACH = [table for tables in TABLES for table in one_and_deep(tables)]
EACH = [table for tables in TABLES for table in tables]
EVERY = 23
"""The number of states between two that are resampled."""


def loaded(game: str, seats: int) -> Any:
    return pyspiel.load_game(f"skerry_{game}", {"players": seats})


def course(game: Any, seed: int) -> Iterator[Any]:
    """Yield the states of a random game, chance nodes included."""
    state, random = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        yield state
        state.apply_action(random.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize("table", ONE_OF_EACH, ids=str)
def test_openspiels_own_test_passes(table: tuple[str, int]) -> None:
    pyspiel.random_sim_test(loaded(*table), num_sims=1, serialize=True, verbose=False)


class RecordingDice(Dice):
    """Notes what was thrown where loaded_game was a choice."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.outcomes: list[int] = []

    def below(self, count: int) -> int:
        outcome = super().below(count)
        if count > 1:
            self.outcomes.append(outcome)
        return outcome


@pytest.mark.parametrize("table", EACH, ids=str)
def test_actions_and_draws_play_the_game_of_the_rules(table: tuple[str, int]) -> None:
    loaded_game = loaded(*table)
    game, dice, received = loaded_game.encoding.game, RecordingDice(3), set[int]()
    spiel, state = (
        loaded_game.new_initial_state(),
        loaded_game.encoding.game.setup(loaded_game.encoding.options, table[1]),
    )
    memories = spiel.node.memories
    while to_act := game.to_act(state):
        if to_act == CHANCE_ACTS:
            actor, move = CHANCE, game.draw(state, dice)
            actions, dice.outcomes = dice.outcomes, []
        else:
            assert spiel.node.state == state
            assert [memory != now for memory, now in zip(memories, spiel.node.memories, strict=True)] == [
                seat in received for seat in range(table[1])
            ]
            memories = spiel.node.memories
            received.clear()
            actor = to_act[0]
            move = dice.choice(game.legal_moves(state, actor))
            dice.outcomes.clear()
            actions = list(_actions(loaded_game.encoding, game.legal_moves(state, actor), move))
        for action in actions:
            assert spiel.current_player() == actor
            spiel.apply_action(action)
        state, events = game.apply(state, actor, move)
        received |= {seat for seat in range(table[1]) if any(game.show(event, seat) is not None for event in events)}
        received |= {actor} - {CHANCE}
    assert spiel.is_terminal()
    assert spiel.node.state == state
    assert spiel.returns() == pytest.approx(returns(game.outcome(state).ranks))
    assert len(spiel.full_history()) <= spiel.get_game().max_history_length()


def _actions(table: Any, moves: Any, move: Any) -> Iterator[int]:
    """Yield the actions that select the move."""
    taken, sequence = table.selection(moves), table.actions.encode(move)
    while isinstance(taken, MoveSelection):
        action = sequence[len(taken.prefix)]
        taken = taken.take(action)
        yield action
    assert moves[taken] == move


@pytest.mark.parametrize("table", EACH, ids=str)
def test_an_observation_does_not_depend_on_hidden_information(table: tuple[str, int]) -> None:
    game, others = loaded(*table), 0
    states = [state.clone() for state in course(game, 5)]
    for number, state in enumerate(spread(states, max(4, len(states) // EVERY))):
        for seat in range(table[1]):
            twin = state.resample_from_infostate(seat, Random(number).random)
            assert twin.current_player() == state.current_player()
            assert state.is_chance_node() or twin.legal_actions(seat) == state.legal_actions(seat)
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.observation_tensor(seat) == state.observation_tensor(seat)
            assert twin.information_state_string(seat) == state.information_state_string(seat)
            assert twin.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert [bool(memory) for memory in twin.node.memories].count(True) <= 1
            assert twin.history() == []
            others += twin.node.state != state.node.state
    assert (others > 0) == (table[0] != "kreta")


def test_only_its_own_player_sees_an_incomplete_move() -> None:
    spelled = 0
    for state in course(loaded("kreta", 2), 1):
        for seat in range(2):
            own = state.node.prefix(seat)
            if seat != state.current_player():
                assert own == ()
            assert ('"prefix":[]' in state.observation_string(seat)) == (own == ())
            assert tuple(int(action) - 1 for action in state.observation_tensor(seat)[1:] if action)[: len(own)] == own
            spelled += bool(own)
    assert spelled > 10


@pytest.mark.parametrize("table", ONE_OF_EACH, ids=str)
def test_histories_that_look_the_same_to_a_player_have_the_same_memory(table: tuple[str, int]) -> None:
    alike = 0
    for state in course(loaded(*table), 6):
        if not state.is_terminal():
            actions = state.legal_actions()
            one, other = state.child(actions[0]), state.child(actions[-1])
            for seat in range(table[1]):
                if one.node.state != other.node.state and _look_alike(state, one, other, seat):
                    assert one.information_state_string(seat) == other.information_state_string(seat)
                    alike += 1
    assert (alike > 0) == (table[0] != "kreta")


def _look_alike(state: Any, one: Any, other: Any, seat: int) -> bool:
    """Whether a seat that did not act sees the same now."""
    return seat != state.current_player() and bool(one.observation_string(seat) == other.observation_string(seat))


@pytest.mark.parametrize("table", ONE_OF_EACH, ids=str)
def test_a_resampled_state_can_be_played_to_the_end(table: tuple[str, int]) -> None:
    for number, state in enumerate(course(loaded(*table), 2)):
        if number % EVERY == 0:
            twin, random = state.resample_from_infostate(number % table[1], Random(number).random), Random(number)
            while not twin.is_terminal():
                twin.apply_action(random.choice(twin.legal_actions()))
            assert sum(twin.returns()) == pytest.approx(0)


def test_copies_are_independent_and_equal() -> None:
    for number, state in enumerate(course(loaded("canarias", 2), 3)):
        if number % EVERY == 0 and not state.is_terminal():
            before, kept = state.information_state_string(0), state.clone()
            parcel = pickle.loads(pickle.dumps(state))
            state.child(state.legal_actions()[0])
            kept.clone().apply_action(kept.legal_actions()[-1])
            assert [one.information_state_string(0) for one in (state, kept, parcel)] == [before] * 3
            assert str(parcel) == str(state) == str(kept)
            assert parcel.history() == state.history() == kept.history()


@pytest.mark.parametrize("name", ["skerry_tenerife(players=3)", "skerry_canarias(islands=deal,players=4)"])
def test_a_game_can_be_sent_to_another_process(name: str) -> None:
    program = "import pickle, sys; game = pickle.load(sys.stdin.buffer); print(game, game.new_initial_state())"
    game = pyspiel.load_game(name)
    run = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(game), capture_output=True, check=True)
    assert run.stdout.decode() == f"{game} {game.new_initial_state()}\n"


def test_information_states_distinguish_histories_with_equal_observations() -> None:
    state = next(one for one in course(loaded("kreta", 2), 1) if len(one.full_history()) > 40)
    forgetful = state.resample_from_infostate(1, Random(1).random)
    assert forgetful.observation_string(0) == state.observation_string(0)
    assert forgetful.observation_tensor(0) == state.observation_tensor(0)
    assert forgetful.information_state_string(0) != state.information_state_string(0)
    assert forgetful.information_state_tensor(0) != state.information_state_tensor(0)


@pytest.mark.parametrize("table", ONE_OF_EACH, ids=str)
def test_tensors_and_strings_distinguish_the_same_information_states(table: tuple[str, int]) -> None:
    strings: dict[tuple[float, ...], str] = {}
    states = [state.clone() for seed in (1, 2) for state in course(loaded(*table), seed)]
    for state in spread(states, 30):
        for seat in range(table[1]):
            tensor, string = tuple(state.information_state_tensor(seat)), state.information_state_string(seat)
            assert strings.setdefault(tensor, string) == string
    assert len(set(strings.values())) == len(strings)


def test_an_information_state_tensor_is_the_observation_and_the_memory() -> None:
    game = loaded("canarias", 3)
    state = next(one for one in course(game, 1) if len(one.full_history()) > 80 and not one.is_chance_node())
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for seat in range(3):
        observer.set_from(state, seat)
        assert observer.dict["observation"].tolist() == state.observation_tensor(seat)
        digest = numpy.packbits(observer.dict["memory"].astype(bool)).tobytes()
        assert f'"memory":"{digest.hex()}"' in state.information_state_string(seat)
        assert observer.tensor.tolist() == state.information_state_tensor(seat)


def test_a_learner_of_openspiel_learns() -> None:
    table = Environment(loaded("tenerife", 2))
    table.seed(1)
    numpy.random.seed(1)  # what the learners explore with: a game may end in a tie
    learners = [QLearner(seat, table.action_spec()["num_actions"]) for seat in range(2)]
    step = table.reset()
    while not step.last():
        step = table.step([learners[step.observations["current_player"]].step(step).action])
    for learner in learners:
        learner.step(step)
    assert sorted(step.rewards) == [-1, 1]
    assert any(learner.loss for learner in learners)


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    for state in course(loaded("kreta", 2), 4):
        if len(state.full_history()) == 30:
            break
        before = str(state), state.history()
        with pytest.raises(ValueError, match="The action 499 is not legal here"):
            state.apply_action(499)
        assert (str(state), state.history()) == before


def test_parameters_are_the_options_of_the_game() -> None:
    assert str(pyspiel.load_game("skerry_kreta(players=3)")) == "skerry_kreta(edition=house,players=3,start_seat=-1)"
    options = pyspiel.load_game("skerry_canarias(islands=deal,start_seat=1)").encoding.options
    assert (options.islands, options.start_seat) == (IslandOption.DEAL, 1)
    with pytest.raises(ValueError, match="islands must be one of choose, deal, not 'rent'"):
        pyspiel.load_game("skerry_canarias(islands=rent)")
    with pytest.raises(BadOptions, match="9"):
        pyspiel.load_game("skerry_kreta(players=9)")


def test_unsupported_observers_and_players_raise() -> None:
    game = loaded("kreta", 2)
    for kind in ({"public_info": False}, {"private_info": pyspiel.PrivateInfoType.ALL_PLAYERS}):
        with pytest.raises(ValueError, match="private information of one player"):
            game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, **kind))
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(None, {"colour": "blue"})
    state = game.new_initial_state()
    for player in (-1, 2):
        with pytest.raises(ValueError, match=f"Unknown player {player}"):
            state.resample_from_infostate(player, Random(1).random)


def test_a_program_exits_cleanly() -> None:
    program = f"import pyspiel, {openspiel.__name__}; pyspiel.load_game('skerry_kreta').new_initial_state()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
