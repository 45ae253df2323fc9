from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry_games.catalogue import all_games
from tests.generators.workshop import ROOT, Workshop
from tests.interop.services import SERVICES, Service, serving, serving_tls
from tests.interop.toolchains import need

NODE_PROGRAMS = Path(__file__).with_name("node")


@pytest.fixture(scope="module", params=SERVICES)
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with each of its gRPC servers, and with TLS. All games are played on one of them."""
    if request.param == "nghttp2":
        running = serving(games=tuple(all_games()))
    elif request.param == "nghttp2-tls":
        running = serving_tls(tmp_path_factory.mktemp("tls"))
    else:
        running = serving("--grpc", request.param)
    with running as service:
        yield service


@pytest.fixture(scope="module")
def node_programs(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A folder with the protos and the programs that use grpc-js."""
    need("node", ROOT / "node_modules/@grpc/grpc-js", packages="the packages of package.json")
    made = Workshop(tmp_path_factory.mktemp("node"), "", "")
    (made.folder / "node_modules").symlink_to(ROOT / "node_modules")
    made.run("skerry protos protos")
    for program in NODE_PROGRAMS.iterdir():
        made.put(program.name, program.read_text(encoding="utf-8"))
    return made
