"""Events: the effects of a move, in order, with enough detail to animate and describe them. All are public."""

from __future__ import annotations

from msgspec import Struct

from skerry_games.kreta.moves import ProvinceNumber
from skerry_games.kreta.state import KretaCard, Tile


class TilesDealt(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """Tiles were dealt. ``tiles`` has pairs of province and tile, in the order of the board."""

    tiles: tuple[tuple[ProvinceNumber, Tile], ...]


class FortTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """A fort card was turned up. ``replacement``: it came from the pile, to replace a card put under the pile."""

    number: int
    replacement: bool


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The seat that takes the first turn was set."""

    seat: int


class CardPlayed(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """A card was played. ``copied`` is the card that a king copies."""

    seat: int
    card: KretaCard
    copied: KretaCard | None


class ShipPlaced(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """A ship was placed from the supply."""

    seat: int
    harbour: ProvinceNumber


class ShipSailed(Struct, frozen=True, array_like=True, gc=False, tag="sail"):
    """A ship moved to another harbour."""

    seat: int
    from_harbour: ProvinceNumber
    to_harbour: ProvinceNumber


class VillagerRecruited(Struct, frozen=True, array_like=True, gc=False, tag="add"):
    """A villager was placed from the supply."""

    seat: int
    province: ProvinceNumber


class VillagerMarched(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A villager marched through the ``crossed`` provinces. ``points_left``: movement points that its seat has left."""

    seat: int
    from_province: ProvinceNumber
    to_province: ProvinceNumber
    crossed: tuple[ProvinceNumber, ...]
    points_left: int


class MarchEnded(Struct, frozen=True, array_like=True, gc=False, tag="halt"):
    """The march ended. ``automatic``: the seat had no legal march left."""

    seat: int
    points_left: int
    automatic: bool


class AbbotPlaced(Struct, frozen=True, array_like=True, gc=False, tag="abb"):
    """The abbot was placed from the supply."""

    seat: int
    province: ProvinceNumber


class AbbotMoved(Struct, frozen=True, array_like=True, gc=False, tag="walk"):
    """The abbot moved through the ``crossed`` provinces."""

    seat: int
    from_province: ProvinceNumber
    to_province: ProvinceNumber
    crossed: tuple[ProvinceNumber, ...]


class TileHarvested(Struct, frozen=True, array_like=True, gc=False, tag="reap"):
    """A tile was harvested."""

    seat: int
    province: ProvinceNumber
    tile: Tile
    points: int


class FortBuilt(Struct, frozen=True, array_like=True, gc=False, tag="fort"):
    """A fort was built."""

    seat: int
    space: int


class VillageBuilt(Struct, frozen=True, array_like=True, gc=False, tag="vill"):
    """A village was built."""

    seat: int
    province: ProvinceNumber


class ScoringBegun(Struct, frozen=True, array_like=True, gc=False, tag="call"):
    """The scoring of a fort card began. ``scoring`` counts from 1 to 11."""

    fort: int
    scoring: int


class ProvinceScored(Struct, frozen=True, array_like=True, gc=False, tag="pay"):
    """One province was scored. ``influence`` and ``awards`` (points) are per seat."""

    province: ProvinceNumber
    value: int
    influence: tuple[int, ...]
    awards: tuple[int, ...]


class CardsReturned(Struct, frozen=True, array_like=True, gc=False, tag="back"):
    """All seats took their played cards back."""


class FortKept(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """The seat that played the castellan kept the new fort card."""

    seat: int
    number: int


class FortReplaced(Struct, frozen=True, array_like=True, gc=False, tag="repl"):
    """The seat that played the castellan put the new fort card under the pile."""

    seat: int
    number: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over. ``scores`` are per seat. Several ``winners`` share the win."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    TilesDealt
    | FortTurnedUp
    | StartSeatSet
    | CardPlayed
    | ShipPlaced
    | ShipSailed
    | VillagerRecruited
    | VillagerMarched
    | MarchEnded
    | AbbotPlaced
    | AbbotMoved
    | TileHarvested
    | FortBuilt
    | VillageBuilt
    | ScoringBegun
    | ProvinceScored
    | CardsReturned
    | FortKept
    | FortReplaced
    | GameEnded
)
