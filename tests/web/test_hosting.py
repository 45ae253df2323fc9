"""Actions of hosts: join codes, strength of bots, removing players, and rematches."""

from __future__ import annotations

import json
import random

import pytest
from playwright.sync_api import Page, expect

from skerry_client import Client
from tests.web.page_actions import create_table, join_table, page_status, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

OUT_OF_LOBBY_MS = 15_000
"""The page polls the list of tables and the rematch every five seconds."""


def link_of(page: Page) -> str:
    """Return the link that invites others."""
    return page.locator("#link").input_value()


def kept(page: Page) -> list[dict[str, str]]:
    """Return what the browser stores about sessions."""
    return json.loads(page.evaluate("localStorage['skerry.sessions'] ?? '[]'"))  # type: ignore[no-any-return]


def test_a_table_with_a_code_admits_players_with_the_link_or_the_code(visits: Visits) -> None:
    ada = visits.come()
    ada.get_by_role("combobox", name="Bots").select_option("0")
    ada.get_by_label("Require a code to join").check()
    create_table(ada, "canarias", seats=4, bots=0, name="Ada")
    path, _, code = link_of(ada).removeprefix(visits.url).partition("#code=")
    assert len(code) == 6
    expect(ada.get_by_text(f"The link includes the join code {code}.")).to_be_visible()
    ben = visits.come(f"{path}#code={code}")
    join_table(ben, "Ben")
    expect(page_status(ben)).to_contain_text("You have a seat.")
    cleo = visits.come(path, expect_failures=True)
    cleo.get_by_label("Join code").fill("AAAAAA")
    join_table(cleo, "Cleo")
    expect(cleo.get_by_role("alert")).to_contain_text("join code is missing or wrong")
    cleo.get_by_label("Join code").fill(f" {code[:3]}-{code[3:].lower()}")
    join_table(cleo, "Cleo")
    expect(page_status(cleo)).to_contain_text("You have a seat.")
    assert link_of(ada).endswith(f"#code={code}")
    ada.reload()
    expect(ada.locator("#link")).to_have_value(f"{visits.url}{path}#code={code}")


def test_a_removed_player_is_notified_and_can_join_again(visits: Visits) -> None:
    ada = visits.come()
    path = create_table(ada, "kreta", seats=3, bots=0, name="Ada")
    ben = visits.come(path, expect_failures=True)
    join_table(ben, "Ben")
    ada.get_by_role("button", name="Remove Ben").dblclick()  # the second click does not confirm
    expect(page_status(ben)).to_contain_text("You have a seat.")
    ada.get_by_role("button", name="Really remove Ben?").click()
    expect(ben.get_by_text("You no longer have a seat here")).to_be_visible()
    assert kept(ben) == []
    join_table(ben, "Ben")
    expect(page_status(ben)).to_contain_text("You have a seat. 1 seat is open.")
    expect(ben.get_by_role("button", name="Remove Ada")).to_have_count(0)


def test_a_left_seat_is_open_again(visits: Visits) -> None:
    ada = visits.come(expect_failures=True)
    create_table(ada, "kreta", seats=2, bots=0, name="Ada")
    ada.get_by_role("button", name="Leave the seat").click()
    ada.get_by_role("button", name="Really leave the seat?").click()
    expect(page_status(ada)).to_have_text("2 seats are open.")
    expect(ada.get_by_text("You no longer have a seat here")).to_have_count(0)
    assert [set(one) for one in kept(ada)] == [{"session", "game", "hostToken"}]
    join_table(ada, "Ada Lovelace")
    expect(page_status(ada)).to_contain_text("You have a seat.")


def test_the_host_chooses_the_strength_of_bots(visits: Visits, skerry: Client) -> None:
    ada = visits.come()
    levels = ada.get_by_role("combobox", name="Bot strength")
    expect(levels).to_be_visible()
    assert levels.locator("option").evaluate_all("all => all.map(({ value }) => value)") == list(
        skerry.game("canarias").levels
    )
    levels.select_option("medium")
    path = create_table(ada, "kreta", seats=4, bots=1, name="Ada", level=None)
    expect(ada.get_by_role("listitem").filter(has_text="Bot 1")).to_contain_text("bot: medium")
    ada.get_by_role("combobox", name="Bot strength").select_option("random")
    ada.get_by_role("button", name="Fill open seats with bots").click()
    expect(ada.get_by_role("list", name="Players")).to_be_visible()
    assert [seat.level for seat in skerry.table(path.strip("/")).session().seats] == ["", "random", "random", "medium"]


