"""The addresses of the project in packages, and READMEs whose links work outside the repository."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


class Home(NamedTuple):
    """Where the project can be seen: the address of a repository that has GitHub's paths, or ``None``."""

    repository: str | None
    version: str

    @property
    def urls(self) -> dict[str, str]:
        """Return the addresses of the metadata by their labels."""
        if self.repository is None:
            return {}
        at = f"{self.repository}/blob/v{self.version}"
        return {
            "Homepage": self.repository,
            "Documentation": f"{at}/docs/index.md",
            "Changelog": f"{at}/CHANGELOG.md",
            "Issues": f"{self.repository}/issues",
            "Source": self.repository,
        }

    def address(self, kind: str, path: str) -> str:
        """Return the address of a file or folder of the tagged version. ``kind``: ``blob``, ``tree`` or ``raw``."""
        return f"{self.repository}/{kind}/v{self.version}/{path}"


def with_links(text: str, place: Path, root: Path, home: Home) -> str:
    """Return a README, which is at ``place`` below ``root``, with absolute links.

    Without a repository, links become their text, and pictures disappear. Raises SystemExit for a dead link.
    """

    def rewrite(link: re.Match[str]) -> str:
        picture, label, target, anchor = link.groups()
        path = normpath((place.parent / target).as_posix())
        if not (root / path).exists():
            raise SystemExit(f"{place} links to {target}, which does not exist.")
        if home.repository is None:
            return "" if picture else label
        kind = "raw" if picture else "tree" if (root / path).is_dir() else "blob"
        return f"{picture}[{label}]({home.address(kind, path)}{anchor or ''})"

    parts = _FENCED.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(rewrite, part) for part in parts)
