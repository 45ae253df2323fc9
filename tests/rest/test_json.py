"""JSON as it is written and read here means what protobuf's own reader and writer mean by it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.v1.sentence_pb2 import Sentence
from skerry.v1.session_pb2 import Entry, Position, Session
from skerry_service.api.error_table import UnknownField
from skerry_service.domain.errors import InvalidField
from skerry_service.wire.json_names import reachable_messages
from skerry_service.wire.json_reader import fill, parse_json
from skerry_service.wire.json_writer import cached_json, to_json
from tests.rest.anything import anything, message_types
from tests.rest.contract import BOOK, Book

ANY = "google.protobuf.Any"
"""Holds what no JSON here does: the statuses of refused acts, which Play tells over gRPC alone."""
TYPES = [kind for kind in (*message_types(), BOOK) if ANY not in {one.full_name for one in reachable_messages([kind])}]


def read(kind: Descriptor, text: str | bytes) -> Message:
    message = GetMessageClass(kind)()
    fill(message, parse_json(text.encode() if isinstance(text, str) else text))
    return message


def same(one: Message, other: Message) -> bool:
    """Whether two messages are equal; a NaN, which equals nothing, counts as equal to another."""
    return one == other or one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.full_name)
@settings(max_examples=15)
@given(data=st.data())
def test_every_message_is_written_and_read_as_protobuf_would(kind: Descriptor, data: st.DataObject) -> None:
    check_written_and_read(kind, data.draw(anything(kind)))


@pytest.mark.deep
@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.full_name)
@settings(max_examples=100)
@given(data=st.data())
def test_many_more_messages_are(kind: Descriptor, data: st.DataObject) -> None:
    check_written_and_read(kind, data.draw(anything(kind)))


def check_written_and_read(kind: Descriptor, message: Message) -> None:
    written = to_json(message)
    expected = json_format.MessageToJson(message, always_print_fields_with_no_presence=True)
    assert json.loads(written) == json.loads(expected)
    assert b"\n" not in written
    assert same(json_format.Parse(written, type(message)()), message)
    assert same(read(kind, expected), message)
    for brief in (True, False):
        assert same(read(kind, json_format.MessageToJson(message, preserving_proto_field_name=brief)), message)


@settings(max_examples=200)
@given(data=st.data())
def test_any_json_is_read_as_protobuf_would_or_refused(data: st.DataObject) -> None:
    values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("COLOUR_RED")
    names = st.sampled_from([field.json_name for field in BOOK.fields if "float" not in field.name])
    inner = st.recursive(
        values, lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(names, deeper, max_size=3)
    )
    text = json.dumps(data.draw(st.dictionaries(names, inner, max_size=4)))
    try:
        message = read(BOOK, text)
    except (InvalidField, UnknownField):
        return
    assert same(json_format.Parse(text, Book()), message)


def test_numbers_that_javascript_cannot_hold_are_texts_and_may_come_as_either() -> None:
    written = json.loads(to_json(Book(a_int64=2**60, a_int32=5)))
    assert (written["aInt32"], written["aInt64"]) == (5, "1152921504606846976")
    assert read(BOOK, '{"aInt64": "7"}') == read(BOOK, '{"aInt64": 7}') == read(BOOK, '{"a_int64": 7.0}')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[]", "a list"),
        ("null", "null"),
        ('"x"', "a string"),
        ("{", "not JSON"),
        ("{} {}", "not JSON"),
        ('{"aInt32": 1,}', "not JSON"),
        ("{'aInt32': 1}", "not JSON"),
        ('{"aInt32": 1, "aInt32": 1}', "twice"),
        ('{"aInt32": 1, "a_int32": 1}', "twice"),
        ('{"sequel": {"aBool": true, "aBool": true}}', "twice"),
        ('{"aDouble": NaN}', "NaN"),
        ('{"aDouble": Infinity}', "Infinity"),
        ('{"aInt32": 2147483648}', "aInt32"),
        ('{"aInt32": 1.5}', "whole number"),
        ('{"aInt32": true}', "whole number"),
        ('{"aInt32": "1e3"}', "whole number"),
        ('{"aInt32": ""}', "whole number"),
        ('{"aUint32": -1}', "aUint32"),
        ('{"aInt64": 1' + "0" * 5000 + "}", "not JSON: a number has too many digits."),
        ('{"aInt64": 9223372036854775808}', "aInt64"),
        ('{"aDouble": 1e400}', "aDouble"),
        ('{"aDouble": 1' + "0" * 400 + "}", "aDouble"),
        ('{"someFloat": ["1e400"]}', "someFloat[0]"),
        ('{"aBool": 1}', "true or false"),
        ('{"aBool": "true"}', "true or false"),
        ('{"aString": 1}', "a string"),
        ('{"aString": "\\ud800"}', "aString"),
        ('{"aBytes": "%%%"}', "base64"),
        ('{"aBytes": "A"}', "base64"),
        ('{"\\ud800": 1}', "body: This contains an unpaired surrogate. Send valid Unicode."),
        ('{"parts": [{"\\ud800": 1}]}', "body: This contains an unpaired surrogate. Send valid Unicode."),
        ('{"stringMap": {"\\ud800": 1}}', "stringMap: This contains an unpaired surrogate. Send valid Unicode."),
        ('{"boolMap": {"true": "\\ud800"}}', "boolMap.true: This contains an unpaired surrogate. Send valid Unicode."),
        ('{"colour": "COLOUR_GREEN"}', "COLOUR_RED"),
        ('{"colour": {}}', "COLOUR_RED"),
        ('{"someInt32": 1}', "a list"),
        ('{"someInt32": [1, null]}', "someInt32[1]"),
        ('{"sequel": 1}', "an object"),
        ('{"parts": [{}, []]}', "parts[1]"),
        ('{"parts": [{"sequel": {"aInt32": "x"}}]}', "parts[0].sequel.aInt32"),
        ('{"printed": "yesterday"}', "printed"),
        ('{"stringMap": {"a": "x"}}', "stringMap"),
        ('{"stringMap": []}', "stringMap: This must be an object, not a list."),
        ('{"int32Map": {"7": "AA==", "x": "AA=="}}', "int32Map"),
        ("[" * 60_000, "nested too deeply"),
        ('{"sequel":' * 6000, "nested too deeply"),
        ('{"parts":[' * 51, "nested too deeply"),
        ("\ufeff{}", "not JSON"),
    ],
)
def test_what_is_not_exactly_one_object_of_the_right_shape_is_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidField) as refused:
        read(BOOK, text)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 250
    assert re.fullmatch(r"[\w.\[\]]+: This .*\.", str(refused.value)), "a field and a full sentence"


def test_an_invalid_map_value_is_reported_with_its_key() -> None:
    for text, words in (
        ('{"stringMap": {"a": null}}', "stringMap.a: This must be a whole number, not null."),
        ('{"boolMap": {"true": 1}}', "boolMap.true: This must be a string, not 1."),
        ('{"boolMap": {"\\ud800": []}}', "boolMap: This contains an unpaired surrogate. Send valid Unicode."),
    ):
        with pytest.raises(InvalidField) as refused:
            read(BOOK, text)
        assert str(refused.value) == words


def test_a_mistake_inside_a_map_of_messages_is_reported_with_its_place() -> None:
    read(Sentence.DESCRIPTOR, '{"id": "x", "parameters": {"seat": {"seat": 1}}}')
    for text, words in (
        ('{"parameters": {"seat": 1}}', "parameters.seat: This must be an object, not 1."),
        ('{"parameters": {"seat": {"seat": "x"}}}', "parameters.seat.seat: This must be a whole number"),
    ):
        with pytest.raises(InvalidField) as refused:
            read(Sentence.DESCRIPTOR, text)
        assert str(refused.value).startswith(words)
    with pytest.raises(UnknownField, match="colour"):
        read(Sentence.DESCRIPTOR, '{"parameters": {"seat": {"colour": 1}}}')


def test_a_hundred_objects_may_lie_in_one_another_and_no_more() -> None:
    """By our own count, which no setting of the interpreter and no text with brackets in it changes."""
    within = '{"sequel":' * 99 + "{%s}" + "}" * 99
    assert read(BOOK, within % "").ByteSize() > 0
    with pytest.raises(InvalidField, match="nested too deeply"):
        read(BOOK, within % '"sequel":{}')
    text = "[{" * 200 + '\\"]}'
    assert read(BOOK, json.dumps({"aString": text})) == Book(a_string=text)
    assert len(read(BOOK, json.dumps({"parts": [{}] * 300})).parts) == 300  # type: ignore[attr-defined]


def test_bytes_that_are_no_text_are_refused() -> None:
    for data in (b'{"aString": "\xff"}', '{"aString": "x"}'.encode("utf-16"), b"\x00"):
        with pytest.raises(InvalidField):
            parse_json(data)


def test_an_unknown_field_is_named_with_the_way_to_it() -> None:
    with pytest.raises(UnknownField) as refused:
        read(BOOK, '{"parts": [{"sequel": {"titel": 1}}]}')
    assert refused.value.metadata == {"field": "Book", "name": "parts[0].sequel.titel"}


def test_what_stands_in_lists_is_written_anew_when_it_changes() -> None:
    book = Book(parts=[Book(a_int32=1), Book(a_int32=1)])
    assert [part["aInt32"] for part in json.loads(to_json(book))["parts"]] == [1, 1]
    book.parts[1].a_int32 = 2
    assert [part["aInt32"] for part in json.loads(to_json(book))["parts"]] == [1, 2]


def test_what_stands_beside_a_time_is_written_anew_when_it_changes() -> None:
    entry, more_than_are_kept = Entry(sequence=1), 5000
    for number in (*range(more_than_are_kept), more_than_are_kept - 1, 0):
        entry.moved.move.text = f"move {number}"
        assert json.loads(to_json(entry))["moved"]["move"] == {"text": f"move {number}"}


def test_what_is_asked_for_again_is_written_anew_when_it_changes() -> None:
    for sequence in (7, 7, 8, 7):
        for message in (Position(sequence=sequence), Session(sequence=sequence)):
            assert cached_json(message.DESCRIPTOR, message.SerializeToString()) == to_json(message)
    assert cached_json(Position.DESCRIPTOR, b"") != cached_json(Session.DESCRIPTOR, b""), "the same bytes, other kinds"


def test_a_field_without_presence_is_written_with_its_default_and_one_with_presence_only_when_set() -> None:
    written = json.loads(to_json(Book()))
    scalars: dict[str, Any] = dict.fromkeys(("aInt32", "aUint32", "aSint32", "aFixed32", "aDouble", "aFloat"), 0)
    scalars |= {"aInt64": "0", "aUint64": "0", "aSfixed64": "0", "aBool": False, "aString": "", "aBytes": ""}
    lists: dict[str, Any] = {f"some{name[1:]}": [] for name in scalars} | {"colours": [], "parts": []}
    maps: dict[str, Any] = {"stringMap": {}, "boolMap": {}, "int32Map": {}}
    assert written == scalars | lists | maps | {"colour": "COLOUR_UNSPECIFIED"}
    position = {"sequence": "0", "seat": 0, "toAct": [], "legalMoves": [], "undoable": 0}
    assert json.loads(to_json(Position(seat=0))) == position


def test_types_of_googles_stay_as_protobuf_writes_them() -> None:
    assert to_json(Timestamp()) == b'"1970-01-01T00:00:00Z"'
    assert to_json(Duration()) == b'"0s"'
    assert to_json(Empty()) == b"{}"
    assert to_json(Struct()) == b"{}"
    assert to_json(ErrorInfo(reason="X")) == b'{"reason":"X","domain":"","metadata":{}}'
    assert to_json(RetryInfo()) == b"{}"
