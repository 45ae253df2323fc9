"""Kinds of settings that name addresses, hosts, networks and files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from skerry_service.access.client_addresses import read_network
from skerry_service.sessions.resource_ids import CELL
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.wiring.settings import SettingKind, require_host

ANY_ORIGIN = "*"
LAST_PORT = 65535
SHORTEST_SECRET = 32
MOST_PEERS = 32
"""A call lists the tables of all of them: with 32, it takes about 2 ms, and a read of all of them 50 ms."""
_CELL = re.compile(CELL)
_NAMED_HOST = r"(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])"
_HOST = re.compile(_NAMED_HOST, re.IGNORECASE)
_WEB_ORIGIN = rf"https?://{_NAMED_HOST}(?::[0-9]{{1,5}})?"
_APP_ORIGIN = r"(?:capacitor|ionic|tauri)://localhost|chrome-extension://[a-p]{32}"
"""Origins of the pages in Capacitor, Ionic and Tauri apps, and in browser extensions, as their web views send them."""
_WEB = re.compile(_WEB_ORIGIN)
_ORIGIN = re.compile(f"{_WEB_ORIGIN}|{_APP_ORIGIN}")


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``, with an IPv6 address in brackets. Raises ValueError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > LAST_PORT or _is_bare_ipv6(host):
        raise ValueError(f"{address!r} is not HOST:PORT")
    require_host(host)
    return host, int(port)


def _is_bare_ipv6(host: str) -> bool:
    return ":" in host and not (host.startswith("[") and host.endswith("]"))


def _address(text: str) -> str:
    split_address(text)
    return text


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError(text)
    return text


def _origin_or_any(text: str) -> str:
    return text if text == ANY_ORIGIN else _origin(text)


def _cell(text: str) -> str:
    if text and not _CELL.fullmatch(text):
        raise ValueError(text)
    return text


def _peer(text: str) -> str:
    cell, _, url = text.partition("=")
    if not _CELL.fullmatch(cell) or not _WEB.fullmatch(url):
        raise ValueError(text)
    return text


def _require_peers(peers: Sequence[str]) -> None:
    if len(peers) > MOST_PEERS:
        raise ValueError(f"names {len(peers)} cells. At most {MOST_PEERS} are accepted")
    cells = [peer.partition("=")[0] for peer in peers]
    for cell in cells:
        if cells.count(cell) > 1:
            raise ValueError(f"names the cell {cell} more than once")


def _key(text: str) -> str:
    if not re.fullmatch("[!-~]+", text):
        raise ValueError(text)
    return text


def _host(text: str) -> str:
    if not _HOST.fullmatch(text):
        raise ValueError(text)
    return text


def _receiver(text: str) -> str:
    AllowedReceivers.read([text])
    return text


def _network(text: str) -> str:
    read_network(text)
    return text


def _path(text: str) -> Path:
    if not text:
        raise ValueError(text)
    return Path(text)


def _secret(text: str) -> str:
    if len(text) < SHORTEST_SECRET or not text.isascii() or not text.isprintable():
        raise ValueError(text)
    return text


ADDRESS = SettingKind("HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080", _address, "HOST:PORT", optional=True)
CELL_ID = SettingKind(
    "a lowercase letter and up to 15 more lowercase letters, digits or hyphens, such as eu1", _cell, "CELL"
)
SECRET = SettingKind(f"at least {SHORTEST_SECRET} printable ASCII characters", _secret, "SECRET", optional=True)
URL = SettingKind("a URL such as redis://127.0.0.1:6379/0", str, "URL", optional=True)
FILE = SettingKind("the path of a file, or -", str, "FILE", optional=True)
PEM = SettingKind("the path of a PEM file", _path, "FILE", optional=True)
PATH = SettingKind("the path of a file", _path, "FILE", optional=True)
FOLDER = SettingKind("the path of a folder", _path, "DIR")
_ORIGIN_FORMS = (
    "origins, comma-separated: a scheme and a host in lower case, without a path, such as https://play.example or "
    "http://localhost:5173; capacitor://localhost, ionic://localhost or tauri://localhost; chrome-extension://ID"
)
ORIGINS = SettingKind(_ORIGIN_FORMS, _origin, "ORIGIN", many=True)
ORIGINS_OR_ANY = SettingKind(f"{_ORIGIN_FORMS}; or *", _origin_or_any, "ORIGIN", many=True)
PEERS = SettingKind(
    "cells with the origins of their public ports, such as us1=https://us1.example.org, comma-separated",
    _peer,
    "CELL=URL",
    many=True,
    require=_require_peers,
)
KEY = SettingKind("printable ASCII characters without spaces", _key, "KEY", optional=True)
HOSTS = SettingKind("hosts without ports, such as play.example, comma-separated", _host, "HOST", many=True)
RECEIVERS = SettingKind("hosts such as hooks.example or 10.1.2.3:8080, comma-separated", _receiver, "HOST", many=True)
NETWORKS = SettingKind("networks such as 10.0.0.0/8 or ::1, comma-separated", _network, "NETWORK", many=True)
