"""Pictures of positions as their viewers may see them."""

from __future__ import annotations

from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry_games.api import Viewer
from skerry_games.looks.picture import SeatHeading, picture_of, resized, size_of
from skerry_games.looks.themes import THEMES
from skerry_games.sentences import listed
from skerry_service.api.pictures.rasterizer import Rasterizer, require_rasterizer
from skerry_service.domain.errors import InvalidField, NotStarted
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Table
from skerry_service.wire.bounded_cache import RecentFiles

PNG = "png"
MEDIA_TYPES = {"svg": "image/svg+xml", PNG: "image/png"}
"""By format. The first is the default."""
NARROWEST, WIDEST = 100, 2_000
"""The widths of pictures, in pixels."""
MOST_PIXELS = 8_000_000
"""The most pixels of a PNG. The rasterizer takes 4 bytes for each."""
_SVG = RecentFiles("pictures_svg", 16 << 20)
"""SVG files in their own size, by everything that they depend on."""


class PictureStyle(Struct, frozen=True):
    """How a caller wants a picture."""

    format: str
    theme: str
    width: int | None
    """In pixels; ``None``: that of the drawing."""


def picture_style_of(request: pb.GetPictureRequest) -> PictureStyle:
    """Return how the caller wants the picture. Raises InvalidField; FormatUnsupported if this server cannot draw it."""
    found = PictureStyle(
        _one_of("format", request.format, tuple(MEDIA_TYPES)),
        _one_of("theme", request.theme, tuple(THEMES)),
        request.width or None,
    )
    if found.width is not None and not NARROWEST <= found.width <= WIDEST:
        raise InvalidField("width", f"The width is {NARROWEST} to {WIDEST} pixels, or 0 for that of the drawing.")
    if found.format == PNG:
        require_rasterizer()
    return found


class Pictures:
    """Draws and caches the pictures of one server."""

    def __init__(self, rasterizer: Rasterizer | None = None) -> None:
        self._rasterizer = rasterizer or Rasterizer()

    async def draw(self, table: Table, viewer: Viewer, epoch: str, style: PictureStyle) -> bytes:
        """Return the picture of a table as a file. Raises NotStarted, InvalidField."""
        svg = position_svg(table, viewer, epoch, style.theme)
        if style.width is not None:
            svg = resized(svg, style.width)
        if style.format != PNG:
            return svg.encode()
        width, height = size_of(svg)
        if width * height > MOST_PIXELS:
            raise InvalidField("width", f"A PNG has at most {MOST_PIXELS:,} pixels, not {width} × {height}.")
        return await self._rasterizer.png(svg)


def position_svg(table: Table, viewer: Viewer, epoch: str, theme: str) -> str:
    """Return the picture of a table as SVG, in its own size. Raises NotStarted."""
    record, game = table.record, table.game
    if record.phase is Phase.LOBBY or table.state is None:
        raise NotStarted
    key = record.id, epoch, table.chained_hash, table.sequence, viewer, theme, record.names
    known = _SVG.get(key)
    if known is None:
        seats = zip(record.names, game.scores(table.state), strict=True)
        headings = [SeatHeading(name, score, seat in table.to_act) for seat, (name, score) in enumerate(seats)]
        known = picture_of(game, game.view(table.state, viewer), viewer, headings, theme=theme).encode()
        _SVG.keep(key, known)
    return known.decode()


def _one_of(field: str, text: str, known: tuple[str, ...]) -> str:
    if text and text not in known:
        raise InvalidField(field, f"Use {listed(known, 'or')}.")
    return text or known[0]
