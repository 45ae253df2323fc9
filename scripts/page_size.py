"""Prints the size of the page's scripts and texts, gzipped, and fails if a part is larger than its bound.

python scripts/page_size.py
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "service/skerry_service/edge/rest/web_page"
MAX_KB = {"table": 60, "ladders": 8, "tournaments": 8}
"""The bound of each part, with the texts of one language, the largest. The table's part is all that the lobby and a
table load. The others load in addition."""
PARTS = {
    "LadderPages": ["ladders"],
    "ladders": ["ladders"],
    "TournamentPages": ["tournaments"],
    "tournaments": ["tournaments"],
    "rankings": ["ladders", "tournaments"],
}
"""The parts to which a script belongs, by the beginning of its name, or by its file of texts. The others belong to the
table's part."""
TEXTS = re.compile(r"texts-(?P<language>[a-z]+)-(?P<file>[a-z]+)-")


def main() -> int:
    """Print the size of each script, and of each part. Return 1 if a part is larger than its bound."""
    scripts = dict.fromkeys(MAX_KB, 0.0)
    texts: dict[str, dict[str, float]] = {part: {} for part in MAX_KB}
    for script in sorted((FOLDER / "assets").glob("*.js")):
        size = len(gzip.compress(script.read_bytes(), 9, mtime=0)) / 1000
        text = TEXTS.match(script.name)
        for part in PARTS.get(text["file"] if text else script.name.partition("-")[0], ["table"]):
            if text:
                texts[part][text["language"]] = texts[part].get(text["language"], 0) + size
            else:
                scripts[part] += size
        print(f"{script.name:40} {size:6.1f} kB of script, gzipped")
    totals = {part: scripts[part] + max(texts[part].values()) for part in MAX_KB}
    for part, total in totals.items():
        print(f"{part:40} {total:6.1f} kB of script, gzipped (at most {MAX_KB[part]})")
    return int(any(total > MAX_KB[part] for part, total in totals.items()))


if __name__ == "__main__":
    sys.exit(main())
