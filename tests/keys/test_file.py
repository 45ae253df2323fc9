"""The file of keys: what a line says, what is refused, and that a key is found by nothing but itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from skerry_service.access.api_key_file import Key, digest_of, line_of, new_key, read_keys
from skerry_service.access.keyring import Keyring
from skerry_service.access.quotas import Rate
from skerry_service.access.reloaded_files import Contents, Unusable
from skerry_service.access.scopes import CALLS, MEANINGS, SCOPES
from skerry_service.api.contract import SERVICE
from skerry_service.domain.errors import ApiKeyInvalid, ApiKeyMissing, ApiKeyScope
from skerry_service.edge.admin.admin_methods import ADMIN
from skerry_service.processes.engine_methods import ENGINE

DIGEST = "sha256:" + "0" * 64


def test_every_call_has_its_scopes_and_every_scope_of_players_a_call() -> None:
    assert sorted(CALLS) == sorted(rpc.name for service in (SERVICE, ENGINE, ADMIN) for rpc in service.methods)
    assert {rpc for rpc, scopes in CALLS.items() if "admin" in scopes} == {rpc.name for rpc in ADMIN.methods}
    assert set().union(*CALLS.values()) == set(SCOPES)
    assert all(CALLS.values())
    assert tuple(MEANINGS) == SCOPES


def test_the_page_says_which_calls_a_scope_is_for() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "security.md").read_text(encoding="utf-8")
    for scope in SCOPES:
        calls = ", ".join(f"`{rpc}`" for rpc, scopes in CALLS.items() if scope in scopes)
        assert f"| `{scope}` | {MEANINGS[scope]} | {calls} |" in page


def test_a_key_is_found_by_itself_alone() -> None:
    keys = [new_key(name) for name in ("mobile", "mobile", "bots-of-ada")]
    found = read_keys("\n".join(["# our keys", "", *(line_of(key, "play") for key in keys), "* - watch # for all"]))
    for key in keys:
        known = found.find(key)
        assert known
        assert (known.name, known.digest) == (key.split("_")[2], digest_of(key))
    assert found.anybody == {"watch"}
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
    assert key.allowance
    assert key.allowance.rates == {"create": (Rate(50, 10), Rate(1000, 3600)), "join": ()}
    assert key.allowance.streams == 50


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mobile", "NAME sha256:DIGEST SCOPES"),
        (f"Mobile {DIGEST} play", "small letters"),
        (f"-x {DIGEST} play", "small letters"),
        ("mobile skerry_key_mobile_secret play", "a digest is sha256:"),
        (f"mobile {DIGEST}0 play", "a digest is sha256:"),
        (f"mobile {DIGEST} plays", "scopes are play, host"),
        (f"mobile {DIGEST} play,", "scopes are play, host"),
        (f"mobile {DIGEST} play expires=31.1.2027", "expires is a day"),
        (f"mobile {DIGEST} play expires=2027-02-30", "expires is a day"),
        (f"mobile {DIGEST} play create", "behind the scopes"),
        (f"mobile {DIGEST} play created=1/1s", "created is no limit of a key: create, "),
        (f"mobile {DIGEST} play connect=1/1s", "connect is no limit of a key"),
        (f"mobile {DIGEST} play create=many", "create is one or more rates"),
        (f"mobile {DIGEST} play streams=0", "streams is a number"),
        (f"mobile {DIGEST} play streams=1 streams=2", "said twice"),
        ("* - watch,admin", "admin is for nobody without a key"),
        ("* - play,nothing", "scopes are play"),
        (f"* {DIGEST} play", "for callers without a key"),
    ],
)
def test_a_line_that_says_something_else_is_refused_by_its_number(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text(f"# a comment\n* - watch\n\n{line}\n" if not line.startswith("*") else f"\n\n\n{line}\n")
    with pytest.raises(Unusable, match=f"SKERRY_KEYS names .*keys: line 4: .*{words}") as refusal:
        Keyring(path)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("data", [b"* - watch\n* - play\n", b"\xff\xfe"])
def test_a_file_that_says_two_things_or_none_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(data)
    with pytest.raises(Unusable, match="SKERRY_KEYS names"):
        Keyring(path)


def admitted(keyring: Keyring, rpc: str, sent: list[str]) -> Key | None:
    key = keyring.known(sent)
    keyring.require(rpc, key)
    return key


async def test_keys_come_and_go_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys"
    old, new, dated = new_key("mobile"), new_key("mobile"), new_key("dated")
    path.write_text(f"{line_of(old, 'play')}\n{line_of(dated, 'watch', ('expires=2027-01-31',))}\n")
    keyring = Keyring(path)
    known = admitted(keyring, "Act", [old])
    with pytest.raises(ApiKeyInvalid):
        admitted(keyring, "Act", [new])
    path.write_text(f"{path.read_text()}{line_of(new, 'play')}\n")
    assert await keyring.look()
    assert admitted(keyring, "Act", [old]) == known != admitted(keyring, "Act", [new])
    keyring.require_still("Act", known)
    path.write_text(f"{line_of(new, 'play')}\n{line_of(dated, 'watch', ('expires=2027-01-31',))}\n* - watch\n")
    assert await keyring.look()
    with pytest.raises(ApiKeyInvalid, match="withdrawn"):
        keyring.require_still("Act", known)
    assert admitted(keyring, "GetSession", []) is None
    keyring.require_still("Observe", None)
    with pytest.raises(ApiKeyMissing):
        keyring.require_still("Act", None)
    monkeypatch.setattr("time.time", lambda: datetime(2027, 1, 30, 23, 59, tzinfo=UTC).timestamp())
    last = admitted(keyring, "GetSession", [dated])
    monkeypatch.setattr("time.time", lambda: datetime(2027, 1, 31, tzinfo=UTC).timestamp())
    with pytest.raises(ApiKeyInvalid, match="expired"):
        admitted(keyring, "GetSession", [dated])
    with pytest.raises(ApiKeyInvalid, match="expired"):
        keyring.require_still("GetSession", last)
    path.write_text(line_of(dated, "watch", ("expires=2027-02-28", "read=5/1h")))
    assert await keyring.look()
    keyring.require_still("Observe", last)
    path.write_text(line_of(dated, "host"))
    assert await keyring.look()
    keyring.require_still("Observe", last)
    with pytest.raises(ApiKeyScope):
        keyring.require_still("Play", last)


async def test_a_file_that_is_being_written_withdraws_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys"
    keys = [new_key("mobile") for _ in range(3)]
    lines = [f"{line_of(key, 'play')}\n" for key in keys]
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
    assert await keyring.look()
    assert [keyring.known([key]) for key in keys] and len(keyring.value.by_name["mobile"]) == len(keys)


def test_two_keys_and_keys_for_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    key = new_key("looker")
    path.write_text(f"{line_of(key, 'watch')}\n* - bots\n")
    keyring = Keyring(path)
    with pytest.raises(ApiKeyInvalid):
        admitted(keyring, "GetSession", [key, key])
    assert admitted(keyring, "SampleStates", [key]), "what anybody may do, whoever has a key may do"
    with pytest.raises(ApiKeyScope, match=r"it would need the scope play\.") as refusal:
        admitted(keyring, "FindMatch", [key])
    assert refusal.value.metadata == {"scopes": "play"}
