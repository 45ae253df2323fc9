"""The contract as files: what is listed is whole, in order, and has names that every generator can live with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileOptions
from google.protobuf.descriptor_pool import DescriptorPool

from skerry_service.api import contract

ROOT = Path(__file__).resolve().parents[2]
OURS = [file for file in contract.descriptors() if file.name.startswith("skerry/")]
TAKEN = ("size", "count", "list", "builder", "bytes", "case")
"""What C++ and Java append to the name of a field for methods beside it: C++ makes ``hand_size()`` of ``hand``."""


def test_every_proto_of_the_repository_is_a_source() -> None:
    protos = ROOT / "protos"
    own = {path.relative_to(protos).as_posix(): path.read_bytes() for path in protos.rglob("*.proto")}
    assert own
    assert {name: text for name, text in contract.sources().items() if name.startswith("skerry/")} == own


def test_what_sources_import_is_a_source_or_comes_with_every_compiler() -> None:
    for name, text in contract.sources().items():
        for line in text.decode().splitlines():
            if line.startswith("import "):
                imported = line.split('"')[1]
                assert imported in contract.sources() or imported.startswith("google/protobuf/"), name


def test_each_file_stands_behind_its_imports() -> None:
    pool = DescriptorPool()
    for file in contract.descriptors():
        pool.AddSerializedFile(file.serialized_pb)
        assert pool.FindFileByName(file.name).name == file.name


def test_the_details_of_refusals_are_described() -> None:
    names = {name for file in contract.descriptors() for name in file.message_types_by_name if "rpc" in file.name}
    assert {"Status", "ErrorInfo", "RetryInfo"} <= names


def test_an_installation_without_protos_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "_PACKAGE", tmp_path / "lib" / "skerry_service")
    contract.descriptors.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"lacks Skerry's \.proto files"):
        contract.sources()


def test_no_fields_clash_in_the_languages_that_make_methods_of_them() -> None:
    clashes = []
    for message in nested(message for file in OURS for message in file.message_types_by_name.values()):
        names = {field.name for field in message.fields} | {oneof.name for oneof in message.oneofs}
        clashes += [f"{message.full_name}.{name}" for name in names for more in TAKEN if f"{name}_{more}" in names]
    assert clashes == []


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_the_names_in_other_languages_follow_from_the_package(file: FileDescriptor) -> None:
    words = file.package.split(".")
    pascal = [word.title().replace("_", "") for word in words]
    expected = FileOptions(
        csharp_namespace=".".join(pascal),
        go_package=f"skerry.example/{'/'.join(words)};{words[-2].replace('_', '')}{words[-1]}",
        java_multiple_files=True,
        java_package=file.package,
        php_namespace="\\".join(pascal),
        ruby_package="::".join(pascal),
        swift_prefix="".join(pascal),
    )
    assert file.GetOptions() == expected


def nested(messages: Iterable[Descriptor]) -> Iterator[Descriptor]:
    """Yield messages and those declared in them."""
    for message in messages:
        yield message
        yield from nested(message.nested_types)
