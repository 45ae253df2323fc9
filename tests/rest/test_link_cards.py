"""Link cards: what a chat shows for the address of a session, and what the address does not give away."""

from __future__ import annotations

import logging
import re
from html.parser import HTMLParser

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2 as sessions
from skerry_service.access.quotas import LimitSettings
from skerry_service.edge.rest import link_cards, web_page_app
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, bearer, create, get, play_out, sit_down
from tests.faults.processes import held
from tests.rest.web import Web, served
from tests.store.servers import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = """"><script>&'"""


class Head(HTMLParser):
    """Reads the card as a crawler does."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.card: dict[str, str] = {}
        self.scripts = 0
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        found = dict(attrs)
        if tag == "meta" and (name := found.get("property") or found.get("name")):
            assert name not in self.card, f"{name} occurs twice"
            self.card[name] = found.get("content") or ""


async def card(web: Web, path: str, **headers: str) -> dict[str, str]:
    """Return the card at the address of a session."""
    answer = await web.call("GET", f"/{path}", headers={name.replace("_", "-"): headers[name] for name in headers})
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    return Head(answer.body).card


async def test_a_game_in_play_has_a_card_with_its_picture(web: Web) -> None:
    sitting = await sit_down(web.api)
    position = (await get(web.api, sitting)).position
    page = await web.call("GET", f"/{sitting.name}")
    found = Head(page.body).card
    address = f"http://test/{sitting.name}"
    assert b"<title>Kreta \xe2\x80\x93 Skerry</title>" in page.body
    assert (found["og:title"], found["og:url"], found["og:site_name"]) == ("Kreta: Ada, Bob", address, "Skerry")
    mover = ("Ada", "Bob")[position.to_act[0]]
    assert found["og:description"] == found["description"] == f"In play. To move: {mover}."
    picture = f"http://test/v1/{sitting.name}/picture.png?sequence={position.sequence}&width=1200&language=en"
    assert (found["og:image"], found["twitter:card"]) == (picture, "summary_large_image")
    assert "robots" not in found
    drawn = await web.call("GET", picture.removeprefix("http://test"))
    assert (drawn.status, drawn.headers["content-type"], drawn.body[:4]) == (200, "image/png", b"\x89PNG")
    plain = await web.call("GET", "/")
    assert page.headers["content-security-policy"] == plain.headers["content-security-policy"]


async def test_a_server_that_draws_no_png_has_cards_without_pictures(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_cards, "has_rasterizer", lambda: False)
    found = await card(web, (await sit_down(web.api)).name)
    assert ("og:image" in found, found["twitter:card"], found["og:title"]) == (False, "summary", "Kreta: Ada, Bob")


async def test_a_card_follows_the_game_to_its_end(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    join = pb.JoinSessionRequest(name=sitting.name, display_name=HOSTILE)
    sitting.seats.append((await web.api.stub.JoinSession(join)).seat_token)
    lobby = await web.call("GET", f"/{sitting.name}/")
    found = Head(lobby.body)
    assert (found.card["og:title"], found.scripts) == (
        f"Kreta: {HOSTILE}",
        Head((await web.call("GET", "/")).body).scripts,
    )
    assert found.card["description"] == "Waiting for players: 1 of 2 seats are taken."
    assert ("og:image" in found.card, found.card["twitter:card"]) == (False, "summary")
    joined = await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Bob"))
    sitting.seats.append(joined.seat_token)
    await play_out(web.api, sitting)
    outcome = (await get(web.api, sitting)).session.outcome
    winners = [name for name, rank in zip((HOSTILE, "Bob"), outcome.ranks, strict=True) if rank == 1]
    over = (await card(web, sitting.name))["description"]
    assert over.startswith(f"Game over. Winner: {', '.join(winners)}")


async def test_a_cancelled_game_says_so(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    await web.api.stub.CancelSession(pb.CancelSessionRequest(name=sitting.name), metadata=bearer(sitting.host))
    assert (await card(web, sitting.name))["description"] == "This game was cancelled."


async def test_an_address_names_the_language_of_its_card(web: Web) -> None:
    sitting = await sit_down(web.api)
    mover = ("Ada", "Bob")[(await get(web.api, sitting)).position.to_act[0]]
    plain = await card(web, sitting.name, accept_language="de")
    german = await card(web, f"{sitting.name}?from=chat&language=de", accept_language="en")
    assert german["description"] == plain["description"] == f"Das Spiel läuft. Am Zug: {mover}."
    assert german["og:image:alt"].startswith("Der Tisch von Kreta nach Eintrag ")
    assert german["og:image"] == plain["og:image"] and german["og:image"].endswith("&language=de")
    address = f"http://test/{sitting.name}"
    assert (german["og:url"], plain["og:url"]) == (f"{address}?language=de", address)
    drawn = await web.call("GET", german["og:image"].removeprefix("http://test").replace(".png", ".svg"))
    assert " Punkte</text>" in drawn.body.decode()
    english = await card(web, sitting.name)
    for query in ("language=fr", "language=" + "%22" * 3, "language=de&language=en", "language=%FF", "&&="):
        assert {**(await card(web, f"{sitting.name}?{query}")), "og:url": address} == english
    assert (await card(web, f"{sitting.name}?language=fr"))["og:url"] == f"{address}?language=en"


async def test_a_card_shows_no_more_than_a_caller_without_a_token_may_see(web: Web) -> None:
    """Tokens in the request change nothing: a chat passes cards on."""
    hidden = await sit_down(web.api, visibility=sessions.VISIBILITY_UNLISTED, spectating=sessions.SPECTATING_NOBODY)
    public = await card(web, hidden.name)
    assert ("og:image" in public, public["description"], public["robots"]) == (False, "In play.", "noindex")
    assert await card(web, hidden.name, authorization=f"Bearer {hidden.seats[0]}") == public
    page = await web.call("GET", f"/{hidden.name}", token=hidden.seats[0])
    assert not any(token.encode() in page.body for token in (*hidden.seats, hidden.host))


async def test_the_addresses_are_those_that_the_client_used(valkey: EmbeddedServer, web: Web) -> None:
    sitting = await sit_down(web.api)
    claimed = {"x_forwarded_proto": "https", "x_forwarded_host": "play.example:8443"}
    assert (await card(web, sitting.name, **claimed))["og:url"].startswith("http://test/")
    async with served(valkey, quotas=LimitSettings(proxies=("127.0.0.1",))) as proxied:
        trusted = await card(proxied, sitting.name, **claimed)
        assert trusted["og:url"] == f"https://play.example:8443/{sitting.name}"
        assert trusted["og:image"].startswith(f"https://play.example:8443/v1/{sitting.name}/picture.png?")
        for host in (HOSTILE, "a b", "a/b", "user@a", ""):
            unknown = await card(proxied, sitting.name, x_forwarded_host=f"{host} x" if host else "\t;")
            assert not unknown.keys() & {"og:url", "og:image"}
            assert unknown["og:title"] == "Kreta: Ada, Bob"


@pytest.mark.parametrize("path", ["aaaaaaaaaaaaaaaa", "%FF", "a%2Fb", "a%0d%0ab", "%3Cscript%3E", "x" * 1000])
async def test_a_session_that_does_not_exist_is_not_found(web: Web, path: str) -> None:
    missing, plain = await web.call("GET", f"/sessions/{path}"), await web.call("GET", "/")
    assert (missing.status, missing.body, missing.headers["content-type"]) == (
        404,
        plain.body,
        "text/html; charset=utf-8",
    )
    assert missing.headers["cache-control"] == "no-cache"


async def test_reading_cards_counts_as_reading_sessions(valkey: EmbeddedServer) -> None:
    """Beyond the limit there is no card, and no read of the store; the page stays."""
    limits = LimitSettings(local=True).with_limit("read", "3/10h")
    async with served(valkey, quotas=limits) as web:
        sitting = await sit_down(web.api)
        found = [await card(web, sitting.name) for _ in range(4)]
        assert ["og:title" in one for one in found] == [True, True, True, False]
        refused = await web.call("GET", f"/v1/{sitting.name}")
        assert (refused.status, refused.reason) == (429, "LIMIT_REACHED")
        assert (await web.call("GET", "/sessions/aaaaaaaaaaaaaaaa")).status == 200


async def test_without_its_store_the_page_has_no_card(
    valkey: EmbeddedServer, web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(web_page_app, "_LONGEST_SECONDS", 0.1)
    sitting = await sit_down(web.api)
    information = await ask(valkey, "INFO", "server")
    pid = next(int(line.split(b":")[1]) for line in information.splitlines() if line.startswith(b"process_id"))
    async with served(valkey) as other:  # has not read the session yet
        plain = await other.call("GET", "/")
        with held(pid), caplog.at_level(logging.ERROR, "skerry_service.edge"):
            away = await other.call("GET", f"/{sitting.name}")
            assert (away.status, away.body) == (200, plain.body)
        assert caplog.records == []


async def test_only_the_listed_origins_may_show_the_page_in_a_frame(valkey: EmbeddedServer, web: Web) -> None:
    def ancestors(policy: str) -> list[str]:
        return re.findall(r"frame-ancestors ([^;]*)", policy)

    for path in ("/", "/sessions/aaaaaaaaaaaaaaaa", "/docs"):
        answer = await web.call("GET", path)
        assert ancestors(answer.headers["content-security-policy"]) == ["'none'"]
    async with served(valkey, embed_origins=("https://a.example", "tauri://localhost")) as embedded:
        for path in ("/", "/sessions/aaaaaaaaaaaaaaaa"):
            answer = await embedded.call("GET", path)
            assert ancestors(answer.headers["content-security-policy"]) == ["https://a.example tauri://localhost"]
        docs = await embedded.call("GET", "/docs")
        assert ancestors(docs.headers["content-security-policy"]) == ["'none'"]
