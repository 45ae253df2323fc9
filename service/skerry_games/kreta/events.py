"""What happened: the record that a move leaves, enough to animate it and to tell it. All of it is public."""

from __future__ import annotations

from msgspec import Struct

from skerry_games.kreta.state import KretaCard, Tile


class TilesDealt(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """Tiles were dealt: pairs of province and tile, in the order of the board."""

    tiles: tuple[tuple[int, Tile], ...]


class FortTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """A fort card was turned up; ``replacement`` if it came from the pile for a card that was put under it."""

    number: int
    replacement: bool


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The seat with the first turn is known."""

    seat: int


class CardPlayed(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """A card was played; a king acts as the copied one."""

    seat: int
    card: KretaCard
    copied: KretaCard | None


class ShipPlaced(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """A ship came from the supply."""

    seat: int
    harbour: int


class ShipSailed(Struct, frozen=True, array_like=True, gc=False, tag="sail"):
    """A ship moved."""

    seat: int
    from_harbour: int
    to_harbour: int


class VillagerRecruited(Struct, frozen=True, array_like=True, gc=False, tag="add"):
    """A villager came from the supply."""

    seat: int
    province: int


class VillagerMarched(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A villager moved across these provinces; its owner has so many movement points left."""

    seat: int
    from_province: int
    to_province: int
    crossed: tuple[int, ...]
    points_left: int


class MarchEnded(Struct, frozen=True, array_like=True, gc=False, tag="halt"):
    """The marching ended; ``automatic`` when nothing was left to decide."""

    seat: int
    points_left: int
    automatic: bool


class AbbotPlaced(Struct, frozen=True, array_like=True, gc=False, tag="abb"):
    """The abbot came from the supply."""

    seat: int
    province: int


class AbbotMoved(Struct, frozen=True, array_like=True, gc=False, tag="walk"):
    """The abbot moved across these provinces."""

    seat: int
    from_province: int
    to_province: int
    crossed: tuple[int, ...]


class TileHarvested(Struct, frozen=True, array_like=True, gc=False, tag="reap"):
    """A tile was harvested."""

    seat: int
    province: int
    tile: Tile
    points: int


class FortBuilt(Struct, frozen=True, array_like=True, gc=False, tag="fort"):
    """A fort was built."""

    seat: int
    space: int


class VillageBuilt(Struct, frozen=True, array_like=True, gc=False, tag="vill"):
    """A village was built."""

    seat: int
    province: int


class ScoringBegun(Struct, frozen=True, array_like=True, gc=False, tag="call"):
    """A fort card is scored, as the n-th of 11."""

    fort: int
    scoring: int


class ProvinceScored(Struct, frozen=True, array_like=True, gc=False, tag="pay"):
    """One province was scored: influence and awards of each seat."""

    province: int
    value: int
    influence: tuple[int, ...]
    awards: tuple[int, ...]


class CardsReturned(Struct, frozen=True, array_like=True, gc=False, tag="back"):
    """Every seat took its cards back."""


class FortKept(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """The castellan player left the new fort card."""

    seat: int
    number: int


class FortReplaced(Struct, frozen=True, array_like=True, gc=False, tag="repl"):
    """The castellan player put the new fort card under the pile."""

    seat: int
    number: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: final points of each seat, and the seats that share the win."""

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
