"""The documents agree with the project: links, headings, paths, games and options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skerry.v1.payload_pb2 import GameOptions
from skerry_games.catalogue import all_games

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("clients/*/README.md"),
        ROOT / "examples" / "README.md",
        *ROOT.glob("examples/*/README.md"),
        *(page for part in ("docs", "service") for page in (ROOT / part).rglob("*.md")),
    ]
)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
_ANCHOR = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")
_CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_a_page_has_a_target(page: Path) -> None:
    links = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_anchor_in_a_link_is_a_heading(page: Path) -> None:
    anchors = _ANCHOR.findall(page.read_text(encoding="utf-8"))
    targets = [((page.parent / path if path else page).resolve(), anchor) for path, anchor in anchors]
    assert [
        f"{path.name}#{anchor}" for path, anchor in targets if path.suffix == ".md" and anchor not in anchors_of(path)
    ] == []


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", _CODE_BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_in_a_list_is_indented_by_four_spaces(page: Path) -> None:
    """The documentation site ends the list before a code block with fewer spaces."""
    assert re.findall(r"^ {1,3}```.*", page.read_text(encoding="utf-8"), re.MULTILINE) == []


DESIGN = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "design").glob("*.md"))]
_PATH = re.compile(r"`([\w/]+(?:\.(?:py|proto|ts)|/))`")


@pytest.mark.parametrize("page", DESIGN, ids=lambda page: page.stem)
def test_every_path_in_a_design_page_exists(page: Path) -> None:
    paths = _PATH.findall(page.read_text(encoding="utf-8"))
    roots = (ROOT, ROOT / "service", ROOT / "service" / "skerry_service")
    assert [path for path in paths if "/" in path and not any((root / path).exists() for root in roots)] == []


def test_the_index_of_the_documents_lists_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / link).resolve() for link in _LINK.findall(index.read_text(encoding="utf-8"))}
    assert [str(page) for page in sorted((ROOT / "docs").rglob("*.md")) if page not in {*listed, index}] == []


@pytest.mark.parametrize("game", all_games())
def test_the_readme_lists_every_game_with_its_author_and_its_pages(game: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    title, author = all_games()[game].title, all_games()[game].author
    assert f"| {title} | {author} |" in readme
    assert f"docs/reference/games/{game}.md" in readme


@pytest.mark.parametrize("game", all_games())
def test_the_page_of_a_game_lists_its_options_and_their_values_as_in_the_api(game: str) -> None:
    page = (ROOT / "docs" / "reference" / "games" / f"{game}.md").read_text(encoding="utf-8")
    options = GameOptions.DESCRIPTOR.fields_by_name[game].message_type
    for option in options.fields if options else ():
        assert f"| `{option.name}` |" in page
        values = [value.name for value in option.enum_type.values] if option.enum_type else []
        assert [name for name in values[1:] if f"`{name}`" not in page] == []
