"""The release workflow finishes a release that stopped halfway, and pushes the image and the chart that names it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
NPM = """#!/bin/sh
echo "$1" >> calls
[ "$1" != view ] || {view}
"""
HELM = """#!/bin/sh
echo "$@" >> calls
[ "$1" != registry ] || cat > /dev/null
[ "$1" != push ] || {{ echo "Pushed: $3" >&2; echo "Digest: sha256:12ab" >&2; exit {status}; }}
"""


def steps(job: str) -> list[dict[str, Any]]:
    """Return the steps of a job of the workflow."""
    found: list[dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"][job]["steps"]
    return found


def test_packages_of_python_that_are_published_are_skipped() -> None:
    assert steps("python")[-1]["with"] == {"attestations": True, "skip-existing": True}


@pytest.mark.parametrize(
    ("view", "calls"),
    [("echo 1.2.3", ["view"]), ("exit 1", ["view", "publish"])],
    ids=["published", "unknown"],
)
def test_the_package_for_npm_is_published_once(view: str, calls: list[str], tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text(NPM.format(view=view), encoding="utf-8")
    npm.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "GITHUB_REF_NAME": "v1.2.3"}
    subprocess.run(["bash", "-e", "-c", steps("node")[-1]["run"]], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "calls").read_text(encoding="utf-8").split() == calls


def run_step(name: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the image's job in a folder, whose programs come first."""
    (step,) = [step for step in steps("image") if step.get("id") == name]
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "GITHUB_OUTPUT": str(folder / "output"), **variables}
    command = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_image_has_a_name_in_the_registry_of_the_repository(tmp_path: Path) -> None:
    tag = {"GITHUB_REPOSITORY": "Owner/Skerry", "GITHUB_REF_NAME": "v1.2.3"}
    assert run_step("name", tmp_path, REGISTRY="registry.example", **tag).returncode == 0
    output = (tmp_path / "output").read_text(encoding="utf-8")
    assert output == "image=registry.example/owner/skerry\nversion=1.2.3\n"
    unset = run_step("name", tmp_path, REGISTRY="", **tag)
    assert (unset.returncode, "IMAGE_REGISTRY" in unset.stdout) == (1, True)


@pytest.mark.parametrize("status", [0, 1])
def test_the_pushed_chart_names_the_image(status: int, tmp_path: Path) -> None:
    copytree(ROOT / "deploy" / "chart", tmp_path / "deploy" / "chart")
    helm = tmp_path / "helm"
    helm.write_text(HELM.format(status=status), encoding="utf-8")
    helm.chmod(0o755)
    image = "registry.example/owner/skerry"
    variables = {"IMAGE": image, "VERSION": "1.2.3", "TOKEN": "secret", "REGISTRY": "registry.example"}
    done = run_step("chart", tmp_path, GITHUB_ACTOR="ada", **variables)
    assert done.returncode == status, done.stderr
    assert (tmp_path / "calls").read_text(encoding="utf-8").splitlines() == [
        "package deploy/chart",
        "registry login registry.example --username ada --password-stdin",
        f"push skerry-1.2.3.tgz oci://{image}/charts",
    ]
    values = yaml.safe_load((tmp_path / "deploy" / "chart" / "values.yaml").read_text(encoding="utf-8"))
    assert values["image"] == {"repository": image, "tag": "", "pullPolicy": "IfNotPresent"}
    if status == 0:
        assert (tmp_path / "output").read_text(encoding="utf-8") == "digest=sha256:12ab\n"
