"""Lock files, licences and notices, source distributions, and the pins of actions and images."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted(path.name for path in ROOT.glob("requirements*.lock"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)==\S+(?: ; platform_machine == \"\w+\")? \\$", re.MULTILINE)


def names(lock: str) -> list[str]:
    """Return the packages of a lock file."""
    return PIN.findall((ROOT / lock).read_text(encoding="utf-8"))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_a_version_and_a_hash(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    packages = [line for line in lines if line and not line.startswith((" ", "#"))]
    assert packages
    assert [line for line in packages if not PIN.match(line)] == []
    assert all(lines[lines.index(line) + 1].startswith("    --hash=sha256:") for line in packages)


@pytest.mark.parametrize(
    "lock",
    [*LOCKS, "package-lock.json", "examples/react/package-lock.json", "tests/benchmarks/node/package-lock.json"],
)
def test_a_lock_file_names_no_registry_and_no_folder(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    # npm records where to fund each author.
    text = re.sub(r"\"url\": \"[^\"]*\"|\"funding\": \[[^]]*\]", "", text)
    text = re.sub(r"\"resolved\": \"(\.\./\.\./)?clients/\w+\"", "", text)  # the workspaces of this repository
    assert re.findall(r"\w+://|--index-url|--find-links|\"resolved\"|(?<=\s)/\w+", text) == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-build.lock", "requirements-arena.lock"])
def test_the_tools_have_the_same_versions_as_the_runtime(lock: str) -> None:
    pins = re.findall(r"^\S+==\S+", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    tools = re.findall(r"^\S+==\S+", (ROOT / "requirements-dev.lock").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(pins) <= set(tools)


def test_the_image_contains_no_other_web_framework() -> None:
    """Swagger UI's files come in a package for Flask, which only the build needs.

    The SDK of the Model Context Protocol brings Starlette, which serves nothing but ``/mcp``.
    """
    assert {"fastapi", "flask", "werkzeug"} & set(names("requirements.lock")) == set()
    assert "flask-swagger-ui" in names("requirements-build.lock")


def test_the_notice_names_every_package_of_the_image() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8").lower()
    words = set(re.findall(r"[a-z0-9._-]+", notice))
    assert [name for name in names("requirements.lock") if name.lower() not in words] == []


def built(kind: str, source: Path, folder: Path) -> Path:
    """Build a distribution of a folder; return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=source, capture_output=True, check=True, timeout=120)
    (made,) = folder.iterdir()
    return made


@pytest.mark.parametrize("package", ["clients/api", "clients/arena", "clients/python", "service/skerry_games"])
def test_a_source_distribution_builds_the_same_wheel_with_its_licence(package: str, tmp_path: Path) -> None:
    with tarfile.open(built("sdist", ROOT / package, tmp_path / "sdist")) as source:
        source.extractall(tmp_path / "source", filter="data")
    (unpacked,) = (tmp_path / "source").iterdir()
    from_checkout, from_source = (
        ZipFile(built("wheel", folder, tmp_path / name))
        for name, folder in {"checkout": ROOT / package, "unpacked": unpacked}.items()
    )
    assert set(from_source.namelist()) == set(from_checkout.namelist())
    (licence,) = [name for name in from_source.namelist() if name.endswith("LICENSE")]
    assert licence.endswith(".dist-info/licenses/LICENSE")
    assert from_source.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_the_package_for_node_contains_the_licence() -> None:
    assert (ROOT / "clients/typescript/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_every_action_is_pinned_to_a_commit_and_keeps_no_credentials() -> None:
    workflows = [path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    actions = [
        line.strip() for text in workflows for line in text.splitlines() if "uses: " in line and "uses: ./" not in line
    ]
    assert actions
    assert [line for line in actions if not re.fullmatch(r"- uses: [\w/-]+@[0-9a-f]{40} # v[\d.]+", line)] == []
    checkouts = sum(text.count("actions/checkout@") for text in workflows)
    assert sum(text.count("persist-credentials: false") for text in workflows) == checkouts


@pytest.mark.parametrize("file", ["compose.yaml", "deploy/compose.yaml"])
def test_third_party_images_are_pinned_by_digest(file: str) -> None:
    images = re.findall(r"^ +image: (.+)$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    others = [image for image in images if image != "skerry"]
    assert others
    assert [image for image in others if not re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", image)] == []
