"""The cards: read once from ``house.json``, checked and frozen.

A card is a number: first the settlers in the order of the file, then one pirate per colour.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from skerry_games.canarias.printed.components_file import PIRATE_IDS, SettlerEntry, read_components
from skerry_games.canarias.printed.terms import COLOURS, Colour, Feature, Power, named
from skerry_games.component_data import components_text

_COPIES = 3
_COLOUR = named(Colour)
_FEATURE = named(Feature)
_POWER = named(Power)


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


def parse_cards(text: str) -> Cards:
    """Return the cards in ``text``, in the format of ``house.json``. Raises ComponentsError."""
    raw = read_components(text)
    powers = {Colour(_COLOUR[colour]): Power(_POWER[power]) for colour, power in raw.powers.items()}
    return Cards(raw.edition, tuple(_build(key, entry) for key, entry in raw.settlers.items()), powers)


def _build(key: str, entry: SettlerEntry) -> Settler:
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
_FIRST_COPIES = tuple({settler.occupation: card for card, settler in reversed([*enumerate(SETTLERS)])}.values())
TRIPLES: Final = (*sorted(_FIRST_COPIES * _COPIES), *range(FIRST_PIRATE, len(ALL_CARDS)))
"""The deck with the first card of each occupation three times, and every pirate once."""
CARD_IDS: Final = (*(settler.id for settler in SETTLERS), *PIRATE_IDS)
"""The ids of the cards in messages."""
