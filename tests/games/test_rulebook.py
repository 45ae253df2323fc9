"""``parse_rules`` finds the ids, sections and texts of rules, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry_games.api import Rule
from skerry_games.rulebook import load_rules, parse_rules
from tests.games.pairs import GAME

PAGE = """# A game

Some words before the rules.
  Indented, but of no rule.

## Setup
- **GAME-SETUP-1** Two seats.
- **GAME-SETUP-2** Five cards each,
  dealt one by one,
  clockwise.

## The end of it
Words between the rules.
- **GAME-END_ALL** It ends.
- An item that is no rule.
- **Bold**, but no rule.
"""


def test_rules_have_ids_sections_and_texts() -> None:
    assert parse_rules(PAGE) == (
        Rule("GAME-SETUP-1", "Setup", "Two seats."),
        Rule("GAME-SETUP-2", "Setup", "Five cards each, dealt one by one, clockwise."),
        Rule("GAME-END_ALL", "The end of it", "It ends."),
    )


@pytest.mark.parametrize("line", ["## Next", "Words of no rule.", "- An item that is no rule."])
def test_only_lines_right_below_a_rule_continue_it(line: str) -> None:
    assert (
        parse_rules(f"- **GAME-1** A rule,\n\n  with more.\n{line}\n  Indented below.\n")[0].text
        == "A rule, with more."
    )


def test_a_page_without_rules_has_none() -> None:
    assert parse_rules("") == parse_rules("# A game\n\nWords.\n") == ()


def test_a_rule_before_any_section_has_none() -> None:
    assert parse_rules("- **GAME-1** It is a game.") == (Rule("GAME-1", "", "It is a game."),)


def test_a_duplicate_rule_raises() -> None:
    with pytest.raises(ValueError, match="more than once: GAME-1"):
        parse_rules("- **GAME-1** This.\n- **GAME-2** That.\n- **GAME-1** This again.\n")


@pytest.mark.parametrize("name", ["GAME", "game-1", "GAME-", "GAME-1-", "1GAME-2", "GAME 1"])
def test_a_name_of_another_form_is_no_rule(name: str) -> None:
    assert parse_rules(f"- **{name}** Words.") == ()


@pytest.mark.parametrize("name", ["GAME-1", "GAME-SETUP-1", "SMALL_ISLANDS-PAY-1", "CANARIAS-PRIV-TIES"])
def test_names_of_rules(name: str) -> None:
    assert [rule.id for rule in parse_rules(f"- **{name}** Words.")] == [name]


@given(st.lists(st.integers(min_value=1, max_value=999), unique=True, max_size=8))
def test_the_order_of_the_page_is_kept(numbers: list[int]) -> None:
    page = "\n".join(f"- **GAME-{number}** Rule {number}." for number in numbers)
    assert [rule.id for rule in parse_rules(page)] == [f"GAME-{number}" for number in numbers]


def test_rules_are_loaded_from_a_package() -> None:
    rules = load_rules("tests.games.pairs")
    assert rules == GAME.rules
    assert rules[0].id == "PAIRS-SETUP-1"
    assert rules[-1].text == "The game ends with the third turning up. Most points wins; a tie is shared."


def test_a_package_without_rules_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        load_rules("tests.games.conformance")
