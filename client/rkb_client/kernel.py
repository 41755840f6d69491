"""A kernel as a submission describes it."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Dict, Sequence, Union

from .errors import RequestError

PathLike = Union[str, "os.PathLike[str]"]
ENDINGS = (".cpp", ".cu")


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel that needs more than the usual way to be compiled.

    `source` is the text of the kernel, the path of its file, or a list of paths, the first of which
    names it. The others are as the options of `rkb evaluate`.
    """

    source: Union[str, "os.PathLike[str]", Sequence["os.PathLike[str]"]]
    headers: str = "auto"
    include: Sequence[PathLike] = ()
    define: Sequence[str] = ()
    option: Sequence[str] = ()
    library: Sequence[PathLike] = ()
    entry: str = ""

    def fields(self) -> Dict[str, Any]:
        """Returns the fields of a submission (docs/serve.md)."""
        return {
            **_source_fields(self.source),
            "headers": self.headers,
            "include": [os.path.abspath(path) for path in self.include],
            "define": list(self.define),
            "option": list(self.option),
            "library": [_library(library) for library in self.library],
            "entry": self.entry,
        }


# A kernel is a text, a path or several paths. Plain ones are compiled in the usual way.
KernelLike = Union[Kernel, str, "os.PathLike[str]", Sequence["os.PathLike[str]"]]


def as_kernel(kernel: KernelLike) -> Kernel:
    """Returns the kernel that a source stands for."""
    return kernel if isinstance(kernel, Kernel) else Kernel(kernel)


def _source_fields(source: Any) -> Dict[str, Any]:
    if isinstance(source, str):
        if "\n" not in source and source.endswith(ENDINGS):
            raise RequestError(f"the source {source!r} looks like a path, and a string is the "
                               f"kernel's text; give pathlib.Path({source!r})")
        return {"source": source}
    paths = [source] if isinstance(source, os.PathLike) else source
    return {"paths": [os.path.abspath(path) for path in paths]}


def _library(library: PathLike) -> str:
    """A library is an option such as -lm, or a file."""
    text = os.fspath(library)
    return text if text.startswith("-") else os.path.abspath(text)
