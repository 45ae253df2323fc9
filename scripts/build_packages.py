"""Builds every package into a folder: wheels and source distributions of Python, and in its ``npm`` that for npm.

    build/release/bin/python -m scripts.build_packages [--repository URL] [--out dist]

Each distribution is built from a copy of its sources outside git, and its wheel from its source distribution. In the
copies, the links of the README lead to the repository at the tag of the version, and the metadata has the addresses of
the project. Without ``--repository`` there is no such address: links become plain text.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.package_links import Home, with_links

ROOT = Path(__file__).resolve().parent.parent
NODE_PACKAGE = "clients/typescript"
FOLDERS = (".", "clients/api", "clients/arena", "clients/python", "service/skerry_games")
"""The distributions of Python."""
PARTS = {
    ".": (
        "hatch_build.py",
        "LICENSE",
        "NOTICE",
        "protos",
        "pyproject.toml",
        "service/README.md",
        "service/skerry_service",
    ),
    NODE_PACKAGE: ("LICENSE", "README.md", "package.json", "src"),
}
"""The parts of a folder that its package needs, where it does not need the whole folder."""
OMITTED = shutil.ignore_patterns("__pycache__", "node_modules", "swagger_ui")
EDGE = "service/skerry_service/edge"
PAGES = (f"{EDGE}/rest/web_page/index.html", f"{EDGE}/admin/admin_page/admin.html")


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the packages, and check what an index would show of them."""
    parser = argparse.ArgumentParser(description="Build the packages.")
    parser.add_argument("--repository", metavar="URL", help="where the project can be seen, without a slash at the end")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=ROOT / "dist", help="emptied before")
    options = parser.parse_args(arguments)
    if not all((ROOT / page).is_file() for page in PAGES):
        raise SystemExit("The web pages are not built, and skerry-service contains them. Run `make page`.")
    out = options.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    home = Home(options.repository, version())
    with tempfile.TemporaryDirectory() as folder:
        for place in FOLDERS:
            build_distribution(place, home, Path(folder, place.replace("/", "-") + "-"), out)
        run([sys.executable, "-m", "twine", "check", "--strict", *out.iterdir()], ROOT)
        # In a folder of its own: pip takes skerry-client-*.tgz for the source distribution of the Python client.
        build_node_package(home, Path(folder, "node"), out / "npm")
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.relative_to(out)}")


def version() -> str:
    """Return the version of this checkout. A test checks that all packages have the same."""
    package = json.loads((ROOT / NODE_PACKAGE / "package.json").read_text(encoding="utf-8"))
    return str(package["version"])


def build_distribution(place: str, home: Home, folder: Path, out: Path) -> None:
    """Build the source distribution and, from this, the wheel of a folder of the repository."""
    copied = copy_sources(place, folder / "checkout")
    settings = copied / "pyproject.toml"
    project = tomllib.loads(settings.read_text(encoding="utf-8"))["project"]
    rewrite_readme(copied / project["readme"], Path(place, project["readme"]), home)
    if home.urls:
        table = "".join(f"{name} = {json.dumps(url)}\n" for name, url in home.urls.items())
        settings.write_text(f"{settings.read_text(encoding='utf-8')}\n[project.urls]\n{table}", encoding="utf-8")
    source = build("sdist", copied, folder / "sdist")
    with tarfile.open(source) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    for made in (source, build("wheel", unpacked, folder / "wheel")):
        shutil.copy(made, out)


def copy_sources(place: str, target: Path) -> Path:
    """Copy what the package of a folder needs. Returns ``target``."""
    source = ROOT / place
    for part in PARTS.get(place) or [path.name for path in source.iterdir()]:
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part, ignore=OMITTED)
        else:
            shutil.copy(source / part, target / part)
    return target


def rewrite_readme(file: Path, place: Path, home: Home) -> None:
    """Let the links of a README, which is at ``place`` in the repository, work elsewhere."""
    file.write_text(with_links(file.read_text(encoding="utf-8"), place, ROOT, home), encoding="utf-8")


def build(kind: str, source: Path, folder: Path) -> Path:
    """Build a distribution of a folder with the build tools of this environment; return its file."""
    run([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder], source)
    (made,) = folder.iterdir()
    return made


def build_node_package(home: Home, folder: Path, out: Path) -> None:
    """Compile the TypeScript client and pack it."""
    copy_sources(NODE_PACKAGE, folder)
    rewrite_readme(folder / "README.md", Path(NODE_PACKAGE, "README.md"), home)
    compiler = ROOT / "node_modules" / ".bin" / "tsc"
    run([compiler, "--outDir", folder / "dist"], ROOT / NODE_PACKAGE)
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    del package["scripts"], package["devDependencies"]
    if home.repository:
        package["repository"] = {"type": "git", "url": f"git+{home.repository}.git", "directory": NODE_PACKAGE}
        package["homepage"] = home.repository
        package["bugs"] = home.urls["Issues"]
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")
    out.mkdir()
    run(["npm", "pack", "--silent", "--pack-destination", out], folder)


def run(command: Iterable[str | Path], folder: Path) -> None:
    """Run a command. Exits with its output if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}")


if __name__ == "__main__":
    main()
