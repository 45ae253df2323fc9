"""Each package, installed by its name into an empty environment, plays a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from urllib.request import urlopen

import pytest

from tests.architecture.wheels import FOLDERS
from tests.packages.conftest import Installed
from tests.packages.empty_environments import ROOT, install, run

pytestmark = [pytest.mark.packages, pytest.mark.timeout(600)]


def programs(readme: str, language: str) -> list[str]:
    """Return the programs of a README."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.fixture(scope="module")
def served(installed: Installed) -> Iterator[tuple[str, str]]:
    """The address of gRPC and the URL of HTTP of the installed service."""
    with installed("skerry-service").serving() as addresses:
        yield addresses


def test_the_rules_play_with_one_dependency(installed: Installed) -> None:
    games = installed("skerry-games")
    whole = [one for one in programs("service/skerry_games/README.md", "python") if "print(position.outcome)" in one]
    assert ["greedy" in one for one in whole] == [False, True]
    for one in whole:
        assert "Outcome" in games.run("python", "-I", "-c", one)
    assert games.packages() == {"msgspec", "skerry-games"}


def test_the_client_plays_on_the_installed_service(installed: Installed, served: tuple[str, str]) -> None:
    client = installed("skerry-client")
    copy(ROOT / "examples" / "kreta_against_oneself.py", client.work)
    *moves, outcome = client.run("python", "kreta_against_oneself.py", SKERRY_SERVER=served[0]).splitlines()
    assert len(moves) > 20
    assert re.search(r" \d+ \d+$", outcome)
    assert "skerry-games" not in client.packages()


def test_the_messages_of_the_api_suffice_for_a_call(installed: Installed, served: tuple[str, str]) -> None:
    call = """if True:
        import sys, grpc
        from skerry.v1.service_pb2 import ListGamesRequest
        from skerry.v1.service_pb2_grpc import SkerryServiceStub
        with grpc.insecure_channel(sys.argv[1]) as channel:
            print(*sorted(game.id for game in SkerryServiceStub(channel).ListGames(ListGamesRequest()).games))
    """
    printed = installed("skerry-api").run("python", "-I", "-c", call, served[0])
    assert printed.split() == ["canarias", "kreta", "small_islands", "tenerife"]


def test_the_service_shows_its_page_and_the_description_of_its_api(served: tuple[str, str]) -> None:
    for path, words in {"/": '<script type="module"', "/docs": "swagger-ui", "/openapi.json": "/v1/sessions"}.items():
        with urlopen(served[1] + path) as response:
            assert words in response.read().decode()


def test_the_source_distributions_install_and_play(wheelhouse: Path, tmp_path: Path) -> None:
    built = install(tmp_path, wheelhouse, f"--no-binary={','.join(FOLDERS)}", "skerry-service", "skerry-arena")
    assert built.packages() >= FOLDERS.keys()
    copy(ROOT / "examples" / "kreta_against_oneself.py", built.work)
    with built.serving() as (address, url):
        assert "KRETA-END-1" in built.run("python", "kreta_against_oneself.py", SKERRY_SERVER=address)
        with urlopen(url) as response:
            assert '<script type="module"' in response.read().decode()
    players = ["--player", "random", "--player", "greedy"]
    assert "greedy" in built.run(
        "skerry-arena", "tournament", "run", "--game", "kreta", "--games", "2", *players, "--out", "cup"
    )


def test_the_arena_plays_the_tournament_of_its_readme(installed: Installed) -> None:
    arena = installed("skerry-arena")
    ((*_, command),) = [block.splitlines() for block in programs("clients/arena/README.md", "sh")]
    program, *arguments = command.split()
    assert "greedy" in arena.run(program, *arguments)
    assert (arena.work / "cup").is_dir()
    assert "skerry-service" not in arena.packages()


def test_the_package_for_node_plays_on_the_installed_service(
    dist: Path, served: tuple[str, str], tmp_path: Path
) -> None:
    (package,) = dist.glob("npm/skerry-client-*.tgz")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", package], tmp_path)
    play = programs("clients/typescript/README.md", "ts")[0]
    assert "http://127.0.0.1:8080" in play
    play = play.replace("http://127.0.0.1:8080", served[1]).replace("legalMoves[0]!", "legalMoves[0]")
    (tmp_path / "play.js").write_text(play, encoding="utf-8")
    assert "scores" in run(["node", "play.js"], tmp_path)


def test_the_example_in_react_builds_outside_the_repository(dist: Path, tmp_path: Path) -> None:
    (package,) = dist.glob("npm/skerry-client-*.tgz")
    copied = tmp_path / "copied"
    copytree(ROOT / "examples" / "react", copied, ignore=ignore_patterns("node_modules"))
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", package], copied)
    assert not (copied / "node_modules" / "skerry-client").is_symlink()
    run(["npm", "run", "build"], copied)
    assert (copied / "dist" / "index.html").is_file()
