"""Every game played to its end against bots, at four sizes of the window, and the finished table."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from skerry_client import Client, Table
from tests.web.fit import SIZES, FitCheck, choose
from tests.web.page_actions import TITLES, choices, choosing, create_table, is_over, page_status, wait_for_turn_or_end
from tests.web.test_access import AXE, violations
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


@pytest.mark.timeout(240)  # whole games, on a busy machine
@pytest.mark.parametrize("game", TITLES)
def test_a_game_is_played_to_its_end_by_touch_and_fits_the_screen_at_each_decision(
    game: str, visits: Visits, skerry: Client, tmp_path: Path
) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    page = visits.come(viewport=SIZES[0], has_touch=True, is_mobile=True, scripts=[AXE.read_text(encoding="utf-8")])
    path = create_table(page, game, seats=2, bots=1)
    fit = FitCheck(page, chance)
    while wait_for_turn_or_end(page):
        assert fit.faults() == []
        with choosing(page):
            choose(page, chance)
    assert len(fit.kinds) > 4
    page.set_viewport_size(SIZES[0])
    assert is_over(page)
    assert violations(page) == []
    outcome = skerry.table(path.strip("/")).session().outcome
    rows = page.get_by_role("table", name="Ranking").get_by_role("row")
    explained = [rows.nth(1 + row).get_by_role("cell").all_inner_texts() for row in range(2)]
    assert sorted((int(rank), int(points)) for rank, _, points in explained) == sorted(
        zip(outcome.ranks, outcome.scores, strict=True)
    )
    assert_that_sources_add_up(page, [(name, int(points)) for _, name, points in explained])
    expect(page_status(page)).to_contain_text(outcome.reason)
    expect(choices(page)).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download replay").click()
    saved = tmp_path / "replay.json"
    download.value.save_as(saved)
    replay = json.loads(saved.read_text())
    assert [int(entry["sequence"]) for entry in replay["entries"]] == list(range(1, len(replay["entries"]) + 1))
    assert replay["session"]["seed"]
    page.keyboard.press("?")
    turning = page.get_by_label("Keyboard shortcuts").get_by_text("Turn the tile")
    expect(turning).to_have_count(int(game == "small_islands"))


def assert_that_sources_add_up(page: Page, scores: list[tuple[str, int]]) -> None:
    """Assert that the points in the breakdown are those of the players."""
    sources = page.get_by_role("table", name="Where the points came from")
    expect(sources).to_be_visible()
    lines = [row.get_by_role("cell").all_inner_texts() for row in sources.get_by_role("row").all()[1:]]
    *gained, total = [[int(points.replace("−", "-")) for points in line] for line in lines]
    assert total == [sum(points) for points in zip(*gained, strict=True)]
    assert total == [points for _, points in scores]
    heads = sources.get_by_role("columnheader").all_inner_texts()
    assert heads == [name for name, _ in scores]


@pytest.mark.parametrize(("game", "is_explained"), [("small_islands", True), ("kreta", False)])
def test_the_rule_that_breaks_a_tie_is_shown_unless_the_win_is_shared(
    game: str, is_explained: bool, visits: Visits, skerry: Client
) -> None:
    found: dict[bool, Table] = {}
    for seed in range(200):
        table = skerry.create(game, seats=2, bots=2, seed=bytes([seed]) * 32)
        one, other = table.position().outcome.scores
        found.setdefault(one == other, table)
        if len(found) == 2:
            break
    for is_tied, explained in ((True, is_explained), (False, False)):
        table = found[is_tied]
        result = visits.come(f"/{table.name}").get_by_role("region", name="Result")
        expect(result).to_be_visible()
        expect(result.get_by_text("SMALL-TIE-1: Seats with equal points are ranked by houses")).to_have_count(
            int(explained)
        )
