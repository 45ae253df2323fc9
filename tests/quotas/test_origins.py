"""Whose call it is."""

from __future__ import annotations

import pytest

from skerry_service.access.client_addresses import AddressResolver, CallerAddress, Peer

PROXIES = ("10.0.0.0/8", "2001:db8:ffff::/48", "127.0.0.1")


def origins(*proxies: str, local: bool = True) -> tuple[AddressResolver, list[str]]:
    strangers: list[str] = []
    return AddressResolver(proxies, local=local, on_untrusted_proxy=strangers.append), strangers


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("not an address", "not an address"),
    ],
)
def test_an_address_is_counted_as_what_one_customer_has(host: str, counted: str) -> None:
    for trusted in ((), PROXIES):
        assert origins(*trusted)[0].resolve(Peer(host, "c")) == CallerAddress(counted, "c")


@pytest.mark.parametrize("host", [None, "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_callers_on_this_machine_are_local_unless_they_count_too(host: str | None) -> None:
    assert origins()[0].resolve(Peer(host)).local
    assert not origins(local=False)[0].resolve(Peer(host)).local


@pytest.mark.parametrize(
    ("host", "said", "counted"),
    [
        ("192.0.2.7", ("198.51.100.1",), "192.0.2.7"),  # nobody's word but a proxy's
        ("10.1.1.1", (), "10.1.1.1"),
        ("10.1.1.1", ("198.51.100.1",), "198.51.100.1"),
        ("10.1.1.1", ("203.0.113.9, 198.51.100.1",), "198.51.100.1"),  # from the right
        ("10.1.1.1", ("203.0.113.9", "198.51.100.1, 10.2.2.2"), "198.51.100.1"),  # past those that are trusted
        ("10.1.1.1", ("10.3.3.3, 10.2.2.2",), "10.3.3.3"),
        ("10.1.1.1", ("198.51.100.1, unknown",), "10.1.1.1"),
        ("10.1.1.1", ("198.51.100.1:4711",), "198.51.100.1"),
        ("10.1.1.1", ("[2001:db8:1:2::9]:4711",), "2001:db8:1:2::/64"),
        ("2001:db8:ffff::1", ("2001:db8:1:2::9",), "2001:db8:1:2::/64"),
        ("127.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        ("127.0.0.1", ("198.51.100.1, 127.0.0.1",), "198.51.100.1"),
        ("10.1.1.1", ("127.0.0.2",), "127.0.0.2"),
    ],
)
def test_proxies_that_are_trusted_say_who_called_them(host: str, said: tuple[str, ...], counted: str) -> None:
    found = origins(*PROXIES)[0].resolve(Peer(host, "c", said, forwarded=bool(said)))
    assert (found.address, found.local) == (counted, False)
    assert bool(found.connection) == (host == "192.0.2.7"), "a proxy's connection is that of many"


def test_whom_a_proxy_on_this_machine_calls_for_is_not_on_this_machine() -> None:
    found, strangers = origins("10.0.0.0/8")
    peer = Peer("127.0.0.1", "c", ("198.51.100.1",), forwarded=True)
    assert found.resolve(peer) == CallerAddress("127.0.0.1", "c", local=False)
    assert strangers == ["127.0.0.1"]
    assert found.resolve(Peer("127.0.0.1", "c", (), forwarded=True)).local is False


@pytest.mark.parametrize(
    ("named", "counted"),
    [
        (("198.51.100.1",), "198.51.100.1"),
        (("203.0.113.9, 198.51.100.1",), "198.51.100.1"),
        (("198.51.100.1", "10.2.2.2"), "198.51.100.1"),
        (("unknown",), "local"),
        ((), "local"),
    ],
)
def test_a_proxy_at_a_unix_socket_is_trusted_and_its_clients_have_limits(named: tuple[str, ...], counted: str) -> None:
    found = origins(*PROXIES)[0].resolve(Peer(None, "", named, forwarded=True))
    assert found == CallerAddress(counted, local=False)


@pytest.mark.parametrize("proxy", ["", "everybody", "10.0.0.0/33", "10.0.0.1:80"])
def test_a_proxy_that_is_no_network_is_refused(proxy: str) -> None:
    with pytest.raises(ValueError, match="SKERRY_TRUSTED_PROXIES"):
        origins(proxy)
