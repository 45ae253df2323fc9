"""Holds the API description against what people do with it: ``make check-openapi``.

    python -m tests.rest.openapi

It is linted; types are generated from it by two generators; and programs have to compile against each: one that goes
through everything (``walk``), one that sends what is allowed and what is not (``requests.ts``), and for the generator
that ``docs/reference/rest.md`` names the one that stands there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from skerry.v1 import service_pb2
from skerry_service.edge.rest.openapi.document import describe_services
from tests.rest.openapi.walk import type_name, walk

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
BUILD = ROOT / "build" / "openapi"
BIN = ROOT / "node_modules" / ".bin"
QUIET = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
"""The lint would call home."""
SERVICE = service_pb2.DESCRIPTOR.services_by_name["SkerryService"]


def main() -> int:
    """Run every check. Return the exit code."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    description = describe_services(SERVICE)
    described = BUILD / "openapi.json"
    described.write_text(json.dumps(description, indent=1), encoding="utf-8")
    checks: list[Callable[[], str]] = [
        lambda: lint(described),
        lambda: compiles("openapi-typescript", openapi_typescript(described, description)),
        lambda: compiles("hey-api", hey_api(described)),
    ]
    with ThreadPoolExecutor(2) as pool:
        failed = [output for output in pool.map(lambda check: check(), checks) if output]
    print("\n".join(failed) or "the description is clean, and both generators make types of it that hold")
    return 1 if failed else 0


def lint(described: Path) -> str:
    """Return the errors and the warnings of the lint."""
    command = ("lint", str(described), "--config", str(HERE / "redocly.yaml"), "--format", "json")
    done = call("redocly", *command)
    totals = json.loads(done.stdout)["totals"] if done.stdout.startswith("{") else {"errors": 1}
    return "" if not any(totals.values()) else f"redocly {' '.join(command)}\n{done.stdout}{done.stderr}"


def openapi_typescript(described: Path, description: dict[str, Any]) -> Callable[[Path], str]:
    """Return what generates with openapi-typescript: one interface, whose parts are given the names that others use."""

    def generate(folder: Path) -> str:
        failed = run("openapi-typescript", str(described), "--output", str(folder / "schema.ts"))
        named = (
            f'export type {type_name(name)} = components["schemas"]["{name}"];'
            for name in description["components"]["schemas"]
        )
        lines = ['import type { components } from "./schema";', *named]
        (folder / "types.ts").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "page.ts").write_text(program_of_the_page(), encoding="utf-8")
        return failed

    return generate


def hey_api(described: Path) -> Callable[[Path], str]:
    """Return what generates with @hey-api/openapi-ts: one type for each schema."""

    def generate(folder: Path) -> str:
        made = folder / "made"
        failed = run("openapi-ts", "--input", str(described), "--output", str(made), "--plugins", "@hey-api/typescript")
        (folder / "types.ts").write_text('export type * from "./made/types.gen";\n', encoding="utf-8")
        return failed

    return generate


def compiles(name: str, generate: Callable[[Path], str]) -> str:
    """Compile the programs against a generator's types. Return what is wrong, nothing if all is well."""
    folder = BUILD / name
    folder.mkdir()
    failed = generate(folder)
    (folder / "walk.ts").write_text(walk(SERVICE), encoding="utf-8")
    for file in ("requests.ts", "tsconfig.json"):
        shutil.copy(HERE / file, folder)
    return failed or run("tsc", "--project", str(folder))


def program_of_the_page() -> str:
    """Return the TypeScript of ``docs/reference/rest.md``."""
    page = (ROOT / "docs" / "reference" / "rest.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```ts\n(.*?)```", page, re.DOTALL)
    assert blocks, "docs/reference/rest.md shows no TypeScript"
    return "\n".join(blocks)


def run(tool: str, *arguments: str) -> str:
    """Run a tool of npm's. Return what it prints if it fails, otherwise nothing."""
    done = call(tool, *arguments)
    return "" if done.returncode == 0 else f"{tool} {' '.join(arguments)}\n{done.stdout}{done.stderr}"


def call(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of npm's."""
    command = [str(BIN / tool), *arguments]
    return subprocess.run(
        command, cwd=BUILD, env=QUIET, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    sys.exit(main())
