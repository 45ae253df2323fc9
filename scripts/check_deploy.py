"""Checks what is deployed: the Helm chart, with every file of values in ``deploy/chart/ci``, and the alert rules.

    build/deploy/bin/python scripts/check_deploy.py

The chart is linted and rendered. Each manifest of Kubernetes itself is compared with the schemas of all versions that
the chart allows; unknown fields are errors. Manifests for operators must refer to what the chart renders. Every value
has a description. Where promtool is on the PATH, it checks the rules.
"""

from __future__ import annotations

import json
import re
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
VERSIONS = tuple(f"1.{minor}" for minor in range(28, 38))
"""Of Kubernetes: all that the chart allows and for which there are schemas."""
CUSTOM = ("HTTPRoute", "GRPCRoute", "ServiceMonitor", "PrometheusRule", "ScaledObject")
"""Kinds that operators of a cluster add to Kubernetes."""
HOME: Mapping[str, Any] = {
    "gateways": [{"name": "gateway"}],
    "httpHostnames": ["play.example"],
    "grpcHostnames": ["grpc.play.example"],
}
US1: Mapping[str, Any] = {"id": "us1", "backend": {"name": "us1-skerry", "namespace": "us1"}}
ROUTED: Sequence[tuple[str, str, str]] = (
    ("/v1/sessions/mfzwizltmfzwizlt.us1:act", "", "us1-skerry"),
    ("/v1/sessions/mfzwizltmfzwizlt.us1/picture.svg", "", "us1-skerry"),
    ("/sessions/mfzwizltmfzwizlt.us1", "", "us1-skerry"),
    ("/v1/ladders/kreta.us1/bots/ada", "", "us1-skerry"),
    ("/v1/sessions:confirm", "us1", "us1-skerry"),
    ("/skerry.v1.SkerryService/Act", "us1", "us1-skerry"),
    ("/v1/sessions/mfzwizltmfzwizlt.us11", "", "demo-skerry"),
    ("/v1/sessions/mfzwizltmfzwizlt.eu1:act", "", "demo-skerry"),
    ("/v1/sessions/mfzwizltmfzwizlt", "", "demo-skerry"),
    ("/v1/sessions", "", "demo-skerry"),
)
"""A path, the header with the cell, and the Service that must get the call, if the release is the home."""
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
    {"autoscaling": {"enabled": True, "keda": {"prometheus": "http://prometheus"}}},  # KEDA without streams
    {"autoscaling": {"enabled": True, "streams": 9, "keda": {"prometheus": "http://prometheus"}}},  # no labels
    {"autoscaling": {"enabled": True, "streams": 9}, "metrics": {"enabled": False}},
    {"metrics": {"enabled": False, "serviceMonitor": {"enabled": True}}},
    {"extraEnv": [{"name": "SKERRY_PORT", "value": "1"}]},
    {"extraEnv": [{"name": "REDIS_URL", "value": "redis://elsewhere"}]},
    {"extraEnv": [{"name": "SKERRY_ADMIN", "value": "a"}], "settings": {"SKERRY_ADMIN": "b"}},
    {"extraEnv": [{"value": "nameless"}]},
    {"privateCa": {"configMapName": "one", "secretName": "another"}},
    {"backup": {"schedule": "@daily"}},  # no place for the files
    {"routes": {"httpHostnames": ["play.example"]}},  # nothing leads there
    {"routes": {"gateways": [{"name": "gateway"}]}},
    {"routes": {"gateways": [{"name": "g"}], "httpHostnames": ["a.example"], "grpcHostnames": ["a.example"]}},
    {"routes": {"gateways": [{"name": "g"}], "httpHostnames": ["https://a.example"]}},
    {"routes": {"gateways": [{"name": "g"}], "httpHostnames": ["a.example"], "shift": {"percent": 10}}},
    {"routes": {"ingress": {"className": "nginx"}, "httpHostnames": ["a.example"], "cells": [US1]}},  # reads no headers
    {"routes": {**HOME, "cells": [US1]}, "settings": {"SKERRY_CELL": "us1"}},  # its own cell
    {"routes": {**HOME, "cells": [{**US1, "id": "US1"}]}},
    {"routes": {**HOME, "cells": [{"id": "us1", "backend": {"name": "us1", "port": 80}}]}},  # the chart sets the port
)
"""Values of which no pod would come that serves."""
ADVICE = 1
"""The severity of what ``helm lint`` would only like."""


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    wrong = [*lint(), *(sentence for values in sorted(CHART.glob("ci/*.yaml")) for sentence in manifests(values))]
    wrong += [*taken(), *settings(), *ports(), *cells(), *probes(), *backups(), *undescribed(), *rules()]
    for sentence in wrong:
        print(sentence)
    if not wrong:
        print(f"the chart renders manifests for Kubernetes {VERSIONS[0]} to {VERSIONS[-1]}")
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
    texts = rendered(yaml.safe_load(values.read_text(encoding="utf-8")))
    found = {name: documents(text) for name, text in sorted(texts.items()) if name.endswith(".yaml")}
    names = {(one["kind"], one["metadata"]["name"]): one for made in found.values() for one in made}
    for name, made in found.items():
        for manifest in made:
            wrong = references(manifest, names) if manifest["kind"] in CUSTOM else faults(manifest)
            yield from (f"{name} with {values.name}: {sentence}" for sentence in wrong)


