"""Draws SVG as PNG in a thread. The rasterizer is an optional package, which releases Python's lock while it draws."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from skerry_service.api.pictures.apng import Image
from skerry_service.domain.errors import FormatUnsupported
from skerry_service.wire.bounded_cache import RecentFiles

_FONTS = Path(__file__).with_name("fonts")
"""Source Sans 3 (Latin, Greek, Cyrillic) and Alegreya (Latin). Other characters come from the fonts of the system."""
_PNG = RecentFiles("pictures_png", 32 << 20)
"""PNG files by the digest of their SVG."""
T = TypeVar("T")
Draw = Callable[[str], bytes]
"""Returns the PNG of an SVG."""


class _Drawing(Struct, eq=False):
    """A picture that is being drawn, and the number of calls that wait for it."""

    done: asyncio.Future[bytes]
    waiting: int = 0


class Rasterizer:
    """Draws one picture at a time, in the order of the calls. Calls for equal pictures share one drawing."""

    def __init__(self, draw: Draw | None = None) -> None:
        """``draw``: by default, that of the optional package."""
        self._draw = draw or draw_png
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._drawings: dict[bytes, _Drawing] = {}

    async def png(self, svg: str) -> bytes:
        """Return the PNG of an SVG, of the size that the SVG states. Raises FormatUnsupported."""
        digest = blake2b(svg.encode(), digest_size=16).digest()
        known = _PNG.get(digest)
        if known is not None:
            return known
        loop = _running_loop()
        if loop is None:
            _PNG.keep(digest, drawn := self._draw(svg))
            return drawn
        drawing = self._drawings.get(digest) or self._begin(loop, digest, svg)
        drawing.waiting += 1
        try:
            return await asyncio.shield(drawing.done)
        finally:
            drawing.waiting -= 1
            if not drawing.waiting:  # all callers have gone: leave the queue
                self._forget(digest, drawing)
                drawing.done.cancel()

    async def run(self, work: Callable[[], T]) -> T:
        """Run work in the thread of the rasterizer, when it is its turn. Without an event loop, run it at once."""
        loop = _running_loop()
        return work() if loop is None else await loop.run_in_executor(self._thread, work)

    def _begin(self, loop: asyncio.AbstractEventLoop, digest: bytes, svg: str) -> _Drawing:
        done = loop.run_in_executor(self._thread, self._draw, svg)
        drawing = self._drawings[digest] = _Drawing(done)

        def end(done: asyncio.Future[bytes]) -> None:
            self._forget(digest, drawing)
            if not done.cancelled() and done.exception() is None:
                _PNG.keep(digest, done.result())

        done.add_done_callback(end)
        return drawing

    def _forget(self, digest: bytes, drawing: _Drawing) -> None:
        if self._drawings.get(digest) is drawing:
            del self._drawings[digest]


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop; ``None`` in ``skerry_service.local``, where calls run without one."""
    with suppress(RuntimeError):
        return asyncio.get_running_loop()
    return None


def require_rasterizer() -> None:
    """Raise FormatUnsupported unless the optional package is installed."""
    if not has_rasterizer():
        raise FormatUnsupported("png", "The operator can install skerry-service[png]. SVG needs no package.")


def draw_png(svg: str) -> bytes:
    """Return the PNG of an SVG."""
    import svg2png_py  # noqa: PLC0415  # an optional package

    return bytes(svg2png_py.svg_to_png(svg, _fonts()))


def image_of(svg: str) -> Image:
    """Return the pixels of an SVG."""
    import svg2png_py  # noqa: PLC0415

    return Image(*svg2png_py.svg_to_rgba(svg, _fonts()))


@cache
def has_rasterizer() -> bool:
    """Return whether the optional package is installed."""
    return find_spec("svg2png_py") is not None


@cache
def _fonts() -> Any:
    import svg2png_py  # noqa: PLC0415

    fonts = svg2png_py.FontDatabase()
    fonts.load_fonts_dir(str(_FONTS))
    fonts.load_system_fonts()
    return fonts
