"""Pictures of positions as their viewers may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from functools import partial

from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry_games.api import Viewer
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.looks.picture import SeatHeading, picture_of, resized, size_of
from skerry_games.looks.themes import THEMES
from skerry_service.api.pictures.apng import Animation
from skerry_service.api.pictures.rasterizer import Rasterizer, image_of, require_rasterizer
from skerry_service.api.requests.field_rules import whole
from skerry_service.domain.errors import InvalidField, NotStarted
from skerry_service.domain.languages.phrases import either, grouped, phrase
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Table
from skerry_service.watching.turns import Turn
from skerry_service.wire.bounded_cache import RecentFiles
from skerry_service.wire.caller_language import caller_language

PNG = "png"
MEDIA_TYPES = {"svg": "image/svg+xml", PNG: "image/png"}
"""By format. The first is the default."""
ANIMATION_WIDTH = 480
"""The default width of animated pictures, in pixels."""
FRAME_MS, LAST_FRAME_MS = 700, 5_000
MOST_PIXELS = 8_000_000
"""The most pixels of a PNG. The rasterizer takes 4 bytes for each."""
_SVG = RecentFiles("pictures_svg", 16 << 20)
"""SVG files in their own size, by everything that they depend on."""
_ANIMATIONS = RecentFiles("pictures_animated", 32 << 20)


class PictureStyle(Struct, frozen=True):
    """How a caller wants a picture."""

    format: str
    theme: str
    width: int | None
    """In pixels; ``None``: that of the drawing."""
    annotated: bool = False
    language: str = ENGLISH


def picture_style_of(request: pb.GetPictureRequest) -> PictureStyle:
    """Return how the caller wants the picture. Raises InvalidField; FormatUnsupported if this server cannot draw it."""
    wanted = _one_of("format", request.format, tuple(MEDIA_TYPES))
    if wanted == PNG:
        require_rasterizer()
    return PictureStyle(wanted, _theme_of(request), _width_of(request) or None, request.annotated, caller_language())


def replay_style_of(request: pb.GetReplayPictureRequest) -> PictureStyle:
    """Return how the caller wants an animated picture. Raises as ``picture_style_of``."""
    require_rasterizer()
    return PictureStyle(PNG, _theme_of(request), _width_of(request) or ANIMATION_WIDTH, language=caller_language())


def _theme_of(request: pb.GetPictureRequest | pb.GetReplayPictureRequest) -> str:
    return _one_of("theme", request.theme, tuple(THEMES))


def _width_of(request: pb.GetPictureRequest | pb.GetReplayPictureRequest) -> int:
    rule = whole(f"{request.DESCRIPTOR.name}.width")
    if not rule.allows(request.width):
        raise InvalidField("width", phrase("field-width", least=rule.least, most=grouped(rule.most or 0)))
    return request.width


def _one_of(field: str, text: str, known: tuple[str, ...]) -> str:
    if text and text not in known:
        raise InvalidField(field, phrase("field-use", allowed=either(known)))
    return text or known[0]


class Pictures:
    """Draws and caches the pictures of one server."""

    def __init__(self, rasterizer: Rasterizer | None = None) -> None:
        self._rasterizer = rasterizer or Rasterizer()
        self._animations = asyncio.Semaphore(1)
        """One at a time: its frames and other pictures take turns in the rasterizer."""

    def known(self, table: Table, viewer: Viewer, epoch: str, style: PictureStyle) -> str | None:
        """Return the picture of a table as SVG in its own size, if it is cached. Raises NotStarted."""
        if table.record.phase is Phase.LOBBY or table.state is None:
            raise NotStarted
        found = _SVG.get(_key(table, viewer, epoch, style))
        return None if found is None else found.decode()

    def svg(self, turn: Turn, viewer: Viewer, epoch: str, style: PictureStyle) -> str:
        """Return the picture of the end of a turn as SVG, in its own size. Raises NotStarted."""
        svg = self.known(turn.table, viewer, epoch, style)
        if svg is None:
            svg = _drawn(turn, viewer, style)
            _SVG.keep(_key(turn.table, viewer, epoch, style), svg.encode())
        return svg

    async def file(self, svg: str, style: PictureStyle) -> bytes:
        """Return a picture in the wanted format and width. Raises InvalidField if it has too many pixels."""
        svg = svg if style.width is None else resized(svg, style.width)
        if style.format != PNG:
            return svg.encode()
        width, height = size_of(svg)
        if width * height > MOST_PIXELS:
            raise InvalidField("width", phrase("field-pixels", most=grouped(MOST_PIXELS), width=width, height=height))
        return await self._rasterizer.png(svg)

    async def animation(self, turns: Sequence[Turn], viewer: Viewer, epoch: str, style: PictureStyle) -> bytes:
        """Return an animated picture of turns, with a frame for each."""
        key = _key(turns[-1].table, viewer, epoch, style), style.width
        known = _ANIMATIONS.get(key)
        if known is None:
            async with self._animations:
                known = _ANIMATIONS.get(key)  # another call may have drawn it
                if known is None:
                    known = await self._animated(turns, viewer, style)
                    _ANIMATIONS.keep(key, known)
        return known

    async def _animated(self, turns: Sequence[Turn], viewer: Viewer, style: PictureStyle) -> bytes:
        animation = Animation()
        for turn in turns:
            svg = resized(_drawn(turn, viewer, style), style.width or ANIMATION_WIDTH)
            await self._rasterizer.run(partial(_add, animation, svg, LAST_FRAME_MS if turn is turns[-1] else FRAME_MS))
        return await self._rasterizer.run(animation.file)


def _add(animation: Animation, svg: str, time_ms: int) -> None:
    animation.add(image_of(svg), time_ms)


def _key(table: Table, viewer: Viewer, epoch: str, style: PictureStyle) -> Hashable:
    """Return everything that a picture in its own size depends on."""
    record = table.record
    where = record.id, epoch, table.chained_hash, table.sequence
    return *where, viewer, style.theme, style.annotated, style.language, record.names


def _drawn(turn: Turn, viewer: Viewer, style: PictureStyle) -> str:
    table = turn.table
    game, names = table.game, table.record.names
    seats = zip(names, game.scores(table.state), strict=True)
    headings = [SeatHeading(name, score, seat in table.to_act) for seat, (name, score) in enumerate(seats)]
    return picture_of(
        game,
        game.view(table.state, viewer),
        viewer,
        headings,
        theme=style.theme,
        touched=_touched(turn, viewer),
        annotated=style.annotated,
        language=style.language,
    )


def _touched(turn: Turn, viewer: Viewer) -> frozenset[str]:
    """Return the ids of the places and pieces that a turn is about, as the viewer may see it."""
    game = turn.table.game
    if game.guide is None:
        return frozenset()
    shown = [one for event in turn.events if (one := game.show(event, viewer)) is not None]
    return frozenset(touched for event in shown for touched in game.guide.touched(event))
