"""Find the installed Chromium that the tests drive. Playwright's own download is not needed.

python -m tests.web.chromium    prints its path, or what is missing
"""

from __future__ import annotations

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The tests of the page need Chromium, and the PATH has none. On Debian and Ubuntu, install it with:"
    " apt-get install chromium"
)


def find() -> str | None:
    """Return the path of a Chromium, or ``None`` if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


if __name__ == "__main__":
    sys.exit(print(find()) if find() else MISSING)
