"""The Chromium that the tests drive. It is one that is installed here: Playwright's own download is not needed.

python -m tests.web.chromium    prints where it is, or what is missing
"""

from __future__ import annotations

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "No Chromium is on the PATH, which the tests of the page drive. Debian and Ubuntu have it as a package:"
    " apt-get install chromium"
)


def find() -> str | None:
    """Return the path of a Chromium, or ``None`` if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


if __name__ == "__main__":
    sys.exit(print(find()) if find() else MISSING)
