"""Writes animated PNG (APNG). Each frame after the first contains only the pixels that differ from the one before.

It covers the rectangle around these pixels. Its other pixels are transparent, which takes few bytes. All images are
opaque.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

PIXEL = 4
"""Bytes of a pixel: red, green, blue and opacity."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEEP, _OVER = 0, 1
"""What happens to a frame when its time is over, and how it is combined with the one before."""
_EIGHT_BIT_RGBA = b"\x08\x06\x00\x00\x00"


class Image(NamedTuple):
    """An image in memory."""

    pixels: bytes
    """Rows of pixels, from the top."""
    width: int
    height: int


class Rectangle(NamedTuple):
    """A part of an image, in pixels. Right and bottom are beyond it."""

    left: int
    top: int
    right: int
    bottom: int


class Animation:
    """An animation that grows by frames of one size."""

    def __init__(self) -> None:
        self._size = 0, 0
        self._frames: list[tuple[Rectangle, int, bytes]] = []
        """Each with its place, its time in milliseconds, and its compressed rows."""
        self._last: Image | None = None

    def add(self, image: Image, time_ms: int) -> None:
        """Add a frame."""
        part, drawn = Rectangle(0, 0, image.width, image.height), image
        if self._last is None:
            self._size = image.width, image.height
        else:
            part = changed_part(self._last, image) or Rectangle(0, 0, 1, 1)
            drawn = changed_pixels(self._last, image)
        self._frames.append((part, time_ms, _compressed(drawn, part)))
        self._last = image

    def file(self) -> bytes:
        """Return the animation, which repeats for ever. It has at least one frame."""
        return b"".join([_SIGNATURE, *self._chunks()])

    def _chunks(self) -> Iterator[bytes]:
        yield _chunk(b"IHDR", struct.pack(">II", *self._size) + _EIGHT_BIT_RGBA)
        yield _chunk(b"acTL", struct.pack(">II", len(self._frames), 0))
        number = 0
        for index, (part, time_ms, rows) in enumerate(self._frames):
            yield _chunk(b"fcTL", _frame_control(number, part, time_ms))
            number += 1
            if index == 0:
                yield _chunk(b"IDAT", rows)
            else:
                yield _chunk(b"fdAT", struct.pack(">I", number) + rows)
                number += 1
        yield _chunk(b"IEND", b"")


def changed_part(before: Image, after: Image) -> Rectangle | None:
    """Return the smallest rectangle outside of which two images of one size are equal; ``None`` if they are equal."""
    stride = after.width * PIXEL
    old, new = memoryview(before.pixels), memoryview(after.pixels)
    rows = [at for at in range(0, len(new), stride) if new[at : at + stride] != old[at : at + stride]]
    if not rows:
        return None
    left, right = after.width, 0
    for at in rows:
        differing = int.from_bytes(new[at : at + stride]) ^ int.from_bytes(old[at : at + stride])
        left = min(left, after.width - 1 - (differing.bit_length() - 1) // 8 // PIXEL)
        right = max(right, after.width - ((differing & -differing).bit_length() - 1) // 8 // PIXEL)
    return Rectangle(left, rows[0] // stride, right, rows[-1] // stride + 1)


def changed_pixels(before: Image, after: Image) -> Image:
    """Return the second of two images of one size, with the pixels transparent that are the same in both.

    All pixels are one number, so that each step takes a fraction of a millisecond.
    """
    size = len(after.pixels)
    old, new = int.from_bytes(before.pixels), int.from_bytes(after.pixels)
    low_bits, first_bits = (int.from_bytes(byte * size) for byte in (b"\x7f", b"\x01"))
    differing = old ^ new
    bytes_ = ((((differing & low_bits) + low_bits) | differing) >> 7) & first_bits  # 1 in each byte that differs
    pairs = bytes_ | bytes_ >> 8
    pixels = (pairs | pairs >> 16) & int.from_bytes(b"\x00\x00\x00\x01" * (size // PIXEL))
    return after._replace(pixels=(new & ((pixels << 8 * PIXEL) - pixels)).to_bytes(size))


def _compressed(image: Image, part: Rectangle) -> bytes:
    stride, packer = image.width * PIXEL, zlib.compressobj()
    packed = []
    for row in range(part.top, part.bottom):
        at = row * stride
        pixels = image.pixels[at + part.left * PIXEL : at + part.right * PIXEL]
        packed.append(packer.compress(b"\x00" + pixels))  # 0: no filter
    packed.append(packer.flush())
    return b"".join(packed)


def _frame_control(number: int, part: Rectangle, time_ms: int) -> bytes:
    """Return the content of fcTL. The frame stays when its time is over, and the next one is drawn over it."""
    size = part.right - part.left, part.bottom - part.top
    return struct.pack(">IIIIIHHBB", number, *size, part.left, part.top, time_ms, 1000, _KEEP, _OVER if number else 0)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
