"""The undocumented attributes of libraries that the service uses. Wheels accept one minor release of these libraries.

If an upgrade removes an attribute, a test here names it and the file that uses it. The tests of that file check that
the attribute still does what the file needs.
"""

from __future__ import annotations

import inspect
import tomllib
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from packaging.requirements import Requirement
from packaging.version import Version

from skerry_service.store.connections.connection import Connector
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.store.servers import running_server

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service" / "skerry_service"


class PrivateAttribute(NamedTuple):
    """An attribute that a library can rename or remove in any version."""

    library: str
    owner: str
    name: str
    file: str
    """The file that uses it, below ``SERVICE``."""


PRIVATE_ATTRIBUTES = [
    *(
        PrivateAttribute("redis", "Connection", name, "store/connections/connection.py")
        for name in ("_writer", "pack_command", "pack_commands", "redis_connect_func")
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The server of the connection."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def owners(valkey: EmbeddedServer) -> AsyncIterator[dict[str, set[str]]]:
    """The attributes that the libraries give to each owner while it is in use."""
    connection = Connector(valkey.url, lambda _: None)()
    await connection.connect()  # type: ignore[no-untyped-call]
    yield {"Connection": attributes(connection)}
    await connection.disconnect()


def attributes(owner: object) -> set[str]:
    """Return the attributes of an object and of its classes, without the classes of the service."""
    theirs = [base for base in type(owner).__mro__ if not base.__module__.startswith("skerry_service")]
    return set(getattr(owner, "__dict__", ())).union(*(vars(base) for base in theirs))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("attribute", PRIVATE_ATTRIBUTES, ids=lambda one: f"{one.library}-{one.owner}.{one.name}")
async def test_the_library_still_has_the_attribute(attribute: PrivateAttribute, owners: dict[str, set[str]]) -> None:
    library, owner, name, file = attribute
    assert name in owners.get(owner, ()), f"{library} {version(library)} has no {owner}.{name}; {file} uses it"
    assert name in (SERVICE / file).read_text(encoding="utf-8"), f"{file} no longer uses {owner}.{name}"


def test_asyncio_still_has_the_parts_of_tls_handshakes_in_use() -> None:
    named = inspect.signature(SSLProtocol.__init__).parameters
    assert {"server_side", "ssl_handshake_timeout", "ssl_shutdown_timeout"} <= named.keys()
    assert {"max_size", "connection_made", "connection_lost"} <= vars(SSLProtocol).keys()


@pytest.mark.parametrize("library", sorted({attribute.library for attribute in PRIVATE_ATTRIBUTES}))
def test_a_library_with_private_attributes_in_use_is_held_to_one_minor_release(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = [one for one in map(Requirement, project["dependencies"]) if one.name == library]
    major, minor, patch = Version(version(library)).release
    offered = [
        f"{major}.{minor}.{patch}",
        f"{major}.{minor}.{patch + 1}",
        f"{major}.{minor + 1}.0",
        f"{major + 1}.0.0",
    ]
    assert list(wanted.specifier.filter(offered)) == offered[:2]
