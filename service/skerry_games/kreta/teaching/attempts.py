"""What a seat would mean in Kreta by touching a place or a piece, legal or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from skerry_games.kreta import moves
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import KretaCard, Phase
from skerry_games.kreta.view import View
from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import phrase, player
from skerry_games.texts.text_lines import named

Attempts = Iterator[Move | Explanation]
_PROVINCES: Final = {province.id: number for number, province in enumerate(BOARD.provinces)}
_CARDS: Final = {named(card): card for card in KretaCard}


def attempts(view: View, seat: int, touched: tuple[str, ...]) -> tuple[Move | Explanation, ...]:
    """Return the moves that touching these ids in order would mean, and reasons for what is never played."""
    kind, _, name = touched[-1].partition(":")
    meant = _KINDS.get(kind)
    return () if meant is None else tuple(meant(view, seat, name, touched[:-1]))


def _card(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    owner, _, card = name.partition(":")
    if owner != str(seat):
        yield Explanation(phrase("kreta-this-card-belongs-play", owner=player(int(owner))), "KRETA-TURN-1")
        return
    played = _CARDS[card]
    if chosen == (f"card:{seat}:king",):
        yield moves.PlayCard(KretaCard.KING, played)
    if played is KretaCard.KING and played in view.seats[seat].hand:
        yield from (moves.PlayCard(played, copied) for copied in view.seats[seat].table)
    yield moves.PlayCard(played)


def _province(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    province = _PROVINCES[name]
    action = view.action
    if view.phase is Phase.MARCH or action is KretaCard.COMMANDER:
        yield from _villager(view, seat, province, chosen)
    elif action is KretaCard.ADMIRAL:
        yield from _ship(view, seat, province, chosen)
    elif action is KretaCard.ABBOT:
        yield _abbot(view, seat, province)
    elif action is KretaCard.FARMER:
        yield moves.HARVEST[province]
    else:  # an architect, or no card yet
        yield moves.BUILD_VILLAGE[province]


def _from(chosen: tuple[str, ...]) -> int | None:
    """Return the province that was touched last; ``None`` if it was none."""
    return _PROVINCES.get(chosen[-1].removeprefix("province:")) if chosen else None


def _villager(view: View, seat: int, province: int, chosen: tuple[str, ...]) -> Attempts:
    origin = _from(chosen)
    if origin is not None:
        yield moves.MARCH[origin][province]
    elif view.phase is Phase.MARCH or not view.seats[seat].supply.villagers:
        yield from (moves.MARCH[province][other] for other in BOARD.provinces[province].adjacent)
    else:
        yield moves.RECRUIT[province]


def _ship(view: View, seat: int, province: int, chosen: tuple[str, ...]) -> Attempts:
    origin = _from(chosen)
    afloat = [number for number, one in enumerate(view.provinces) if seat in one.ships]
    if origin is not None and len(chosen) % 2:
        yield moves.Sail(((origin, province),))
    elif view.seats[seat].supply.ships:
        yield moves.PLACE_SHIP[province]
    elif province not in afloat:
        yield from (moves.Sail(((other, province),)) for other in afloat)


def _abbot(view: View, seat: int, province: int) -> Move:
    stands = [number for number, one in enumerate(view.provinces) if seat in one.abbots]
    return moves.MOVE_ABBOT[stands[0]][province] if stands else moves.PLACE_ABBOT[province]


def _fort_card(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    if view.phase is Phase.KEEP_OR_REPLACE:
        yield moves.KeepFort(int(name))
    else:
        yield Explanation(
            "The castellan scores the leftmost fort card. No other card touches the row.", "KRETA-CASTELLAN-1"
        )


def _face_down(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    if name == "scored":
        yield Explanation("The game ends after the 11th scoring.", "KRETA-END-1")
    elif name == "pile":
        yield (
            moves.ReplaceFort(view.fort_row[-1]) if view.fort_row else Explanation("The row is empty.", "KRETA-SETUP-5")
        )
    else:
        yield Explanation("No seat may look at face-down fort cards.", "KRETA-SETUP-5")


def _fort(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield moves.BUILD_FORT[int(name)]


def _harvested(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("A harvested tile stays before its seat and counts for its villages.", "KRETA-ARCHITECT-3")


_KINDS: Final[Mapping[str, Callable[[View, int, str, tuple[str, ...]], Any]]] = {
    "card": _card,
    "province": _province,
    "fort": _fort,
    "fort-card": _fort_card,
    "fort-cards": _face_down,
    "harvest": _harvested,
}
