"""A page receives only what its viewer may know: the tests record and search everything that it receives."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from skerry_client import Client
from tests.web.page_actions import choices, create_table, play, sequence, wait_for_sequence, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

EAVESDROP = """(() => {
    const told = (window.told = []);
    const real = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await real(...asked);
        const one = { url: answer.url, text: "" };
        told.push(one);
        if (!answer.body) return answer;
        const [kept, given] = answer.body.tee();
        const listen = async () => {
            for await (const text of kept.pipeThrough(new TextDecoderStream())) one.text += text;
        };
        listen().catch(() => undefined);
        return new Response(given, answer);
    };
})()"""
"""Records all responses that the page receives, including streams."""
_CATALOGUE = re.compile(r"/v1/games(/\w+)?$")


class Eavesdropper:
    """Records everything that a page receives: files by their kind, everything else by the page's calls."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[tuple[str, str]] = []
        page.on("request", self._note)
        page.reload()

    def _note(self, request: Request) -> None:
        if request.is_navigation_request():
            self.asked.clear()  # A navigation discards what was recorded before.
        self.asked.append((request.resource_type, request.url))

    def received(self) -> str:
        """Return all responses about sessions. The catalogue of games is public and left out."""
        received: list[dict[str, str]] = self.page.evaluate("window.told")
        called = {url for kind, url in self.asked if kind in ("fetch", "xhr", "eventsource", "websocket")}
        assert called <= {one["url"] for one in received}, "the page received data in another way"
        files = {urlsplit(url).path for kind, url in self.asked if url not in called}
        assert {path for path in files if not path.startswith("/assets/")} == {urlsplit(self.page.url).path}
        return "\n".join(one["text"] for one in received if not _CATALOGUE.search(urlsplit(one["url"]).path))


def hidden_canarias(view: Any) -> list[str]:
    return list(view.canarias.hand)


def hidden_small_islands(view: Any) -> list[str]:
    return list(view.small_islands.seats[0].objective)


@pytest.mark.parametrize(
    ("game", "hidden"),
    [("canarias", hidden_canarias), ("small_islands", hidden_small_islands)],
    ids=["hand", "objective"],
)
def test_a_spectators_page_never_receives_what_only_a_seat_knows(
    game: str, hidden: Any, visits: Visits, skerry: Client
) -> None:
    page = visits.come(scripts=[EAVESDROP])
    path = create_table(page, game, seats=2, bots=1)
    wait_for_turn(page)
    seat = Eavesdropper(page)
    watcher = visits.come(path, scripts=[EAVESDROP])
    spectator = Eavesdropper(watcher)
    expect(choices(watcher)).to_contain_text("You are watching.")
    play(page, clicks=12)
    wait_for_turn(page)
    wait_for_sequence(watcher, sequence(page))
    watcher.get_by_role("slider").press("ArrowLeft")
    wait_for_sequence(watcher, sequence(page) - 1)
    token = page.evaluate("JSON.parse(localStorage['skerry.sessions'])[0].seatToken")
    cards = hidden(skerry.seat(path.partition("#")[0].strip("/"), token).position().view)
    assert cards
    mine, theirs = seat.received(), spectator.received()
    assert "legalMoves" in mine
    assert "legalMoves" in theirs
    for card in cards:
        assert f'"card-{card}"' in mine
        assert f'"card-{card}"' not in theirs
    assert token not in theirs + watcher.content() + watcher.evaluate("JSON.stringify(localStorage)")
    assert token not in page.url
