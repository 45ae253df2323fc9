"""The public names of the client are frozen, and the blocking client has the methods of the asyncio client."""

from __future__ import annotations

import inspect

import pytest

import skerry_client
import skerry_service
from skerry_client import AsyncClient, AsyncSeat, AsyncTable, Client, Seat, Table, webhooks
from skerry_service import local

NAMES = [
    "AsyncClient",
    "AsyncSeat",
    "AsyncTable",
    "Client",
    "Seat",
    "SkerryError",
    "Table",
    "Transport",
    "__version__",
    "apply_frame",
    "errors",
    "move_key",
    "tls_credentials",
]
METHODS = {
    AsyncClient: [
        "bot",
        "cancel_tournament",
        "close",
        "create",
        "create_tournament",
        "delete_webhook_endpoint",
        "enter_tournament",
        "find_ladder_game",
        "find_match",
        "fork",
        "game",
        "games",
        "head_to_head",
        "how_to_play",
        "ladder",
        "ladder_games",
        "ladders",
        "leave_tournament",
        "lesson",
        "my_sessions",
        "open_tables",
        "ping_webhook_endpoint",
        "recover_seat",
        "register_bot",
        "rematch",
        "resend_webhooks",
        "seat",
        "sessions",
        "set_webhook_endpoint",
        "standings",
        "start_tournament",
        "table",
        "tournament",
        "tournament_games",
        "tournament_seats",
        "tournaments",
        "wake_bot",
        "webhook_endpoint",
        "webhook_endpoints",
    ],
    AsyncTable: [
        "analysis",
        "animation",
        "cancel",
        "clocks",
        "entries",
        "explain",
        "join",
        "label",
        "last_position",
        "observe",
        "open_seat",
        "picture",
        "position",
        "remove",
        "replay",
        "session",
        "set_webhook",
        "start",
        "text",
    ],
    AsyncSeat: [
        "act",
        "analysis",
        "animation",
        "clocks",
        "emote",
        "entries",
        "explain",
        "hint",
        "last_position",
        "leave",
        "nudge",
        "number",
        "observe",
        "picture",
        "position",
        "rematch",
        "replay",
        "resign",
        "return_to_seat",
        "sample_states",
        "session",
        "set_webhook",
        "text",
        "turns",
        "undo",
    ],
}
PAIRS = [(AsyncClient, Client), (AsyncTable, Table), (AsyncSeat, Seat)]
INSIDE = {"from_token", "read"}
"""Shared by the modules of the package, but not public."""


def public(kind: type) -> list[str]:
    return sorted(name for name, _ in inspect.getmembers(kind) if not name.startswith("_") and name not in INSIDE)


def arguments(kind: type, name: str) -> list[tuple[str, object, object]]:
    signature = inspect.signature(getattr(kind, name))
    return [(one.name, one.kind, one.default) for one in signature.parameters.values()]


def test_the_public_names_are_frozen() -> None:
    assert skerry_client.__all__ == NAMES
    assert webhooks.__all__ == ["WebhookInvalid", "verify"]
    assert all(hasattr(skerry_client, name) for name in NAMES)


@pytest.mark.parametrize("kind", METHODS)
def test_the_public_methods_are_frozen(kind: type) -> None:
    assert public(kind) == METHODS[kind]


@pytest.mark.parametrize(("asynchronous", "blocking"), PAIRS)
def test_the_blocking_client_offers_what_the_asyncio_client_offers(asynchronous: type, blocking: type) -> None:
    kept_by_instances = {"name", "token", "host_token", "spectator_token", "join_code", "party"}
    assert set(public(blocking)) - kept_by_instances == set(public(asynchronous))
    for name in ("__init__", *public(asynchronous)):
        if callable(getattr(asynchronous, name)) and (name != "__init__" or blocking is Client):
            assert arguments(blocking, name) == arguments(asynchronous, name), name


def test_the_local_clients_are_clients() -> None:
    assert issubclass(local.Client, Client)
    assert issubclass(local.AsyncClient, AsyncClient)


def test_every_public_name_is_documented() -> None:
    for pair in PAIRS:
        for kind in pair:
            for name in public(kind):
                assert inspect.getdoc(getattr(kind, name)), f"{kind.__name__}.{name}"


def test_client_and_service_are_released_together() -> None:
    assert skerry_client.__version__ == skerry_service.__version__
