"""Settings: how they are read and shown, unknown settings, and secrets."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from skerry_service.cli.app import run
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.wiring.config import OF_CLIENTS, SETTINGS, Config, effective_settings
from skerry_service.wiring.settings import FLAG, Setting
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
PASSWORD = "correct-horse"
OTHER_VALUES = {
    "SKERRY_HOST": "0.0.0.0",
    "SKERRY_PORT": "6000",
    "SKERRY_HTTP": "[::1]:8080",
    "SKERRY_SOCKET": "/run/skerry.sock",
    "SKERRY_GRPC": "grpcio",
    "SKERRY_ADMIN": "127.0.0.1:50052",
    "SKERRY_KEYS": "/keys/keys",
    "SKERRY_ISSUERS": "/keys/issuers.json",
    "SKERRY_MCP": "1",
    "SKERRY_MCP_KEY": "*" * 32,
    "SKERRY_HEALTH": "127.0.0.1:8081",
    "SKERRY_TLS_CERTIFICATE": "/tls/tls.crt",
    "SKERRY_TLS_KEY": "/tls/tls.key",
    "SKERRY_TLS_CLIENT_CA": "/tls/ca.crt",
    "SKERRY_CORS_ORIGINS": "https://a.example,http://b:1",
    "SKERRY_EMBED_ORIGINS": "https://a.example,capacitor://localhost",
    "SKERRY_ALLOWED_HOSTS": "play.example,[::1]",
    "SKERRY_WEBHOOKS_ALLOW": "hooks.example,10.1.2.3:8080",
    "REDIS_URL": "redis://redis:6379/0",
    "SKERRY_ALLOW_EVICTION": "1",
    "SKERRY_REDIS_WAIT": "2",
    "SKERRY_REDIS_WAIT_MS": "50",
    "SKERRY_DATA_DIR": "/data",
    "SKERRY_FSYNC": "everysec",
    "SKERRY_WORKERS": "4",
    "SKERRY_BOT_WORKERS": "0",
    "SKERRY_ENGINE": "2",
    "SKERRY_STORE_MEMORY": "64",
    "SKERRY_ACCESS_LOG": "-",
    "SKERRY_LOG_FORMAT": "json",
    "SKERRY_LOG_LEVEL": "debug",
    "SKERRY_METRICS": "127.0.0.1:9000",
    "SKERRY_CELL": "eu1",
    "SKERRY_PEERS": "us1=https://us1.example,ap1=http://10.3.0.5:8080",
    "SKERRY_PEERS_API_KEY": "***",
    "SKERRY_ARCHIVE": "s3://bucket/games",
    "SKERRY_ARCHIVE_AFTER": "90",
    "SKERRY_EDITIONS": "/editions/mine,/editions/other",
    "SKERRY_NEW_GAMES_RULESET": "kreta-2,tenerife-2",
    "SKERRY_TRACES": "1",
    "SKERRY_LIMITS": "shadow",
    "SKERRY_LIMITS_LOCAL": "1",
    "SKERRY_TRUSTED_PROXIES": "10.0.0.0/8,::1",
}


TOO_MANY_PEERS = ",".join(f"c{number}=http://10.0.0.{number}" for number in range(33))


def test_the_settings_page_is_up_to_date() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "write_settings.py"))["written"]
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    assert written(page) == page, "run scripts/write_settings.py"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.variable)
def test_every_setting_is_displayed_as_it_was_given(setting: Setting) -> None:
    is_limit = setting.variable.startswith("SKERRY_LIMIT_")
    text = "off" if is_limit else OTHER_VALUES[setting.variable]
    settings = effective_settings({setting.variable: text})
    displayed = setting.redact(text) if setting.redact else text
    assert setting.display(settings.config) == displayed != setting.display(Config())
    assert [(variable, given.origin) for variable, given in settings.given.items()] == [
        (setting.variable, "environment")
    ]
    assert bool(setting.option) != is_limit


@pytest.mark.parametrize(
    ("variable", "suggestion"),
    [
        ("SKERRY_PROT", "SKERRY_PORT"),
        ("SKERRY_REDIS_URL", "REDIS_URL"),
        ("SKERRY_REDIS_URL_FILE", "REDIS_URL_FILE"),
        ("SKERRY_CORS_ORIGIN", "SKERRY_CORS_ORIGINS"),
        ("SKERRY_LIMIT_CREATED", "SKERRY_LIMIT_CREATE"),
        ("SKERRY_FSYNC_FILE", "SKERRY_FSYNC"),
        ("SKERY_PORT", "SKERRY_PORT"),
        ("skerry_http", "SKERRY_HTTP"),
        ("SKERRY-HTTP", "SKERRY_HTTP"),
        ("REDIS_URI", "REDIS_URL"),
        ("REDISURL", "REDIS_URL"),
        ("SKERRY_MARVELS", "`skerry config` lists all settings"),
    ],
)
def test_an_unknown_setting_is_rejected_with_the_most_similar_name(variable: str, suggestion: str) -> None:
    hint = suggestion if " " in suggestion else f"Did you mean {suggestion}?"
    with pytest.raises(ValueError, match=f"^{re.escape(f'Unknown setting {variable}. {hint}')}$"):
        effective_settings({variable: "1"})


def test_variables_of_other_programs_are_ignored() -> None:
    environment = dict.fromkeys(OF_CLIENTS, "1") | {
        "REDIS_URL": "redis://here",
        "REDIS_URI": "of another program",
        "REDIS_HOST": "elsewhere",
        "PORT": "80",
        "HTTP_PROXY": "http://proxy",
        "SKERRY_PORT": "tcp://10.0.0.7:50051",
        "SKERRY_SERVICE_HOST": "10.0.0.7",
        "SKERRY_SERVICE_PORT": "50051",
        "SKERRY_SERVICE_PORT_GRPC": "50051",
        "SKERRY_PORT_50051_TCP": "tcp://10.0.0.7:50051",
        "SKERRY_PORT_50051_TCP_PROTO": "tcp",
        "SKERRY_PORT_50051_TCP_PORT": "50051",
        "SKERRY_PORT_50051_TCP_ADDR": "10.0.0.7",
        "SKERRY_REDIS_PORT": "tcp://10.0.0.8:6379",
        "SKERRY_REDIS_SERVICE_PORT": "6379",
    }
    settings = effective_settings(environment)
    assert (settings.config.port, list(settings.given)) == (Config().port, ["REDIS_URL"])


def test_every_variable_named_in_docs_and_deployment_files_is_known() -> None:
    known = {*OF_CLIENTS, *(name for one in SETTINGS for name in (one.variable, one.file_variable) if name)}
    files = [ROOT / "Dockerfile", *ROOT.glob("*.yaml"), *ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    files += [path for path in ROOT.glob("deploy/**/*") if path.is_file()]
    named = {
        (path.name, name)
        for path in files
        if path.name != "CHANGELOG.md"
        for name in re.findall(r"\bSKERRY_[A-Z_]*[A-Z]\b(?!_?\.\.\.|=tcp)", path.read_text(encoding="utf-8"))
    }
    assert {(file, name) for file, name in named if name not in known} <= {("operations.md", "SKERRY_PROT")}


def test_a_secret_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "redis"
    file.write_text(f"redis://:{PASSWORD}@redis:6379/0\n")
    settings = effective_settings({"REDIS_URL_FILE": str(file), "REDIS_URL": ""})
    assert settings.config.redis_url == f"redis://:{PASSWORD}@redis:6379/0"
    assert settings.given["REDIS_URL"].origin == f"file {file}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file"),
        (b"", "one line"),
        (b"two correct-horse\n", "one line"),
        (b"correct-horse\xff", "not UTF-8 text"),
        (b"correct-horse" * 10_000, "one line"),
    ],
)
def test_an_invalid_secret_file_is_named_without_its_content(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "redis"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ValueError, match=words) as error:
        effective_settings({"REDIS_URL_FILE": str(file)})
    assert str(error.value).startswith(f"REDIS_URL_FILE names {file}")
    assert PASSWORD not in str(error.value)


def test_a_secret_given_twice_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="REDIS_URL and REDIS_URL_FILE are both set"):
        effective_settings({"REDIS_URL_FILE": str(tmp_path), "REDIS_URL": "redis://here"})


@pytest.mark.parametrize(
    ("url", "redacted"),
    [
        (f"redis://user:{PASSWORD}@[::1]:6379/0", "redis://[::1]:6379/0"),
        (f"unix://user:{PASSWORD}@/run/redis.sock?db=1", "unix:///run/redis.sock"),
        (f"redis://here/0?password={PASSWORD}", "redis://here/0"),
        (f"redis+sentinel://:{PASSWORD}@a:1,[::1]:2/m/0?sentinel_password=p", "redis+sentinel://a:1,[::1]:2/m/0"),
        (f"redis://here/0?password={PASSWORD}@", "redis://..."),
        (f"redis://:a/{PASSWORD}@here", "redis://..."),
        (f"redis://:a?{PASSWORD}@here", "redis://..."),
        (f"redis://:a@{PASSWORD}@here", "redis://..."),
        (f"redis://:{PASSWORD}#@here", "redis://..."),
        (f"user:{PASSWORD}@here", "..."),
        ("nonsense", "nonsense"),
    ],
)
def test_a_redacted_url_contains_no_possible_password(url: str, redacted: str) -> None:
    assert without_secrets(url) == redacted


def test_config_prints_effective_values_and_their_origins(skerry: Run, tmp_path: Path) -> None:
    (tmp_path / "redis").write_text(f"redis://:{PASSWORD}@redis:6379/0\n")
    environment = {"SKERRY_HTTP": "127.0.0.1:8080", "SKERRY_PORT": "1", "REDIS_URL_FILE": "redis"}
    options = ("--port", "6000", "--cors-origin", "http://a", "--cors-origin", "http://b", "--allow-eviction")
    printed = skerry("config", *options, **environment)
    assert (printed.returncode, printed.stderr) == (0, "")
    lines = {line.split()[0]: line.split(maxsplit=1)[1].split("  ") for line in printed.stdout.splitlines()}
    rows = {variable: (words[0], words[-1].strip()) for variable, words in lines.items()}
    assert list(rows) == [setting.variable for setting in SETTINGS]
    assert {variable: row for variable, row in rows.items() if row[1] != "default"} == {
        "SKERRY_PORT": ("6000", "option"),
        "SKERRY_HTTP": ("127.0.0.1:8080", "environment"),
        "SKERRY_CORS_ORIGINS": ("http://a,http://b", "option"),
        "REDIS_URL": ("redis://redis:6379/0", "file redis"),
        "SKERRY_ALLOW_EVICTION": ("1", "option"),
    }
    as_json = json.loads(skerry("config", "--json", *options, **environment).stdout)
    assert as_json["REDIS_URL"] == {"value": "redis://redis:6379/0", "from": "file redis"}
    assert as_json.keys() == rows.keys()


@pytest.mark.parametrize(
    ("arguments", "variable", "words"),
    [
        (["serve"], "SKERRY_PROT", "Unknown setting SKERRY_PROT. Did you mean SKERRY_PORT?"),
        (["config"], "SKERRY_PROT", "Unknown setting SKERRY_PROT. Did you mean SKERRY_PORT?"),
        (["validate"], "SKERRY_PROT", "Unknown setting SKERRY_PROT. Did you mean SKERRY_PORT?"),
        (["serve", "--store-memory", "15"], None, "--store-memory must be a number of MiB from 16"),
        (["config", "--http", "8080"], None, "--http must be HOST:PORT"),
        (["config", "--metrics", "..:8080"], None, "--metrics must be HOST:PORT"),
        (["config", "--host", ".."], None, "--host must be an address or a host name, not '..'"),
        (["config", "--fsync", "never"], None, "--fsync must be always or everysec"),
        (["config", "--peer", TOO_MANY_PEERS], None, "--peer names 33 cells. At most 32 are accepted"),
        (["config", "--peer", "a=http://x,a=http://y"], None, "--peer names the cell a more than once"),
    ],
)
def test_commands_reject_invalid_settings(
    arguments: list[str],
    variable: str | None,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if variable:
        monkeypatch.setenv(variable, "6000")
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


def test_the_help_of_serve_describes_every_setting_with_its_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["serve", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for setting in SETTINGS:
        if setting.option:
            metavar = "" if setting.kind is FLAG else f" {setting.kind.metavar}"
            assert f"{setting.option}{metavar} {setting.help[0].upper()}" in text
            assert f"({setting.variable}" in text
    for default in ("SKERRY_PORT; default: 50051", "SKERRY_FSYNC; default: always", "SKERRY_METRICS"):
        assert f"({default})" in text
    assert "](" not in text
    assert " See " not in text, "the help shows no links"
