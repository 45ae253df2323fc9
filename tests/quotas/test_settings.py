"""What an operator can set, and what the page says of it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from skerry_service.access.quotas import CONCURRENCY_LIMITS, QUOTA_OF_RPC, QUOTAS, LimitSettings, Rate
from skerry_service.api.contract import SERVICE
from skerry_service.processes.engine_methods import ENGINE
from skerry_service.wiring.config import Config

ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_limits_as_they_are() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "write_limits.py"))["written"]
    page = (ROOT / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")
    assert written(page) == page, "run scripts/write_limits.py"
    for name in (*CONCURRENCY_LIMITS, *(limit.name for quota in QUOTAS.values() for limit in quota.limits)):
        assert f"`{name}`" in page


def test_every_rpc_has_its_kind_and_every_kind_its_limits() -> None:
    assert set(QUOTA_OF_RPC) == {rpc.name for service in (SERVICE, ENGINE) for rpc in service.methods}
    assert len(QUOTA_OF_RPC) == len(SERVICE.methods) + len(ENGINE.methods), "names tell them apart"
    assert {kind for kind in QUOTA_OF_RPC.values() if kind} | {"connect", "identity"} == set(QUOTAS)
    for kind, quota in QUOTAS.items():
        assert [(one.name, one.per) for one in quota.limits] == [(kind, "address"), (f"{kind}_server", "server")]
        for limit in quota.limits:
            fast, slow = limit.rates
            assert fast.seconds < slow.seconds
            assert fast.step_us < slow.step_us


def test_moves_leaving_and_health_pass_always() -> None:
    assert (QUOTA_OF_RPC["Act"], QUOTA_OF_RPC["LeaveSession"]) == (None, None)


def test_limits_are_read_from_the_environment() -> None:
    config = Config.from_environment(
        {
            "SKERRY_LIMITS": "shadow",
            "SKERRY_LIMITS_LOCAL": "1",
            "SKERRY_TRUSTED_PROXIES": "10.0.0.0/8,::1",
            "SKERRY_LIMIT_CREATE": "5/10s 100/2h",
            "SKERRY_LIMIT_JOIN_SERVER": "off",
            "SKERRY_LIMIT_STREAMS_ADDRESS": "12",
            "SKERRY_LIMIT_STREAMS_SERVER": "off",
            "SKERRY_LIMIT_SPECTATORS_ADDRESS": "3",
            "SKERRY_LIMIT_STREAMS_TOKEN": "off",
        }
    )
    quotas = config.quotas
    assert (quotas.mode, quotas.local, quotas.proxies) == ("shadow", True, ("10.0.0.0/8", "::1"))
    create, create_server = quotas.quotas["create"].limits
    assert create.rates == (Rate(5, 10), Rate(100, 7200))
    assert create_server == QUOTAS["create"].limits[1]
    assert quotas.quotas["join"].limits[1].rates == ()
    assert (quotas.concurrency["streams_address"].maximum, quotas.concurrency["streams_server"].maximum) == (12, None)
    assert config.limits.spectators_per_address == 3
    assert config.limits.streams_per_token > 10**9
    assert Config.from_environment({}).quotas == LimitSettings() == Config().quotas
    assert Config.from_environment({}).limits == Config().limits


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("SKERRY_LIMITS", "maybe"),
        ("SKERRY_LIMITS_LOCAL", "yes"),
        ("SKERRY_TRUSTED_PROXIES", "everybody"),
        ("SKERRY_LIMIT_CREATE", "many"),
        ("SKERRY_LIMIT_CREATE", ""),
        ("SKERRY_LIMIT_CREATE", "0/10s"),
        ("SKERRY_LIMIT_CREATE", "10/10s 5"),
        ("SKERRY_LIMIT_STREAMS_ADDRESS", "-1"),
        ("SKERRY_LIMIT_STREAMS_ADDRESS", "0"),
        ("SKERRY_LIMIT_NOTHING", "1/1s"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_name(variable: str, text: str) -> None:
    with pytest.raises(ValueError, match=variable):
        Config.from_environment({variable: text})


@pytest.mark.parametrize(
    ("rate", "words"), [(Rate(1, 1), "1 in 1 s"), (Rate(1000, 600), "1,000 in 10 min"), (Rate(5, 86400), "5 in 1 d")]
)
def test_a_rate_is_printed_in_its_largest_unit(rate: Rate, words: str) -> None:
    assert rate.words == words
