"""Running the tests of a folder over several transports. Its ``conftest`` imports ``transport``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

import pytest

from tests.api.wire import Transport
from tests.connect.http_channel import HttpChannel

T = TypeVar("T")
_OF_CONNECTIONS = "of_connections"


def of_connections(test: T) -> T:
    """Mark a test that counts connections, so that it runs only where all calls share one."""
    setattr(test, _OF_CONNECTIONS, True)
    return test


def parametrize(metafunc: pytest.Metafunc, others: Sequence[str]) -> None:
    """Run a test over gRPC, and in `make test-deep` over these transports and on grpcio's server too."""
    others = () if hasattr(metafunc.function, _OF_CONNECTIONS) else others
    deep = [pytest.param(name, marks=pytest.mark.deep) for name in ("grpcio", *others)]
    metafunc.parametrize("transport", ["grpc", *deep], indirect=True, scope="module")


@pytest.fixture(scope="module", autouse=True)
def transport(request: pytest.FixtureRequest) -> Iterator[str]:
    """How the tests call the servers."""
    name = getattr(request, "param", "grpc")
    Transport.grpc = "grpcio" if name == "grpcio" else "nghttp2"
    Transport.over_http = None if name in ("grpc", "grpcio") else partial(HttpChannel, name)
    yield name
    Transport.over_http, Transport.grpc = None, "nghttp2"
