"""The page on other languages: its code is generated, compiled and run in a folder outside the repository."""

from __future__ import annotations

from pathlib import Path
from shutil import which

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from skerry_games.catalogue import all_games
from skerry_service.edge.rest.descriptor_set import descriptor_set
from tests.generators.workshop import ROOT, Workshop, blocks

pytestmark = [
    pytest.mark.node,
    pytest.mark.timeout(300),  # installs and compiles
    pytest.mark.skipif(which("curl") is None, reason="curl is not installed"),
]

PAGE = "how-to/other-languages.md"
PROGRAM = Path(__file__).with_name("every_game.ts")
COMPILE = "tsc --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --outDir js"


@pytest.fixture(scope="module")
def received(workshop: Workshop) -> list[str]:
    """The output of the page's commands, run from top to bottom beside the files of the page."""
    files = {block.split()[1].rstrip(":"): block for language in ("yaml", "ts") for block in blocks(PAGE, language)}
    assert files.keys() == {"buf.gen.yaml", "table.ts"}
    for name, text in files.items():
        workshop.put(name, text)
    return workshop.run("\n".join(blocks(PAGE, "bash")))


def test_the_page_plays_a_game(received: list[str]) -> None:
    assert "skerry.v1.SkerryService/Act" in received
    first = received.index(next(line for line in received if line.startswith("[ 'Ada'")))
    assert received[first - 1]
    assert received[first].endswith("seeded: false")
    assert all(line.startswith("playCard: ") for line in received[first + 1 : -1])
    assert received[-1].startswith("Ada ")


def test_buf_and_protoc_build_the_descriptors_of_the_service(workshop: Workshop, received: list[str]) -> None:
    served = descriptor_set()
    assert (workshop.folder / "skerry.binpb").read_bytes() == served
    workshop.run("buf build protos --as-file-descriptor-set -o buf.binpb")
    for built in ("buf.binpb", "contract.binpb"):
        assert files((workshop.folder / built).read_bytes()) == files(served)


def files(packed: bytes) -> dict[str, FileDescriptorProto]:
    """Return the files of a descriptor set by name, without source locations and the files of the compiler."""
    found = {}
    for file in FileDescriptorSet.FromString(packed).file:
        file.ClearField("source_code_info")
        if not file.name.startswith("google/protobuf/"):
            found[file.name] = file
    return found


def test_the_protos_pass_their_own_lint(workshop: Workshop, received: list[str]) -> None:
    assert workshop.run("buf lint protos && buf breaking protos --against skerry.binpb") == []


def test_the_generated_code_reads_every_game(workshop: Workshop, received: list[str]) -> None:
    workshop.put(PROGRAM.name, PROGRAM.read_text(encoding="utf-8"))
    workshop.run(f"{COMPILE} {PROGRAM.name}")
    assert workshop.run("node js/every_game.js") == [f"{game}: read" for game in all_games()]


def test_a_program_with_a_wrong_case_does_not_compile(workshop: Workshop, received: list[str]) -> None:
    program = PROGRAM.read_text(encoding="utf-8")
    wrong = program.replace('kind.case !== "moved"', 'kind.case !== "danced"')
    assert wrong != program
    workshop.put("wrong.ts", wrong)
    assert '"danced"' in workshop.run(f"! {COMPILE} wrong.ts")[0]


def test_code_generated_from_the_service_has_the_comments(workshop: Workshop, received: list[str]) -> None:
    options = '{"version": "v2", "plugins": [{"local": "protoc-gen-es", "out": "served", "opt": "target=ts"}]}'
    workshop.run(
        f"buf generate http://127.0.0.1:8080/protos.binpb --path skerry/v1/session.proto --template '{options}'"
    )
    made = (workshop.folder / "served" / "skerry" / "v1" / "session_pb.ts").read_text(encoding="utf-8")
    source = (ROOT / "protos" / "skerry" / "v1" / "session.proto").read_text(encoding="utf-8")
    comment = next(line for line in source.splitlines() if line.startswith("// ")).removeprefix("//")
    assert f" *{comment}\n" in made
