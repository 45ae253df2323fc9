"""Training by proximal policy optimization: inputs, gradients, advantages, runs that resume, and the trained player."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import json
from msgspec.structs import replace

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.ppo.curve import CurvePoint, UnusableFolder, appended, read_curve, share_of
from skerry_arena.learning.ppo.loss import Adam, Samples, loss
from skerry_arena.learning.ppo.network import Weights, new_weights, outputs
from skerry_arena.learning.ppo.network_inputs import NetworkInputs
from skerry_arena.learning.ppo.rollouts import Rollouts, _samples, measure
from skerry_arena.learning.ppo.trained_network import TrainedNetwork, UnusableNetwork, save
from skerry_arena.learning.ppo.training import Training, TrainingSettings
from skerry_arena.learning.vector import SkerryVectorEnv
from skerry_games.catalogue import all_games
from tests.arena.conftest import Run
from tests.games.conformance.play import play, spread

EXAMPLES = Path(__file__).parents[3] / "examples"
SMALL = TrainingSettings("tenerife", 2, games=4, steps=6, updates=2, batch=8, hidden=8, measured_games=1)


def some_samples(rng: np.random.Generator, rows: int = 12) -> tuple[Weights, Samples]:
    """Return double precision weights, and samples whose probabilities have moved to both sides of the clip."""
    weights = {name: one.astype(float) for name, one in new_weights(5, 7, 4, rng).items()}
    weights["policy"] += rng.standard_normal((7, 4))
    inputs, masks = rng.standard_normal((rows, 5)), rng.integers(0, 2, (rows, 4)).astype(np.int8)
    actions = np.asarray(rng.integers(0, 4, rows))
    masks[np.arange(rows), actions] = 1
    now = outputs(weights, inputs, masks).log_probabilities[np.arange(rows), actions]
    before = now + rng.choice([-0.5, -0.1, 0.1, 0.5], rows)
    return weights, Samples(inputs, masks, actions, before, rng.standard_normal(rows), rng.standard_normal(rows))


def test_gradients_are_those_of_finite_differences() -> None:
    weights, samples = some_samples(np.random.default_rng(4))
    _, slopes = loss(weights, samples, 0.1)
    assert slopes.keys() == weights.keys()
    compared = 0
    for name, one in weights.items():
        for at in np.ndindex(one.shape):
            middle, found = one[at], []
            for step in (1e-6, -1e-6):
                one[at] = middle + step
                found.append(loss(weights, samples, 0.1)[0])
            one[at] = middle
            assert slopes[name][at] == pytest.approx((found[0] - found[1]) / 2e-6, abs=1e-6), (name, at)
            compared += bool(abs(slopes[name][at]) > 1e-4)
    assert compared > 50


def test_steps_make_better_actions_likelier_and_values_closer() -> None:
    rng = np.random.default_rng(1)
    weights = new_weights(3, 16, 4, rng)
    inputs, masks = rng.standard_normal((64, 3)).astype(np.float32), np.ones((64, 4), np.int8)
    actions = rng.integers(0, 4, 64)
    gains = np.where(actions == 2, 1, -1).astype(np.float32)
    adam, every = Adam(weights, 0.01), np.arange(64)
    for _ in range(20):
        now = outputs(weights, inputs, masks).log_probabilities[every, actions]
        adam.step(weights, loss(weights, Samples(inputs, masks, actions, now, gains, gains), 0.0)[1])
    found = outputs(weights, inputs, masks)
    assert (np.exp(found.log_probabilities[:, 2]) > 0.5).all()
    assert (found.values**2).mean() > 0
    assert ((found.values - gains) ** 2).mean() < (gains**2).mean()


def test_advantages_follow_each_seat_to_its_own_next_decision() -> None:
    def row(seat: int, value: float, over: bool = False, counts: bool = True) -> dict[str, Any]:
        return {
            "seats": np.array([seat]),
            "values": np.array([value]),
            "over": np.array([over]),
            "counts": np.array([counts]),
            "outcome": np.array([[1.0, -1.0]]),
            "actions": np.array([0]),
            "inputs": np.zeros((1, 1)),
            "masks": np.ones((1, 1)),
            "log_probabilities": np.zeros(1),
        }

    taken = [row(0, 0.5), row(1, 0.1), row(0, 0.7, over=True), row(0, 9.0, counts=False), row(1, -0.2)]
    found = _samples(taken, np.array([[0.4, -0.4]]))
    last = -0.4 - -0.2
    won = 1 - 0.7
    assert found.advantages.tolist() == pytest.approx([0.7 - 0.5 + 0.95 * won, -1 - 0.1, won, last])
    assert found.returns.tolist() == pytest.approx([0.5 + 0.7 - 0.5 + 0.95 * won, -1, 1, -0.4])


@pytest.mark.parametrize("game", list(all_games()))
def test_inputs_are_seen_from_the_own_seat_and_keep_everything(game: str) -> None:
    seats = all_games()[game].seats[-1]
    encoding = GameEncoding(game, seats)
    inputs = NetworkInputs(encoding)
    states = spread(play(encoding.game, seats, 3).states, 12)
    for seat in range(seats):
        seen = np.array([encoding.observations.encode(seat, (1,), encoding.game.view(state, seat)) for state in states])
        found = inputs.encode(seen)
        assert found.shape == (len(states), inputs.width) and np.isfinite(found).all()
        assert len(np.unique(found, axis=0)) == len(np.unique(seen, axis=0))
        names = [one.name for one in encoding.observations.features if not one.categories]
        own, other = names.index("seats[0].score"), names.index("seats[1].score")
        scores = [[one.score for one in encoding.game.view(state, seat).seats] for state in states]
        for column, of in ((own, seat), (other, (seat + 1) % seats)):
            expected = np.array([score[of] for score in scores], float)
            assert found[:, column] == pytest.approx(np.sign(expected) * np.log1p(abs(expected)))


def test_seats_are_categories_counted_from_the_own_one() -> None:
    encoding = GameEncoding("tenerife", 3)
    inputs = NetworkInputs(encoding)
    names = [one.name for one in encoding.observations.features]
    row = np.zeros((1, len(names)), np.int16)
    empty = inputs.encode(row)
    row[0, names.index("acting_seat?")] = 1
    row[0, names.index("acting_seat")] = 2
    columns = []
    for seat in (0, 1, 2):
        row[0, 0] = seat
        blank = row.copy()
        blank[0, names.index("acting_seat?")] = 0
        columns.append(np.flatnonzero((inputs.encode(row) != inputs.encode(blank))[0])[-1])
    assert columns[0] - 1 == columns[1] == columns[2] + 1
    assert empty[0, columns].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("game", "item", "category"),
    [("canarias", "seats[0].buildings[0]", "piece"), ("small_islands", "tokens[0]", "shows")],
)
def test_categories_of_absent_items_are_zeros(game: str, item: str, category: str) -> None:
    encoding = GameEncoding(game, 2)
    inputs = NetworkInputs(encoding)
    features = {one.name: index for index, one in enumerate(encoding.observations.features)}
    row = np.zeros((1, len(features)), np.int16)
    found = []
    for present, number in ((0, 0), (1, 0), (1, 1)):
        row[0, features[f"{item}?"]], row[0, features[f"{item}.{category}"]] = present, number
        found.append(inputs.encode(row)[0])
    absent, first, second = found
    (column,) = np.flatnonzero(first > second)
    assert second[column + 1] == 1
    assert absent[column] == absent[column + 1] == 0


def test_only_possible_actions_are_chosen() -> None:
    games = SkerryVectorEnv(8, processes=0, game="tenerife", opponents=None)
    inputs = NetworkInputs(games.encoding)
    weights = new_weights(inputs.width, 8, games.encoding.actions.size, np.random.default_rng(2))
    weights["policy"] *= 1e4
    samples = Rollouts(games, inputs, 5).play(weights, 200)
    every = np.arange(len(samples.actions))
    assert samples.masks[every, samples.actions].all()
    assert not samples.masks.all(axis=1).any()
    assert 1400 < len(every) < 8 * 200, "steps that start another game are no decisions"
    assert np.isfinite(samples.log_probabilities).all() and np.isfinite(samples.advantages).all()
    against = SkerryVectorEnv(2, processes=0, game="tenerife", opponents="random")
    assert set(measure(weights, against, inputs, 1)) <= {-1.0, 0.0, 1.0}
    assert measure(weights, against, inputs, 1) == measure(weights, against, inputs, 1)


def without_times(points: list[CurvePoint]) -> list[CurvePoint]:
    return [replace(point, seconds=0) for point in points]


def test_a_resumed_run_is_the_same_run(tmp_path: Path) -> None:
    whole, parts = Training(tmp_path / "whole", SMALL), tmp_path / "parts"
    points = list(whole.run(2))
    assert [(point.round, point.steps) for point in points] == [(1, 48), (2, 96)]
    assert set(points[0].against) == {"random", "easy"}
    list(Training(parts, SMALL).run(1))
    with appended(parts / "curve.jsonl", 1) as append:
        append(replace(points[1], steps=7))  # Killed between its line and its checkpoint.
    resumed = Training(parts, SMALL)
    assert resumed.point.round == 1
    assert without_times(list(resumed.run(2))) == without_times(points[1:])
    assert without_times(read_curve(parts / "curve.jsonl")) == without_times(points)
    assert all((resumed.weights[name] == one).all() for name, one in whole.weights.items())
    assert (parts / "network.npz").read_bytes() == (tmp_path / "whole" / "network.npz").read_bytes()
    assert list(Training(parts, SMALL).run(2)) == []


def test_a_folder_has_one_run_and_one_process(tmp_path: Path) -> None:
    list(Training(tmp_path, SMALL).run(1))
    with pytest.raises(UnusableFolder, match=r"The run has hidden 8, not 9; rate 0.001, not 0.1\. Resume"):
        Training(tmp_path, replace(SMALL, hidden=9, rate=0.1))
    with (
        appended(tmp_path / "curve.jsonl", 1),
        pytest.raises(UnusableFolder, match="Another process is training in this folder"),
    ):
        next(Training(tmp_path, SMALL).run(2))
    (tmp_path / "checkpoint.npz").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(UnusableNetwork, match="not a file of this build"):
        Training(tmp_path, SMALL)


def test_a_run_for_other_rules_or_views_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list(Training(tmp_path, SMALL).run(1))
    kept = (tmp_path / "checkpoint.npz").read_bytes()
    game = all_games()["tenerife"]
    with monkeypatch.context() as changed:
        changed.setattr(type(game), "ruleset", "tenerife-0")
        with pytest.raises(UnusableFolder, match=r"other rules or views \(.+\)\. Use another folder\."):
            Training(tmp_path, SMALL)
    with monkeypatch.context() as changed:
        wider = "skerry_arena.learning.ppo.training.new_weights"
        changed.setattr(wider, lambda width, *more: new_weights(width + 1, *more))
        with pytest.raises(UnusableFolder, match="Use another folder"):
            Training(tmp_path, SMALL)
    assert (tmp_path / "checkpoint.npz").read_bytes() == kept
    assert Training(tmp_path, SMALL).point.round == 1


def test_opponents_share_the_games(tmp_path: Path) -> None:
    run = Training(tmp_path, replace(SMALL, opponents=("self", "random")))
    assert [point.steps for point in run.run(1)] == [48]


def test_an_update_without_decisions_changes_nothing(tmp_path: Path) -> None:
    run, rng = Training(tmp_path, SMALL), np.random.default_rng(1)
    before = {name: one.copy() for name, one in run.weights.items()}
    run._update(some_samples(rng)[1].rows(slice(0)), rng)
    assert all((run.weights[name] == one).all() for name, one in before.items())


def test_intervals_are_wilsons() -> None:
    found = share_of([1.0] * 80 + [-1.0] * 20)
    assert (found.share, found.low, found.high) == (0.8, 0.711, 0.867)
    assert share_of([0.0, 1.0, 1.0]).share == pytest.approx(0.833)
    assert share_of([1.0] * 10).low < 0.8


def test_a_network_is_stored_with_its_game(tmp_path: Path) -> None:
    encoding = GameEncoding("canarias", 3)
    weights = new_weights(NetworkInputs(encoding).width, 8, encoding.actions.size, np.random.default_rng(1))
    save(tmp_path / "network.npz", encoding, weights)
    network = TrainedNetwork.load(tmp_path / "network.npz")
    assert (network.encoding.game.id, network.encoding.seats) == ("canarias", 3)
    view = encoding.game.view(encoding.game.setup(encoding.options, 3), 1)
    scores = network.scores(1, (), view)
    assert scores.shape == (encoding.actions.size,)
    assert np.exp(scores).sum() == pytest.approx(1, abs=1e-3)
    (tmp_path / "text.npz").write_text("no arrays", encoding="utf-8")
    with pytest.raises(UnusableNetwork, match=r"text.npz: This is not a file"):
        TrainedNetwork.load(tmp_path / "text.npz")
    for wrong in ({"first": weights["first"][1:]}, {"second": weights["second"][1:]}, {"value_bias": np.zeros((1, 1))}):
        save(tmp_path / "wrong.npz", encoding, {**weights, **wrong})
        with pytest.raises(UnusableNetwork, match="Train it again"):
            TrainedNetwork.load(tmp_path / "wrong.npz")
    for name in weights:
        save(tmp_path / "less.npz", encoding, {other: one for other, one in weights.items() if other != name})
        with pytest.raises(UnusableNetwork, match="Train it again"):
            TrainedNetwork.load(tmp_path / "less.npz")


def test_a_damaged_network_is_one_error(tmp_path: Path) -> None:
    encoding, path = GameEncoding("tenerife", 2), tmp_path / "network.npz"
    weights = new_weights(NetworkInputs(encoding).width, 8, encoding.actions.size, np.random.default_rng(1))
    save(path, encoding, weights)
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 150):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with contextlib.suppress(UnusableNetwork):  # A byte without a meaning may differ.
            TrainedNetwork.load(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnusableNetwork, match="not a file of this build"):
        TrainedNetwork.load(path)


def test_the_command_trains_a_player_for_a_tournament(arena: Run, tmp_path: Path) -> None:
    train = ("train", "--folder", "trained", "--game", "tenerife", "--set", "games=4", "--set", "steps=6",
             "--set", "updates=2", "--set", "hidden=8", "--set", "measured_games=1", "--set", "batch=8")  # fmt: skip
    expected = (1, r"round 1  actions 48  .*random \d.*\n"), (1, r"The run has 1 rounds.*\n"), (2, r"round 2 .*\n")
    for rounds, printed in expected:
        done = arena(*train, "--rounds", str(rounds))
        assert done.returncode == 0 and re.fullmatch(printed, done.stdout), (done.stdout, done.stderr)
    assert [point.steps for point in read_curve(tmp_path / "trained" / "curve.jsonl")] == [48, 96]
    shutil.copy(EXAMPLES / "trained_player.py", tmp_path)
    shutil.copy(tmp_path / "trained" / "network.npz", tmp_path)
    done = arena("tournament", "run", "--game", "tenerife", "--player", "trained=trained_player:TrainedPlayer",
                 "--player", "random", "--games", "2", "--workers", "1", "--out", "cup")  # fmt: skip
    assert done.returncode == 0, done.stderr
    results = [json.decode(line) for line in (tmp_path / "cup" / "games.jsonl").read_bytes().splitlines()]
    assert len(results) == 2 and not any(one["failures"] for one in results)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "Unknown game 'chess'"),
        (["--game", "chess", "--seats", "2"], "Unknown game 'chess'"),
        (["--game", "kreta", "--set", "game=chess"], "Unknown game 'chess'"),
        (["--game", "kreta", "--seats", "9"], "9"),
        (["--game", "kreta", "--opponent", "nobody"], "nobody"),
        (["--game", "kreta", "--set", "games=0"], "games"),
        (["--game", "kreta", "--set", "colour=1"], "colour"),
        (["--game", "kreta", "--set", "rate"], "rate"),
        (["--game", "kreta", "--opponent", "easy", "--opponent", "self", "--set", "games=1"], "1 games need 1 to 1"),
    ],
)
def test_wrong_arguments_are_one_line(arena: Run, arguments: list[str], message: str) -> None:
    done = arena("train", "--folder", "trained", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert re.search(message, done.stderr)
    assert not Path("trained").exists()
