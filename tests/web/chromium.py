"""Find the installed Chromium that the tests drive. Playwright's own download is not needed.

python -m tests.web.chromium    prints its path, or what is missing
"""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The tests of the page need Chromium, and the PATH has none. On Debian and Ubuntu, install it with:"
    " apt-get install chromium"
)


def find() -> str | None:
    """Return the path of a Chromium, or ``None`` if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


_DISABLED = (
    # Playwright's own, which a second list of features replaces.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    # Processes that Chromium starts for each window and no test uses: a third of the work of a short test.
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)
"""Features of Chromium that the tests switch off."""


def launch(chromium: BrowserType, *arguments: str) -> Browser:
    """Start the installed Chromium with further command-line arguments."""
    path = find()
    assert path, MISSING
    features = f"--disable-features={','.join(_DISABLED)}"
    return chromium.launch(executable_path=path, args=["--no-sandbox", features, *arguments])


if __name__ == "__main__":
    sys.exit(print(find()) if find() else MISSING)