def test_the_lobby_shows_where_it_is_your_turn(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    page.get_by_role("link", name="Skerry").click()
    expect(page.get_by_role("listitem").filter(has_text="your turn")).to_have_count(1)


def test_the_lobby_lists_all_your_games_and_shows_when_it_becomes_your_turn(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    tables = [skerry.create("kreta", seats=2, visibility="unlisted", options={"start_seat": 1}) for _ in range(14)]
    seats = [(table, table.join("Ada"), table.join("Ben")) for table in tables]
    own = [{"session": table.name, "game": "kreta", "seatToken": ada.token} for table, ada, _ in seats]
    page.evaluate("own => { localStorage['skerry.sessions'] = JSON.stringify(own) }", own)
    page.clock.install()
    page.reload()
    listed = page.get_by_role("link", name="Continue: Kreta")
    expect(listed).to_have_count(14)
    mine = page.get_by_role("listitem").filter(has_text="your turn")
    expect(mine).to_have_count(0)
    _, ada, ben = seats[3]
    while ben.number in (position := ben.position()).to_act:
        ben.act(position.legal_moves[0])
    assert ada.number in position.to_act
    page.clock.run_for(OUT_OF_LOBBY_MS)
    expect(mine).to_have_count(1)
    expect(listed).to_have_count(14)


@pytest.mark.parametrize("storage", ["localStorage", "sessionStorage"])
def test_a_browser_with_full_storage_can_play(storage: str, visits: Visits) -> None:
    full = f"""Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {{
        apply(set, where, what) {{ if (where === {storage}) throw new Error("full"); return set.apply(where, what); }}
    }});"""
    page = visits.come(scripts=[full])
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)


def test_a_name_refused_at_creation_can_be_changed_at_the_table(visits: Visits) -> None:
    page = visits.come(expect_failures=True)
    create_table(page, "kreta", seats=2, bots=0, name="Bot 1")
    expect(page.get_by_role("alert")).to_contain_text("must not read like")
    expect(page.get_by_label("Your name")).to_have_value("Bot 1")
    join_table(page, "Robert")
    expect(page_status(page)).to_contain_text("You have a seat.")
    page.get_by_role("button", name="Leave the seat").click()
    page.get_by_role("button", name="Really leave the seat?").click()
    expect(page.get_by_role("button", name="Join")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_all_players_join_the_rematch_of_an_unlisted_table_with_one_click(visits: Visits, skerry: Client) -> None:
    ada = visits.come()
    ada.get_by_role("combobox", name="Bots", exact=True).select_option("0")
    ada.get_by_label("List it under open tables").set_checked(False)
    path = create_table(ada, "kreta", seats=3, bots=1, name="Ada")
    ben = visits.come(path)
    join_table(ben, "Ben")
    play_to_the_end(skerry, [ada, ben])
    for page in (ada, ben):
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        assert kept(page) == []
    ada.get_by_role("button", name="Play again").click()
    expect(page_status(ada)).to_contain_text("You have a seat. Waiting for Ben.")
    expect(ada.get_by_text("not here yet")).to_have_count(1)
    ben.reload()
    ben.get_by_role("button", name="Join the rematch").click(timeout=OUT_OF_LOBBY_MS)
    expect(ben.get_by_role("list", name="Players").locator("bdi")).to_have_text(["Bot 1", "Ada", "Ben"])
    again = skerry.table(ada.evaluate("location.pathname").strip("/")).session()
    before = skerry.table(path.strip("/")).session()
    assert again.name != before.name
    assert sorted(seat.level for seat in again.seats) == sorted(seat.level for seat in before.seats)


def play_to_the_end(skerry: Client, pages: list[Page]) -> None:
    """Play the seats at random over the API until the game is over."""
    chance = random.Random(3)
    for page in pages:
        expect(page.get_by_role("list", name="Players")).to_be_visible()
    seats = [skerry.seat(one["session"], one["seatToken"]) for one in (kept(page)[0] for page in pages)]
    while not seats[0].position().HasField("outcome"):
        for seat in seats:
            if moves := seat.position().legal_moves:
                seat.act(chance.choice(moves))


def test_a_player_alone_with_bots_can_ask_what_a_strong_player_would_do(visits: Visits) -> None:
    ada = visits.come()
    create_table(ada, "kreta", seats=2, bots=1, name="Ada")
    wait_for_turn(ada)
    ada.get_by_role("button", name="What would a strong player do?").click()
    hint = ada.locator(".hint")
    expect(hint).to_contain_text("Estimated chance to win", timeout=OUT_OF_LOBBY_MS)
    move = ada.locator(".selection-bar").inner_text().rstrip(" …")
    assert move.lower() in hint.inner_text().lower()
    ada.get_by_role("button", name="Confirm", exact=True).click()
    expect(hint).to_have_count(0)
