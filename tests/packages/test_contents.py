"""What is in the built packages: metadata, files, and source distributions that build the same wheels."""

from __future__ import annotations

import json
import re
import tarfile
from email import message_from_string
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from skerry_service import __version__
from tests.packages.empty_environments import offline, pip

pytestmark = [pytest.mark.packages, pytest.mark.timeout(600)]

NAMES = ("skerry_api", "skerry_arena", "skerry_client", "skerry_games", "skerry_service")
RELATIVE = re.compile(r"\]\((?!https?:|#)[^)]*\)")


@pytest.fixture(params=NAMES)
def wheel(request: pytest.FixtureRequest, dist: Path) -> ZipFile:
    """Each wheel."""
    (found,) = dist.glob(f"{request.param}-*.whl")
    return ZipFile(found)


def metadata(wheel: ZipFile) -> Message:
    """Return the metadata of a wheel."""
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_string(wheel.read(name).decode())


def test_the_metadata_is_complete(wheel: ZipFile) -> None:
    found = metadata(wheel)
    assert found["Version"] == __version__
    assert found["License-Expression"] == "Apache-2.0"
    assert (found["Summary"], found["Keywords"], found["Author"], found["Requires-Python"]) != (None,) * 4
    labels = {str(url).partition(",")[0] for url in found.get_all("Project-URL", [])}
    assert labels == {"Changelog", "Documentation", "Homepage", "Issues", "Source"}
    classified = {str(line).partition(" ::")[0] for line in found.get_all("Classifier", [])}
    assert classified >= {"Development Status", "Intended Audience", "Programming Language", "Topic", "Typing"}
    text = str(found.get_payload())
    assert text.startswith(f"# {found['Name']}\n")
    assert RELATIVE.findall(text) == []


def test_no_requirement_is_an_exact_pin(wheel: ZipFile) -> None:
    wanted = [Requirement(line) for line in metadata(wheel).get_all("Requires-Dist", [])]
    assert [str(one) for one in wanted if any(part.operator in ("==", "===") for part in one.specifier)] == []
    assert [str(one) for one in wanted if not any(part.operator == "<" for part in one.specifier)] == []


def test_a_wheel_contains_its_package_alone(wheel: ZipFile) -> None:
    first = {name.partition("/")[0] for name in wheel.namelist()}
    package = wheel.filename.rpartition("/")[2].partition("-")[0] if wheel.filename else ""
    assert {name for name in first if not name.endswith(".dist-info")} == {package.removesuffix("_api")}
    code = [name for name in wheel.namelist() if not name.endswith(".txt")]  # those are templates
    assert [name for name in code if "__pycache__" in name or "/test" in name] == []


def test_the_service_contains_the_page_swagger_ui_and_the_protos(dist: Path) -> None:
    (file,) = dist.glob("skerry_service-*.whl")
    names = set(ZipFile(file).namelist())
    edge = "skerry_service/edge"
    assert {f"{edge}/rest/web_page/index.html", f"{edge}/admin/admin_page/admin.html"} <= names
    assert f"{edge}/rest/swagger_ui/swagger-ui-bundle.js" in names
    assert "skerry_service/protos/skerry/v1/service.proto" in names


@pytest.mark.parametrize("name", NAMES)
def test_a_source_distribution_builds_the_same_wheel_with_the_build_requirements_alone(
    name: str, dist: Path, wheelhouse: Path, tmp_path: Path
) -> None:
    (source,), (built,) = dist.glob(f"{name}-*.tar.gz"), dist.glob(f"{name}-*.whl")
    pip([*offline(wheelhouse), "--no-deps", "--no-cache-dir", "--wheel-dir", str(tmp_path), str(source)], "wheel")
    (again,) = tmp_path.iterdir()
    assert contents(ZipFile(again)) == contents(ZipFile(built))


def contents(wheel: ZipFile) -> dict[str, bytes]:
    """Return the files of a wheel."""
    return {name: wheel.read(name) for name in wheel.namelist()}


def test_the_package_for_node_has_complete_metadata(dist: Path) -> None:
    (file,) = dist.glob("npm/skerry-client-*.tgz")
    with tarfile.open(file) as packed:
        files = {member.name: packed.extractfile(member) for member in packed if member.isfile()}
        texts = {name: file.read().decode() for name, file in files.items() if file is not None}
    package = json.loads(texts["package/package.json"])
    assert package["version"] == __version__
    assert package.keys() >= {"author", "bugs", "description", "homepage", "keywords", "license", "repository"}
    assert package.keys() & {"devDependencies", "scripts"} == set()
    for target in package["exports"].values():
        for path in target.values() if isinstance(target, dict) else [target]:
            assert f"package/{path.removeprefix('./')}" in texts
    assert RELATIVE.findall(texts["package/README.md"]) == []
    assert "package/LICENSE" in texts