def documents(text: str) -> list[Any]:
    """Return the manifests of a template; a template that makes none of the values makes an empty one."""
    return [one for one in yaml.safe_load_all(text) if one]


def references(manifest: Any, names: Mapping[tuple[str, str], Any]) -> Iterator[str]:
    """Yield what a manifest for an operator refers to and the chart does not render."""
    spec = manifest["spec"]
    if manifest["kind"] == "ScaledObject":
        if ("Deployment", spec["scaleTargetRef"]["name"]) not in names:
            yield f"there is no Deployment {spec['scaleTargetRef']['name']}"
    elif manifest["kind"] == "ServiceMonitor":
        chosen = spec["selector"]["matchLabels"].items()
        services = [one for (kind, _), one in names.items() if kind == "Service"]
        read = [one for one in services if chosen <= one["metadata"]["labels"].items()]
        ports = [port["name"] for one in read for port in one["spec"]["ports"]]
        if len(read) != 1 or ports != [one["port"] for one in spec["endpoints"]]:
            yield f"it selects the ports {ports} of {len(read)} Services"
    elif manifest["kind"] == "PrometheusRule":
        if spec != yaml.safe_load(RULES.read_text(encoding="utf-8")):
            yield "its rules are not those of deploy/monitoring/alerts.yaml"
    else:
        own, *_ = spec["rules"][-1]["backendRefs"]
        if own["port"] not in [port["port"] for port in names["Service", own["name"]]["spec"]["ports"]]:
            yield f"Service {own['name']} has no port {own['port']}"


def backups() -> Iterator[str]:
    """Yield a Service that would send calls to the pod of a backup."""
    texts = rendered({"backup": {"schedule": "@daily", "existingClaim": "backups"}})
    (job,) = documents(texts["skerry/templates/backup.yaml"])
    labels = job["spec"]["jobTemplate"]["spec"]["template"]["metadata"]["labels"]
    for service in documents(texts["skerry/templates/service.yaml"]):
        if service["spec"]["selector"].items() <= labels.items():
            yield f"skerry/templates/backup.yaml: Service {service['metadata']['name']} selects backups"


def undescribed() -> Iterator[str]:
    """Yield values without a description or a default, and descriptions of values that do not exist."""
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    defaults = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    yield from (f"deploy/chart/values.schema.json: {sentence}" for sentence in _undescribed(schema, defaults, ""))


def _undescribed(schema: Mapping[str, Any], defaults: Any, path: str) -> Iterator[str]:
    described = schema.get("properties", {})
    # Helm adds `global` by itself.
    for name in sorted((described.keys() ^ defaults.keys()) - {"global"}) if described else ():
        yield f"{path}{name} is in values.yaml or in the schema, not in both"
    for name, one in described.items():
        if "description" not in one:
            yield f"{path}{name} has no description"
        if name in defaults:
            yield from _undescribed(one, defaults[name], f"{path}{name}.")


def ports() -> Iterator[str]:
    """Yield the wrong declarations of ports in a Service; proxies rely on them."""
    for secret, said in (("", ["kubernetes.io/h2c", "http"]), ("demo-tls", ["https", "https"])):
        service = rendered({"tls": {"secretName": secret}})["skerry/templates/service.yaml"]
        received = [port["appProtocol"] for port in yaml.safe_load(service)["spec"]["ports"]]
        if received != said:
            yield f"skerry/templates/service.yaml with tls.secretName {secret!r}: appProtocol is {received}, not {said}"


def cells() -> Iterator[str]:
    """Yield calls that the routes send to another cell than their own."""
    for in_paths in (True, False):
        texts = rendered({"routes": {**HOME, "cells": [US1], "cellsInPaths": in_paths}})
        for route in documents(texts["skerry/templates/routes.yaml"]):
            by_path = in_paths and route["kind"] == "HTTPRoute"
            for path, header, service in ROUTED:
                found = _backend(route["spec"]["rules"], path, header)
                if found != (service if by_path or header else "demo-skerry"):
                    call = f"{path} ({header or 'no cell'})"
                    yield f"{route['kind']} with cellsInPaths {in_paths} sends {call} to {found}"


def _backend(rules: Sequence[Any], path: str, header: str) -> str:
    """Return the Service that the rules of a route find. The last rule has no matches and accepts everything."""
    for rule in rules:
        for match in rule.get("matches", [{}]):
            headers, expression = match.get("headers", ()), match.get("path", {"value": ".*"})["value"]
            by_header = all(one == {"name": "skerry-cell", "value": header} for one in headers)
            if by_header and re.fullmatch(expression, path):
                return str(rule["backendRefs"][0]["name"])
    return ""


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
    """Yield what Kubernetes would not understand of a manifest."""
    for version in VERSIONS:
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
