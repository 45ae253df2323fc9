"""All packages have one version, and accept each other within it."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copy

import pytest

from scripts import set_version
from skerry_service import __version__

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = [*set_version.PLACES.items(), *((name, set_version.REQUIREMENT.pattern) for name in set_version.PROJECTS)]


def written(root: Path) -> set[tuple[str, str]]:
    """Return the versions of all places, and the ranges of all requirements, by kind."""
    found = set()
    for name, pattern in PATTERNS:
        text = (root / name).read_text(encoding="utf-8")
        matches = list(re.finditer(pattern, text))
        assert matches, name
        kind = "range" if pattern == set_version.REQUIREMENT.pattern else "version"
        found |= {(kind, text[match.end(1) : match.start(2)]) for match in matches}
    return found


def test_all_packages_have_one_version_and_accept_each_other() -> None:
    assert written(ROOT) == {("version", __version__), ("range", set_version.compatible(__version__))}


def test_every_requirement_on_another_package_has_a_range() -> None:
    for name in set_version.PROJECTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r'"skerry-\w+(?:\[\w+\])?"[,\]]', text) == []


def test_a_new_version_is_written_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, _ in PATTERNS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(set_version, "ROOT", tmp_path)
    set_version.main(["3.4.5"])
    assert written(tmp_path) == {("version", "3.4.5"), ("range", ">=3.4.5,<4")}


@pytest.mark.parametrize("bad", ["", "1.2", "v1.2.3", "1.2.3rc1", "1.2.3\n"])
def test_a_bad_version_is_refused(bad: str) -> None:
    with pytest.raises(SystemExit, match="is not a version"):
        set_version.main([bad])
