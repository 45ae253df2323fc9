"""The catalogues of a language: those of this library, of each game, and of packages that register their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

from skerry_games.languages.fluent import CatalogueError, Message, parse

ENGLISH = "en"
FOLDER = "languages"
_WORDS = re.compile(r"[^\w]+")
_packages = ["skerry_games"]


class Catalogue(Struct, frozen=True):
    """Everything that a language says."""

    messages: Mapping[str, Message]
    """By id."""
    terms: Mapping[str, str]
    """The words of the language, by those of English with hyphens."""


def register(package: str) -> None:
    """Add the catalogues in the folder ``languages`` of a package. Call it before the first sentence."""
    if package not in _packages:
        _packages.append(package)
        for known in (catalogue, static_ids, all_terms):
            known.cache_clear()


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a folder, English first."""
    found = {one.name for one in files("skerry_games").joinpath(FOLDER).iterdir() if _is_language(one)}
    return (ENGLISH, *sorted(found - {ENGLISH}))


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language. Raises CatalogueError if two files have the same message."""
    messages, terms = dict[str, Message](), dict[str, str]()
    for name, text in catalogue_files(language):
        for id_, found in parse(text, name):
            known: Mapping[str, object] = messages if isinstance(found, Message) else terms
            key = id_ if isinstance(found, Message) else id_[1:]
            if key in known and known[key] != found:
                raise CatalogueError(f"{name} has {id_} again.")
            if isinstance(found, Message):
                messages[key] = found
            else:
                terms[key] = found
    return Catalogue(messages, terms)


@cache
def static_ids() -> Mapping[str, str]:
    """Return the ids of the messages without parameters, by their English text."""
    return {text: id_ for id_, message in catalogue(ENGLISH).messages.items() if (text := message.static)}


@cache
def all_terms() -> frozenset[str]:
    """Return the keys of the words that any language has as a term."""
    return frozenset().union(*(catalogue(language).terms for language in languages()))


def catalogue_files(language: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file of a language."""
    for package in _packages:
        root = files(package)
        folders = [
            root.joinpath(FOLDER),
            *(one.joinpath(FOLDER) for one in sorted(root.iterdir(), key=_name) if one.is_dir()),
        ]
        for folder in folders:
            if (own := folder.joinpath(language)).is_dir():
                for file in sorted(own.iterdir(), key=_name):
                    if file.name.endswith(".ftl"):
                        yield f"{package}: {file.name}", file.read_text(encoding="utf-8")


def key_of(words: str) -> str:
    """Return the key of a term: ``movement-point`` for ``movement point``."""
    return _WORDS.sub("-", words.lower()).strip("-")


def negotiated(accepted: Sequence[tuple[str, float]]) -> str | None:
    """Return the supported language that a caller likes best; ``None`` if it accepts none of them.

    ``accepted``: language tags with their weights. ``de-AT`` matches ``de``.
    """
    for tag, weight in sorted(accepted, key=lambda one: -one[1]):
        base = tag.lower().partition("-")[0]
        if weight > 0 and (tag == "*" or base in languages()):
            return ENGLISH if tag == "*" else base
    return None


def accepted_languages(header: str) -> Iterator[tuple[str, float]]:
    """Yield the tags of an ``Accept-Language`` header with their weights. Malformed items are ignored."""
    for item in header.split(","):
        tag, *options = (part.strip() for part in item.split(";"))
        weight = next((option[2:] for option in options if option.startswith("q=")), "1")
        if tag and _WEIGHT.fullmatch(weight):
            yield tag, float(weight)


_WEIGHT = re.compile(r"[01](\.\d{0,3})?")


def _is_language(one: Traversable) -> bool:
    return one.is_dir() and re.fullmatch(r"[a-z]{2,3}", one.name) is not None


def _name(one: Traversable) -> str:
    return one.name
