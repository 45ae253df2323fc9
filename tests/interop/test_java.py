"""grpc-java, as Debian packages it: with a Netty that cannot negotiate HTTP/2 over TLS, so without TLS."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.workshop import Workshop
from tests.interop.services import PLAIN, Service
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # compiles

JARS = Path("/usr/share/java")
"""Where Debian keeps Java packages."""
CLASS_PATH = f"classes:{JARS}/*"
PLAYER = Path(__file__).with_name("java") / "Player.java"


@pytest.fixture(scope="module")
def compiled(workshop: Workshop) -> Workshop:
    """The folder with the classes of the program."""
    need(
        "javac", "/usr/bin/protoc", "grpc_java_plugin", JARS / "grpc-netty.jar",
        packages="a JDK, grpc-java and its generator from Debian",
    )  # fmt: skip
    workshop.put("Player.java", PLAYER.read_text(encoding="utf-8"))
    workshop.run(
        "mkdir gen classes\n"
        "/usr/bin/protoc -I protos --java_out=gen --grpc-java_out=gen"
        ' --plugin=protoc-gen-grpc-java="$(command -v grpc_java_plugin)" $(find protos/skerry -name "*.proto")\n'
        "javac -nowarn -proc:none -J-XX:TieredStopAtLevel=1 -d classes"  # as little as takes half the time
        f" -cp '{CLASS_PATH}' Player.java $(find gen -name '*.java')"
    )
    return workshop


@pytest.mark.parametrize("service", PLAIN, indirect=True)
def test_a_client_plays_and_observes_each_game(compiled: Workshop, service: Service) -> None:
    printed = compiled.run(f"java -cp '{CLASS_PATH}' Player {service.address} {service.games_argument}")
    service.expect_games(printed)
