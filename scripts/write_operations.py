"""Write two tables into docs/how-to/operations.md: why a store accepts no writes, and the alerts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from skerry_service.store.health.write_health import SENTENCES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "operations.md"
ALERTS = ROOT / "deploy" / "monitoring" / "alerts.yaml"
_TABLE = re.compile(r"(<!-- (\w+): written by scripts/write_operations.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
_VALUES = re.compile(r"{{ *\$(?:labels\.(\w+)|value)(?: *\| *\w+)? *}}")


def written(page: str) -> str:
    """Return the page with current tables."""
    tables = {"reasons": _reasons, "alerts": _alerts}
    return _TABLE.sub(lambda found: found[1] + "".join(f"{line}\n" for line in tables[found[2]]()), page)


def _reasons() -> Iterator[str]:
    yield "| reason | meaning |"
    yield "|---|---|"
    for reason, sentence in SENTENCES.items():
        yield f"| `{reason}` | {sentence} |"


def _alerts() -> Iterator[str]:
    yield "| alert | severity | meaning | what to do |"
    yield "|---|---|---|---|"
    for group in yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]:
        for rule in group["rules"]:
            texts = rule["annotations"]["summary"], rule["annotations"]["description"]
            summary, description = (_VALUES.sub(_placeholder, text) for text in texts)
            yield f"| `{rule['alert']}` | {rule['labels']['severity']} | {summary} | {description} |"


def _placeholder(found: re.Match[str]) -> str:
    """Return the name of a label or "N", in place of a value that Prometheus inserts."""
    return f"*{found[1]}*" if found[1] else "*N*"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
