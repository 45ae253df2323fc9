"""Pictures of positions: well-formed, complete of themselves, the same for what a viewer cannot tell apart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.looks.picture import SeatHeading, picture_of
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece
from skerry_games.looks.themes import DARK, LIGHT, THEMES
from skerry_games.position import Position, start
from skerry_games.rng import SeededRng
from tests.games.conformance.play import play, viewers_of
from tests.games.pairs import GAME as PAIRS

SVG: Final = "{http://www.w3.org/2000/svg}"
EVIL: Final = ("<script>alert(1)</script>", 'Ada" onload="x', "var(--ink)&amp;", "]]>{0}<!--", "Eve")
"""Names that a player could type."""
GAMES = [pytest.param(game, id=game.id) for game in (*all_games().values(), PAIRS)]
"""All games, and one without drawings of its own."""


def picture(game: AnyGame, state: object, viewer: int | None, theme: str = "light") -> str:
    scores, to_act = game.scores(state), game.to_act(state)
    headings = [SeatHeading(EVIL[seat], score, seat in to_act) for seat, score in enumerate(scores)]
    return picture_of(game, game.view(state, viewer), viewer, headings, theme=theme)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_position_has_a_picture_that_refers_to_nothing_else(game: AnyGame, theme: str) -> None:
    seats = game.seats[-1]
    for state in play(game, seats, 1).states[::25]:
        for viewer in viewers_of(seats):
            drawn = picture(game, state, viewer, theme)
            root = ElementTree.fromstring(drawn)
            assert root.tag == f"{SVG}svg"
            tags = {element.tag.removeprefix(SVG) for element in root.iter()}
            assert tags <= {"svg", "title", "desc", "g", "rect", "path", "text", "circle", "ellipse", "line", "polygon"}
            names = {name for element in root.iter() for name in element.attrib}
            assert not any(name.startswith("on") or name.endswith("href") for name in names)
            assert "var(" not in drawn.replace(EVIL[2], "").replace("var(--ink)&amp;amp;", "")
            assert EVIL[0] in "".join(root.itertext())


@pytest.mark.parametrize("game", GAMES)
def test_a_viewer_sees_the_same_picture_of_positions_it_cannot_tell_apart(game: AnyGame) -> None:
    seats = game.seats[0]
    for number, state in enumerate(play(game, seats, 2).states[::20]):
        for viewer in viewers_of(seats):
            redealt = game.redeal(state, viewer, SeededRng(bytes(32), number))
            assert picture(game, redealt, viewer) == picture(game, state, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_pieces_lie_at_places_inside_their_areas_and_have_symbols(game: AnyGame) -> None:
    look: Look[object, object] = game.look
    symbols = {symbol.id: symbol for symbol in look.symbols(game.boards[0])}
    for seats in game.seats:
        first = look.areas(game.boards[0], game.view(play(game, seats, 3).first, None))
        assert [area.seat for area in first if area.seat is not None] == list(range(seats))
        assert first[0].role is AreaRole.BOARD
        assert all(area.seat is not None for area in first if area.role is AreaRole.SEAT)
        areas = {area.id: area for area in first}
        for state in play(game, seats, 3).states[::10]:
            for viewer in viewers_of(seats):
                view = game.view(state, viewer)
                assert look.areas(game.boards[0], view) == first
                pieces = look.pieces(view, viewer)
                ids = [piece.id for piece in pieces] + [place.id for area in first for place in area.places]
                assert len(set(ids)) == len(ids)
                for piece in pieces:
                    assert symbols[piece.symbol].label
                    expect_in_area(piece, areas[piece.area])


def expect_in_area(piece: ScenePiece, area: SceneArea) -> None:
    width, height = area.size
    assert 0 < piece.at[0] < width, piece
    assert 0 < piece.at[1] < height, piece
    assert not area.places or piece.place in {place.id for place in area.places}, piece


def test_all_themes_have_all_colours() -> None:
    for name, theme in THEMES.items():
        assert theme.keys() == LIGHT.keys(), name
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in theme.values())


def test_what_a_move_touched_is_marked_and_who_acts_has_its_own_colour() -> None:
    position = start("kreta", rng=SeededRng(bytes(32), 0))
    plain, marked = position.svg(), position.svg(touched=["province:KIS"])
    assert plain != marked
    assert marked.count(LIGHT["coral"]) == plain.count(LIGHT["coral"]) + 1
    assert plain.count(f'fill="{LIGHT["coral"]}"') == len(position.to_act)


def test_a_notebook_shows_what_a_spectator_sees() -> None:
    position = start("small_islands", rng=SeededRng(bytes(32), 0))
    assert position._repr_svg_() == position.svg(None)
    assert position.svg(0) != position.svg(1)


def test_an_unknown_theme_is_an_error() -> None:
    with pytest.raises(KeyError):
        start("kreta", rng=SeededRng(bytes(32), 0)).svg(theme="sepia")


def test_a_width_scales_the_picture() -> None:
    position = start("kreta", rng=SeededRng(bytes(32), 0))
    root = ElementTree.fromstring(position.svg(width=400))
    assert root.get("width") == "400"
    assert root.get("viewBox") == ElementTree.fromstring(position.svg()).get("viewBox")


def test_the_last_move_is_marked_above_what_lies_at_its_place() -> None:
    position = start("tenerife", rng=SeededRng(bytes(32), 0))
    after = position.play(position.legal_moves()[0])
    assert after.touched() == ("space:1",)
    marked = after.svg(touched=after.touched())
    assert marked.count(LIGHT["coral"]) == after.svg().count(LIGHT["coral"]) + 1
    assert marked.index('data-piece="column:1"') < marked.index(f'stroke="{LIGHT["coral"]}"')


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values() if game.guide])
def test_annotations_are_shown_on_request_in_pictures_and_texts(game: AnyGame) -> None:
    state = play(game, game.seats[-1], 2).states[-10]
    position, names = Position(game, state), list(EVIL[: game.seats[-1]])
    notes = position.annotations(0, names)
    assert notes
    plain, annotated = position.svg(0, names), position.svg(0, names, annotated=True)
    badges = [element for element in ElementTree.fromstring(annotated).iter() if element.get("data-annotation")]
    shown = sorted(badge.get("data-annotation", "") for badge in badges)
    assert shown == sorted(note.id for note in notes if note.badge)
    assert "data-annotation" not in plain
    text = position.text(0, names, annotated=True)
    assert text.startswith(position.text(0, names) + "\n")
    for note in notes:
        assert f"note on {note.id}: {note.text}" in text.splitlines()
        assert note.text in "".join(ElementTree.fromstring(annotated).itertext())


PAGE = Path(__file__).parents[2] / "clients/web/src"
TOKENS = PAGE / "style/tokens.css"
RAW_COLOUR = re.compile(
    r"""#[\da-f]{3,8}\b(?=[\s;,)"'`])|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\("""
    r"""|:[^;{}()]*(?<![-\w])(?:black|white|gr[ae]y|silver|red|green|blue|yellow|orange|navy|teal)\s*[;}]""",
    re.IGNORECASE,
)


def test_the_page_names_colours_by_their_tokens_alone() -> None:
    assert RAW_COLOUR.search(TOKENS.read_text(encoding="utf-8"))
    assert RAW_COLOUR.search("a { color: red }")
    files = [path for path in PAGE.rglob("*") if path.suffix in (".css", ".ts", ".tsx") and path != TOKENS]
    assert len(files) > 50
    raw = [(path.name, one[0]) for path in files for one in RAW_COLOUR.finditer(path.read_text(encoding="utf-8"))]
    assert raw == []


def test_the_page_has_the_colours_of_the_themes() -> None:
    sheet = TOKENS.read_text(encoding="utf-8")
    light, dark = sheet.split("prefers-color-scheme: dark")
    defined = [dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in (light, dark)]
    assert LIGHT.items() <= defined[0].items()
    assert DARK.items() <= (defined[0] | defined[1]).items()
