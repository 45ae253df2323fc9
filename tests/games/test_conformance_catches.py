"""The conformance suite catches faults: Pairs passes every check, and each faulty copy of it fails a named check.

The tests use the seeds of `make test`.
"""

from __future__ import annotations

import pytest

from skerry_games.api import AnyGame
from tests.games.conformance import (
    METADATA_CHECKS,
    PLAY_CHECKS,
    MetadataCheck,
    PlayCheck,
    check_replays_identically,
    in_edition,
    seeds_of,
)
from tests.games.pairs import GAME
from tests.games.pairs.spoiled import SPOILED

METADATA_FAULTS = [
    ("any number of seats is taken", "check_setup_refuses_other_seats", "DID NOT RAISE"),
    ("any edition is taken", "check_setup_refuses_unknown_editions", "DID NOT RAISE"),
    ("an option has no default", "check_options_have_defaults", "no default"),
    ("an option names a seat in silence", "check_options_that_name_a_seat", "seat_options differs"),
    ("any seat can be named", "check_options_that_name_a_seat", "DID NOT RAISE"),
    ("the default edition is another", "check_metadata", "default"),
    ("a rule is there twice", "check_rules_are_numbered", "occurs twice"),
    ("a rule has no proper id", "check_rules_are_numbered", "well formed"),
    ("the id is no folder", "check_metadata", "folder"),
]
PLAY_FAULTS = [
    ("a view shows a hand", "check_nothing_hidden_is_seen", "the view of viewer"),
    ("a spectator sees a hand", "check_nothing_hidden_is_seen", "spectator knows more|view of viewer None"),
    ("a dealt card is shown to all", "check_steps_hide_choices", "sees a secret choice"),
    ("a laid card is shown to all", "check_steps_hide_choices", "sees a secret choice"),
    ("a laid card is shown to all", "check_simultaneous_choices_are_secret", "sees what seat"),
    ("a deal shows its card", "check_steps_hide_choices", "sees a secret choice"),
    ("a deal shows its card", "check_redeals_agree_with_steps", "sees a secret, or a redeal forgets"),
    ("a lay shows its card", "check_steps_hide_choices", "sees a secret choice"),
    ("a lay shows its card", "check_simultaneous_choices_are_secret", "sees what seat"),
    ("a bury shows its card", "check_steps_hide_choices", "sees a secret choice"),
    ("a bury shows its card", "check_redeals_agree_with_steps", "sees a secret, or a redeal forgets"),
    ("a lay is shown if its card is low", "check_steps_hide_choices", "sees a secret choice"),
    ("own moves are masked", "check_seats_see_their_own_moves", "does not see its own move"),
    ("a revelation is not shown to a seat", "check_spectators_see_no_more_than_seats", "sees less than a spectator"),
    ("a mask names a card", "check_masks_cannot_be_played", "a masked move is legal"),
    ("a mask breaks a rule", "check_masks_cannot_be_played", "not rejected as malformed"),
    ("a mask cannot be sent", "check_everything_shown_can_be_sent", "cannot be encoded and hashed"),
    ("a mask has no words", "check_moves_have_words", "not one line"),
    ("a revelation is not shown", "check_events_explain_changes", "learns something without an event"),
    ("points are shown to their seat alone", "check_points_are_public", "does not see all points"),
    ("a listing depends on another hand", "check_nothing_hidden_is_seen", "legal-move list of viewer"),
    ("a listing depends on laid cards", "check_nothing_hidden_is_seen", "legal-move list of viewer"),
    ("a listing depends on laid cards", "check_simultaneous_choices_commute", "changes the choices"),
    ("a refusal names a secret", "check_refusals_hide_secrets", "the refusal of"),
    ("a secret decides which rule is broken", "check_refusals_hide_secrets", "the refusal of"),
    ("a move that turns cards up can be taken back", "check_undone_moves_reveal_nothing", "shows it something hidden"),
    ("a redeal changes nothing", "check_redeal_draws_anew", "never varies"),
    ("a redeal keeps hands", "check_redeal_draws_anew", "never varies"),
    ("a redeal changes the own hand", "check_nothing_hidden_is_seen", "the view of viewer"),
    ("a redeal invents cards", "check_redealt_games_play_on", "changes the pieces"),
    ("an own move reveals another hand", "check_redeals_agree_with_steps", "sees a secret, or a redeal forgets"),
    ("choices are turned up one by one", "check_simultaneous_choices_are_secret", "sees what seat"),
    ("one choice ends the choice of others", "check_simultaneous_choices_are_secret", "decides for others"),
    ("the order of choices matters", "check_simultaneous_choices_commute", "order of choices matters"),
    ("an unlisted move is accepted", "check_unlisted_is_refused", "accepted, but not listed"),
    ("a move out of turn is accepted", "check_unlisted_is_refused", "accepted, but not listed"),
    ("a listed move is refused", "check_legal_is_accepted", "listed, but rejected"),
    ("a refusal cites no rule", "check_unlisted_is_refused", "unknown rule 'PAIRS-NONE-1'"),
    ("a refusal is no sentence", "check_unlisted_is_refused", "without a sentence"),
    ("an unknown card breaks the rules", "check_unlisted_is_refused", "not rejected but broken"),
    ("a move of another game is illegal", "check_other_shapes_are_malformed", "not rejected as malformed"),
    ("a seat out of turn has moves", "check_only_actors_have_moves", "is not to act, but has moves"),
    ("a move is listed twice", "check_listings_are_short_and_distinct", "listed twice"),
    ("a listing is too long", "check_listings_are_short_and_distinct", "moves are listed"),
    ("there is a dead end", "check_no_dead_end", "dead end"),
    ("seats are out of order", "check_only_actors_have_moves", "to_act is"),
    ("chance is to act twice", "check_only_actors_have_moves", "to_act is"),
    ("chance draws a card that is not in the deck", "check_draws_are_listed", "drawn, but not listed"),
    ("chance always draws the same", "check_draws_are_listed", "always draws the same"),
    ("chance ignores its dice", "check_draws_are_listed", "the same dice"),
    ("a game does not end", "check_game_ends", "not over after max_moves"),
    ("there is an outcome before the end", "check_outcome_comes_with_the_end", "before the end"),
    ("there is no outcome", "check_outcome_comes_with_the_end", "no outcome"),
    ("ranks have gaps", "check_ranks_follow_scores", "not dense"),
    ("the last wins", "check_ranks_follow_scores", "worse rank"),
    ("the outcome adds points", "check_points_add_up", "other scores"),
    ("a piece vanishes", "check_pieces_stay", "pieces came or went"),
    ("points come without an event", "check_points_add_up", "do not add up"),
    ("apply changes its argument", "check_apply_changes_nothing", "changed its argument"),
    ("states decode to something else", "check_states_survive_encoding", "State decodes to dict"),
    ("states hash by identity", "check_states_survive_encoding", "another hash"),
    ("moves decode to something else", "check_moves_survive_encoding", "decodes to SomeMove"),
    ("equal options differ", "check_options_survive_encoding", "another value"),
    ("a view cannot be sent", "check_everything_shown_can_be_sent", "cannot be encoded and hashed"),
    ("apply remembers its calls", "check_log_replays", "does something else"),
    ("two moves read the same", "check_moves_have_words", "read the same"),
    ("a move has a full stop", "check_moves_have_words", "no full stop"),
    ("an event has no full stop", "check_events_have_words", "not a sentence"),
    ("an event has two lines", "check_events_have_words", "not one line"),
]


