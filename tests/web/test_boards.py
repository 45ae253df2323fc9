"""The boards of Tenerife and Small Islands: selecting, hiding, and animating."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from skerry.v1 import payload_pb2
from skerry_client import Client, Seat
from tests.web.page_actions import choices, create_table, middle_of, sequence, wait_for_turn, with_seat
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def hot(page: Page, kind: str) -> Locator:
    """Return the selectable elements of one kind on the board."""
    return page.locator(f'.board .selectable[data-id^="{kind}:"]')


_SELECT_AT_ONCE = """() => {
    const main = document.querySelector("main.play"), before = main.dataset.sequence;
    const select = new MutationObserver(() => {
        if (main.dataset.sequence === before) return;
        const hand = document.querySelector('.board .selectable[data-id^="hand:"]');
        if (!hand) return;
        select.disconnect();
        hand.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        window.selectedAtOnce = true;
    });
    select.observe(main, { subtree: true, childList: true, attributes: true });
}"""
"""Selects a card as soon as the next position offers it, before the browser paints that position."""


_TRAVELS = """(() => {
    const travels = (window.travels = []);
    const real = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const { delay } = timing;
        travels.push({ id: this.dataset.id, from: frames[0].transform, to: frames[1].transform, delay });
        return real.call(this, frames, timing);
    };
})()"""
"""Records the ways of all pieces."""
_TURNS = """() => window.travels.filter(one => one.id && one.to?.includes("scaleX(0)"))"""


def lay_a_character(page: Page) -> None:
    """Lay the first card of the hand below the first possible space. The page selects a last space by itself."""
    before = sequence(page)
    hot(page, "hand").first.click()
    sure = choices(page).get_by_role("button", name="Confirm")
    expect(hot(page, "space").or_(sure).first).to_be_visible()
    if not sure.count():
        hot(page, "space").first.click()
    sure.click()
    page.wait_for_function(
        "before => Number(document.querySelector('main.play').dataset.sequence) > before", arg=before
    )


def play_a_round(page: Page) -> None:
    """Lay all four characters of a round."""
    for _ in range(4):
        expect(hot(page, "hand").first).to_be_visible()
        lay_a_character(page)


def test_spectators_see_the_backs_of_characters_until_the_column_is_full(visits: Visits) -> None:
    page = visits.come()
    path = create_table(page, "tenerife", seats=2, bots=1)
    wait_for_turn(page)
    lay_a_character(page)
    watcher = visits.come(path)
    known = page.locator('[data-area="column"] use[href="#symbol-card-mason"]')
    expect(known).to_have_count(1)
    expect(watcher.locator('[data-area="column"] .place')).to_have_count(8)
    expect(watcher.locator('[data-area="column"] .piece').first).to_be_visible()
    for area in ("column", "seat:0", "seat:1"):
        cards = watcher.locator(f'[data-area="{area}"] use[href^="#symbol-card-"]')
        assert set(cards.evaluate_all("all => all.map(one => one.getAttribute('href'))")) == {"#symbol-card-back"}


def test_a_card_selected_as_soon_as_it_is_offered_stays_selected(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "tenerife", seats=2, bots=1)
    expect(hot(page, "hand").first).to_be_visible()
    page.evaluate(_SELECT_AT_ONCE)
    lay_a_character(page)
    page.wait_for_function("() => window.selectedAtOnce")
    expect(page.locator('.board .selected[data-id^="hand:"]')).to_be_visible()


def test_a_piece_travels_from_where_it_was(visits: Visits) -> None:
    page = visits.come(reduced_motion="no-preference", scripts=[_TRAVELS])
    create_table(page, "tenerife", seats=2, bots=1)
    wait_for_turn(page)
    lay_a_character(page)
    page.wait_for_function("() => window.travels.some(one => one.id.startsWith('column:') && one.from !== one.to)")


def test_revealed_characters_turn_one_by_one(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, seed=bytes(32))
    seats = [table.join(name) for name in ("Ada", "Ben")]
    page = visits.come(f"/{table.name}", reduced_motion="no-preference", scripts=[_TRAVELS])
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    for _ in range(8):
        mover = seats[table.position().to_act[0]]
        mover.act(mover.position().legal_moves[0])
    page.wait_for_function(f"() => ({_TURNS})().length === 8")
    turns = page.evaluate(_TURNS)
    assert [one["id"] for one in turns] == [f"column:{space}" for space in range(1, 9)]
    assert len({one["delay"] for one in turns}) == 8


def test_a_name_full_of_markup_is_text(visits: Visits, skerry: Client) -> None:
    evil = "<img src=x onerror=a()></text><script>"
    seat = skerry.create("kreta", seats=2, bots=1).join(evil)
    while not any(entry.HasField("moved") and entry.seat == 0 for entry in skerry.table(seat.name).replay().entries):
        seat.act(seat.position().legal_moves[0])
    page = visits.come(f"/{seat.name}")
    own = page.locator('.board .piece[data-id^="supply:0:"] > title').first
    expect(own).to_contain_text(evil)
    expect(page.get_by_role("list", name="Players")).to_contain_text(evil)
    expect(page.locator("img, script:not([src])")).to_have_count(0)


_TURNED = "before => !document.querySelector('.ghost').innerHTML.includes(before)"


def turned(picture: Locator) -> int:
    """Return the rotation of a drawn tile, in degrees."""
    found = re.search(r"rotate\((\d+)\)", picture.evaluate("one => one.outerHTML"))
    return int(found[1]) if found else 0


def test_a_tile_is_previewed_and_laid_as_it_was_turned(visits: Visits, skerry: Client) -> None:
    seat = owes(skerry, "small_islands", can_turn_a_tile)
    page = visits.come(f"/{seat.name}", scripts=[with_seat(seat, "small_islands")])
    wait_for_turn(page)
    ghost = page.locator(".ghost")
    hot(page, "cell").first.hover()
    expect(ghost).to_be_visible()
    choices(page).get_by_role("button", name="…").first.click()
    expect(ghost.get_by_role("button", name="Turn the tile (R)")).to_be_visible()
    before = turned(ghost)
    page.keyboard.press("r")
    page.wait_for_function(_TURNED, arg=f"rotate({before})")
    before = turned(ghost)
    laid = page.locator('[data-area="table"] .piece[data-id^="tile:"]')
    count = laid.count()
    ghost.locator(".selectable").click()
    choices(page).get_by_role("button", name="Confirm").click()
    expect(laid).to_have_count(count + 1)
    assert turned(laid.nth(count)) == before


def test_tiles_in_other_hands_are_not_drawn(visits: Visits) -> None:
    page = visits.come(phone=True)
    path = create_table(page, "small_islands", seats=2, bots=1)
    wait_for_turn(page)
    watcher = visits.come(path)
    hidden = '.piece[data-id^="hidden:"]'
    expect(page.locator('[data-area="seat:0"] .piece[data-id^="tile:"]')).to_have_count(2)
    page.get_by_role("button", name="What Bot 1 has").tap()
    expect(page.locator(f'[data-area="seat:1"] {hidden}').first).to_be_attached()
    for area in ("seat:0", "seat:1"):
        expect(watcher.locator(f'[data-area="{area}"] {hidden}').first).to_be_attached()
        for kind in ("tile", "card"):
            expect(watcher.locator(f'[data-area="{area}"] .piece[data-id^="{kind}:"]')).to_have_count(0)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def owes(skerry: Client, game: str, is_wanted: Callable[[Sequence[payload_pb2.Move]], bool]) -> Seat:
    """Play until a seat must choose among wanted moves. Return the seat."""
    for number in range(20):
        chance = Random(number)
        table = skerry.create(game, seats=2, seed=bytes([number] * 32))
        seats = [table.join(name) for name in ("Ada", "Ben")]
        while to_act := table.position().to_act:
            mover = seats[to_act[0]]
            moves = mover.position().legal_moves
            if len(moves) > 1 and is_wanted(moves):
                return mover
            mover.act(chance.choice(moves))
    raise AssertionError("No seat had to choose among such moves.")


def can_turn_a_tile(moves: Sequence[payload_pb2.Move]) -> bool:
    """Return whether a tile can be laid in several ways at one place."""
    cells = [str(move.small_islands.lay_tile.at) for move in moves if move.small_islands.HasField("lay_tile")]
    return len(set(cells)) < len(cells)


@pytest.mark.parametrize(
    ("kind", "name"), [("move_merchant", "place"), ("export", "storage"), ("build_element", "plot")]
)
def test_a_selected_element_stays_in_place_on_a_phone(kind: str, name: str, visits: Visits, skerry: Client) -> None:
    seat = owes(skerry, "tenerife", lambda moves: moves[0].tenerife.WhichOneof("kind") == kind)
    page = visits.come(f"/{seat.name}", phone=True, scripts=[with_seat(seat, "tenerife")])
    wait_for_turn(page)
    page.evaluate("document.fonts.ready")  # fonts move everything below them
    touch = hot(page, name).last
    touch.scroll_into_view_if_needed()
    middle, before, at = middle_of(touch), sequence(page), touch.get_attribute("data-id")
    box = touch.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    page.touchscreen.tap(*middle)
    expect(page.locator(f'.board .selected[data-id="{at}"]')).to_have_count(1)
    page.touchscreen.tap(*middle)
    page.wait_for_function("n => Number(document.querySelector('main').dataset.sequence) > n", arg=before)
