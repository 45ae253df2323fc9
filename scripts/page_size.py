"""Prints the size of the page's scripts and texts, gzipped, and fails if a part is larger than its bound.

python scripts/page_size.py
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

EDGE = Path(__file__).resolve().parent.parent / "service/skerry_service/edge"
FOLDERS = (EDGE / "rest/web_page", EDGE / "admin/admin_page")
MAX_KB = {"table": 60, "ladders": 8, "tournaments": 8, "analysis": 2, "admin": 25}
"""The bound of each part, with the texts of one language, the largest. The table's part is all that the lobby and a
table load. Ladders, tournaments and the analysis of a finished game load in addition, when a visitor opens them. The
operators' page shares no script with the others."""
PARTS = {
    "LadderPages": ["ladders"],
    "ladders": ["ladders"],
    "TournamentPages": ["tournaments"],
    "tournaments": ["tournaments"],
    "GameAnalysis": ["analysis"],
    "analysis": ["analysis"],
    "rankings": ["ladders", "tournaments"],
    "admin": ["admin"],
    "operators": ["admin"],
}
"""The parts to which a script belongs, by the beginning of its name, or by its file of texts. The others belong to the
table's part."""
TEXTS = re.compile(r"texts-(?P<language>[a-z]+)-(?P<file>[a-z]+)-")


def main() -> int:
    """Print the size of each script, and of each part. Return 1 if a part is missing or larger than its bound."""
    scripts = dict.fromkeys(MAX_KB, 0.0)
    texts: dict[str, dict[str, float]] = {part: {} for part in MAX_KB}
    for script in sorted(script for folder in FOLDERS for script in (folder / "assets").glob("*.js")):
        size = len(gzip.compress(script.read_bytes(), 9, mtime=0)) / 1000
        text = TEXTS.match(script.name)
        for part in PARTS.get(text["file"] if text else script.name.partition("-")[0], ["table"]):
            if text:
                texts[part][text["language"]] = texts[part].get(text["language"], 0) + size
            else:
                scripts[part] += size
        print(f"{script.name:40} {size:6.1f} kB of script, gzipped")
    totals = {part: scripts[part] + max(texts[part].values(), default=0.0) for part in MAX_KB}
    for part, total in totals.items():
        print(f"{part:40} {total:6.1f} kB of script, gzipped (at most {MAX_KB[part]})")
    return int(not all(0 < total <= MAX_KB[part] for part, total in totals.items()))


if __name__ == "__main__":
    sys.exit(main())
