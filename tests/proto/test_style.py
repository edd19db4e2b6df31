"""The contract is a document: every element is explained, and names and numbers keep one style."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc  # type: ignore[import-untyped]

from arena.game.cards import NAMES, card_name

PROTO = Path(__file__).parents[2] / "proto"
FILES = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("**/*.proto"))

Files = list[FileDescriptorProto]
Element = tuple[str, tuple[int, ...]]

RANKS = ["ACE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING"]
SUITS = ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The parsed .proto files with their comments, which the generated code leaves out."""
    out = tmp_path_factory.mktemp("proto") / "all.bin"
    google = resources.files("grpc_tools") / "_proto"
    flags = [f"-I{PROTO}", f"-I{google}", "--include_source_info", f"--descriptor_set_out={out}"]
    assert protoc.main(["protoc", *flags, *FILES]) == 0
    return list(FileDescriptorSet.FromString(out.read_bytes()).file)


def elements(file: FileDescriptorProto) -> Iterator[Element]:
    """Everything that can bear a comment: its name and its path in the source information of the file."""
    for index, message in enumerate(file.message_type):
        yield from of_message(message, (4, index))
    for index, enum in enumerate(file.enum_type):
        yield from of_enum(enum, (5, index))
    for index, service in enumerate(file.service):
        yield service.name, (6, index)
        yield from ((f"{service.name}.{method.name}", (6, index, 2, at)) for at, method in enumerate(service.method))


def of_message(message: DescriptorProto, path: tuple[int, ...]) -> Iterator[Element]:
    yield message.name, path
    yield from ((f"{message.name}.{field.name}", (*path, 2, at)) for at, field in enumerate(message.field))
    for at, oneof in enumerate(message.oneof_decl):
        if not oneof.name.startswith("_"):  # what `optional` makes is not in the source
            yield f"{message.name}.{oneof.name}", (*path, 8, at)
    for at, nested in enumerate(message.nested_type):
        yield from of_message(nested, (*path, 3, at))
    for at, enum in enumerate(message.enum_type):
        yield from of_enum(enum, (*path, 4, at))


def of_enum(enum: EnumDescriptorProto, path: tuple[int, ...]) -> Iterator[Element]:
    yield enum.name, path
    yield from ((f"{enum.name}.{value.name}", (*path, 2, at)) for at, value in enumerate(enum.value))


def enums(files: Files) -> list[EnumDescriptorProto]:
    return [enum for file in files for enum in file.enum_type]


def test_every_element_has_a_comment_that_is_a_sentence(files: Files) -> None:
    bare = []
    for file in files:
        comments = {tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location}
        for name, path in elements(file):
            if not re.fullmatch(r"[A-Z].*\.", comments.get(path, ""), re.DOTALL):
                bare.append(name)
    assert bare == []
    assert sum(1 for file in files for _ in elements(file)) > 200


def test_every_file_begins_with_what_it_is_for() -> None:
    for name in FILES:
        assert (PROTO / name).read_text().startswith("// ")


def test_the_first_value_of_an_enum_is_unspecified(files: Files) -> None:
    for enum in enums(files):
        first = enum.value[0]
        assert (first.name, first.number) == (f"{upper(enum.name)}_UNSPECIFIED", 0)
        assert [value.number for value in enum.value] == list(range(len(enum.value)))


def test_values_begin_with_the_name_of_their_enum_but_cards_are_named_as_cards(
    files: Files,
) -> None:
    for enum in enums(files):
        if enum.name == "Card":
            assert [value.name for value in enum.value[1:]] == [f"{rank}_OF_{suit}" for suit in SUITS for rank in RANKS]
        else:
            assert all(value.name.startswith(upper(enum.name) + "_") for value in enum.value)


def test_the_number_of_a_card_is_its_place_in_the_canonical_order_from_one() -> None:
    assert len(RANKS) * len(SUITS) == NAMES
    for card in range(NAMES):
        rank, suit = RANKS[card % 13], SUITS[card // 13]
        letter = {"ACE": "A", "TEN": "T", "JACK": "J", "QUEEN": "Q", "KING": "K"}.get(rank)
        assert card_name(card) == (letter or str(RANKS.index(rank) + 1)) + suit[0].lower()


def test_names_keep_the_case_of_their_kind(files: Files) -> None:
    for file in files:
        for message in file.message_type:
            assert re.fullmatch(r"([A-Z][a-z]+)+", message.name)
            assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", field.name) for field in message.field)
        for enum in file.enum_type:
            assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", value.name) for value in enum.value)


def test_each_method_has_a_request_and_a_response_of_its_own_name(files: Files) -> None:
    methods = [method for file in files for service in file.service for method in service.method]
    assert [method.name for method in methods] == ["Describe", "TakeTurn", "TakeTurns", "Conclude"]
    for method in methods:
        assert method.input_type == f".arena.v1.{method.name}Request"
        assert method.output_type == f".arena.v1.{method.name}Response"


def test_fields_are_numbered_without_gaps(files: Files) -> None:
    for file in files:
        for message in file.message_type:
            assert sorted(field.number for field in message.field) == list(range(1, len(message.field) + 1))


def test_package_and_folder_agree_and_nothing_is_imported_from_elsewhere(files: Files) -> None:
    for file in files:
        assert file.package == "arena.v1"
        assert file.name.startswith("arena/v1/")
        assert file.syntax == "proto3"
        assert all(name.startswith("arena/v1/") for name in file.dependency)


def upper(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
