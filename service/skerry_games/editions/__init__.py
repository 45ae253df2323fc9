"""Editions: components of a game that an owner supplies, beside the reconstruction of the house.

An edition plays with a copy of the game's package, because the rules hold components as constants, for speed.
Its ruleset, such as ``kreta-2+mine-1f0c7a52b9e4``, has a hash of the components: a log never replays with others.
"""

from skerry_games.editions.edition_registry import (
    EditionExists,
    add_edition,
    edition_names,
    edition_of,
    edition_text,
    load_packed_editions,
    packed_editions,
    with_options,
)

__all__ = [
    "EditionExists",
    "add_edition",
    "edition_names",
    "edition_of",
    "edition_text",
    "load_packed_editions",
    "packed_editions",
    "with_options",
]
