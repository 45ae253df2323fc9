"""Every game to its end, by clicking what is offered, against bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from skerry_client import Client
from tests.web.playing import TITLES, choices, is_over, make_table, my_turn, play, sentence
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", TITLES)
def test_a_game_is_played_to_its_end_by_clicking_what_is_offered(
    game: str, visits: Visits, skerry: Client, tmp_path: Path
) -> None:
    page = visits.come()
    path = make_table(page, game, seats=2, bots=1)
    my_turn(page)
    assert play(page) > 5
    assert is_over(page)
    outcome = skerry.table(path.strip("/")).session().outcome
    rows = page.get_by_role("region", name="Result").get_by_role("row")
    told = [rows.nth(1 + row).get_by_role("cell").all_inner_texts() for row in range(2)]
    assert sorted((int(rank), int(points)) for rank, _, points in told) == sorted(
        zip(outcome.ranks, outcome.scores, strict=True)
    )
    expect(sentence(page)).to_contain_text(outcome.reason)
    expect(choices(page)).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the replay").click()
    saved = tmp_path / "replay.json"
    download.value.save_as(saved)
    replay = json.loads(saved.read_text())
    assert [int(entry["sequence"]) for entry in replay["entries"]] == list(range(1, len(replay["entries"]) + 1))
    assert replay["session"]["seed"]
