"""Checks what is deployed: the Helm chart, with every file of values in ``deploy/chart/ci``, and the alert rules.

    build/deploy/bin/python scripts/check_deploy.py

The chart is linted, rendered, and each manifest compared with the schemas of several versions of Kubernetes, in which
nothing may stand that they do not know. Where promtool is on the PATH, it checks the rules.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import helm_python as helm
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parent.parent
CHART = ROOT / "deploy" / "chart"
RULES = ROOT / "deploy" / "monitoring" / "alerts.yaml"
VERSIONS = ("1.27", "1.31", "1.37")
"""Of Kubernetes: the oldest that the chart allows, and newer ones."""
REFUSED: Sequence[Mapping[str, Any]] = (
    {"settings": {"SKERRY_TRACES": True}},  # flags are 1 or 0
    {"settings": {"SKERRY_BOT_WORKERS": 1.5}},
    {"settings": {"SKERRY_PORT": 6000}},  # the chart's own: a variable that is there twice
    {"settings": {"SKERRY_METRICS": "0.0.0.0:9999"}},
    {"settings": {"SKERRY_KEYS": "/keys"}, "apiKeys": {"secretName": "keys"}},
    {"settings": {"SKERRY_ARCHIVE": "s3://games"}, "archive": {"existingClaim": "games"}},
    {"settings": {"PYTHONPATH": "/tmp"}},
    {"metrics": {"port": 8081}},  # the port of probes
    {"metrics": {"port": 8080}},
    {"imagePullSecrets": [{"name": "pull"}]},
    {"drainSeconds": 40},  # nothing is left of the grace for SIGTERM
    {"autoscaling": {"enabled": True, "cpu": 0}},
    {"autoscaling": {"enabled": True, "minReplicas": 0}},
)
"""Values of which no pod would come that serves."""
ADVICE = 1
"""The severity of what ``helm lint`` would only like."""


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    wrong = [*lint(), *(sentence for values in sorted(CHART.glob("ci/*.yaml")) for sentence in manifests(values))]
    wrong += [*taken(), *settings(), *ports(), *probes(), *rules()]
    for sentence in wrong:
        print(sentence)
    if not wrong:
        print(f"the chart renders manifests for Kubernetes {', '.join(VERSIONS)}")
    return 1 if wrong else 0


def lint() -> Iterator[str]:
    """Yield what Helm says against the chart."""
    for message in helm.lint(str(CHART))["messages"]:
        if message["severity"] > ADVICE and "Set redis.url" not in message["error"]:
            yield f"deploy/chart/{message['path']}: {message['error']}"


def rendered(values: Mapping[str, Any]) -> Mapping[str, str]:
    """Return what the chart makes of these values, by template, with a Redis if they name none."""
    with helm.Chart.load(str(CHART)) as chart:
        return dict(chart.render({"redis": {"url": "redis://redis"}, **values}, name="demo", namespace="games"))


def manifests(values: Path) -> Iterator[str]:
    """Yield what is wrong with what the chart makes of these values."""
    for name, text in sorted(rendered(yaml.safe_load(values.read_text(encoding="utf-8"))).items()):
        for manifest in yaml.safe_load_all(text) if name.endswith(".yaml") else ():
            yield from (f"{name} with {values.name}: {sentence}" for sentence in faults(manifest))


def ports() -> Iterator[str]:
    """Yield the wrong declarations of ports in a Service; proxies rely on them."""
    for secret, said in (("", ["kubernetes.io/h2c", "http"]), ("demo-tls", ["https", "https"])):
        service = rendered({"tls": {"secretName": secret}})["skerry/templates/service.yaml"]
        received = [port["appProtocol"] for port in yaml.safe_load(service)["spec"]["ports"]]
        if received != said:
            yield f"skerry/templates/service.yaml with tls.secretName {secret!r}: appProtocol is {received}, not {said}"


def taken() -> Iterator[str]:
    """Yield values that would leave a cluster without a pod that serves, and are not refused."""
    for values in REFUSED:
        try:
            rendered(values)
        except helm.HelmError:
            continue
        yield f"deploy/chart takes {values}"


def settings() -> Iterator[str]:
    """Yield what becomes of a setting other than what was set."""
    set_to = {"SKERRY_LIMIT_STREAMS_SERVER": 1_000_000, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4317"}
    deployment = yaml.safe_load(rendered({"settings": set_to})["skerry/templates/deployment.yaml"])
    found = {one["name"]: one["value"] for one in deployment["spec"]["template"]["spec"]["containers"][0]["env"]}
    for name, value in set_to.items():
        if found[name] != str(value):
            yield f"deploy/chart sets {name} to {found[name]}, not {value}"


def probes() -> Iterator[str]:
    """Yield probes that ask at a port where callers can take all connections: a pod that is busy would be killed."""
    deployment = yaml.safe_load(rendered({})["skerry/templates/deployment.yaml"])
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        if container[probe]["httpGet"]["port"] in ("grpc", "http"):
            yield f"skerry/templates/deployment.yaml: the {probe} asks where callers are served"


def faults(manifest: Any) -> Iterator[str]:
    """Yield what Kubernetes would not understand of a manifest; an empty one is none."""
    for version in VERSIONS if manifest else ():
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            yield f"Kubernetes {version}: {error.message}"


def rules() -> list[str]:
    """Return what promtool says against the alert rules."""
    promtool = shutil.which("promtool")
    if promtool is None:
        print("promtool is not here: the alert rules are not checked by it")
        return []
    checked = subprocess.run([promtool, "check", "rules", RULES], capture_output=True, text=True, check=False)
    return [checked.stdout + checked.stderr] if checked.returncode else []


if __name__ == "__main__":
    sys.exit(main())
