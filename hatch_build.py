"""Puts the two files of Swagger UI into the service when it is built: who brings them is needed by builds alone."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_CARRIER = "flask_swagger_ui"
_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
_PLACE = "service/skerry_service/edge/rest/swagger_ui"
"""Where ``rest/pages.py`` reads them. Git ignores it."""


class SwaggerUi(BuildHookInterface[Any]):
    """Runs for wheels, and for the checkout that ``make install`` installs in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Copy the files from the package that carries them, which is not imported: it would want Flask."""
        found = find_spec(_CARRIER)
        if found is None or not found.submodule_search_locations:
            raise ModuleNotFoundError(f"{_CARRIER} brings the files of /docs and is not installed", name=_CARRIER)
        source, target = Path(found.submodule_search_locations[0]) / "dist", Path(self.root) / _PLACE
        target.mkdir(exist_ok=True)
        for name in _FILES:
            copyfile(source / name, target / name)
        build_data["artifacts"].append(f"/{_PLACE}/")
