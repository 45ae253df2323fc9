"""Animated PNG: a reader of its own puts the frames together again."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator

import pytest

from skerry_service.api.pictures.apng import PIXEL, Animation, Image, Rectangle, changed_part

WIDTH, HEIGHT = 9, 7
TIMES = (700, 700, 5_000)


def image(*changed: tuple[int, int], colour: bytes = b"\x01\x02\x03\xff") -> Image:
    """Return an opaque image. ``changed``: columns and rows of pixels of another colour."""
    pixels = bytearray(b"\xf6\xf3\xec\xff" * (WIDTH * HEIGHT))
    for x, y in changed:
        at = (y * WIDTH + x) * PIXEL
        pixels[at : at + PIXEL] = colour
    return Image(bytes(pixels), WIDTH, HEIGHT)


def chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    at = 8
    while at < len(file):
        (size,) = struct.unpack_from(">I", file, at)
        kind, content = file[at + 4 : at + 8], file[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", file, at + 8 + size)[0] == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + size


def frames(file: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the pixels that a viewer shows, and for how many milliseconds."""
    shown, numbers, control, width = bytearray(), [], b"", 0
    for kind, content in chunks(file):
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", content)
            shown = bytearray(width * height * PIXEL)
        elif kind == b"fcTL":
            control = content
            numbers.append(struct.unpack_from(">I", content)[0])
        elif kind in (b"IDAT", b"fdAT"):
            if kind == b"fdAT":
                numbers.append(struct.unpack_from(">I", content)[0])
            rows = zlib.decompress(content if kind == b"IDAT" else content[4:])
            _, across, down, left, top, numerator, denominator, dispose, blend = struct.unpack(">IIIIIHHBB", control)
            assert (dispose, blend) == (0, kind == b"fdAT")
            assert len(rows) == down * (1 + across * PIXEL)
            for y in range(down):
                row = rows[y * (1 + across * PIXEL) :][: 1 + across * PIXEL]
                assert row[0] == 0
                for x in range(across):
                    pixel = row[1 + x * PIXEL : 1 + (x + 1) * PIXEL]
                    at = ((top + y) * width + left + x) * PIXEL
                    if pixel[3]:
                        shown[at : at + PIXEL] = pixel
            yield bytes(shown), numerator * 1000 // denominator
    assert numbers == list(range(len(numbers)))


def file_of(images: list[Image]) -> bytes:
    animation = Animation()
    for number, one in enumerate(images):
        animation.add(one, TIMES[min(number, 2)])
    return animation.file()


@pytest.mark.parametrize("seed", range(5))
def test_a_viewer_shows_every_frame_as_it_was(seed: int) -> None:
    chosen = random.Random(seed)
    images = [image()]
    for _ in range(6):
        points = [(chosen.randrange(WIDTH), chosen.randrange(HEIGHT)) for _ in range(chosen.randrange(5))]
        images.append(image(*points, colour=bytes((chosen.randrange(3), 0, chosen.randrange(256), 255))))
    shown = list(frames(file_of(images)))
    assert [pixels for pixels, _ in shown] == [one.pixels for one in images]
    assert [time for _, time in shown[:3]] == list(TIMES)
    assert dict(chunks(file_of(images)))[b"acTL"] == struct.pack(">II", len(images), 0)


def test_a_frame_covers_what_has_changed() -> None:
    assert changed_part(image(), image((2, 1), (5, 4))) == Rectangle(2, 1, 6, 5)
    assert changed_part(image((0, 0)), image((8, 6))) == Rectangle(0, 0, WIDTH, HEIGHT)
    assert changed_part(image((3, 3)), image((3, 3))) is None
    for colour in (b"\xf7\xf3\xec\xff", b"\xf6\xf3\xed\xff"):  # the first and the last byte of a colour
        assert changed_part(image(), image((4, 2), colour=colour)) == Rectangle(4, 2, 5, 3)
