"""Which server is found, and whose data it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry_service.store.embedded import server_binary
from skerry_service.store.embedded.server_binary import (
    EmbeddedServerError,
    ServerKind,
    find_binary,
    kind_of,
    parse_kind,
)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64 build=1", ServerKind("valkey", 9, 1)),
        ("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64", ServerKind("redis", 7, 0)),
        ("valkey 9.1\n", ServerKind("valkey", 9, 1)),
        ("redis 7.2", ServerKind("redis", 7, 2)),
    ],
)
def test_kinds_are_read(line: str, kind: ServerKind) -> None:
    assert parse_kind(line) == kind
    assert parse_kind(str(kind)) == kind


@pytest.mark.parametrize("line", ["", "memcached 1.6.2", "redis"])
def test_what_is_no_server_is_refused(line: str) -> None:
    with pytest.raises(EmbeddedServerError, match="is not the version of a Redis or Valkey server"):
        parse_kind(line)


@pytest.mark.parametrize(
    ("found", "writer", "reads"),
    [
        ("valkey 9.1", "valkey 9.1", True),
        ("valkey 9.1", "valkey 8.0", True),
        ("valkey 8.0", "valkey 9.1", False),
        ("valkey 9.0", "valkey 9.1", False),
        ("valkey 9.1", "redis 7.2", True),
        ("valkey 9.1", "redis 7.4", False),
        ("redis 7.0", "valkey 9.1", False),
        ("redis 8.0", "valkey 8.0", False),
        ("redis 7.0", "redis 7.2", False),
        ("redis 7.2", "redis 7.0", True),
    ],
)
def test_a_server_reads_its_own_past_and_valkey_that_of_redis_until_they_parted(
    found: str, writer: str, reads: bool
) -> None:
    assert parse_kind(found).reads(parse_kind(writer)) is reads


def test_what_cannot_be_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedServerError, match="version"):
        kind_of(tmp_path / "nothing")


def test_the_bundled_server_is_found_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server_on(tmp_path, "valkey-server")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = find_binary()
    assert tmp_path not in found.parents
    assert kind_of(found).name == "valkey"


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_without_it_one_on_the_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    path = server_on(tmp_path, name)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(server_binary, "find_spec", lambda _: None)
    assert find_binary() == path


def test_without_any_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(server_binary, "find_spec", lambda _: None)
    with pytest.raises(EmbeddedServerError, match="REDIS_URL"):
        find_binary()


def server_on(directory: Path, name: str) -> Path:
    path = directory / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)
    return path
