"""A page of a game in another language says what the English one says: same sections, rules, numbers and links."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from skerry_games.languages.catalogues import languages

GAMES = Path(__file__).parents[2] / "docs" / "reference" / "games"
TRANSLATED = [pytest.param(page, id=f"{page.parent.name}-{page.stem}") for page in sorted(GAMES.glob("*/*.md"))]
_HEADING = re.compile(r"^(#+) .*$", re.MULTILINE)
_GENERATED = re.compile(r"<!-- how to play.*?<!-- end -->", re.DOTALL)
_RULE = re.compile(r"\b[A-Z]+(?:-[A-Z]+)+-\d+\b")
_TARGET = re.compile(r"\]\(([^)]+)\)")
_CODE = re.compile(r"`([^`]+)`")
_LANGUAGE_FOLDER = re.compile(r"/languages/[a-z]+/")
_ITEM = re.compile(r"^(?:- |\d+\. |\| |> )", re.MULTILINE)


class Section(NamedTuple):
    """What a section says without words. Numbers are those in digits."""

    level: int
    rules: list[str]
    targets: list[str]
    code: list[str]
    numbers: Counter[str]
    items: int


def sections_of(text: str, folder: Path) -> list[Section]:
    """Return the sections of a page in ``folder``. The generated instructions count with their rules alone."""
    starts = [*_HEADING.finditer(text)]
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return [_section(len(start[1]), text[start.end() : end], folder) for start, end in zip(starts, ends, strict=True)]


def _section(level: int, text: str, folder: Path) -> Section:
    rules = sorted(_RULE.findall(text))
    text = _GENERATED.sub("", text)
    targets = [target for found in _TARGET.findall(text) if not _is_a_game_page(target := _resolved(found, folder))]
    words = _TARGET.sub("]", text)
    numbers = Counter(re.findall(r"\d+", _CODE.sub("", words)))
    code = sorted(_CODE.findall(words))
    return Section(level, rules, sorted(targets), code, numbers, len(_ITEM.findall(words)))


def _resolved(target: str, folder: Path) -> str:
    """Return where a link leads. The rules of a language count as those in English."""
    return target if ":" in target else _LANGUAGE_FOLDER.sub("/", str((folder / target).resolve()))


def _is_a_game_page(target: str) -> bool:
    """Return whether a link can be one between the languages of a page, which differ on purpose."""
    return Path(target).suffix == ".md" and Path(target).is_relative_to(GAMES)


def english_of(page: Path) -> Path:
    """Return the English page of a translated one."""
    return GAMES / page.name


@pytest.mark.parametrize("page", TRANSLATED)
def test_a_translated_page_keeps_sections_rules_numbers_and_links(page: Path) -> None:
    english = english_of(page)
    kept = sections_of(page.read_text(encoding="utf-8"), page.parent)
    assert kept == sections_of(english.read_text(encoding="utf-8"), english.parent)


@pytest.mark.parametrize("page", TRANSLATED)
def test_a_translated_page_and_the_english_one_link_to_each_other_below_their_titles(page: Path) -> None:
    assert page.parent.name in languages()
    title, _, line, *_ = page.read_text(encoding="utf-8").splitlines()
    english_title, _, english_line, *_ = english_of(page).read_text(encoding="utf-8").splitlines()
    assert title == english_title
    assert f"(../{page.name})" in line
    assert f"({page.parent.name}/{page.name})" in english_line


_PAGE = """# Kreta

Read [more](../web-page.md).

## Key rules

- **Figures.** A province holds 7 figures (`KRETA-FULL-1`).
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Key", "### Key"),
        ("7 figures", "8 figures"),
        ("KRETA-FULL-1", "KRETA-FULL-2"),
        ("web-page", "lobby"),
        ("- **Figures.**", "**Figures.**"),
        ("\n## Key rules\n", ""),
    ],
)
def test_a_change_of_one_page_alone_is_found(old: str, new: str) -> None:
    assert old in _PAGE
    assert sections_of(_PAGE.replace(old, new), GAMES) != sections_of(_PAGE, GAMES)


def test_other_words_are_no_change() -> None:
    translated = _PAGE.replace("Key rules", "Wichtige Regeln").replace("A province holds", "Eine Provinz fasst")
    assert translated != _PAGE
    assert sections_of(translated, GAMES) == sections_of(_PAGE, GAMES)
