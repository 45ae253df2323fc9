"""The codecs between the values of a game and its messages. They belong to the service: the extra ``remote``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from skerry_games.api import AnyGame


def codec_of(game: AnyGame) -> Any:
    """Return a game's codec (``skerry_service.wire.payloads.Codec``). Raises ImportError without the service."""
    return require_codecs().codec_of(game.id, game.ruleset)


def require_codecs() -> Any:
    """Return the module of the codecs. Raises ImportError without the service."""
    try:
        return import_module("skerry_service.wire.payloads")
    except ModuleNotFoundError as missing:
        raise ImportError("Play on a service needs its codecs: pip install 'skerry-arena[remote]'.") from missing
