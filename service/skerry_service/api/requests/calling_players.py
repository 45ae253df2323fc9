"""Names and ids of the players who call: from the request, or from the identity token."""

from __future__ import annotations

from skerry_service.access.identity.vouched_players import current_player
from skerry_service.api.requests.request_checks import display_name_of, player_id_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim


def calling_player_id(text: str) -> str:
    """Return the id of the player who calls: that of the identity token, otherwise the one in ``player_id``.

    Raises InvalidField.
    """
    player = current_player()
    if player is None:
        return player_id_of(text)
    if text not in ("", player.player_id):
        raise InvalidField("player_id", phrase("field-stated-player", player=verbatim(player.player_id)))
    return player.player_id


def calling_name_of(text: str) -> str:
    """Return the display name of the player who calls; for an empty text, the name in the identity token.

    Raises InvalidField.
    """
    player = current_player()
    return display_name_of(text or (player.name if player else ""))