@pytest.mark.parametrize("check", METADATA_CHECKS, ids=lambda check: check.__name__)
def test_pairs_passes_the_metadata_checks(check: MetadataCheck) -> None:
    check(GAME)


@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_pairs_passes_in_another_edition(check: PlayCheck) -> None:
    check(in_edition(GAME, "mirror"), 2, 1)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_pairs_passes_the_play_checks(seats: int, check: PlayCheck) -> None:
    for seed in seeds_of(check):
        check(GAME, seats, seed)


def test_pairs_plays_the_same_in_every_process() -> None:
    check_replays_identically("tests.games.pairs:GAME", GAME.seats, (1,))


@pytest.mark.parametrize(("fault", "check", "message"), METADATA_FAULTS)
def test_a_fault_in_the_metadata_is_caught(fault: str, check: str, message: str) -> None:
    checks = {each.__name__: each for each in METADATA_CHECKS}
    with pytest.raises((AssertionError, pytest.fail.Exception), match=message):
        checks[check](SPOILED[fault])


@pytest.mark.parametrize(("fault", "check", "message"), PLAY_FAULTS)
def test_a_fault_in_play_is_caught(fault: str, check: str, message: str) -> None:
    checks = {each.__name__: each for each in PLAY_CHECKS}
    with pytest.raises(AssertionError, match=message):
        _check_each_seed(checks[check], SPOILED[fault])


def _check_each_seed(check: PlayCheck, game: AnyGame) -> None:
    for seed in seeds_of(check):
        check(game, 3, seed)


def test_a_dependence_on_hashes_is_caught() -> None:
    with pytest.raises(AssertionError, match="when hashes differ"):
        check_replays_identically("tests.games.pairs.spoiled:IN_ORDER_OF_HASHES", (3,), (1,))


def test_every_check_catches_something() -> None:
    caught = {check for _, check, _ in (*METADATA_FAULTS, *PLAY_FAULTS)}
    assert caught == {check.__name__ for check in (*METADATA_CHECKS, *PLAY_CHECKS)}


def test_every_fault_is_caught() -> None:
    caught = {fault for fault, _, _ in (*METADATA_FAULTS, *PLAY_FAULTS)}
    assert caught == set(SPOILED)
