"""Visitors of the page. Each has a separate browser context, whose errors are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

PATIENCE_MS = 20_000
"""The timeout of all waits. Far more than they take: it only ends a test that hangs."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
_STILL: dict[str, Any] = {"reduced_motion": "reduce", "service_workers": "block"}
"""No animations, and no service worker, whose requests tests cannot answer."""
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}


class Visits:
    """The visitors of a server."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self.pages: list[Page] = []
        self.faults: list[str] = []
        """Console errors, failed scripts, and requests to other hosts."""
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def come(
        self,
        path: str = "/",
        *,
        phone: bool = False,
        theme: Literal["dark", "light"] = "light",
        scripts: Sequence[str] = (),
        expect_failures: bool = False,
        **settings: Any,
    ) -> Page:
        """Open the page as a new visitor.

        ``scripts`` run before the scripts of the page. ``expect_failures`` allows console errors about failed calls.
        """
        context = self._browser.new_context(
            **{**_STILL, "color_scheme": theme, **(PHONE if phone else DESK), **settings}
        )
        context.set_default_timeout(PATIENCE_MS)
        for script in scripts:
            context.add_init_script(script=script)
        self._contexts.append(context)
        return self.open(context, path, expect_failures=expect_failures)

    def open(self, context: BrowserContext, path: str = "/", *, expect_failures: bool = False) -> Page:
        """Open another page in a visitor's browser."""
        page = context.new_page()
        self.pages.append(page)
        page.on("console", lambda message: self._hear(message, expect_failures))
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", self._check)
        page.goto(self.url + path)
        return page

    def close(self) -> None:
        """Close all browsers."""
        for context in self._contexts:
            context.close()

    def _hear(self, message: ConsoleMessage, expect_failures: bool) -> None:
        if message.type == "error" and not (expect_failures and message.text.startswith("Failed to load")):
            self.faults.append(f"console: {message.text}")

    def _check(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("blob", "data") and f"{address.scheme}://{address.netloc}" != self.url:
            self.faults.append(f"request: {request.url}")
