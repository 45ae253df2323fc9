"""Addresses of Redis without their secrets, for logs and messages."""

from __future__ import annotations

import re

_USER = r"(?:[^/?#@]*@)?"
_HOST = r"(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\w*)?"
_HOSTS = rf"{_HOST}(?:,{_HOST})*"
_WELL_FORMED = re.compile(
    rf"(?P<scheme>[a-z][a-z0-9+]*://){_USER}(?P<place>(?:{_HOSTS})?(?:/[^?#@]*)?)(?:[?#][^@]*)?", re.IGNORECASE
)
"""A second @ could be part of a password, as could the text before it."""


def without_secrets(url: str) -> str:
    """Return a URL without user, password and query.

    Of a malformed URL, in which a password cannot be located, only the scheme is returned.
    """
    if found := _WELL_FORMED.fullmatch(url):
        return found["scheme"] + found["place"]
    scheme, mark, rest = url.partition("://")
    if mark:
        return f"{scheme}{mark}..."
    return "..." if "@" in rest or ":" in scheme else scheme
