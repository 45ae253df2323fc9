"""Prints what a browser loads for the table, gzipped, and fails where it is more than was promised.

python scripts/page_size.py
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "service/skerry_service/edge/rest/web_page"
MAX_KB = 60


def main() -> int:
    """Print the size of each script, and of all. Returns 1 if they are larger than the bound."""
    scripts = sorted((FOLDER / "assets").glob("*.js"))
    sizes = {script.name: len(gzip.compress(script.read_bytes(), 9, mtime=0)) / 1000 for script in scripts}
    total = sum(sizes.values())
    for name, size in sizes.items():
        print(f"{name:40} {size:6.1f} kB of script, gzipped")
    print(f"{'total':40} {total:6.1f} kB of script, gzipped (at most {MAX_KB})")
    return int(total > MAX_KB)


if __name__ == "__main__":
    sys.exit(main())
