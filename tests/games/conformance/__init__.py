"""The conformance suite: functions that take a ``Game`` and raise AssertionError if it breaks the interface.

``METADATA_CHECKS`` take the game alone. ``PLAY_CHECKS`` take the game, a number of seats and a seed. They play one
whole random game and examine it. ``check_replays_identically`` starts other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from skerry_games.api import AnyGame
from tests.games.conformance.counting import check_pieces_stay, check_points_add_up, check_points_are_public
from tests.games.conformance.ending import (
    check_game_ends,
    check_no_dead_end,
    check_outcome_comes_with_the_end,
    check_ranks_follow_scores,
)
from tests.games.conformance.masks import (
    check_masks_cannot_be_played,
    check_seats_see_their_own_moves,
    check_spectators_see_no_more_than_seats,
)
from tests.games.conformance.metadata import (
    check_metadata,
    check_options_have_defaults,
    check_options_that_name_a_seat,
    check_rules_are_numbered,
    check_setup_refuses_other_seats,
    check_setup_refuses_unknown_editions,
)
from tests.games.conformance.moves import (
    check_draws_are_listed,
    check_legal_is_accepted,
    check_listings_are_short_and_distinct,
    check_only_actors_have_moves,
    check_other_shapes_are_malformed,
    check_unlisted_is_refused,
)
from tests.games.conformance.play import in_edition
from tests.games.conformance.replay import check_log_replays, check_replays_identically
from tests.games.conformance.secrecy import (
    check_nothing_hidden_is_seen,
    check_redealt_games_play_on,
    check_refusals_hide_secrets,
)
from tests.games.conformance.simultaneous import (
    check_simultaneous_choices_are_secret,
    check_simultaneous_choices_commute,
)
from tests.games.conformance.step_secrecy import (
    check_events_explain_changes,
    check_redeal_draws_anew,
    check_redeals_agree_with_steps,
    check_steps_hide_choices,
)
from tests.games.conformance.undoing import check_undone_moves_reveal_nothing
from tests.games.conformance.values import (
    check_apply_changes_nothing,
    check_everything_shown_can_be_sent,
    check_moves_survive_encoding,
    check_options_survive_encoding,
    check_states_survive_encoding,
)
from tests.games.conformance.words import check_events_have_words, check_moves_have_words

MetadataCheck = Callable[[AnyGame], None]
PlayCheck = Callable[[AnyGame, int, int], None]

METADATA_CHECKS: Final[tuple[MetadataCheck, ...]] = (
    check_metadata,
    check_rules_are_numbered,
    check_setup_refuses_other_seats,
    check_setup_refuses_unknown_editions,
    check_options_have_defaults,
    check_options_that_name_a_seat,
)
PLAY_CHECKS: Final[tuple[PlayCheck, ...]] = (
    check_game_ends,
    check_no_dead_end,
    check_legal_is_accepted,
    check_unlisted_is_refused,
    check_other_shapes_are_malformed,
    check_only_actors_have_moves,
    check_listings_are_short_and_distinct,
    check_draws_are_listed,
    check_outcome_comes_with_the_end,
    check_ranks_follow_scores,
    check_pieces_stay,
    check_points_add_up,
    check_points_are_public,
    check_states_survive_encoding,
    check_moves_survive_encoding,
    check_options_survive_encoding,
    check_apply_changes_nothing,
    check_everything_shown_can_be_sent,
    check_log_replays,
    check_seats_see_their_own_moves,
    check_spectators_see_no_more_than_seats,
    check_masks_cannot_be_played,
    check_nothing_hidden_is_seen,
    check_refusals_hide_secrets,
    check_events_explain_changes,
    check_steps_hide_choices,
    check_redeals_agree_with_steps,
    check_redeal_draws_anew,
    check_redealt_games_play_on,
    check_simultaneous_choices_are_secret,
    check_simultaneous_choices_commute,
    check_undone_moves_reveal_nothing,
    check_moves_have_words,
    check_events_have_words,
)

COSTLY_CHECKS: Final[frozenset[PlayCheck]] = frozenset({check_redeal_draws_anew, check_redeals_agree_with_steps})
"""These checks take longer than all others. In one game, they catch their faults of ``tests.games.pairs``."""


def seeds_of(check: PlayCheck) -> Sequence[int]:
    """Return the seeds for a check in `make test`. With them, it catches every fault of ``tests.games.pairs``."""
    return (1,) if check in COSTLY_CHECKS else (1, 2, 3)


def deep_seeds_of(check: PlayCheck) -> Sequence[int]:
    """Return the further seeds for a check in `make test-deep`."""
    return (2, 3) if check in COSTLY_CHECKS else (4, 5, 6, 7, 8, 9)


__all__ = [
    "METADATA_CHECKS",
    "PLAY_CHECKS",
    "MetadataCheck",
    "PlayCheck",
    "check_replays_identically",
    "deep_seeds_of",
    "in_edition",
    "seeds_of",
]
