"""A server that cannot start says why in one line, and harms nobody."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from .driver import Api, check_whole, new_table
from .processes import PATIENCE, Service, launch

pytestmark = pytest.mark.deep

PASSWORD = "correct-horse"


async def refused(folder: Path, *arguments: str) -> str:
    """Start a server that cannot; return the one line that it leaves behind."""
    errors = folder / "refused"
    process = await launch(*arguments, errors=errors)
    try:
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() != 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    (line,) = errors.read_text().splitlines()
    assert line.startswith("skerry: ")
    return line


async def test_a_second_server_on_a_data_directory_is_refused_and_the_first_undisturbed(
    service: Service, client: Api, folder: Path
) -> None:
    table = await new_table(client, seed=31)
    await table.play_acts(10)
    said = await refused(folder, "--port", "0", "--data-dir", str(service.data))
    assert f"{service.data} is in use by process {service.process.pid}" in said
    await table.play()
    await check_whole(table, [])
    assert client.refusals == []


async def test_a_taken_port_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = await refused(folder, "--port", port, "--data-dir", str(folder / "data"))
    assert f"Cannot listen on 127.0.0.1:{port}" in said


@pytest.mark.parametrize("inside", ["", "/data"])
async def test_a_data_directory_that_cannot_be_used_is_named(folder: Path, inside: str) -> None:
    (folder / "file").touch()
    said = await refused(folder, "--port", "0", "--data-dir", f"{folder}/file{inside}")
    assert f"Cannot use the data directory {folder}/file{inside}" in said


async def test_a_redis_that_is_not_there_is_named_without_its_password(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as was_here:
        address = f"127.0.0.1:{was_here.getsockname()[1]}"
    said = await refused(folder, "--port", "0", "--redis-url", f"redis://user:{PASSWORD}@{address}/0")
    assert f"Cannot use the Redis at redis://{address}/0" in said
    assert "refused" in said
    assert PASSWORD not in said


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "redis://127.0.0.1:many", "nonsense"])
async def test_a_url_that_is_no_redis_is_named(folder: Path, url: str) -> None:
    assert (
        f"{url} is not the URL of a Redis".lower() in (await refused(folder, "--port", "0", "--redis-url", url)).lower()
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SKERRY_PORT", "many"),
        ("SKERRY_PORT", "65536"),
        ("SKERRY_FSYNC", "sometimes"),
        ("SKERRY_ALLOW_EVICTION", "maybe"),
    ],
)
async def test_a_setting_that_is_not_understood_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    said = await refused(folder, "--data-dir", str(folder / "data"))
    assert name in said
    assert repr(value) in said
