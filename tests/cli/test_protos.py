"""``skerry protos``: the tree that it writes, the folders that it leaves alone, and that a wheel can do it too."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from skerry_service.api.contract import sources
from skerry_service.edge.rest.descriptor_set import descriptor_set
from tests.cli.conftest import Run
from tests.cli.test_play import assert_refused

ROOT = Path(__file__).resolve().parents[2]


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_writes_all_sources_and_settings_for_buf(here: Run, tmp_path: Path) -> None:
    run = here("protos", "to/new")
    assert (run.returncode, run.stdout) == (0, "")
    written = tree(tmp_path / "to" / "new")
    assert written.pop("buf.yaml").decode().splitlines()[1] == "version: v2"
    assert written == sources()
    assert f"Wrote {len(written) + 1} files to to/new" in run.stderr


@pytest.mark.deep
def test_a_tree_of_its_own_is_brought_up_to_date(here: Run, tmp_path: Path) -> None:
    here("protos", "protos")
    folder = tmp_path / "protos"
    fresh = tree(folder)
    mine = {
        "buf.gen.yaml": b"version: v2\n",
        "skerry/v1/service.pb.go": b"package v1\n",
        "google/type/money.proto": b"",
    }
    for name, text in {**mine, "skerry/v1/service.proto": b"old", "skerry/v1/gone.proto": b"old"}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text)
    assert here("protos", "protos").returncode == 0
    assert tree(folder) == fresh | mine


@pytest.mark.parametrize("there", ["buf.yaml", "notes.txt", "skerry/v1/service.proto"])
def test_a_folder_of_somebody_else_is_left_alone(here: Run, tmp_path: Path, there: str) -> None:
    other = tmp_path / "mine" / there
    other.parent.mkdir(parents=True)
    other.write_text("version: v2\n")
    assert_refused(here("protos", "mine"), 2, "The folder mine")
    assert tree(tmp_path / "mine") == {there: b"version: v2\n"}


@pytest.mark.deep
def test_an_empty_folder_is_filled_and_a_file_is_refused(here: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert here("protos", "empty").returncode == 0
    assert_refused(here("protos", "empty/buf.yaml"), 2, "is a file")


def test_nothing_to_write_is_refused(here: Run) -> None:
    assert_refused(here("protos"), 2, "--descriptor-set")


@pytest.mark.deep
def test_the_descriptor_set_goes_to_a_file_or_to_stdout(skerry: Run, tmp_path: Path) -> None:
    assert skerry("protos", "--descriptor-set", "set.binpb").returncode == 0
    assert (tmp_path / "set.binpb").read_bytes() == descriptor_set()
    command = [sys.executable, "-m", "skerry_service.cli", "protos", "tree", "--descriptor-set", "-"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert run.stdout == descriptor_set()
    assert (tmp_path / "tree" / "buf.yaml").exists()
    assert_refused(skerry("protos", "--descriptor-set", "none/set.binpb"), 1, "none/set.binpb")


@pytest.mark.deep
def test_wheels_made_as_the_image_makes_them_are_whole(tmp_path: Path) -> None:
    """From what the Dockerfile copies and nothing else, installed beside no checkout."""
    source, installed = tmp_path / "source", tmp_path / "installed"
    lay_out(source)
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    run_in(source, *build, "--wheel-dir", tmp_path / "wheels", ".", "./clients/python")
    for wheel in (tmp_path / "wheels").glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(installed)
    shutil.rmtree(source)
    begin = f"import sys; sys.path.insert(0, {str(installed)!r}); from skerry_service.cli import main; main()"
    run_in(tmp_path, sys.executable, "-c", begin, "protos", "tree", "--descriptor-set", "set.binpb")
    written = tree(tmp_path / "tree")
    del written["buf.yaml"]
    assert written == sources()
    names = [file.name for file in FileDescriptorSet.FromString((tmp_path / "set.binpb").read_bytes()).file]
    assert set(written) <= set(names)
    pages = installed / "skerry_service" / "edge" / "rest" / "swagger_ui"
    assert {path.name for path in pages.iterdir()} == {"swagger-ui.css", "swagger-ui-bundle.js"}


def lay_out(folder: Path) -> None:
    """Copy what the Dockerfile's first stage copies from the repository, as far as .dockerignore lets it."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    allowed = {line[1:] for line in lines if line.startswith("!")}
    ignored = [Path(line).name for line in lines if "/" in line and not line.startswith("!")]
    _, building, *_ = re.split(r"^FROM ", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in re.findall(r"^COPY (.+)$", building, re.MULTILINE):
        *copied, target = line.split()
        for name in copied:
            assert name in allowed
            whole = (ROOT / name).is_dir()
            place = folder / target if whole else folder / target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if whole:
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns(*ignored))
            else:
                shutil.copyfile(ROOT / name, place)


def run_in(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
