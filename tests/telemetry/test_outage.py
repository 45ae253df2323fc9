"""An unavailable store is logged once, then once a minute, and when it is back."""

from __future__ import annotations

import pytest

from skerry_service.telemetry.outage import StoreOutageLog


def test_an_unavailable_store_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = 1000.0
    outage = StoreOutageLog(lambda: now)
    outage.report(None)
    for second in range(0, 130, 2):
        now = 1000.0 + second
        outage.report("refused")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("ERROR", "the store accepts no writes, and changes fail until it does. refused"),
        ("ERROR", "the store accepts no writes for 60 s, and changes fail until it does. refused"),
        ("ERROR", "the store accepts no writes for 120 s, and changes fail until it does. refused"),
    ]
    caplog.clear()
    now = 1150.0
    outage.report(None)
    outage.report(None)
    outage.report("gone again")
    assert caplog.messages == [
        "the store accepts writes again, after 150 s",
        "the store accepts no writes, and changes fail until it does. gone again",
    ]
