"""Viewers receive over Connect and gRPC-Web only what the rules show them: the checks of ``tests/api``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.test_secrecy import check_table
from tests.api.wire import Transport, served
from tests.connect.http_channel import HttpChannel
from tests.games.variants import Variant, all_variants
from tests.store.servers import running_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

SMALLEST = list({variant.game.id: variant for variant in reversed(list(all_variants()))}.values())
"""One variant of each game."""
TRANSPORTS = ("connect", "connect-json", "grpc-web")
TABLES = [
    pytest.param(name, variant, id=f"{name}-{variant.game.id}", marks=[] if number == 0 else pytest.mark.deep)
    for number, (name, variant) in enumerate(product(TRANSPORTS, SMALLEST))
]


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest.mark.parametrize(("name", "variant"), TABLES)
async def test_each_viewer_receives_exactly_what_the_rules_show(
    valkey: EmbeddedServer, name: str, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Transport, "over_http", partial(HttpChannel, name))
    async with served(valkey) as api:
        await check_table(api, valkey, variant, variant.game.seats[0])
