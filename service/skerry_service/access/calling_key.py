"""The API key of the current call, for calls whose effects belong to a key."""

from __future__ import annotations

from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("caller's API key", default="")


def enter_key(name: str) -> None:
    """Set the name of the API key of the call that the current task answers; empty: it has none."""
    _current.set(name)


def current_key() -> str:
    """Return the name of the current call's API key; empty without one, and outside of a call."""
    return _current.get()


def current_applications() -> tuple[str, ...]:
    """Return the application of a session that the current call creates: the name of its key. Empty without one."""
    key = current_key()
    return (key,) if key else ()
