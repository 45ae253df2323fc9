"""What a seat would mean in Tenerife by touching a place or a piece, legal or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import phrase, player
from skerry_games.tenerife import moves
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import LA_LAGUNA, Character, CharacterCard, Phase
from skerry_games.tenerife.view import View
from skerry_games.texts.text_lines import named

Attempts = Iterator[Move | Explanation]
_PLACES: Final = {place.id: number for number, place in enumerate(BOARD.places)}
_CARDS: Final = {named(card): card for card in CharacterCard}


def attempts(view: View, seat: int, touched: tuple[str, ...]) -> tuple[Move | Explanation, ...]:
    """Return the moves that touching these ids in order would mean, and reasons for what is never played."""
    kind, _, name = touched[-1].partition(":")
    meant = _KINDS.get(kind)
    return () if meant is None else tuple(meant(view, seat, name, touched[:-1]))


def _card(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    owner, _, copy = name.partition(":")
    if owner != str(seat):
        yield Explanation(phrase("tenerife-this-card-belongs-lay", owner=player(int(owner))), "TENERIFE-ROUND-2")
        return
    spaces = enumerate(view.column, start=1)
    vacant = [space for space, one in spaces if one.seat is None] or [1]
    yield from (moves.LAY[_CARDS[copy.partition(":")[0]]][space - 1] for space in vacant)


def _space(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    space = int(name)
    own = f"hand:{seat}:"
    if chosen and chosen[-1].startswith(own):
        yield moves.LAY[_CARDS[chosen[-1].removeprefix(own).partition(":")[0]]][space - 1]
    else:
        held = dict.fromkeys(view.seats[seat].hand) or dict.fromkeys(CharacterCard)
        yield from (moves.LAY[card][space - 1] for card in held)


def _place(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    place, victim = _PLACES[name], _victim(view)
    if view.phase is Phase.CHOOSE_TOWN and victim is not None:
        if place == LA_LAGUNA:
            yield Explanation("Thieves build in La Laguna only if no town has a free plot.", "TENERIFE-ROB-MASON-1")
        else:
            yield moves.BUILD_MANSION[victim][place]
    else:  # a merchant, or no character acts yet
        yield moves.MOVE_MERCHANT[place]


def _plot(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield moves.BUILD_ELEMENT[_victim(view)][int(name)]


def _storage(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield moves.EXPORT[_victim(view)][int(name)]


def _victim(view: View) -> int | None:
    """Return the seat that the acting thieves rob; ``None`` if another character acts, or none."""
    space = view.active_space
    if space is None or view.column[space - 1].character is not Character.THIEVES:
        return None
    while space and view.column[space - 1].character is Character.THIEVES:
        space -= 1
    return view.column[space - 1].seat if space else None


def _ship(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("An exporter or a merchant takes a vacant ship by itself when it acts.", "TENERIFE-TRANSPORT-1")


def _town_card(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("The next town card is turned up at the start of each round.", "TENERIFE-ROUND-1")


def _supply(view: View, seat: int, name: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("Masons, farmers and thieves put mansions on the board when they act.", "TENERIFE-ROUND-5")


_KINDS: Final[Mapping[str, Callable[[View, int, str, tuple[str, ...]], Attempts]]] = {
    "hand": _card,
    "space": _space,
    "place": _place,
    "plot": _plot,
    "storage": _storage,
    "ship": _ship,
    "town-card": _town_card,
    "supply": _supply,
}
