"""grpc-go, as Debian packages it: the example, and a program that observes its games too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interop.examples import Example, build_example
from tests.interop.services import PLAIN, Service
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # compiles

SOURCES = Path("/usr/share/gocode")
"""Where Debian keeps Go packages."""
PLAYER = Path(__file__).with_name("go") / "player.go"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example, and ``player`` beside it."""
    need(
        "go", "/usr/bin/protoc", "protoc-gen-go", "protoc-gen-go-grpc", SOURCES / "src/google.golang.org/grpc",
        SOURCES / "src/google.golang.org/protobuf/proto", packages="Go, grpc-go and its generators from Debian",
    )  # fmt: skip
    built = build_example("go", tmp_path_factory.mktemp("go"))
    built.workshop.put("player.go", PLAYER.read_text(encoding="utf-8"))
    built.workshop.run(f'GO111MODULE=off GOPATH="$PWD:{SOURCES}" go build player.go')
    return built


@pytest.mark.parametrize("service", PLAIN, indirect=True)
def test_the_example_plays_a_game(example: Example, service: Service) -> None:
    *events, scores = example.play(service)
    assert any(event.startswith("The game is over: ") for event in events)
    assert scores.startswith("scores: [")


def test_the_module_finds_the_generated_code(example: Example) -> None:
    module = json.loads("".join(example.workshop.run("go mod edit -json")))
    (replaced,) = module["Replace"]
    assert replaced["Old"]["Path"] == "skerry.example"
    assert list((example.workshop.folder / replaced["New"]["Path"] / "skerry" / "v1").glob("*_grpc.pb.go"))


def test_a_client_plays_and_observes_each_game(example: Example, service: Service) -> None:
    arguments = f"{service.address} '{service.authority_argument}' {service.games_argument}"
    service.expect_games(example.workshop.run(f"./player {arguments}"))
