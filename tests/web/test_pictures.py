"""Tenerife and Small Islands on their pictures: what is touched there, what is hidden there, and how news are told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.playing import choices, make_table, my_turn, sentence, sequence
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser


def hot(page: Page, kind: str) -> Locator:
    """What can be touched in the picture, of one kind."""
    return page.locator(f'.board .hot[data-at^="{kind}:"]')


_LAID_OR_ASKED = """before => document.querySelector(".space.hot")
    || Number(document.querySelector("main.play").dataset.sequence) > before"""


def lay_a_character(page: Page) -> None:
    """Lay the first card of the hand on the first vacant space that it may lie on: the last one is not asked for."""
    before = sequence(page)
    hot(page, "hand").first.click()
    page.wait_for_function(_LAID_OR_ASKED, arg=before)
    if hot(page, "space").count():
        hot(page, "space").first.click()
    page.wait_for_function(
        "before => Number(document.querySelector('main.play').dataset.sequence) > before", arg=before
    )


def play_a_round(page: Page) -> None:
    """Lay all four characters of a round."""
    for _ in range(4):
        expect(hot(page, "hand").first).to_be_visible()
        lay_a_character(page)


def test_others_see_the_backs_of_characters_until_all_lie_there(visits: Visits) -> None:
    page = visits.come()
    path = make_table(page, "tenerife", seats=2, bots=1)
    my_turn(page)
    lay_a_character(page)
    watcher = visits.come(path)
    own = page.locator(".space .peeked")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("mason")
    spaces = watcher.locator(".column .space")
    expect(spaces).to_have_count(8)
    expect(spaces.locator(".card-back").first).to_be_visible()
    expect(spaces.locator(".icon")).to_have_count(0)
    assert not {"mason", "farmer", "merchant", "exporter", "thieves"} & set(spaces.all_inner_texts())
    expect(watcher.get_by_role("group", name="Your characters")).to_have_count(0)


def test_a_round_is_told_character_by_character_and_can_be_skipped(visits: Visits) -> None:
    page = visits.come(reduced_motion="no-preference")
    make_table(page, "tenerife", seats=2, bots=1)
    play_a_round(page)
    skip = page.get_by_role("button", name="Skip")
    expect(page.locator(".space .turned").first).to_be_visible()
    expect(skip).to_be_visible()
    page.keyboard.press("Escape")
    expect(skip).to_have_count(0)
    expect(page.locator(".space .turned")).to_have_count(0)


def test_what_came_of_a_round_is_remembered(visits: Visits) -> None:
    page = visits.come()
    make_table(page, "tenerife", seats=2, bots=1)
    play_a_round(page)
    while not page.locator(".last-round").count():
        page.locator(".board .hot").first.click()
        expect(choices(page)).not_to_have_text("On its way …")
    expect(page.locator(".last-round li")).to_have_count(8)
    expect(page.locator(".last-round li .came").first).not_to_be_empty()


def until_a_tile_is_laid(page: Page) -> None:
    """Choose whatever comes first until the picked tile can be laid."""
    while "where the tile lies" not in sentence(page).inner_text():
        if (sure := choices(page).get_by_role("button", name="Do it")).count():
            sure.click()
        else:
            page.locator(".board .hot").first.click()
        my_turn(page)


def turned(picture: Locator) -> str | None:
    """How a picture shows its tile."""
    return picture.locator('g[transform^="rotate"]').first.get_attribute("transform")


def test_a_tile_shows_where_it_would_lie_and_is_laid_as_it_was_turned(visits: Visits) -> None:
    page = visits.come()
    make_table(page, "small_islands", seats=2, bots=1)
    my_turn(page)
    until_a_tile_is_laid(page)
    ghost = page.locator(".ghost")
    hot(page, "cell").first.hover()
    expect(ghost).to_be_visible()
    before = turned(ghost)
    in_two_ways = choices(page).get_by_role("button", name="…")
    if can_be_turned := in_two_ways.count() > 0:
        in_two_ways.first.click()
        before = turned(ghost)
        page.keyboard.press("r")
        expect(ghost.locator('g[transform^="rotate"]').first).not_to_have_attribute("transform", before or "")
        before = turned(ghost)
    laid = page.locator("[data-cell]")
    count = laid.count()
    (ghost.locator(".hot") if can_be_turned else hot(page, "cell").first).click()
    expect(laid).to_have_count(count + 1)
    assert turned(laid.nth(count)) == before


def test_tiles_in_the_hands_of_others_are_not_drawn(visits: Visits) -> None:
    page = visits.come(phone=True)
    path = make_table(page, "small_islands", seats=2, bots=1)
    my_turn(page)
    watcher = visits.come(path)
    expect(page.get_by_role("group", name="Your tiles").locator(".tile-card")).to_have_count(2)
    expect(watcher.get_by_role("group", name="Open tiles").locator(".tile-card")).to_have_count(3)
    expect(watcher.locator(".tile-card")).to_have_count(3)
    expect(watcher.locator(".objective")).to_have_count(0)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
