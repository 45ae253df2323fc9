"""Adds editions to the games of this process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import msgpack

from skerry_games.api import AnyGame, BadOptions
from skerry_games.catalogue import add_game, added_editions, all_games, find_edition, package_name
from skerry_games.component_data import ComponentsError, LocatedProblem, components_text
from skerry_games.editions.package_copies import copy_with
from skerry_games.sentences import phrase

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,23}")


class EditionExists(ValueError):
    """The game has another edition of that name."""


def add_edition(game: str, text: str, file: str = "the edition") -> AnyGame:
    """Add an edition to the games of this process, and return the game with its components.

    ``text`` has the format of the game's ``house.json``; its field ``edition`` is the name. ``file`` names it in
    errors. Adding the same edition again changes nothing. Raises KeyError for an unknown game, ComponentsError with
    every problem, and EditionExists if the name belongs to the house or to other components.
    """
    newest = all_games()[game]
    try:
        edition, content = _named(text)
        ruleset = f"{newest.ruleset}+{edition}-{content}"
        known = find_edition(game, edition)
        if known is not None:
            if known.ruleset == ruleset:
                return known
            raise EditionExists(f"{file}: {game} has another edition {edition!r}. Choose another name.")
        added = copy_with(newest, ruleset, text)
    except ComponentsError as error:
        raise ComponentsError(error.problems, file) from None
    add_game(added)
    return added


def edition_names(game: AnyGame) -> tuple[str, ...]:
    """Return the names of the editions of a game, the default first."""
    return (*game.editions, *(name for one in added_editions(game.id) for name in one.editions))


def edition_of(game: AnyGame, edition: str) -> AnyGame:
    """Return a game with the components of an edition; an empty name means the game's own. Raises BadOptions."""
    if not edition or edition in game.editions:
        return game
    found = find_edition(game.id, edition)
    if found is None:
        names = ", ".join(edition_names(all_games()[game.id]))
        raise BadOptions("edition", phrase("common-unknown-edition", edition=repr(edition[:40]), editions=names))
    return found


def with_options(game: AnyGame, fields: Mapping[str, Any]) -> AnyGame:
    """Return a game with the components of the edition that fields of its options name. Raises BadOptions."""
    return edition_of(game, str(fields.get("edition", "")))


def edition_text(game: AnyGame) -> str | None:
    """Return the file of an added edition of a game; ``None`` for a game with the components of the house."""
    if game.ruleset not in [one.ruleset for one in added_editions(game.id)]:
        return None
    return components_text(package_name(f"skerry_games.{game.id}", game.ruleset))


def packed_editions() -> bytes:
    """Return the added editions, for another process. Their files may have changed since."""
    return msgpack.encode([(game.id, edition_text(game)) for game in added_editions()])


def load_packed_editions(packed: bytes) -> None:
    """Add the editions of another process to the games of this one."""
    for game, text in msgpack.decode(packed, type=list[tuple[str, str]]):
        add_edition(game, text)


def _named(text: str) -> tuple[str, str]:
    """Return the name of an edition and a hash of its content, without white space. Raises ComponentsError."""
    with suppress(msgspec.DecodeError, RecursionError):
        raw = msgspec.json.decode(text)
        edition = raw.get("edition") if isinstance(raw, dict) else None
        if isinstance(edition, str) and _NAME.fullmatch(edition):
            return edition, sha256(msgspec.json.encode(raw)).hexdigest()[:12]
        at = next((line for line, words in enumerate(text.splitlines(), 1) if '"edition"' in words), 1)
        sentence = "the name of the edition has 1 to 24 small letters, digits, - and _, and begins with a letter"
        raise ComponentsError([LocatedProblem(at, "$.edition", sentence)], "the edition")
    return "malformed", ""
