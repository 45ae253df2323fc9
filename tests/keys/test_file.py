"""The file of keys: what a line says, what is refused, and that a key is found by nothing but itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from skerry_service.access.api_key_file import ApiKey, digest_of, format_line, new_key, read_keys
from skerry_service.access.keyring import Keyring
from skerry_service.access.quotas import Rate
from skerry_service.access.reloaded_files import Contents, UnusableFile
from skerry_service.access.scopes import MEANINGS, SCOPES, SCOPES_OF_RPC
from skerry_service.api.contract import SERVICE
from skerry_service.domain.errors import ApiKeyInvalid, ApiKeyMissing, ApiKeyScope
from skerry_service.edge.admin.admin_methods import ADMIN_SERVICE
from skerry_service.processes.engine_methods import ENGINE

DIGEST = "sha256:" + "0" * 64


def test_every_call_has_its_scopes_and_every_scope_of_players_a_call() -> None:
    assert sorted(SCOPES_OF_RPC) == sorted(
        rpc.name for service in (SERVICE, ENGINE, ADMIN_SERVICE) for rpc in service.methods
    )
    assert {rpc for rpc, scopes in SCOPES_OF_RPC.items() if "admin" in scopes} == {
        rpc.name for rpc in ADMIN_SERVICE.methods
    }
    assert set().union(*SCOPES_OF_RPC.values()) == set(SCOPES) - {"act-for"}  # it permits no call by itself
    assert all(SCOPES_OF_RPC.values())
    assert tuple(MEANINGS) == SCOPES


def test_the_page_says_which_calls_a_scope_is_for() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "security.md").read_text(encoding="utf-8")
    players = frozenset(SCOPES) - {"admin", "act-for"}
    shared = ", ".join(f"`{rpc}`" for rpc, scopes in SCOPES_OF_RPC.items() if scopes == players)
    assert f"| each one but `admin` and `act-for` | read what is public | {shared} |" in page
    for scope in SCOPES:
        own = ", ".join(f"`{rpc}`" for rpc, scopes in SCOPES_OF_RPC.items() if scope in scopes and scopes != players)
        assert f"| `{scope}` | {MEANINGS[scope]} | {own or 'no others'} |" in page


def test_a_key_is_found_by_itself_alone() -> None:
    keys = [new_key(name) for name in ("mobile", "mobile", "bots-of-ada")]
    found = read_keys("\n".join(["# our keys", "", *(format_line(key, "play") for key in keys), "* - watch # for all"]))
    for key in keys:
        known = found.find(key)
        assert known
        assert (known.name, known.digest) == (key.split("_")[2], digest_of(key))
    assert found.anonymous_scopes == {"watch"}
    other = new_key("mobile")
    for wrong in (
        other,
        keys[0][:-1],
        f"{keys[0]}x",
        keys[0].replace("mobile", "bots-of-ada"),
        DIGEST,
        "",
        "\xff" * 99,
    ):
        assert found.find(wrong) is None
    assert len({new_key("a") for _ in range(100)}) == 100


def test_a_line_says_when_a_key_ends_and_what_it_may_ask_for() -> None:
    text = f"mobile {DIGEST} play,watch streams=50 expires=2027-01-31 create=50/10s,1000/1h join=off"
    (key,) = read_keys(text).by_name["mobile"]
    assert key.scopes == {"play", "watch"}
    assert key.expires == datetime(2027, 1, 31, tzinfo=UTC).timestamp()
    assert key.limits
    assert key.limits.rates == {"create": (Rate(50, 10), Rate(1000, 3600)), "join": ()}
    assert key.limits.streams == 50


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mobile", "NAME sha256:DIGEST SCOPES"),
        (f"Mobile {DIGEST} play", "lower-case letters"),
        (f"-x {DIGEST} play", "lower-case letters"),
        ("mobile skerry_key_mobile_secret play", "the digest is not sha256:"),
        (f"mobile {DIGEST}0 play", "the digest is not sha256:"),
        (f"mobile {DIGEST} plays", "a scope is unknown; use play, host"),
        (f"mobile {DIGEST} play,", "a scope is unknown; use play, host"),
        (f"mobile {DIGEST} play expires=31.1.2027", "expires is not a date"),
        (f"mobile {DIGEST} play expires=2027-02-30", "expires is not a date"),
        (f"mobile {DIGEST} play create", "an option after the scopes"),
        (f"mobile {DIGEST} play created=1/1s", "created is not a limit of a key; use one of analysis, "),
        (f"mobile {DIGEST} play connect=1/1s", "connect is not a limit of a key"),
        (f"mobile {DIGEST} play create=many", "create is .many.; use one or more rates"),
        (f"mobile {DIGEST} play streams=0", "streams is .0.; use a number"),
        (f"mobile {DIGEST} play streams=1 streams=2", "given twice"),
        ("* - watch,admin", "cannot have the scope admin"),
        ("* - play,nothing", "a scope is unknown; use play"),
        (f"* {DIGEST} play", "for callers without a key"),
    ],
)
def test_a_line_that_says_something_else_is_refused_by_its_number(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text(f"# a comment\n* - watch\n\n{line}\n" if not line.startswith("*") else f"\n\n\n{line}\n")
    with pytest.raises(UnusableFile, match=f"SKERRY_KEYS names .*keys: line 4: .*{words}") as refusal:
        Keyring(path)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("data", [b"* - watch\n* - play\n", b"\xff\xfe"])
def test_a_file_that_says_two_things_or_none_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(data)
    with pytest.raises(UnusableFile, match="SKERRY_KEYS names"):
        Keyring(path)


def admitted(keyring: Keyring, rpc: str, sent: list[str]) -> ApiKey | None:
    key = keyring.authenticate(sent)
    keyring.authorize(rpc, key)
    return key


async def test_keys_come_and_go_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys"
    old, new, dated = new_key("mobile"), new_key("mobile"), new_key("dated")
    path.write_text(f"{format_line(old, 'play')}\n{format_line(dated, 'watch', ('expires=2027-01-31',))}\n")
    keyring = Keyring(path)
    known = admitted(keyring, "Act", [old])
    with pytest.raises(ApiKeyInvalid):
        admitted(keyring, "Act", [new])
    path.write_text(f"{path.read_text()}{format_line(new, 'play')}\n")
    assert await keyring.poll()
    assert admitted(keyring, "Act", [old]) == known != admitted(keyring, "Act", [new])
    keyring.reauthorize("Act", known)
    path.write_text(f"{format_line(new, 'play')}\n{format_line(dated, 'watch', ('expires=2027-01-31',))}\n* - watch\n")
    assert await keyring.poll()
    with pytest.raises(ApiKeyInvalid, match="withdrawn"):
        keyring.reauthorize("Act", known)
    assert admitted(keyring, "GetSession", []) is None
    keyring.reauthorize("Observe", None)
    with pytest.raises(ApiKeyMissing):
        keyring.reauthorize("Act", None)
    monkeypatch.setattr("time.time", lambda: datetime(2027, 1, 30, 23, 59, tzinfo=UTC).timestamp())
    last = admitted(keyring, "GetSession", [dated])
    monkeypatch.setattr("time.time", lambda: datetime(2027, 1, 31, tzinfo=UTC).timestamp())
    with pytest.raises(ApiKeyInvalid, match="expired"):
        admitted(keyring, "GetSession", [dated])
    with pytest.raises(ApiKeyInvalid, match="expired"):
        keyring.reauthorize("GetSession", last)
    path.write_text(format_line(dated, "watch", ("expires=2027-02-28", "read=5/1h")))
    assert await keyring.poll()
    keyring.reauthorize("Observe", last)
    path.write_text(format_line(dated, "host"))
    assert await keyring.poll()
    keyring.reauthorize("Observe", last)
    with pytest.raises(ApiKeyScope):
        keyring.reauthorize("Play", last)


async def test_a_file_that_is_being_written_withdraws_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys"
    keys = [new_key("mobile") for _ in range(3)]
    lines = [f"{format_line(key, 'play')}\n" for key in keys]
    path.write_text("".join(lines[:2]))
    keyring = Keyring(path)
    parts = iter([lines[0], "".join(lines)])
    read = keyring._read

    def written_meanwhile() -> Contents:
        found = read()
        path.write_text(next(parts, "".join(lines)))
        return found

    path.write_text("")
    monkeypatch.setattr(keyring, "_read", written_meanwhile)
    assert await keyring.poll()
    assert [keyring.authenticate([key]) for key in keys] and len(keyring.value.by_name["mobile"]) == len(keys)


def test_two_keys_and_keys_for_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    key = new_key("looker")
    path.write_text(f"{format_line(key, 'watch')}\n* - bots\n")
    keyring = Keyring(path)
    with pytest.raises(ApiKeyInvalid):
        admitted(keyring, "GetSession", [key, key])
    assert admitted(keyring, "SampleStates", [key]), "a key may do what anonymous callers may"
    with pytest.raises(ApiKeyScope, match=r"This call needs an API key with the scope play\.") as refusal:
        admitted(keyring, "FindMatch", [key])
    assert refusal.value.metadata == {"scopes": "play"}
