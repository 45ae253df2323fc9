"""Print the Debian and Python packages of an image as CycloneDX 1.5 (JSON).

    python3 deploy/image/sbom.py ROOT > sbom.json

``ROOT``: the unpacked files of the image. Needs only Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

_INSTALLED = "install ok installed"


def bill_of_materials(root: Path) -> Mapping[str, Any]:
    """Return the bill of materials of the packages installed under ``root``."""
    components = [*debian_packages(root), *python_packages(root)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "container", "name": "skerry"}},
        "components": sorted(components, key=lambda one: str(one["purl"])),
    }


def debian_packages(root: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the packages that dpkg reports as installed."""
    status = root / "var" / "lib" / "dpkg" / "status"
    for paragraph in status.read_text(encoding="utf-8").split("\n\n") if status.exists() else ():
        fields = HeaderParser().parsestr(paragraph)
        if fields["Status"] == _INSTALLED:
            name, version = fields["Package"], fields["Version"]
            purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={fields['Architecture']}"
            yield {"type": "library", "name": name, "version": version, "purl": purl}


def python_packages(root: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the Python distributions in every site-packages folder."""
    for file in sorted(root.glob("**/*.dist-info/METADATA")):
        fields = HeaderParser().parsestr(file.read_text(encoding="utf-8"))
        name, version = fields["Name"], fields["Version"]
        purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
        found: dict[str, Any] = {"type": "library", "name": name, "version": version, "purl": purl}
        if expression := fields["License-Expression"]:
            found["licenses"] = [{"expression": expression}]
        yield found


if __name__ == "__main__":
    json.dump(bill_of_materials(Path(sys.argv[1])), sys.stdout, indent=1)
    print()
