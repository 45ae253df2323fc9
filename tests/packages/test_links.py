"""The links of a README work where the package is installed from, or become text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.package_links import Home, with_links

ROOT = Path(__file__).resolve().parents[2]
HOME = Home("https://skerry.example/skerry", "1.2.3")
NOWHERE = Home(None, "1.2.3")
PLACE = Path("clients/python/README.md")
READMES = [PLACE, *map(Path, (
    "clients/api/README.md", "clients/arena/README.md", "clients/typescript/README.md", "service/README.md",
    "service/skerry_games/README.md",
))]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "absolute", "plain"),
    [
        ("[a](../../README.md)", "[a](https://skerry.example/skerry/blob/v1.2.3/README.md)", "a"),
        ("[a](../../docs)", "[a](https://skerry.example/skerry/tree/v1.2.3/docs)", "a"),
        (
            "[a](../../README.md#install).",
            "[a](https://skerry.example/skerry/blob/v1.2.3/README.md#install).",
            "a.",
        ),
        (
            "![a](../../docs/pictures/scaling.svg)",
            "![a](https://skerry.example/skerry/raw/v1.2.3/docs/pictures/scaling.svg)",
            "",
        ),
        (
            "[a](https://example.com/x) [b](#c)",
            "[a](https://example.com/x) [b](#c)",
            "[a](https://example.com/x) [b](#c)",
        ),
        ("```py\na[0](x)\n```\n", "```py\na[0](x)\n```\n", "```py\na[0](x)\n```\n"),
    ],
)
def test_a_link_leads_to_the_tag_of_the_version(text: str, absolute: str, plain: str) -> None:
    assert with_links(text, PLACE, ROOT, HOME) == absolute
    assert with_links(text, PLACE, ROOT, NOWHERE) == plain


def test_a_dead_link_stops_the_build() -> None:
    with pytest.raises(SystemExit, match=r"clients/python/README\.md links to gone\.md, which does not exist"):
        with_links("[a](gone.md)", PLACE, ROOT, HOME)


@pytest.mark.parametrize("readme", READMES, ids=str)
def test_every_readme_of_a_package_has_absolute_links(readme: Path) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", with_links(text, readme, ROOT, HOME))
    assert [link for link in links if not link.startswith(("https://", "http://", "#"))] == []
