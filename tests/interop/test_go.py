"""grpc-go, as Debian packages it: the program of the documents, and one that observes its games too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.workshop import ROOT, Workshop, blocks
from tests.interop.services import PLAIN, Service
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # compiles

PAGE = "how-to/other-languages.md"
SOURCES = Path("/usr/share/gocode")
"""Where Debian keeps Go packages."""
PLAYER = Path(__file__).with_name("go") / "player.go"


@pytest.fixture(scope="module")
def compiled(workshop: Workshop) -> Workshop:
    """The folder of the programs, ``player`` and that of the documents, ``main``."""
    need(
        "go", "protoc-gen-go", "protoc-gen-go-grpc", SOURCES / "src/google.golang.org/grpc",
        SOURCES / "src/google.golang.org/protobuf/proto", ROOT / "node_modules/.bin/buf",
        packages="Go, grpc-go and its generators from Debian, and buf from npm",
    )  # fmt: skip
    (options,) = (block for block in blocks(PAGE, "yaml") if "buf.gen.go.yaml" in block)
    (program,) = blocks(PAGE, "go")
    workshop.put("buf.gen.go.yaml", options)
    workshop.put("main.go", program.replace('"127.0.0.1:50051"', "os.Args[1]").replace('"log"', '"log"\n\t"os"'))
    workshop.put("player.go", PLAYER.read_text(encoding="utf-8"))
    workshop.run(
        "buf generate protos --template buf.gen.go.yaml --path protos/skerry\n"
        f"export GO111MODULE=off GOPATH={workshop.folder.parents[2]}:{SOURCES}\n"
        "go build main.go && go build player.go"
    )
    return workshop


@pytest.mark.parametrize("service", PLAIN, indirect=True)
def test_the_program_of_the_page_plays_a_game(compiled: Workshop, service: Service) -> None:
    *moves, outcome = compiled.run(f"./main {service.address}")
    assert len(moves) > 5
    assert outcome.startswith("ranks:")


def test_a_client_plays_and_observes_each_game(compiled: Workshop, service: Service) -> None:
    printed = compiled.run(f"./player {service.address} '{service.authority_argument}' {service.games_argument}")
    service.expect_games(printed)
