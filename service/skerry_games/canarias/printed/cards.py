"""The cards: read once from ``house.json``, checked and frozen. ``parse_cards`` names the line with an error.

A card is a number: first the settlers in the order of the file, then one pirate per colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Raw, Struct

from skerry_games.canarias.printed.terms import COLOURS, Colour, Feature, Power, named
from skerry_games.component_data import Problem, components_text, decode_entries, raise_first_problem

_SETTLERS = 54
_COPIES = ("a", "b", "c")
_EACH_COLOUR = 9
_EACH_FEATURE = 18
_PRIORITIES = 4
_COLOUR = named(Colour)
_FEATURE = named(Feature)
_POWER = named(Power)


class CardsError(ValueError):
    """Cards that do not fit the rules. The message names the error and its line."""


class Settler(Struct, frozen=True):
    """A settler card."""

    id: str
    occupation: str
    """In Spanish, as printed."""
    english: str
    house: Colour
    priorities: tuple[Feature, ...]
    """The four priorities, the most important first (CANARIAS-BUILD-2)."""


class Cards(Struct, frozen=True):
    """Cards that have passed every check."""

    edition: str
    settlers: tuple[Settler, ...]
    powers: dict[Colour, Power]


class _SettlerEntry(Struct, forbid_unknown_fields=True):
    occupation: str
    english: str
    house: str
    priorities: tuple[str, ...]


class _CardsFile(Struct, forbid_unknown_fields=True):
    edition: str
    islands: Raw
    powers: dict[str, str]
    settlers: dict[str, _SettlerEntry]


def parse_cards(text: str) -> Cards:
    """Return the cards in ``text``, in the format of ``house.json``. Raises CardsError."""
    raw = decode_entries(text, _CardsFile, CardsError)
    raise_first_problem(_problems(raw), text, CardsError)
    powers = {Colour(_COLOUR[colour]): Power(_POWER[power]) for colour, power in raw.powers.items()}
    return Cards(raw.edition, tuple(_build(key, entry) for key, entry in raw.settlers.items()), powers)


def _problems(raw: _CardsFile) -> Iterator[Problem]:
    """Yield the errors of the file. Only the first one is reliable: later checks rely on earlier ones."""
    for key, entry in raw.settlers.items():
        for problem in _card_problems(key, entry):
            yield key, f"{key} {problem}"
    for problem in (*_count_problems(raw), *_power_problems(raw)):
        yield None, problem


def _card_problems(key: str, entry: _SettlerEntry) -> Iterator[str]:
    """Yield the errors of one card."""
    if key.rpartition("-")[2] not in _COPIES:
        yield f"must end in one of {', '.join(_COPIES)}"
    if entry.house not in _COLOUR:
        yield f"builds a house of unknown colour {entry.house!r}"
    for name in entry.priorities:
        if name not in _FEATURE:
            yield f"has the unknown priority {name!r}"
    if len(set(entry.priorities)) != _PRIORITIES or len(entry.priorities) != _PRIORITIES:
        yield f"does not have {_PRIORITIES} different priorities"
    if entry.house in entry.priorities:
        yield f"has the colour of its own house, {entry.house}, as a priority"


def _count_problems(raw: _CardsFile) -> Iterator[str]:
    """Check the numbers of cards (CANARIAS-SETUP-2)."""
    if len(raw.settlers) != _SETTLERS:
        yield f"there are {len(raw.settlers)} settlers instead of {_SETTLERS}"
    copies = Counter(entry.occupation for entry in raw.settlers.values())
    for occupation, count in copies.items():
        if count != len(_COPIES):
            yield f"{count} cards instead of {len(_COPIES)} are called {occupation}"
    letters = Counter((entry.occupation, key.rpartition("-")[2]) for key, entry in raw.settlers.items())
    for (occupation, letter), count in letters.items():
        if count > 1:
            yield f"{count} cards called {occupation} end in -{letter}: {', '.join(_COPIES)} must each be there once"
    houses = Counter(entry.house for entry in raw.settlers.values())
    firsts = Counter(entry.house for key, entry in raw.settlers.items() if key.endswith(f"-{_COPIES[0]}"))
    for colour in _COLOUR:
        if houses[colour] != _EACH_COLOUR:
            yield f"{houses[colour]} settlers instead of {_EACH_COLOUR} build houses in {colour}"
        if firsts[colour] * len(_COPIES) != _EACH_COLOUR:  # the deck of triples has only these
            yield f"{firsts[colour]} settlers in -a instead of {_EACH_COLOUR // len(_COPIES)} build houses in {colour}"
    wanted = Counter(name for entry in raw.settlers.values() for name in entry.priorities)
    for name in _FEATURE:
        if wanted[name] != _EACH_FEATURE:
            yield f"{wanted[name]} settlers instead of {_EACH_FEATURE} have the priority {name}"
    if len({entry.priorities for entry in raw.settlers.values()}) != len(raw.settlers):
        yield "two settlers have the same priorities"


def _power_problems(raw: _CardsFile) -> Iterator[str]:
    """Check that each colour has one power, and each power one colour (CANARIAS-SETUP-2)."""
    if sorted(raw.powers) != sorted(_COLOUR) or sorted(raw.powers.values()) != sorted(_POWER):
        yield f"the colours {', '.join(_COLOUR)} must have one each of the powers {', '.join(_POWER)}"


def _build(key: str, entry: _SettlerEntry) -> Settler:
    priorities = tuple(Feature(_FEATURE[name]) for name in entry.priorities)
    return Settler(key, entry.occupation, entry.english, Colour(_COLOUR[entry.house]), priorities)


CARDS: Final = parse_cards(components_text(__package__))

SETTLERS: Final = CARDS.settlers
FIRST_PIRATE: Final = len(SETTLERS)
"""Cards from this number on are pirates: this number plus the colour."""
ALL_CARDS: Final = range(FIRST_PIRATE + len(COLOURS))
NO_CARD: Final = -1
"""Instead of a card: no card."""

HOUSE_COLOUR: Final = tuple(int(settler.house) for settler in SETTLERS)
PRIORITIES: Final = tuple(tuple(map(int, settler.priorities)) for settler in SETTLERS)
COLOUR_OF: Final[dict[Power, int]] = {power: int(colour) for colour, power in CARDS.powers.items()}
"""The colour of the privilege with each power."""

DISTINCT: Final = tuple(ALL_CARDS)
"""The deck with every card once."""
_FIRST_COPIES = tuple(card for card in range(FIRST_PIRATE) if SETTLERS[card].id.endswith("-a"))
TRIPLES: Final = (*sorted(_FIRST_COPIES * len(_COPIES)), *range(FIRST_PIRATE, len(ALL_CARDS)))
"""The deck with card ``a`` of each occupation three times, and every pirate once."""
CARD_IDS: Final = (*(settler.id for settler in SETTLERS), *(f"pirate-{colour.name.lower()}" for colour in COLOURS))
"""The ids of the cards in messages."""
