"""The trainer of evaluations: it finds known weights, and its rounds can be repeated and continued."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from skerry_games.catalogue import all_games
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.utility import advice_of
from skerry_games.rng import Dice
from tests.games.players.training import __main__ as training
from tests.games.players.training.fitting import fit
from tests.games.players.training.self_play import Sample, SelfPlay

STAGES = 4
FIRST, LAST = (0.5, -1.0, 0.0), (1.0, 0.0, 0.5)


def known_samples(count: int, *, decisions: bool) -> list[Sample]:
    """Return states whose worths follow from known weights: of games, or four of each decision."""
    random, samples = Random(1), []
    for number in range(count):
        stage = number // 4 % (STAGES + 1)
        part = stage / STAGES
        weights = [one + (other - one) * part for one, other in zip(FIRST, LAST, strict=True)]
        numbers = [[random.gauss(0, 1) for _ in FIRST] for _ in range(3)]
        worths = [sum(a * b for a, b in zip(weights, each, strict=True)) for each in numbers]
        samples.append(Sample(number // 4 if decisions else -1, number % 3, stage, numbers, worths, ()))
    return samples


def test_the_fit_finds_known_weights() -> None:
    first, last = fit(known_samples(400, decisions=False), STAGES, 0.001, None)
    assert first == pytest.approx(FIRST, abs=0.02)
    assert last == pytest.approx(LAST, abs=0.02)


def test_the_ridge_keeps_weights_near_those_before() -> None:
    before = ((3.0, 3.0, 3.0), (3.0, 3.0, 3.0))
    first, last = fit(known_samples(40, decisions=True), STAGES, 1e9, before)
    assert [*first, *last] == pytest.approx([3.0] * 6, abs=0.01)


def test_outcomes_teach_as_well_as_worths() -> None:
    samples = [
        each._replace(worths=(), ranks=[sum(other > mine for other in each.worths) + 1 for mine in each.worths])
        for each in known_samples(800, decisions=False)
    ]
    first, last = fit(samples, STAGES, 0.1, None)
    assert first[0] > 0.3
    assert first[1] < -0.6
    assert last[0] > 0.6
    assert last[2] > 0.3


def test_self_play_plays_games_with_simultaneous_and_hidden_decisions() -> None:
    game = all_games()["small_islands"]
    play = SelfPlay(game, [advice_of(game)] * 2, FastDice(Dice(Random(1))))
    assert sum(play.ranks()) == 1.0


def test_weights_of_a_game_with_its_own_play_outs_are_fitted_to_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "PLAY_OUT_GAMES", 20)
    trainer = training.Trainer(all_games()["tenerife"], 3, tmp_path)
    trainer.fit_to_play_outs()
    assert trainer.kept.ramp is not None
    names, (first, last) = trainer.features.names, trainer.kept.ramp
    points, column = names.index("points"), names.index("loot")
    assert first[points] > 0 or last[points] > 0
    # Only settled states count, and these have an empty column.
    assert first[column] == last[column] == 0


@pytest.mark.deep
@pytest.mark.timeout(300)
def test_a_round_can_be_repeated_and_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BLOCKS", 1)
    game, kept = all_games()["kreta"], []
    for folder in (tmp_path / "one", tmp_path / "other"):
        folder.mkdir()
        trainer = training.Trainer(game, 2, folder)
        trainer.begin(1)
        trainer.round(1, 4)
        again = training.Trainer(game, 2, folder)
        assert again.kept == trainer.kept
        assert again.recent == trainer.recent
        kept.append(again.kept)
    assert kept[0] == kept[1]
    assert kept[0].rounds == 1
