"""Players of two cells behind nginx: links lead to their cell, and a killed cell stops no game of the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.interop.cells import Cell, Front, behind_nginx, three_cells
from tests.interop.toolchains import need
from tests.web.page_actions import (
    choices,
    click,
    create_table,
    join_table,
    sequence,
    wait_for_sequence,
)
from tests.web.visitors import Visits

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]  # starts three services, and one of them twice

TRUSTING: dict[str, Any] = {"ignore_https_errors": True}
"""The certificate of the proxy is of the tests' own authority."""


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Cell]]:
    need("nginx", packages="nginx from Debian")
    with three_cells(tmp_path_factory.mktemp("cells")) as running:
        yield running


@pytest.fixture(scope="module")
def front(cells: Mapping[str, Cell], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with behind_nginx(cells, tmp_path_factory.mktemp("nginx")) as it:
        yield it


@pytest.fixture
def visits(browser: Browser, front: Front) -> Iterator[Visits]:
    visits = Visits(browser, front.url)
    yield visits
    visits.close()
    assert visits.faults == []


def lost(page: Page) -> Locator:
    return page.get_by_text("Connection lost. Your game is safe.")


def come(visits: Visits, path: str = "/", **settings: Any) -> Page:
    return visits.come(path, expect_failures=True, **TRUSTING, **settings)


def sit_down(visits: Visits, path: str, player: str) -> Page:
    """Open the link to a table, and take a seat."""
    page = come(visits, path)
    join_table(page, player)
    return page


def make_move(pages: Sequence[Page]) -> None:
    """Let a player whose turn it is make a move. Both see it."""
    before = sequence(pages[0])
    mover = whose_turn(pages)
    while sequence(mover) == before:
        click(mover, 0)
    for page in pages:
        wait_for_sequence(page, sequence(mover))


def whose_turn(pages: Sequence[Page]) -> Page:
    """Wait until one of the pages offers a move, and return it."""
    while True:
        for page in pages:
            expect(page.get_by_role("list", name="Players")).to_be_visible()
            if choices(page).locator(".word, .confirm, .list-toggle").count():
                return page


def test_two_cells_play_and_one_is_killed(visits: Visits, front: Front, cells: Mapping[str, Cell]) -> None:
    ada = come(visits)
    path = create_table(ada, "kreta", seats=2, bots=0)  # the lobby creates tables in the home
    assert path.partition("#")[0].endswith(".eu1")
    home = [ada, sit_down(visits, path, "Ben")]
    with front.client(cell="us1") as client:
        table = client.create("kreta", seats=2)
    other = [sit_down(visits, f"/{table.name}", player) for player in ("Cleo", "Dan")]
    for _ in range(3):
        make_move(home)
        make_move(other)

    cells["us1"].kill()
    for page in other:
        expect(lost(page)).to_be_visible()
    reached = sequence(other[0])
    for _ in range(2):
        make_move(home)
    home[0].reload()  # although each browser has connections to the proxy for both cells
    make_move(home)
    for page in home:
        expect(lost(page)).to_be_hidden()
    other[0].reload()  # the proxy takes the page from another cell
    expect(other[0].get_by_text("The server is not responding. Trying again …")).to_be_attached()

    cells["us1"].launch()
    cells["us1"].wait()
    for page in other:
        wait_for_sequence(page, reached)  # every acknowledged move
        expect(lost(page)).to_be_hidden()
    make_move(other)
    make_move(home)


def test_the_page_of_another_cell_opens_while_the_home_is_down(
    visits: Visits, front: Front, cells: Mapping[str, Cell]
) -> None:
    with front.client(cell="ap1") as client:
        table = client.create("kreta", seats=2)
    cells["eu1"].kill()
    try:
        players = [sit_down(visits, f"/{table.name}", player) for player in ("Eve", "Finn")]
        make_move(players)
    finally:
        cells["eu1"].launch()
        cells["eu1"].wait()
    lobby = come(visits)
    expect(lobby.get_by_role("heading", name="Start a game")).to_be_visible()
