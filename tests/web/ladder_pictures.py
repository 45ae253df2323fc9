"""The pictures of a ladder in the documents: its screen at two sizes, with the details of a bot on the wide one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect

from tests.ladders.bots import KEYS, version
from tests.web.doc_pictures import SIZES
from tests.web.ladder_bots import Plan, create_ladder, ladder_server, play_ladder
from tests.web.server_process import Server
from tests.web.visitors import Visits

LADDER = "tenerife-2"
GAMES = 28
SECONDS = 15
"""Of a seat for a game. A bot that does not move runs out of time three times, and rests."""
RESIGNING = {"gull": 0.0, "tern": 0.25, "puffin": 0.4, "skua": 0.6}
"""How often each bot resigns. The others play to the end."""
QUALITY = 55
"""Of JPEG."""


def take(browser: Browser, folder: Path) -> Iterator[Path]:
    """Let six bots play, take the pictures while two play and one waits. Yield their paths."""
    with TemporaryDirectory(prefix="skerry-test-") as place, ladder_server(Path(place)) as server:
        create_ladder(server, LADDER, "tenerife", SECONDS)
        play_ladder(server, LADDER, _plans(Random(7)), is_even=False)
        with ExitStack() as stack:
            _begin(server, stack)
            for size in ("wide", "phone"):
                visits = Visits(browser, server.url)
                page = visits.come(f"/ladders/{LADDER}", viewport=SIZES[size], locale="en-GB")
                expect(page.get_by_text("waits for a game")).to_be_visible()
                expect(page.get_by_text("plays now")).to_have_count(2)
                if size == "wide":
                    page.get_by_role("table").get_by_role("button").nth(2).click()
                    expect(page.get_by_role("columnheader", name="Opponent")).to_be_visible()
                page.wait_for_function("() => document.fonts.status === 'loaded'")
                path = folder / f"ladder-{size}.jpg"
                page.screenshot(path=path, type="jpeg", quality=QUALITY)
                visits.close()
                yield path


def _plans(random: Random) -> dict[str, Sequence[Plan]]:
    plans: dict[str, Sequence[Plan]] = {
        bot: ["resign" if random.random() < share else "play" for _ in range(GAMES)] for bot, share in RESIGNING.items()
    }
    playing: list[Plan] = ["play"]
    stalling: list[Plan] = ["stall"]
    return {**plans, "cormorant": playing * (GAMES - 6) + stalling * 3, "fulmar": playing * 7}


def _begin(server: Server, stack: ExitStack) -> None:
    """Let three bots ask for a game, of which two get one. They do not move until ``stack`` ends."""
    threads = stack.enter_context(ThreadPoolExecutor(3))
    for key, bot in zip(KEYS, list(RESIGNING)[:3], strict=False):
        client = stack.enter_context(server.client(api_key=KEYS[key]))
        threads.submit(client.find_ladder_game, LADDER, bot, version(bot))
