"""The transcript in the documents is what the tools answer today."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_transcript_of_this_build() -> None:
    page = (ROOT / "docs" / "how-to" / "agents.md").read_text(encoding="utf-8")
    written = runpy.run_path(str(ROOT / "scripts" / "write_agent_transcript.py"))["written"]
    assert written(page) == page, "run scripts/write_agent_transcript.py"
