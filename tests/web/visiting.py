"""People at their browsers: each has a browser context of its own, which is watched for whatever must not happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

PATIENCE_MS = 20_000
"""After which a test stops waiting for what has to come. Far more than it takes: it only bounds a hang."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}


class Visits:
    """Lets people visit a server with their browsers."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self.pages: list[Page] = []
        self.faults: list[str] = []
        """Errors in consoles, scripts that failed, requests to other hosts."""
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def come(
        self,
        path: str = "/",
        *,
        phone: bool = False,
        theme: Literal["dark", "light"] = "light",
        scripts: Sequence[str] = (),
        bad_line: bool = False,
        **settings: Any,
    ) -> Page:
        """Return the page of somebody who has just come.

        ``scripts``: run in the page before its own. ``bad_line``: the browser may complain of calls that failed or were
        refused.
        """
        context = self._browser.new_context(
            **{"reduced_motion": "reduce", "color_scheme": theme, **(PHONE if phone else DESK), **settings}
        )
        context.set_default_timeout(PATIENCE_MS)
        for script in scripts:
            context.add_init_script(script=script)
        self._contexts.append(context)
        return self.open(context, path, bad_line=bad_line)

    def open(self, context: BrowserContext, path: str = "/", *, bad_line: bool = False) -> Page:
        """Return one more page in somebody's browser."""
        page = context.new_page()
        self.pages.append(page)
        page.on("console", lambda message: self._hear(message, bad_line))
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", self._check)
        page.goto(self.url + path)
        return page

    def close(self) -> None:
        """Let everybody leave."""
        for context in self._contexts:
            context.close()

    def _hear(self, message: ConsoleMessage, bad_line: bool) -> None:
        if message.type == "error" and not (bad_line and message.text.startswith("Failed to load")):
            self.faults.append(f"console: {message.text}")

    def _check(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("blob", "data") and f"{address.scheme}://{address.netloc}" != self.url:
            self.faults.append(f"request: {request.url}")
