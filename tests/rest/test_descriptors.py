"""``/protos.binpb``: the contract as one descriptor set."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass

from skerry.v1 import service_pb2 as pb
from skerry_service.api import contract
from skerry_service.edge.rest.descriptor_set import descriptor_set
from skerry_service.edge.rest.openapi.comments import comment_on
from tests.api.wire import OPEN, SERVICE
from tests.rest.web import Web


@pytest.mark.asyncio(loop_scope="module")
async def test_it_is_served_whole_and_may_be_kept(web: Web) -> None:
    answer = await web.call("GET", "/protos.binpb")
    assert (answer.status, answer.body) == (200, descriptor_set())
    assert answer.headers["content-type"] == "application/protobuf"
    assert answer.headers["cache-control"] == "public, max-age=60"
    packed = await web.call("GET", "/protos.binpb", headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.body) == answer.body
    assert (await web.call("HEAD", "/protos.binpb")).status == 200
    refused = await web.call("POST", "/protos.binpb", {})
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


@pytest.mark.asyncio(loop_scope="module")
async def test_who_has_nothing_else_can_read_an_answer(web: Web) -> None:
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString((await web.call("GET", "/protos.binpb")).body).file:
        pool.Add(file)
    service = pool.FindServiceByName(SERVICE.full_name)
    assert [method.name for method in service.methods] == [method.name for method in SERVICE.methods]
    answer = await web.rpc("CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 2))
    read = ParseDict(answer.json, GetMessageClass(service.methods_by_name["CreateSession"].output_type)())
    assert MessageToDict(read) == MessageToDict(answer.message("CreateSession"))


def test_every_comment_is_there_and_every_name_in_json() -> None:
    described = FileDescriptorSet.FromString(descriptor_set())
    commented = 0
    for proto, file in zip(described.file, contract.descriptors(), strict=True):
        texts = {tuple(one.path): one.leading_comments for one in proto.source_code_info.location}
        for path, name, thing in everything(proto, (), file.package):
            assert " ".join(texts.get(path, "").split()) == " ".join(comment_on(file, name).split())
            assert not hasattr(thing, "json_name") or thing.json_name
            commented += path in texts
    assert commented > 500


def everything(holder: Any, path: tuple[int, ...], name: str) -> Iterator[tuple[tuple[int, ...], str, Any]]:
    """Yield all that a description holds with its path and its full name: lists of messages that have a name."""
    for field, value in holder.ListFields():
        for index, inner in enumerate(value if field.is_repeated and field.message_type else ()):
            if "name" in inner.DESCRIPTOR.fields_by_name:
                where, full_name = (*path, field.number, index), f"{name}.{inner.name}"
                yield where, full_name, inner
                yield from everything(inner, where, full_name)


def test_comments_are_wrapped_as_those_of_sources_are() -> None:
    for file in FileDescriptorSet.FromString(descriptor_set()).file:
        for one in file.source_code_info.location:
            assert one.leading_comments.endswith("\n")
            assert all(line.startswith(" ") and len(line) <= 101 for line in one.leading_comments.splitlines())
