"""Path templates of ``google.api.http``: ``/v1/{name=sessions/*}:act``.

template = "/" segment { "/" segment } [ ":" verb ]
segment  = "*" | "**" | literal | "{" field { "." field } [ "=" segment { "/" segment } ] "}"
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

_TOKEN = re.compile(r"\{(?P<field>[a-z0-9_.]+)(?:=(?P<inside>[^{}]+))?\}|(?P<other>[^{}]+)")
_SLASH = re.compile("%2F", re.IGNORECASE)
_ONE, _SOME = "[^/:]+", "[^:]*"


@dataclass(frozen=True)
class Template:
    """A compiled path template. It matches percent-encoded paths."""

    text: str
    pattern: re.Pattern[str]
    fields: tuple[str, ...]
    """The fields that the path binds, dotted, in order."""
    _multi_segment: frozenset[str]
    """The fields that can span several segments. In them an encoded slash stays encoded."""

    def match(self, path: str) -> dict[str, str] | None:
        """Return the decoded values of the fields; ``None`` if the path does not match. Raises UnicodeDecodeError."""
        found = self.pattern.fullmatch(path)
        if found is None:
            return None
        return {field: self._decode(field, value) for field, value in zip(self.fields, found.groups(), strict=True)}

    def _decode(self, field: str, value: str) -> str:
        if "%" not in value:
            return value
        kept = _SLASH.sub("%252F", value) if field in self._multi_segment else value
        return unquote(kept, errors="strict")


def parse_template(text: str) -> Template:
    """Compile a template. Raises ValueError."""
    if not text.startswith("/"):
        raise ValueError(f"{text}: a path starts with a slash")
    pattern, fields, multi_segment, end = "", [], set[str](), 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            raise ValueError(f"{text}: not a path template after {text[:end]}")
        end = token.end()
        if token["field"] is None:
            pattern += _segments(token["other"])
            continue
        inside = token["inside"] or "*"
        fields.append(token["field"])
        pattern += f"({_segments(inside)})"
        if "/" in inside or "**" in inside:
            multi_segment.add(token["field"])
    if end != len(text):
        raise ValueError(f"{text}: not a path template after {text[:end]}")
    return Template(text, re.compile(pattern), tuple(fields), frozenset(multi_segment))


def _segments(text: str) -> str:
    wild = {"*": _ONE, "**": _SOME}
    return "".join(wild.get(part) or re.escape(part) for part in re.split(r"(\*\*?)", text))
