"""The examples in other languages: a copy of a folder, built by the commands of its README."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

from tests.generators.workshop import GRPC, ROOT, Workshop
from tests.interop.services import Service

EXAMPLES = ROOT / "examples"


class Example(NamedTuple):
    """A built example, and the command that plays."""

    workshop: Workshop
    command: str

    def play(self, service: Service) -> list[str]:
        """Run the example against a service; return the lines that it prints."""
        return self.workshop.run(self.command.replace(GRPC, service.address))


def build_example(name: str, folder: Path, environment: str = "") -> Example:
    """Copy an example below ``folder`` and run the commands of its README there, except the last, which plays.

    ``environment``: lines of bash before the commands.
    """
    made = Workshop(copytree(EXAMPLES / name, folder / name), "", "")
    readme = (made.folder / "README.md").read_text(encoding="utf-8")
    commands = "".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)).splitlines()
    made.run("\n".join([environment, *commands[:-1]]))
    return Example(made, commands[-1])
