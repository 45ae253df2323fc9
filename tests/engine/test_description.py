"""The engine in the API's description."""

from __future__ import annotations

from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.processes.engine_methods import ENGINE
from tests.api.wire import SERVICE


def test_the_description_of_the_api_tells_of_it_where_it_is_offered() -> None:
    described = describe_services(SERVICE, ENGINE)
    paths = {path for path in described["paths"] if "/engine/" in path}
    assert paths == {
        f"/v1/engine/games/{{game}}:{verb}" for verb in ("newState", "applyMoves", "readStates", "playOut")
    }
    for path in paths:
        operation = described["paths"][path]["post"]
        assert (operation["tags"], operation["security"]) == (["engine"], [])
        assert {"200", "400", "404", "429"} <= operation["responses"].keys()
    assert describe_services(SERVICE)["paths"].items() <= described["paths"].items()
