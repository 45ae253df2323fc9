"""The release workflow finishes a release that stopped halfway, when it runs again."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

WORKFLOW = Path(__file__).resolve().parents[2] / ".github" / "workflows" / "release.yml"
NPM = """#!/bin/sh
echo "$1" >> calls
[ "$1" != view ] || {view}
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
