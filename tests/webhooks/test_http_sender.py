"""Requests go only to listed hosts, and only to public or listed addresses, whatever the names resolve to."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Sequence

import pytest

from skerry_service.domain.webhook_events import Receiver as To
from skerry_service.domain.webhook_events import receiver_of
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.webhooks.http_sender import DeliveryFailed, HttpSender, Resolve
from skerry_service.wiring.config import Config

from .receivers import PATIENCE, Receiver, receiving

PRIVATE = (
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
    "240.0.0.1",
    "::",
    "::1",
    "::7f00:1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_permitted(address: str) -> None:
    assert not AllowedReceivers.read(["hooks.example", "hooks.example:8080"]).permits(address, 443)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111"])
def test_public_addresses_are_permitted(address: str) -> None:
    assert AllowedReceivers.read(["hooks.example"]).permits(address, 443)


def test_a_private_address_is_permitted_if_the_operator_lists_it() -> None:
    allowed = AllowedReceivers.read(["hooks.internal:8080", "10.1.2.3:8080", "[FD00::0:1]:8080"])
    assert allowed.permits("10.1.2.3", 8080)
    assert allowed.permits("fd00::1", 8080)
    assert not allowed.permits("10.1.2.3", 443)
    assert not allowed.permits("10.1.2.4", 8080)


def test_an_entry_without_a_port_allows_the_ports_of_http_and_https() -> None:
    allowed = AllowedReceivers.read(["hooks.example", "Bots.Example.:8443"])
    assert [allowed.includes("hooks.example", port) for port in (80, 443, 8443, 22)] == [True, True, False, False]
    assert [allowed.includes("bots.example", port) for port in (80, 443, 8443)] == [False, False, True]
    assert not allowed.includes("evil.hooks.example", 443)
    assert not allowed.includes("example", 443)


@pytest.mark.parametrize(
    "entry", ["https://x.example", "x.example/", "a b", "x:0", "x:70000", "user@x", "::1", "x:", "*"]
)
def test_an_entry_that_is_no_host_is_rejected_at_startup(entry: str) -> None:
    with pytest.raises(ValueError, match="SKERRY_WEBHOOKS_ALLOW"):
        Config.from_environment({"SKERRY_WEBHOOKS_ALLOW": f"hooks.example,{entry}"})


def test_the_setting_lists_hosts() -> None:
    config = Config.from_environment({"SKERRY_WEBHOOKS_ALLOW": "hooks.example,[::1]:9000"})
    assert config.webhooks_allow == ("hooks.example", "[::1]:9000")
    assert Config.from_environment({}).webhooks_allow == ()


# ---------------------------------------------------------------- real requests


def answering(*answers: Sequence[str]) -> tuple[Resolve, list[str]]:
    """Return a resolver that gives these answers in turn, and the list of the hosts that it resolves."""
    left, asked = list(answers), list[str]()

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return left.pop(0)

    return resolve, asked


def to(receiver: Receiver, host: str = "hooks.example") -> To:
    return receiver_of(f"http://{host}:{receiver.port}/x")


def allowed(receiver: Receiver, *hosts: str) -> AllowedReceivers:
    return AllowedReceivers.read([f"{host}:{receiver.port}" for host in ("hooks.example", *hosts)])


async def test_a_request_goes_to_the_address_that_was_checked(receiver: Receiver) -> None:
    resolve, asked = answering(["10.0.0.1", "127.0.0.1"])
    sender = HttpSender(allowed(receiver, "127.0.0.1"), resolve=resolve)
    assert await sender.send(to(receiver), [("x-note", "1")], b"{}") == 204
    assert asked == ["hooks.example"]
    (request,) = receiver.requests
    assert (request.headers["host"], request.headers["x-note"], request.body) == (
        f"hooks.example:{receiver.port}",
        "1",
        b"{}",
    )


async def test_each_request_resolves_and_checks_the_host_again(receiver: Receiver) -> None:
    resolve, _ = answering(["127.0.0.1"], ["127.0.0.2"], ["169.254.169.254"], ["::1"], [])
    sender = HttpSender(allowed(receiver, "127.0.0.1"), resolve=resolve)
    assert await sender.send(to(receiver), (), b"{}") == 204
    for _ in range(4):
        with pytest.raises(DeliveryFailed, match="no allowed address"):
            await sender.send(to(receiver), (), b"{}")
    assert len(receiver.requests) == 1


async def test_an_allowed_name_does_not_permit_loopback(receiver: Receiver) -> None:
    sender = HttpSender(AllowedReceivers.read([f"localhost:{receiver.port}"]))
    with pytest.raises(DeliveryFailed, match="no allowed address"):
        await sender.send(to(receiver, "localhost"), (), b"{}")
    assert receiver.requests == []


async def test_concurrent_lookups_of_a_host_share_one_thread(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = list[str](), threading.Event()

    def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        if host == "hooks.example":
            assert answered.wait(PATIENCE)
            raise OSError("no response")
        return ["127.0.0.1"]

    monkeypatch.setattr("skerry_service.webhooks.host_lookups._addresses_of", look_up)
    sender = HttpSender(allowed(receiver, "127.0.0.1", "other.example"), timeout=0.05)
    tries = await asyncio.gather(*(sender.send(to(receiver), (), b"{}") for _ in range(20)), return_exceptions=True)
    assert {str(one) for one in tries} == {"timeout"}
    sender._timeout = PATIENCE
    assert await sender.send(to(receiver, "other.example"), (), b"{}") == 204
    assert asked == ["hooks.example", "other.example"]
    answered.set()


async def test_a_receiver_that_is_no_longer_listed_gets_no_request(receiver: Receiver) -> None:
    sender = HttpSender(AllowedReceivers.read([f"127.0.0.1:{receiver.port}"]))
    assert await sender.send(to(receiver, "127.0.0.1"), (), b"{}") == 204
    with pytest.raises(DeliveryFailed, match="receiver no longer allowed"):
        await sender.send(to(receiver, "127.0.0.2"), (), b"{}")


async def test_redirects_are_not_followed(receiver: Receiver) -> None:
    async with receiving() as private:
        there = f"http://127.0.0.1:{private.port}/secret".encode()
        receiver.answer = lambda: b"HTTP/1.1 307 Temporary Redirect\r\nlocation: " + there + b"\r\n\r\n"
        sender = HttpSender(allowed(receiver, "127.0.0.1"))
        assert await sender.send(to(receiver, "127.0.0.1"), (), b"{}") == 307
        assert private.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x-long: " + b"x" * 100_000,
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100_000,
        b"HTTP/1.1 abc\r\n\r\n",
        b"",
    ],
)
async def test_a_malformed_or_endless_response_fails_the_delivery(receiver: Receiver, answer: bytes) -> None:
    receiver.answer = lambda: answer
    sender = HttpSender(allowed(receiver, "127.0.0.1"))
    with pytest.raises(DeliveryFailed):
        await sender.send(to(receiver, "127.0.0.1"), (), b"{}")


async def test_the_sender_does_not_wait_for_the_body_of_the_response(receiver: Receiver) -> None:
    receiver.answer = lambda: b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 99999\r\n\r\nx"
    sender = HttpSender(allowed(receiver, "127.0.0.1"))
    assert await sender.send(to(receiver, "127.0.0.1"), (), b"{}") == 202


async def test_a_request_to_a_hanging_receiver_times_out(receiver: Receiver) -> None:
    receiver.answer = lambda: None
    sender = HttpSender(allowed(receiver, "127.0.0.1"), timeout=0.05)
    with pytest.raises(DeliveryFailed, match="timeout"):
        await sender.send(to(receiver, "127.0.0.1"), (), b"{}")


async def test_a_receiver_without_a_valid_certificate_gets_no_request(receiver: Receiver) -> None:
    resolve, _ = answering(["127.0.0.1"])
    sender = HttpSender(allowed(receiver, "127.0.0.1"), resolve=resolve)
    with pytest.raises(DeliveryFailed):
        await sender.send(receiver_of(f"https://hooks.example:{receiver.port}/"), (), b"{}")
    assert receiver.requests == []
    assert sender._tls is not None
    assert (sender._tls.verify_mode, sender._tls.check_hostname) == (ssl.CERT_REQUIRED, True)


async def test_a_refused_connection_fails_the_delivery(receiver: Receiver) -> None:
    sender = HttpSender(AllowedReceivers.read(["127.0.0.1:9"]))
    with pytest.raises(DeliveryFailed, match="Connection"):
        await sender.send(receiver_of("http://127.0.0.1:9/"), (), b"{}")
