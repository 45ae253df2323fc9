"""Write the table of settings in docs/reference/settings.md from ``skerry_service.wiring.config``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from skerry_service.wiring.config import SETTINGS, Config
from skerry_service.wiring.settings import FLAG, Setting

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "settings.md"
_TABLE = re.compile(r"(<!-- settings: written by scripts/write_settings.py -->\n).*?(?=<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return the page with its table generated anew."""
    return _TABLE.sub(lambda found: found[1] + "".join(f"{line}\n" for line in _lines()), page)


def _lines() -> Iterator[str]:
    yield "| variable | option | default | description |"
    yield "|---|---|---|---|"
    for setting in SETTINGS:
        if setting.option:
            yield f"| `{setting.variable}` | `{setting.option}` | {_default(setting)} | {_description(setting)} |"
    limits = "[limits](limits.md)"
    yield f"| `SKERRY_LIMIT_...` | | {limits} | one limit, by its name. For example `100/10s 2000/1h`, or `off` |"


def _default(setting: Setting) -> str:
    value = setting.kind.write(setting.get(Config()))
    return setting.default or (f"`{value}`" if value else "none")


def _description(setting: Setting) -> str:
    kind, text = setting.kind, setting.help
    if kind is FLAG:
        return f"`1`: {text}"
    if "|" in kind.metavar:
        return f"{', '.join(f'`{word}`' for word in kind.metavar.split('|'))}: {text}"
    if setting.file_variable:
        return f"{text}. `{setting.file_variable}` names a file that contains the value"
    return f"`{kind.metavar}`: {text}" if ":" in kind.metavar else text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
