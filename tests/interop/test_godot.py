"""Godot, as Debian packages it, without a window: a game in GDScript over REST."""

from __future__ import annotations

import pytest

from tests.interop.examples import Example, build_example
from tests.interop.services import Service, serving
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # starts a service on a busy machine


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    need("godot3-server", packages="Godot from Debian")
    return build_example("godot", tmp_path_factory.mktemp("godot"))


def test_the_example_plays_a_game(example: Example) -> None:
    with serving() as service:
        example.workshop.url = service.url
        *moves, end = example.play(service)
    assert len(moves) > 10
    assert end.startswith("KRETA-END-1: ")


def test_the_example_fails_with_a_sentence_without_a_server(example: Example) -> None:
    example.workshop.url = "http://127.0.0.1:1"
    with pytest.raises(AssertionError, match=r"No response of Skerry at http://127\.0\.0\.1:1"):
        example.play(Service("", ""))
