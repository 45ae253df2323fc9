"""Builds the documents into a searchable site, ``build/docs``.

The site mirrors the repository: README is its front page, and every file that a page links to comes along, so links
hold as they are. A broken link, or a name that mkdocstrings cannot find, fails the build.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile, rmtree

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "build" / "docs-source"
SECTIONS = {
    "Tutorials": "tutorials", "How-to guides": "how-to", "Reference": "reference", "Games": "reference/games",
    "Games in German": "reference/games/de",
    "Python API": "reference/api", "Explanation": "explanation", "Design": "design",
}  # fmt: skip
"""Of the navigation: titles, and folders below ``docs``."""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
LINK = re.compile(r"""(?:\]\(|\b(?:src|href)=")([^)"\s#]+)""")


def main() -> int:
    """Return the exit code of zensical."""
    if SOURCE.exists():
        rmtree(SOURCE)
    pages = {ROOT / "README.md", *(path for path in (ROOT / "docs").rglob("*") if path.is_file())}
    for path in sorted(linked_from(pages)):
        target = SOURCE / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            target.mkdir(exist_ok=True)
            (target / "index.md").write_text(listing(path), encoding="utf-8")
        else:
            copyfile(path, target)
    (SOURCE / ".nav.yml").write_text("\n".join(navigation()), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict"]
    built = subprocess.run(command, cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(COLOUR.sub("", built.stdout), end="")
    return built.returncode


def navigation() -> Iterator[str]:
    """Yield the lines that the plugin awesome-nav reads."""
    yield from ("nav:", "  - README.md", "  - docs/index.md")
    for title, folder in SECTIONS.items():
        if any((ROOT / "docs" / folder).glob("*.md")):
            yield f"  - {title}: [docs/{folder}/*.md]"
    yield "  - Project: [ARCHITECTURE.md, CONTRIBUTING.md, CHANGELOG.md, SECURITY.md]"


def linked_from(pages: set[Path]) -> set[Path]:
    """Return these files, and all that they link to, directly or through other pages."""
    found, waiting = set[Path](), list(pages)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += linked(path)
    return found


def linked(page: Path) -> Iterator[Path]:
    """Yield the files and folders of the repository that a page links to. A README stands for its folder."""
    if page.suffix == ".md":
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / link).resolve()
            if path.exists() and path.is_relative_to(ROOT):
                readme = path / "README.md"
                yield readme if readme.exists() else path


def listing(folder: Path) -> str:
    """Return the page of a folder: the names of the files that git tracks."""
    names = subprocess.run(["git", "ls-files", "."], cwd=folder, check=True, capture_output=True, text=True).stdout
    return "\n".join([f"# {folder.relative_to(ROOT)}", "", *(f"- `{name}`" for name in names.splitlines()), ""])


if __name__ == "__main__":
    sys.exit(main())
