"""Checks the contract with buf: lint, format, and that no change breaks a client. Needs no network.

    build/codegen/bin/python scripts/check_protos.py [--against COMMIT]

Without ``--against`` the protos are compared with their last differing version in git: the last commit while they
have uncommitted changes, else the commit before the one that changed them last. A commit may break the contract
on purpose when its message has a ``BREAKING CHANGE:`` footer.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sysconfig
import tarfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUF = ROOT / "node_modules" / ".bin" / "buf"
GOOGLEAPIS = ROOT / "build" / "googleapis"
EARLIER = ROOT / "build" / "protos-before"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the three checks, all of them even when one fails. Return 0 when all pass, else 1."""
    parser = argparse.ArgumentParser(description="Check protos/ with buf.")
    parser.add_argument("--against", metavar="COMMIT", help="the version that must not be broken")
    against = parser.parse_args(arguments).against
    copy_googleapis()
    passed = [buf("lint", "protos"), buf("format", "--diff", "--exit-code", "protos"), keeps_contract(against)]
    return 0 if all(passed) else 1


def copy_googleapis() -> None:
    """Lay the protos of googleapis-common-protos where ``buf.yaml`` looks for them."""
    source = Path(sysconfig.get_path("purelib")) / "google"
    shutil.rmtree(GOOGLEAPIS, ignore_errors=True)
    for name in ("api", "rpc"):
        for path in sorted((source / name).glob("*.proto")):
            target = GOOGLEAPIS / "google" / name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def buf(*arguments: str) -> bool:
    """Run buf and tell whether it was content."""
    print("buf", *arguments, flush=True)
    return subprocess.run([BUF, *arguments], cwd=ROOT, check=False).returncode == 0


def keeps_contract(against: str | None) -> bool:
    """Compare the protos with an earlier version of them. True where there is none to compare with."""
    commit = against or last_difference()
    if commit is None:
        print("buf breaking: skipped, git knows no earlier version of the protos")
        return True
    if "BREAKING CHANGE:" in git("log", "--format=%B", f"{commit}..HEAD", "--", "protos"):
        print(f"buf breaking: skipped, a commit since {commit[:12]} breaks the contract on purpose")
        return True
    unpack(commit)
    return buf("breaking", "protos", "--against", str((EARLIER / "protos").relative_to(ROOT)))


def last_difference() -> str | None:
    """Return the newest commit whose protos are not those of the work tree, or ``None``."""
    for commit in git("log", "--format=%H", "--", "protos").split():
        same = subprocess.run(["git", "diff", "--quiet", commit, "--", "protos"], cwd=ROOT, check=False)
        if same.returncode != 0 and git("ls-tree", commit, "protos"):
            return commit
    return None


def unpack(commit: str) -> None:
    """Lay the protos of that commit beside today's settings and google's protos, for buf to read."""
    archive = subprocess.run(["git", "archive", commit, "protos"], cwd=ROOT, check=True, capture_output=True).stdout
    shutil.rmtree(EARLIER, ignore_errors=True)
    EARLIER.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(EARLIER, filter="data")
    shutil.copyfile(ROOT / "buf.yaml", EARLIER / "buf.yaml")
    shutil.copytree(GOOGLEAPIS, EARLIER / GOOGLEAPIS.relative_to(ROOT))


def git(*arguments: str) -> str:
    """Return what git prints; nothing where there is no repository, or no commit yet."""
    answer = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 else ""


if __name__ == "__main__":
    raise SystemExit(main())
