"""What the page on the engine tells happens: its commands are run."""

from __future__ import annotations

import json

from tests.rest.processes import running
from tests.rest.test_documents import blocks, run, with_curl


@with_curl
def test_the_search_of_the_page_counts_wins() -> None:
    with running("--engine", "1") as (url, _):
        *_, last = run("\n".join(blocks("docs/reference/engine.md")), url)
    wins = json.loads(last)
    assert len(wins) > 1
    assert 0 < sum(wins) < 20 * len(wins)
