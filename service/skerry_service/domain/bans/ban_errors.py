"""The errors of bans."""

from __future__ import annotations

from skerry_games.sentences import Sentence
from skerry_service.domain.bans.ban import BannedKind
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.languages.phrases import phrase, quoted, verbatim

_UNITS = (("ban-days", 86_400), ("ban-hours", 3_600), ("ban-minutes", 60), ("ban-seconds", 1))


class Banned(SkerryError):
    """An operator has banned the caller's address, API key or player."""

    def __init__(self, kind: BannedKind, reason: str, left_ms: int) -> None:
        """``reason``: the operator's words; ``left_ms``: how long the ban lasts still."""
        left = max(1, -(-left_ms // 1000))
        sentence = phrase("error-banned", banned=kind.value, time=_in_words(left), why=verbatim(reason))
        super().__init__(sentence, banned=kind.value, why=reason)
        self.retry_after = float(left)


class BanNotFound(SkerryError):
    """The ban does not exist, has ended, or was lifted."""

    def __init__(self, ban: str) -> None:
        super().__init__(phrase("error-no-ban", ban=quoted(ban)), ban=ban)


def _in_words(seconds: int) -> Sentence:
    """Return a time in its largest unit of which it has two or more, rounded up."""
    name, size = next((unit for unit in _UNITS if seconds >= 2 * unit[1]), _UNITS[-1])
    return phrase(name, number=-(-seconds // size))
