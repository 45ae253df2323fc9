"""The codecs between the values of a game and its messages. They belong to the service: the extra ``remote``."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def codec_of(game: str) -> Any:
    """Return the codec of a game (``skerry_service.wire.payloads.Codec``). Raises ImportError without the service."""
    return require_codecs().codec_of(game)


def require_codecs() -> Any:
    """Return the module of the codecs. Raises ImportError without the service."""
    try:
        return import_module("skerry_service.wire.payloads")
    except ModuleNotFoundError as missing:
        raise ImportError("Play on a service needs its codecs: pip install 'skerry-arena[remote]'.") from missing
