"""The ``.proto`` files of the API with their imports, and their descriptors.

A wheel has Skerry's files beside this package, and a checkout has them in ``protos/``. Google's files come with
``googleapis-common-protos``, which ships each ``.proto`` beside its generated module.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from google.protobuf.descriptor import FileDescriptor

from skerry.v1 import service_pb2
from skerry_service.api import __file__ as _here

SERVICE = service_pb2.DESCRIPTOR.services_by_name["SkerryService"]

_PACKAGE = Path(_here).parents[1]
_ERROR_DETAILS = ("google/rpc/error_details.proto",)
"""Details of a ``google.rpc.Status``. Skerry's own files do not import them."""
_BUILT_IN = "google/protobuf/"
"""buf and protoc bring their own versions of these files."""


def sources() -> Mapping[str, bytes]:
    """Return the text of every file that a compiler needs for the API, by import path.

    Files of ``google/protobuf`` are left out, because compilers bring them. Raises OSError if files are missing.
    """
    return {
        file.name: _source_of(file.name).read_bytes() for file in descriptors() if not file.name.startswith(_BUILT_IN)
    }


@cache
def descriptors() -> tuple[FileDescriptor, ...]:
    """Return the descriptors of all files of the API and of their imports. Each comes after its imports."""
    found: dict[str, FileDescriptor] = {}
    for name in (*_own(), *_ERROR_DETAILS):
        _add(_module_of(name).DESCRIPTOR, found)
    return tuple(found.values())


def _add(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    for imported in file.dependencies:
        _add(imported, found)
    found.setdefault(file.name, file)


def _own() -> list[str]:
    """Return the sorted names of Skerry's own files. Raises FileNotFoundError if they are not installed."""
    folder = _folder()
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    if not names:
        raise FileNotFoundError(f"This installation lacks Skerry's .proto files. There are none in {folder}.")
    return names


def _source_of(name: str) -> Path:
    own = _folder() / name
    return own if own.exists() else Path(str(_module_of(name).__file__)).with_name(Path(name).name)


def _folder() -> Path:
    packaged = _PACKAGE / "protos"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / "protos"


def _module_of(name: str) -> ModuleType:
    return import_module(name.removesuffix(".proto").replace("/", ".") + "_pb2")
