"""``store.places``: addresses with several hosts, on every supported Python."""

from __future__ import annotations

import pytest

from skerry_service.store.connections.server_addresses import read_places

PORT = 6379


@pytest.mark.parametrize(
    ("hosts", "places"),
    [
        ("a.example", [("a.example", PORT)]),
        ("a.example:1,b.example", [("a.example", 1), ("b.example", PORT)]),
        ("[::1]", [("::1", PORT)]),
        ("[::1],b.example:17", [("::1", PORT), ("b.example", 17)]),
        ("b.example:17,[fe80::1]:18", [("b.example", 17), ("fe80::1", 18)]),
        ("[::1]:1,[::ffff:192.0.2.1]:2,[::3]", [("::1", 1), ("::ffff:192.0.2.1", 2), ("::3", PORT)]),
    ],
)
@pytest.mark.parametrize("user", ["", "ada:pa%2Css@"])
@pytest.mark.parametrize("rest", ["", "/", "/name", "?ssl_cert_reqs=none", "/name/3?ssl_cert_reqs=none"])
def test_hosts_are_split_before_the_address_is_parsed(
    hosts: str, places: list[tuple[str, int]], user: str, rest: str
) -> None:
    known = read_places(f"rediss+cluster://{user}{hosts}{rest}", PORT)
    path, _, query = rest.partition("?")
    assert known.places == tuple(places)
    assert known.path == path.removeprefix("/")
    assert known.options.get("password") == ("pa,ss" if user else None)
    assert known.options.get("ssl_cert_reqs") == ("none" if query else None)
    assert known.tls


@pytest.mark.parametrize("hosts", ["", "a,,b", "a,", "[::1", "::1]", "[::1]x", "[nonsense],b", "a:b", "a:123456"])
def test_malformed_hosts_are_rejected(hosts: str) -> None:
    with pytest.raises(ValueError, match="separate the servers by commas"):
        read_places(f"redis+cluster://{hosts}/", PORT)
