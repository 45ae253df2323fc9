"""What schemathesis finds between the description and the server, and why it stays.

A request that breaks the description and is accepted has to be explained by ``ACCEPTED``. A request by the description
that is rejected as malformed has to be explained by ``REJECTED``. A finding that is not explained fails the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import ValidationError

ACCEPTED: Mapping[str, Callable[[ValidationError], bool]] = {
    "Protobuf's JSON mapping reads numbers from strings, and whole numbers from 1.0.": lambda error: (
        error.validator == "type" and "integer" in _types(error) and isinstance(error.instance, str | float)
    ),
    "It reads 64-bit integers from numbers too.": lambda error: (
        error.validator == "type" and error.schema.get("format") == "int64" and isinstance(error.instance, int)
    ),
    "It reads enums from their numbers in bodies.": lambda error: (
        error.validator in ("type", "enum") and "enum" in error.schema and isinstance(error.instance, int)
    ),
    "A field with the default of its type is not set.": lambda error: error.instance in ("", 0, False, [], {}),
    "A case of a oneof that is null is not set.": lambda error: error.instance is None,
}

REJECTED: Mapping[str, str] = {
    "game": "The games differ by server.",
    "options": "The options of one game fit no other, and other options depend on the number of seats.",
    "level": "The levels differ by server and game.",
    "seats": "The number of seats differs by game; an open seat has no level, and a bot no reservation.",
    "seat": "The number of seats differs by session, and a player cannot nudge itself.",
    "displayName": "Names are printable, without spaces at their ends, braces and reserved words.",
    "playerId": "Ids of players are printable and have no spaces.",
    "labels": "Values of labels are printable.",
    "label": "A label has the form key or key=value.",
    "title": "Titles are printable.",
    "contact": "Contacts are printable.",
    "engineCommit": "Commits are printable.",
    "party": "Names of a party are distinguishable, and rated players have ids.",
    "clocks": "The two clocks of a range differ only in their times, and a clock has a kind.",
    "clock": "A clock has a kind, and that of a tournament ends the game.",
    "delay": "A delay has a kind, and a session without spectators has none.",
    "rated": "A rated session has no hints, seed, bots and others.",
    "lesson": "A lesson decides most other fields, and not every game has one.",
    "hints": "A server without thinking bots has no hints.",
    "rounds": "Only a Swiss tournament has a number of rounds.",
    "mostEntrants": "A tournament has at most 2,000 games.",
    "format": "A gauntlet has two seats.",
    "startTime": "Tournaments start within a year.",
    "events": "Events of webhooks are named.",
    "url": "Webhooks go to addresses that the operator allows.",
    "theme": "The themes are listed in the description of the field.",
    "width": "A PNG has at most 8,000,000 pixels.",
    "target": "Targets differ by game.",
    "chosen": "Targets differ by game.",
    "pageToken": "Only tokens of the page before are valid.",
    "emote": "The first value of the enum is none of them.",
    "bot": "Bots are named bots/{id}, and a bot has no fields of a person.",
    "opponent": "Bots are named bots/{id}.",
    "name": "The name of a resource has the form of its kind.",
    "ticket": "A ticket is one that the server has returned.",
    "proposal": "A proposal is one that the server has returned.",
    "sequence": "64-bit integers end at 9223372036854775807.",
    "afterSequence": "As above.",
    "expectedSequence": "As above.",
    "sentMs": "As above.",
    "Last-Event-ID": "As above.",
    "Idempotency-Key": "Header and body of a request have the same id.",
    "requestId": "A person who enters a tournament needs one, and a bot has none.",
    "move": "Moves differ by game.",
    "onExpiry": "A clock without a kind has no action.",
    "visibility": "A lesson is unlisted.",
}
"""By the field that the server names, without its place in lists. Text of a pattern is not enough for these."""


def explains_rejection(field: str) -> bool:
    """Return whether the server may reject this field of a request that follows the description."""
    names = re.sub(r"\[\d+\]", "", field).split(".")
    return any(name in REJECTED for name in names)


def unexplained(errors: list[ValidationError]) -> list[str]:
    """Return the violations that no explanation covers."""
    leaves = [leaf for error in errors for leaf in _leaves(error)]
    return [f"{leaf.json_path}: {leaf.message}" for leaf in leaves if not any(fits(leaf) for fits in ACCEPTED.values())]


def _leaves(error: ValidationError) -> list[ValidationError]:
    """Return the causes of an error: for a union, those in the variant that fits best."""
    if not error.context:
        return [error]
    variants: dict[Any, list[ValidationError]] = {}
    for cause in error.context:
        variants.setdefault(cause.schema_path[0], []).append(cause)
    best = min(variants.values(), key=lambda causes: (len(causes), -max(len(one.path) for one in causes)))
    return [leaf for cause in best for leaf in _leaves(cause)]


def _types(error: ValidationError) -> list[str]:
    kinds = error.schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)
