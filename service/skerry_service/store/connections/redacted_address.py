"""Addresses of a Redis, as they may be shown."""

from __future__ import annotations

import re

_USER = r"(?:[^/?#@]*@)?"
_HOST = r"(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\w*)?"
_HOSTS = rf"{_HOST}(?:,{_HOST})*"
_WELL_FORMED = re.compile(
    rf"(?P<scheme>[a-z][a-z0-9+]*://){_USER}(?P<place>(?:{_HOSTS})?(?:/[^?#@]*)?)(?:[?#][^@]*)?", re.IGNORECASE
)
"""A second @ could stand in a password, as could what comes before it."""


def without_secrets(url: str) -> str:
    """Return a URL as it may be shown: without user, password and query.

    Of one that is not well-formed, where nobody can tell what is a password, nothing is shown but how it begins.
    """
    if found := _WELL_FORMED.fullmatch(url):
        return found["scheme"] + found["place"]
    scheme, mark, rest = url.partition("://")
    if mark:
        return f"{scheme}{mark}..."
    return "..." if "@" in rest or ":" in scheme else scheme
