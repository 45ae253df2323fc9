"""``skerry protos``: write a folder of ``.proto`` files that buf and protoc build without further files."""

from __future__ import annotations

from pathlib import Path

import skerry_service
from skerry_service.api.contract import sources

SETTINGS = "buf.yaml"
_PACKAGE = "skerry"
_MARK = "# Written by `skerry protos`"
_SETTINGS = f"""\
{_MARK} {skerry_service.__version__}. Run it again to update the files in skerry/ and google/.
version: v2
lint:
  use:
    - STANDARD
  ignore:
    - google
breaking:
  use:
    - FILE
"""


class FolderNotEmpty(Exception):
    """The folder contains other files. The message is a sentence for the user."""


def write_tree(folder: Path) -> list[str]:
    """Write the API's .proto files, and those of Google that they import, into a folder. Return the file names.

    The folder is new, empty, or from an earlier run. An earlier run's files are updated, and obsolete .proto files of
    Skerry are deleted. Other files stay. Raises FolderNotEmpty, OSError.
    """
    if folder.exists() and not _may_be_written(folder):
        raise FolderNotEmpty(
            f"The folder {folder} contains files that `skerry protos` did not write. Pass a new folder."
        )
    files = {SETTINGS: _SETTINGS.encode(), **sources()}
    for earlier in (folder / _PACKAGE).rglob("*.proto"):
        if earlier.relative_to(folder).as_posix() not in files:
            earlier.unlink()
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
    return list(files)


def _may_be_written(folder: Path) -> bool:
    settings = folder / SETTINGS
    written = settings.is_file() and settings.read_bytes().startswith(_MARK.encode())
    return written or next(folder.iterdir(), None) is None
