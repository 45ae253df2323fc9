"""What ``skerry protos`` writes: a folder of ``.proto`` files that buf and protoc build with nothing else at hand."""

from __future__ import annotations

from pathlib import Path

import skerry_service
from skerry_service.api.contract import sources

SETTINGS = "buf.yaml"
_OWN = "skerry"
_MARK = "# Written by `skerry protos`"
_SETTINGS = f"""\
{_MARK} {skerry_service.__version__}. Run it again to bring the files in skerry/ and google/ up to date.
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
    """The folder holds something else. Its text is a sentence for the caller."""


def write_tree(folder: Path) -> list[str]:
    """Write the contract's sources, and Google's that they import, into a folder; return the names of the files.

    The folder is new, empty, or one that was written like this before: then its files are brought up to date, those of
    Skerry's that there are no longer are removed, and whatever else lies there stays. Raises FolderNotEmpty, OSError.
    """
    if folder.exists() and not _may_be_written(folder):
        raise FolderNotEmpty(f"The folder {folder} holds files that `skerry protos` did not write. Name a new folder.")
    files = {SETTINGS: _SETTINGS.encode(), **sources()}
    for earlier in (folder / _OWN).rglob("*.proto"):
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
