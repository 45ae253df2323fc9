"""Prints the size of the page's scripts, gzipped, and fails if a part is larger than its bound.

python scripts/page_size.py
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "service/skerry_service/edge/rest/web_page"
MAX_KB = {"table": 60, "ladders": 8, "tournaments": 8}
"""The bound of each part. The table's part is all that the lobby and a table load. The others load in addition."""
PARTS = {"LadderPages": ["ladders"], "TournamentPages": ["tournaments"], "rankings": ["ladders", "tournaments"]}
"""The parts to which a script belongs, by the beginning of its name. The others belong to the table's part."""


def main() -> int:
    """Print the size of each script, and of each part. Return 1 if a part is larger than its bound."""
    totals = dict.fromkeys(MAX_KB, 0.0)
    for script in sorted((FOLDER / "assets").glob("*.js")):
        size = len(gzip.compress(script.read_bytes(), 9, mtime=0)) / 1000
        for part in PARTS.get(script.name.partition("-")[0], ["table"]):
            totals[part] += size
        print(f"{script.name:40} {size:6.1f} kB of script, gzipped")
    for part, total in totals.items():
        print(f"{part:40} {total:6.1f} kB of script, gzipped (at most {MAX_KB[part]})")
    return int(any(total > MAX_KB[part] for part, total in totals.items()))


if __name__ == "__main__":
    sys.exit(main())
