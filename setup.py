"""Build steps: the protobuf code of `arena/wire/v1` is made from `proto/`, never edited and never committed; and what
stands beside the package in a checkout, the sample bots, goes into a wheel.

All that is static stands in pyproject.toml; this file only adds the steps that setuptools has no words for.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from importlib import resources
from pathlib import Path

from setuptools import Command, Extension, setup
from setuptools.command.build import build

ROOT = Path(__file__).parent
PROTO = ROOT / "proto"
PACKAGE = Path("arena/wire/v1")
SAMPLES = Path("arena/sample_bots")
COMPILED = ("arena/game/[a-z]*.py", "arena/match/[a-z]*.py", "arena/wire/codec/[a-z]*.py")
"""What every turn goes through; a package's own `__init__` stays as it is, so that it can be a package."""
NOT_COMPILED = ("arena/game/variant.py", "arena/match/limits.py")
"""What people write is told to be wrong in words of its own; a compiled class would say that it has another type."""
MARKER = '"""Generated from proto/arena/v1 by the build; never edited, never committed."""\n'


def generate(target: Path) -> None:
    """Write the modules of the protocol, their type stubs and the protocol itself into the folder `target`."""
    from grpc_tools import protoc  # only there while building

    protos = sorted(str(path.relative_to(PROTO)) for path in (PROTO / "arena" / "v1").glob("*.proto"))
    google = str(resources.files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as out:
        flags = [f"-I{PROTO}", f"-I{google}", f"--python_out={out}", f"--pyi_out={out}", f"--grpc_python_out={out}"]
        if protoc.main(["protoc", *flags, *protos]) != 0:
            raise SystemExit("protoc refused the files in proto/: see its message above")
        target.mkdir(parents=True, exist_ok=True)
        for path in (Path(out) / "arena" / "v1").iterdir():
            # protoc names modules by the proto package; ours lie below arena.wire.
            text = re.sub(r"^from arena\.v1 import", "from arena.wire.v1 import", path.read_text(), flags=re.MULTILINE)
            (target / path.name).write_text(text)
        (target / "__init__.py").write_text(MARKER)
    for name in protos:  # for whoever writes a bot in another language
        shutil.copyfile(PROTO / name, target / Path(name).name)


class BuildProto(Command):
    """The `build_proto` step: into the build folder, or into the source tree for an editable install."""

    editable_mode = False

    def initialize_options(self) -> None:
        self.build_lib: str | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build", ("build_lib", "build_lib"))

    def run(self) -> None:
        assert self.build_lib is not None
        if self.editable_mode:
            generate(ROOT / PACKAGE)
            return
        generate(Path(self.build_lib) / PACKAGE)
        unwanted = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
        shutil.copytree(ROOT / "sample_bots", Path(self.build_lib) / SAMPLES, ignore=unwanted, dirs_exist_ok=True)

    def get_source_files(self) -> list[str]:
        return [str(path.relative_to(ROOT)) for path in (PROTO / "arena" / "v1").glob("*.proto")]

    def get_outputs(self) -> list[str]:
        assert self.build_lib is not None
        built = Path(self.build_lib)
        return [str(path) for folder in (PACKAGE, SAMPLES) for path in (built / folder).rglob("*") if path.is_file()]

    def get_output_mapping(self) -> dict[str, str]:
        return {}


def compiled() -> list[Extension]:
    """With `ARENA_COMPILE` set: the modules of each turn, compiled by mypyc as they stand. They do the same, faster."""
    if not os.environ.get("ARENA_COMPILE"):
        return []
    from mypyc.build import mypycify  # it comes with mypy, which nobody else needs

    os.chdir(ROOT)
    generate(PACKAGE)  # the types of what they call
    found = {str(path.relative_to(ROOT)) for each in COMPILED for path in ROOT.glob(each)}
    return mypycify(sorted(found - set(NOT_COMPILED)))


build.sub_commands = [*build.sub_commands, ("build_proto", None)]
setup(cmdclass={"build_proto": BuildProto}, ext_modules=compiled())
