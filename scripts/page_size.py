"""Prints what a browser loads for the table, gzipped, and fails where it is more than was promised.

python scripts/page_size.py
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "service/skerry_service/edge/rest/web_page"
FIRST_KB, BOARD_KB = 60, 20


def main() -> int:
    """Print each script's size. Returns 1 if one is larger than its bound."""
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    first = set(re.findall(r"/assets/([\w.-]+\.js)", page))
    scripts = sorted((FOLDER / "assets").glob("*.js"))
    sizes = {script.name: len(gzip.compress(script.read_bytes(), 9, mtime=0)) / 1000 for script in scripts}
    loads = [("first load", sum(sizes[name] for name in first), FIRST_KB)]
    loads += [(name, size, BOARD_KB) for name, size in sizes.items() if name not in first]
    for name, size, bound in loads:
        print(f"{name:40} {size:6.1f} kB of script, gzipped (at most {bound})")
    return int(any(size > bound for _, size, bound in loads))


if __name__ == "__main__":
    sys.exit(main())
