"""The dashboard and the alert rules name counters that there are, with labels that they have."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skerry_service.telemetry.fast_counters import FastCounter, FastHistogram
from skerry_service.telemetry.metrics import Metrics

MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
_ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "gauge": ("",)}
_OF_PROMETHEUS = {"up"}
_LABELS = {"le", "instance", "job", "limit"}
"""Of Prometheus, of histograms, and of what is collected only when it is asked for."""


def there_are() -> tuple[set[str], set[str]]:
    """Return the names of all time series, and of all labels."""
    metrics = Metrics()
    metrics.add_certificate_expiry(lambda: datetime.now(UTC))
    metrics.add_archive_state(lambda: True)
    metrics.add_limits(lambda: {"create": 1})
    names = {
        f"{family.name}{ending}" for family in metrics.registry.collect() for ending in _ENDINGS.get(family.type, ())
    }
    counted = [one for one in vars(metrics).values() if isinstance(one, FastCounter | FastHistogram)]
    labels = {label for one in counted for label in one.labels}
    return names, labels | _LABELS


def expressions() -> dict[str, str]:
    """Return each expression of the rules and of the dashboard by where it stands."""
    dashboard = json.loads((MONITORING / "grafana" / "skerry.json").read_text(encoding="utf-8"))
    found = {
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in dashboard["panels"]
        for target in panel["targets"]
    }
    rules = (MONITORING / "alerts.yaml").read_text(encoding="utf-8")
    alerts = re.findall(r"alert: (\w+)\n\s+expr: (.*)\n", rules)
    assert len(alerts) == rules.count("alert:")
    return found | dict(alerts)


@pytest.mark.parametrize(("place", "expression"), expressions().items(), ids=lambda one: one.split()[0])
def test_an_expression_names_what_there_is(place: str, expression: str) -> None:
    names, labels = there_are()
    bare = re.sub(r'"[^"]*"', "", expression)
    used = set(re.findall(r"\b(?:skerry|grpc_server|process)_\w+|\bup\b", bare))
    assert used and used <= names | _OF_PROMETHEUS
    grouped = {label.strip() for group in re.findall(r"by \(([^)]*)\)", bare) for label in group.split(",")}
    chosen = set(re.findall(r"(\w+)=", "".join(re.findall(r"\{[^}]*\}", bare))))
    assert grouped | chosen <= labels, place


def test_where_no_replica_is_left_an_alert_says_so() -> None:
    """What discovery does not find any more is no series that is 0: every other alert is silent then."""
    (job,) = re.findall(r"job_name: (\w+)", (MONITORING / "prometheus.yaml").read_text(encoding="utf-8"))
    assert f'absent(up{{job="{job}"}})' in expressions().values()
    jobs = {name for expression in expressions().values() for name in re.findall(r'job="(\w+)"', expression)}
    assert jobs == {job}


def test_every_counter_of_ours_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
    names, _ = there_are()
    ours = {re.sub(r"_(bucket|count|sum)$", "", name) for name in names if name.startswith("skerry_")}
    assert {name for name in ours if f"`{name}`" not in page} == set()
