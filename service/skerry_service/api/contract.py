"""The contract as files: the sources of ``protos/`` with what they import from Google, and their descriptors.

A wheel holds Skerry's sources beside this package; a checkout has them in its own ``protos/``. Google's come with
``googleapis-common-protos``, which ships each ``.proto`` beside the module that was generated from it.
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
_OF_REFUSALS = ("google/rpc/error_details.proto",)
"""No message of ours names them: they are details of a ``google.rpc.Status``."""
_OF_COMPILERS = "google/protobuf/"
"""buf and protoc bring these themselves, each in the version that it knows."""


def sources() -> Mapping[str, bytes]:
    """Return the text of every file that is needed to build the contract, by the path under which it is imported.

    Only ``google/protobuf`` is not among them, as compilers know it. Raises OSError where they were not installed.
    """
    return {
        file.name: _source_of(file.name).read_bytes()
        for file in descriptors()
        if not file.name.startswith(_OF_COMPILERS)
    }


@cache
def descriptors() -> tuple[FileDescriptor, ...]:
    """Return the descriptor of every file of the contract and of all that it imports, each after its imports."""
    found: dict[str, FileDescriptor] = {}
    for name in (*_own(), *_OF_REFUSALS):
        _add(_module_of(name).DESCRIPTOR, found)
    return tuple(found.values())


def _add(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    for imported in file.dependencies:
        _add(imported, found)
    found.setdefault(file.name, file)


def _own() -> list[str]:
    """Return the names of Skerry's own files, in order. Raises FileNotFoundError where they were not installed."""
    folder = _folder()
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    if not names:
        raise FileNotFoundError(f"This installation lacks Skerry's .proto files: there are none in {folder}.")
    return names


def _source_of(name: str) -> Path:
    own = _folder() / name
    return own if own.exists() else Path(str(_module_of(name).__file__)).with_name(Path(name).name)


def _folder() -> Path:
    packaged = _PACKAGE / "protos"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / "protos"


def _module_of(name: str) -> ModuleType:
    return import_module(name.removesuffix(".proto").replace("/", ".") + "_pb2")
