"""Pictures of positions: what they show to whom, their formats, and how a client reads them again."""

from __future__ import annotations

import struct
from typing import Any
from xml.etree import ElementTree

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import CHANCE, AnyGame, Viewer
from skerry_games.catalogue import all_games
from skerry_games.looks.picture import size_of
from skerry_games.position import Position
from skerry_games.rng import SeededRng
from skerry_service.api.pictures import picture_methods
from skerry_service.sessions.service import Sessions
from skerry_service.wire.bounded_cache import cache_bytes
from tests.api.recomputed import RecomputedReplay
from tests.api.wire import OPEN, Sitting, bearer, create, look, move_once, play_out, sit_down
from tests.games.conformance.play import middle
from tests.rest.web import Response, Web

pytestmark = pytest.mark.asyncio(loop_scope="module")

SVG = "{http://www.w3.org/2000/svg}"
BEGUN = 4
"""The entry with which a game for two begins."""


async def picture(web: Web, sitting: Sitting, query: str = "", token: str | None = None, **headers: str) -> Response:
    path = f"/v1/{sitting.name}/picture.{query if query.startswith('png') else f'svg{query}'}"
    return await web.call("GET", path, token=token, headers={k.replace("_", "-"): v for k, v in headers.items()})


def drawn(recomputed: RecomputedReplay, state: Any, sequence: int, viewer: Viewer) -> str:
    """Return the picture of a state after an entry. What the turn up to the entry has touched is marked."""
    names, events = [seat.display_name for seat in recomputed.session.seats], list[Any]()
    for step in reversed(recomputed.steps[:sequence]):
        events = [*step.events, *events]
        if step.move is not None and step.actor != CHANCE:
            break
    position = Position(recomputed.game, state, tuple(events))
    return position.svg(viewer, names, touched=position.touched(viewer))


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
async def test_each_viewer_sees_what_it_may_see_and_nothing_more(web: Web, game: AnyGame) -> None:
    sitting = await sit_down(web.api, game.seats[0], game=game.id)
    for number in range(middle(game, game.seats[0], 20)):
        await move_once(web.api, sitting, 7 * number)
    newest = (await look(web.api, sitting)).sequence
    viewers = [*enumerate(sitting.seats), (None, None), (None, sitting.spectator)]
    seen = {(viewer, token): (await picture(web, sitting, token=token)).body.decode() for viewer, token in viewers}
    over_grpc = await web.api.stub.GetPicture(
        pb.GetPictureRequest(name=sitting.name), metadata=bearer(sitting.seats[0])
    )
    assert (over_grpc.sequence, over_grpc.media_type) == (newest, "image/svg+xml")
    assert over_grpc.data.decode() == seen[0, sitting.seats[0]]
    await play_out(web.api, sitting)
    recomputed = RecomputedReplay((await web.api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    then = recomputed.steps[newest - 1].after
    for (viewer, token), svg in seen.items():
        assert svg == drawn(recomputed, then, newest, viewer)
        other = game.redeal(then, viewer, SeededRng(recomputed.session.seed, newest))
        assert svg == drawn(recomputed, other, newest, viewer)
        again = await picture(web, sitting, f"?sequence={newest}", token)
        assert again.body.decode() == svg


async def test_the_same_rules_of_access_hold_as_for_the_position(web: Web) -> None:
    lobby = await create(web.api, OPEN, OPEN)
    private = await sit_down(web.api, spectating=session_pb2.SPECTATING_INVITED)
    foreign = await sit_down(web.api, spectating=session_pb2.SPECTATING_NOBODY)
    for sitting, query, token, status, reason in (
        (lobby, "", lobby.host, 400, "NOT_STARTED"),
        (private, "", None, 401, "TOKEN_MISSING"),
        (private, "png", None, 401, "TOKEN_MISSING"),
        (private, f"?sequence={BEGUN}", None, 401, "TOKEN_MISSING"),
        (private, "", foreign.seats[0], 401, "TOKEN_INVALID"),
        (foreign, "", foreign.host, 403, "NOT_ALLOWED"),
        (private, f"?sequence={BEGUN - 1}", private.host, 400, "NOT_STARTED"),
        (private, "?sequence=999", private.host, 400, "SEQUENCE_AHEAD"),
    ):
        refusal = await picture(web, sitting, query, token)
        assert (refusal.status, refusal.reason) == (status, reason)
    assert (await picture(web, private, token=private.spectator)).status == 200


async def test_a_name_full_of_markup_is_text(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    names = ("</svg><script>", "&amp;'\"<![CDATA[")
    for name in names:
        await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
    answer = await picture(web, sitting)
    root = ElementTree.fromstring(answer.body)
    assert {element.tag for element in root.iter()} <= {
        SVG + tag
        for tag in ("svg", "title", "desc", "g", "rect", "path", "text", "circle", "polygon", "line", "ellipse")
    }
    written = [str(element.text) for element in root.iter(f"{SVG}text")]
    assert all(any(text.startswith(name) for text in written) for name in names)
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await picture(web, sitting, "png")).status == 200


async def test_theme_and_width_are_chosen_within_bounds(web: Web) -> None:
    sitting = await sit_down(web.api)
    plain = (await picture(web, sitting)).body.decode()
    across, down = size_of(plain)
    narrow = (await picture(web, sitting, "?width=500")).body.decode()
    assert size_of(narrow) == (500, round(500 * down / across))
    assert (await picture(web, sitting, "?width=0")).body.decode() == plain
    themes = {theme: (await picture(web, sitting, f"?theme={theme}")).body for theme in ("light", "dark", "print")}
    assert len(set(themes.values())) == 3
    assert themes["light"].decode() == plain
    for query, field in (
        ("?width=99", "width"),
        ("?width=2001", "width"),
        ("?width=-1", "width"),
        ("?theme=neon", "theme"),
        ("?format=png", "format"),
        ("?sequence=0", "sequence"),
        ("?language=german!", "language"),
        (f"?language={'d' * 36}", "language"),
    ):
        refusal = await picture(web, sitting, query)
        assert (refusal.status, refusal.metadata) == (400, {"field": field})


async def test_a_png_has_the_size_that_the_client_wants(web: Web) -> None:
    sitting = await sit_down(web.api)
    answer = await picture(web, sitting, "png?width=400&theme=dark")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert answer.body.startswith(b"\x89PNG\r\n\x1a\n")
    svg = (await picture(web, sitting, "?width=400")).body.decode()
    assert struct.unpack(">II", answer.body[16:24]) == size_of(svg)
    over_grpc = await web.api.stub.GetPicture(
        pb.GetPictureRequest(name=sitting.name, format="png", theme="dark", width=400)
    )
    assert (over_grpc.media_type, over_grpc.data) == ("image/png", answer.body)
    unknown = await picture(web, sitting, accept="image/png")
    assert (unknown.status, unknown.reason) == (406, "HTTP_NOT_ACCEPTABLE")


async def test_many_widths_of_a_picture_fill_no_cache(web: Web) -> None:
    sitting = await sit_down(web.api)
    await picture(web, sitting)
    before = cache_bytes()["pictures_svg"]
    for width in range(100, 2000, 50):
        assert (await picture(web, sitting, f"?width={width}")).status == 200
    assert cache_bytes()["pictures_svg"] == before


async def test_a_picture_that_is_known_needs_no_log(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await sit_down(web.api)
    await move_once(web.api, sitting)
    first = await picture(web, sitting)
    monkeypatch.delattr(Sessions, "turn")
    assert (await picture(web, sitting)).body == first.body
    assert (await picture(web, sitting, "png?width=100")).status == 200


async def test_notes_are_shown_on_request(web: Web) -> None:
    sitting = await sit_down(web.api)
    for pick in range(6):
        await move_once(web.api, sitting, pick)
    plain, annotated = (await picture(web, sitting)).body, (await picture(web, sitting, "?annotated=true")).body
    assert len(annotated) > len(plain)
    ElementTree.fromstring(annotated)


async def test_a_finished_game_is_an_animation(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_methods, "MOST_FRAMES", 5)
    sitting = await sit_down(web.api)
    path = f"/v1/{sitting.name}/replay.png?width=100"
    assert (await web.call("GET", path)).reason == "NOT_FINISHED"
    await play_out(web.api, sitting)
    answer = await web.call("GET", path)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["cache-control"] == "private, max-age=3600"
    over_grpc = await web.api.stub.GetReplayPicture(pb.GetReplayPictureRequest(name=sitting.name, width=100))
    assert over_grpc.data == answer.body
    (frames,) = struct.unpack_from(">I", answer.body, answer.body.index(b"acTL") + 4)
    assert frames == over_grpc.frames == 5
    for query in ("width=801", "width=99"):
        assert (await web.call("GET", f"/v1/{sitting.name}/replay.png?{query}")).metadata == {"field": "width"}


@pytest.mark.parametrize("path", ["", "/text", "/entries", "/picture.svg", "/picture.png?width=100"])
async def test_what_has_not_changed_is_not_sent_again(web: Web, path: str) -> None:
    sitting = await sit_down(web.api)
    path = f"/v1/{sitting.name}{path}"
    first = await web.call("GET", path, token=sitting.seats[0])
    tag = first.headers["etag"]
    assert (first.status, first.headers["cache-control"]) == (200, "private, no-cache")
    assert "Authorization, X-API-Key" in first.headers["vary"] and "Accept-Language" in first.headers["vary"]
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = await web.call("GET", path, token=sitting.seats[0], headers={"if-none-match": known})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in again.headers
    other = await web.call("GET", path, token=sitting.seats[1], headers={"if-none-match": tag})
    assert other.status == (304 if path.endswith(("/entries", "png?width=100")) else 200)  # nothing is hidden in Kreta
    await move_once(web.api, sitting)
    assert (await web.call("GET", path, token=sitting.seats[0], headers={"if-none-match": tag})).status == 200


async def test_the_past_and_the_catalogue_may_be_kept_for_a_while(web: Web) -> None:
    sitting = await sit_down(web.api)
    for path, cache in (
        (f"/v1/{sitting.name}/picture.svg?sequence={BEGUN}", "private, max-age=3600"),
        (f"/v1/{sitting.name}/text?sequence={BEGUN}", "private, max-age=3600"),
        (f"/v1/{sitting.name}?sequence={BEGUN}", "private, no-cache"),
        ("/v1/games", "private, max-age=60"),
        ("/v1/games/kreta", "private, max-age=60"),
    ):
        answer = await web.call("GET", path)
        assert (answer.status, answer.headers["cache-control"]) == (200, cache)
        headers = {"if-none-match": answer.headers["etag"]}
        assert (await web.call("GET", path, headers=headers)).status == 304


async def test_the_time_of_the_clock_alone_makes_no_new_session(web: Web) -> None:
    clock = session_pb2.Clock(bank=session_pb2.Bank(time_ms=600_000))
    sitting = await sit_down(web.api, clock=clock)
    first = await web.call("GET", f"/v1/{sitting.name}")
    while True:
        again = await web.call("GET", f"/v1/{sitting.name}")
        if again.json["clocks"]["serverTimeMs"] != first.json["clocks"]["serverTimeMs"]:
            break
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
async def test_a_picture_is_in_the_language_of_its_caller(web: Web, game: AnyGame) -> None:
    sitting = await sit_down(web.api, game.seats[0], game=game.id)
    english = (await picture(web, sitting)).body.decode()
    german = await picture(web, sitting, accept_language="de-AT, en;q=0.5")
    assert german.headers["content-language"] == "de"
    assert "accept-language" in german.headers["vary"].lower()
    drawn = german.body.decode()
    assert "<title>Der Tisch</title>" in drawn and " Punkte</text>" in drawn
    assert "<title>The table</title>" in english and " points</text>" in english
    assert drawn.count("<text") >= english.count("<text")
    assert (await picture(web, sitting)).body.decode() == english


@pytest.mark.parametrize(
    ("query", "header", "words", "named"),
    [
        ("?language=de", "en", " Punkte</text>", "de"),
        ("?language=de-AT", None, " Punkte</text>", "de"),
        ("?language=en", "de", " points</text>", "en"),
        ("?language=fr", "de", " points</text>", "en"),
        ("?language=", "de", " Punkte</text>", "de"),
    ],
)
async def test_an_address_names_the_language_of_its_picture(
    web: Web, query: str, header: str | None, words: str, named: str
) -> None:
    """In place of the header, which a chat does not send. Another address never has its picture, or its tag."""
    sitting = await sit_down(web.api)
    headers = {} if header is None else {"accept_language": header}
    english = await picture(web, sitting, "?language=en", **headers)
    answer = await picture(web, sitting, query, **headers)
    assert words in answer.body.decode()
    assert answer.headers["content-language"] == named
    assert (answer.headers["etag"] != english.headers["etag"]) == (named == "de")
    known = await picture(web, sitting, query, if_none_match=answer.headers["etag"], **headers)
    assert (known.status, known.headers["content-language"]) == (304, named)
    if named == "de":
        assert (await picture(web, sitting, query, if_none_match=english.headers["etag"], **headers)).status == 200
    png = await picture(web, sitting, f"png{query}&width=300", **headers)
    assert png.headers["content-language"] == named


async def test_a_language_in_an_address_is_that_of_its_refusals(web: Web) -> None:
    sitting = await sit_down(web.api)
    refusal = await picture(web, sitting, "?language=de&theme=neon")
    (localized,) = [one for one in refusal.json["error"]["details"] if one["@type"].endswith("LocalizedMessage")]
    assert localized["locale"] == refusal.headers["content-language"] == "de"
    plain = await picture(web, sitting, "?theme=neon")
    assert "LocalizedMessage" not in plain.body.decode() and "content-language" not in plain.headers


async def test_an_animation_is_in_the_language_of_its_address(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_methods, "MOST_FRAMES", 2)
    sitting = await sit_down(web.api)
    await play_out(web.api, sitting)
    path = f"/v1/{sitting.name}/replay.png?width=400"
    english, german = await web.call("GET", path), await web.call("GET", f"{path}&language=de")
    assert english.body != german.body
    assert (await web.call("GET", f"{path}&language=en", headers={"accept-language": "de"})).body == english.body
    assert (await web.call("GET", path, headers={"accept-language": "de"})).body == german.body
