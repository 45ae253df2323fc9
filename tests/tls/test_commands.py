"""TLS on the command line: servers of several processes, commands that connect to them, and the doctor."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from skerry_client import Client, tls_credentials
from skerry_games.catalogue import all_games
from skerry_service.cli.app import run
from skerry_service.cli.operators.doctor import of_tls
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server

from .authority import Authority

COMMAND = [sys.executable, "-m", "skerry_service.cli"]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.mark.deep
def test_several_processes_serve_it_and_commands_reach_them(authority: Authority, tmp_path: Path) -> None:
    pem, own = authority.issue("server"), authority.issue("client", "player")
    files = ["--tls-certificate", pem.certificate, "--tls-key", pem.key, "--tls-client-ca", authority.file]
    serve = [*COMMAND, "serve", "--port", "0", "--http", "127.0.0.1:0", "--workers", "2", *map(str, files)]
    with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            greeting = [server.stdout.readline() for _ in range(4)]
            address = greeting[0].split()[2]
            assert greeting[1].startswith("REST/JSON at https://127.0.0.1:")
            shown = ["--ca", authority.file, "--client-certificate", own.certificate, "--client-key", own.key]
            assert greeting[-1].endswith(f"--server {address} --tls\n") or "Play in the browser" in greeting[2]
            assert (
                subprocess.run([*COMMAND, "health", "--server", address, *map(str, shown)], check=False).returncode == 0
            )
            credentials = tls_credentials(ca=authority.file, certificate=own.certificate, key=own.key)
            for _ in range(8):
                with Client(address, credentials=credentials, retry_for=0, timeout=30) as client:
                    assert len(client.games()) == len(all_games())
        finally:
            server.send_signal(signal.SIGTERM)
    assert server.returncode == 0


@pytest.mark.deep
def test_a_game_is_played_through_the_environment(authority: Authority, tmp_path: Path) -> None:
    pem = authority.issue("server")
    files = {"SKERRY_TLS_CERTIFICATE": str(pem.certificate), "SKERRY_TLS_KEY": str(pem.key)}
    environment = {**os.environ, **files, "SKERRY_CA": str(authority.file), "SKERRY_PORT": "0"}
    serve = [*COMMAND, "serve"]
    with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout
        try:
            where = ["--server", server.stdout.readline().split()[2]]
            play = [*COMMAND, "play", "kreta", "--json", *where]
            assert subprocess.run(play, env=environment, check=True, capture_output=True).stdout
            certify = [*COMMAND, "certify", "--game", "kreta", "--player", f"api:{sys.executable} examples/player.py"]
            refused = subprocess.run([*certify, *where], env=environment, check=False, capture_output=True, text=True)
            assert "FAILED" in refused.stdout, "the service is reached, and the player is none"
        finally:
            server.send_signal(signal.SIGTERM)


async def test_a_command_shows_what_it_is_given(
    valkey: EmbeddedServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    pem, own = authority.issue("server"), authority.issue("client", "player")
    config = Config(port=0, redis_url=valkey.url, tls_certificate=pem.certificate, tls_key=pem.key)
    async with running_server(replace(config, tls_client_ca=authority.file)) as running:
        shown = ["--ca", authority.file, "--client-certificate", own.certificate, "--client-key", own.key]
        for flags, code in (([], 1), (["--tls"], 1), (shown, 0)):
            command = ["health", "--server", running.address, *map(str, flags)]
            assert await asyncio.to_thread(run, command) == code


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--ca", "nowhere.pem"], "nowhere.pem: No such file or directory."),
        (["--ca", "empty"], "has no certificate in PEM form"),
        (["--client-certificate", "ca.pem"], "key: Pass the key together with the certificate"),
    ],
)
def test_files_of_no_use_are_refused_before_anything_is_sent(
    authority: Authority,
    flags: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.chdir(authority.file.parent)
    Path("empty").touch()
    for command in (["health"], ["play", "kreta"]):
        assert run([*command, "--server", "127.0.0.1:1", *flags]) == 2
        assert words.lower() in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    ("days", "state", "words"),
    [(300, "ok", "valid for 29"), (10, "advice", "valid for 9 days"), (-1, "wrong", "expired on")],
)
def test_the_doctor_looks_when_the_certificate_ends(authority: Authority, days: int, state: str, words: str) -> None:
    pem = authority.issue("server", not_after=datetime.now(UTC) + timedelta(days=days))
    finding = of_tls(Config(tls_certificate=pem.certificate, tls_key=pem.key))
    assert finding
    assert finding.state == state
    assert words in finding.sentence


def test_the_doctor_sees_a_key_of_another_certificate(authority: Authority) -> None:
    assert of_tls(Config()) is None
    key = authority.issue("other").key
    finding = of_tls(Config(tls_certificate=authority.issue("server").certificate, tls_key=key))
    assert finding
    assert (finding.state, finding.topic) == ("wrong", "tls")
    assert "does not match the certificate" in finding.sentence
    assert finding.advice
