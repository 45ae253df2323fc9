"""``skerry keys``, and what the doctor makes of its file."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path
from socket import AF_UNIX, socket

import pytest

from skerry_service.access.api_key_file import ApiKeys, format_line, new_key, read_keys
from skerry_service.cli.app import run
from skerry_service.cli.operators.doctor import of_keys
from skerry_service.wiring.config import Config


def test_a_new_key_is_printed_once_and_its_line_holds_a_digest(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--expires", "2031-01-31", "--limit", "create=5/10s,50/1h", "--limit", "streams=7")
    assert run(["keys", "new", "mobile", "--scopes", "play,watch", *more]) == 0
    key, line = capsys.readouterr().out.splitlines()
    found = read_keys(line).find(key)
    assert found
    assert found.name == "mobile"
    assert found.scopes == {"play", "watch"}
    assert found.limits
    assert found.limits.streams == 7
    assert key not in line


def test_a_line_is_added_to_a_file_and_nothing_else_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "keys"
    file.write_text("# ours\n* - watch")
    file.chmod(0o600)
    keys = []
    for _ in range(2):
        assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(file)]) == 0
        keys.append(capsys.readouterr().out.strip())
    lines = file.read_text().splitlines()
    assert lines == ["# ours", "* - watch", *(format_line(key, "play") for key in keys)]
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["keys"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_a_file_that_gets_a_line_stays_its_owners(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.touch(0o600)
    os.chown(file, 12345, 23456)
    assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(file)]) == 0
    found = file.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, 0o600)


def test_a_link_stays_and_what_it_names_gets_the_line(tmp_path: Path) -> None:
    file, link = tmp_path / "keys", tmp_path / "link"
    file.touch()
    link.symlink_to(file)
    assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(link)]) == 0
    assert link.is_symlink()
    assert file.read_text().startswith("mobile  sha256:")


def test_what_is_no_file_stays_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "socket"
    with socket(AF_UNIX) as bound:
        bound.bind(str(path))
        assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(path)]) == 2
    assert capsys.readouterr().err == f"skerry: {path}: This is not a file.\n"
    assert path.is_socket()


def test_a_line_that_cannot_be_added_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    file = tmp_path / "keys"
    file.write_text("* - watch\n")
    with monkeypatch.context() as patched:
        patched.setattr("os.replace", refuse)
        assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(file)]) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["keys"]
    assert run(["keys", "new", "mobile", "--scopes", "play", "--file", str(file)]) == 0
    assert len(file.read_text().splitlines()) == 2


def test_of_two_that_add_a_line_at_once_none_undoes_what_the_other_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, codes = tmp_path / "keys", []

    def add_another(text: str) -> ApiKeys:
        monkeypatch.undo()
        codes.append(run(["keys", "new", "other", "--scopes", "play", "--file", str(file)]))
        return read_keys(text)

    monkeypatch.setattr("skerry_service.cli.applications.keys_command.read_keys", add_another)
    codes.append(run(["keys", "new", "mobile", "--scopes", "play", "--file", str(file)]))
    assert codes == [1, 0]
    assert "Another process is adding a key." in capsys.readouterr().err
    assert list(read_keys(file.read_text()).by_name) == ["mobile"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Mobile", "--scopes", "play"), "lower-case letters"),
        (("mobile", "--scopes", "plays"), "A scope is unknown; use play, host"),
        (("mobile", "--scopes", "play", "--expires", "soon"), "Expires is not a date"),
        (("mobile", "--scopes", "play", "--limit", "walk=1/1s"), "Walk is not a limit of a key"),
        (("mobile", "--scopes", "play", "--file", "broken"), "broken: This is not a file of keys: line 1"),
    ],
)
def test_what_is_no_key_is_refused(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken").write_text("nonsense\n")
    assert run(["keys", "new", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, words.lower() in err.lower()) == ("", True)


@pytest.mark.parametrize(
    ("line", "state", "words"),
    [
        (format_line(new_key("mobile"), "play"), "ok", "The file has 1 key of 1 name; every call needs a key"),
        ("* - watch", "ok", "scopes without a key: watch"),
        (format_line(new_key("mobile"), "play", ("expires=2020-01-31",)), "advice", "mobile"),
        ("mobile", "wrong", "line 1: write a key as NAME"),
    ],
    ids=["a key", "what needs none", "a key that has expired", "no key"],
)
def test_the_doctor_reads_the_file(tmp_path: Path, line: str, state: str, words: str) -> None:
    assert of_keys(Config()) is None
    file = tmp_path / "keys"
    file.write_text(line)
    finding = of_keys(Config(keys=file))
    assert finding
    assert (finding.state, words in finding.sentence) == (state, True)
