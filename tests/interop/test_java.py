"""grpc-java, as Debian packages it: with a Netty that cannot negotiate HTTP/2 over TLS, so without TLS."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.examples import Example, build_example
from tests.interop.services import PLAIN, Service
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # compiles

JARS = Path("/usr/share/java")
"""Where Debian keeps Java packages."""
CLASS_PATH = f"classes:{JARS}/*"
PLAYER = Path(__file__).with_name("java") / "Player.java"
QUICK = "export JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1"
"""Compiles the classes in half the time."""


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example, and the class ``Player`` beside it."""
    need(
        "javac", "/usr/bin/protoc", "/usr/bin/grpc_java_plugin", JARS / "grpc-netty.jar",
        packages="a JDK, grpc-java and its generator from Debian",
    )  # fmt: skip
    built = build_example("java", tmp_path_factory.mktemp("java"), QUICK)
    built.workshop.put("Player.java", PLAYER.read_text(encoding="utf-8"))
    built.workshop.run(f"{QUICK}\njavac -nowarn -proc:none -d classes -cp '{CLASS_PATH}' Player.java")
    return built


@pytest.mark.parametrize("service", PLAIN, indirect=True)
def test_the_example_plays_a_game(example: Example, service: Service) -> None:
    *events, scores = example.play(service)
    assert any(event.startswith("The game is over: ") for event in events)
    assert scores.startswith("scores: [")


@pytest.mark.parametrize("service", PLAIN, indirect=True)
def test_a_client_plays_and_observes_each_game(example: Example, service: Service) -> None:
    command = f"java -cp '{CLASS_PATH}' Player {service.address} {service.games_argument}"
    service.expect_games(example.workshop.run(command))
