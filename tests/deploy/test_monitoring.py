"""The dashboard, the alert rules and the documents name existing metrics and labels."""

from __future__ import annotations

import json
import re
import runpy
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skerry_service.telemetry.fast_counters import FastCounter, FastHistogram
from skerry_service.telemetry.metrics import Metrics

ROOT = Path(__file__).parents[2]
MONITORING = ROOT / "deploy" / "monitoring"
_ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "gauge": ("",)}
_OF_PROMETHEUS = {"up"}
_LABELS = {"le", "instance", "job", "limit"}
"""Labels of Prometheus, of histograms, and of metrics that are collected on demand."""


def names_and_labels() -> tuple[set[str], set[str]]:
    """Return the names of all time series, and of all labels."""
    metrics = Metrics()
    metrics.add_certificate_expiry(lambda: datetime.now(UTC))
    metrics.add_archive_state(lambda: True)
    metrics.add_damage(lambda: 0)
    metrics.add_limits(lambda: {"create": 1})
    metrics.add_caches(lambda: {"tables": 1}, lambda: {"rules": 1})
    names = {
        f"{family.name}{ending}" for family in metrics.registry.collect() for ending in _ENDINGS.get(family.type, ())
    }
    counted = [one for one in vars(metrics).values() if isinstance(one, FastCounter | FastHistogram)]
    labels = {"reason", *(label for metric in counted for label in metric.labels)}
    return names, labels | _LABELS


def expressions() -> dict[str, str]:
    """Return each expression of the alert rules and the dashboard by its alert or panel."""
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


@pytest.mark.parametrize(("place", "expression"), expressions().items(), ids=lambda text: text.split()[0])
def test_an_expression_names_existing_metrics_and_labels(place: str, expression: str) -> None:
    names, labels = names_and_labels()
    bare = re.sub(r'"[^"]*"', "", expression)
    used = set(re.findall(r"\b(?:skerry|grpc_server|process)_\w+|\bup\b", bare))
    assert used and used <= names | _OF_PROMETHEUS
    grouped = {label.strip() for group in re.findall(r"by \(([^)]*)\)", bare) for label in group.split(",")}
    chosen = set(re.findall(r"(\w+)=", "".join(re.findall(r"\{[^}]*\}", bare))))
    assert grouped | chosen <= labels, place


def test_an_alert_fires_when_no_replica_is_left() -> None:
    """Prometheus has no series for a replica that discovery no longer finds, so no other alert fires."""
    (job,) = re.findall(r"job_name: (\w+)", (MONITORING / "prometheus.yaml").read_text(encoding="utf-8"))
    assert f'absent(up{{job="{job}"}})' in expressions().values()
    jobs = {name for expression in expressions().values() for name in re.findall(r'job="(\w+)"', expression)}
    assert jobs == {job}


def test_the_page_for_operators_lists_every_alert_and_every_reason_of_a_store_that_accepts_no_writes() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "write_operations.py"))["written"]
    page = (ROOT / "docs" / "how-to" / "operations.md").read_text(encoding="utf-8")
    assert written(page) == page, "run scripts/write_operations.py"
    assert all(f"`{alert}`" in page for alert in expressions() if alert.startswith("Skerry"))


def test_the_reference_lists_every_metric() -> None:
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
    names, _ = names_and_labels()
    ours = {re.sub(r"_(bucket|count|sum)$", "", name) for name in names if name.startswith("skerry_")}
    assert {name for name in ours if f"`{name}`" not in page} == set()
