"""The extensions that a solution builds by torch's load_inline, as kernel sources."""

import ast
import contextlib
import dataclasses
import re

import torch.utils.cpp_extension as cpp_extension

from .refusal import Refusal

# Languages whose kernels are Python. A solution in one of them has no C++ to judge.
PYTHON_KERNELS = {"triton": "Triton", "tilelang": "TileLang", "cutlass": "CuTe's Python",
                  "numba": "Numba", "cupy": "CuPy"}
# Flags of load_inline that change the compiled code.
KEPT_FLAGS = re.compile(r"-D\w+(=[\w.+-]*)?$|-{1,2}use_fast_math$|-{1,2}expt-[\w-]+$|"
                        r"-{1,2}maxrregcount=\d+$|--extra-device-vectorization$|"
                        r"-{1,2}fmad=(true|false)$")
IGNORED_FLAGS = re.compile(r"$|-O\w*$|-{1,2}std[=]?.*$|-g$|-{1,2}(generate-)?line-?info$|-W.*$|-w$|"
                           r"-{1,2}ptxas-options.*$|-Xptxas.*$|-Xcompiler.*$|-{1,2}(gpu-)?arch.*$|"
                           r"-{1,2}gencode.*$|-{1,2}restrict$|-f\w[\w-]*$|-m\w[\w=-]*$|arch=.*$")


@dataclasses.dataclass
class Function:
    """A function that an extension exports."""
    name: str
    returns: str  # its C++ type, without spaces; empty where no source tells it
    results: int  # the number of its results, as far as its text tells


@dataclasses.dataclass
class Extension:
    name: str
    cpp: str
    cuda: str
    functions: dict  # by name
    options: list
    libraries: list


def joined(sources):
    if sources is None:
        return ""
    return sources if isinstance(sources, str) else "\n".join(sources)


def names_of(functions):
    if functions is None:
        return []
    return [functions] if isinstance(functions, str) else list(functions)


def listed(flags):
    return [flags] if isinstance(flags, str) else list(flags or [])


def body_after(text, start):
    """The text between the braces that open after `start`."""
    opened = text.find("{", start)
    depth = 0
    for end in range(max(opened, 0), len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[opened:end]
    return ""


def function_of(name, text):
    found = re.search(rf"([\w:]+(?:\s*<[^;{{}}()]*>)?)\s*&?\s+{re.escape(name)}\s*\(", text)
    returns = re.sub(r"\s", "", found[1]) if found else ""
    results = 1
    if returns == "void":
        results = 0
    elif returns.startswith(("std::tuple", "tuple")):
        results = returns.count(",") + 1
    elif "vector<" in returns or "array<" in returns:
        counts = {0}
        for definition in re.finditer(rf"\b{re.escape(name)}\s*\([^;{{]*\)\s*\{{", text):
            for values in re.findall(r"return\s*\{([^{};]*)\}",
                                     body_after(text, definition.start()) + "}"):
                counts.add(values.count(",") + 1)
        results = max(counts) or 1
    return Function(name, returns, results)


def kept_flags(flags, host):
    """Options of a kernel's compilation."""
    kept = []
    for flag in flags:
        if KEPT_FLAGS.match(flag):
            kept.append(flag)
        elif not IGNORED_FLAGS.match(flag) and not flag.startswith("-l") and not host:
            raise Refusal(f"an extension is compiled with {flag}, which is not passed on",
                          "leave the flag out, or evaluate its sources by --task and --option")
    return kept


def extension_of(name, cpp_sources, cuda_sources=None, functions=None, extra_cflags=None,
                 extra_cuda_cflags=None, extra_ldflags=None, **others):
    cpp, cuda = joined(cpp_sources), joined(cuda_sources)
    if "PYBIND11_MODULE" in cpp + cuda or functions is None:
        raise Refusal(f"the extension {name} writes its own module",
                      "name its functions by load_inline's argument functions")
    if others.get("extra_include_paths"):
        raise Refusal(f"the extension {name} includes files of directories of its machine",
                      "leave extra_include_paths out, or write what it includes into the source")
    functions = {f: function_of(f, cpp + "\n" + cuda) for f in names_of(functions)}
    flags = kept_flags(listed(extra_cuda_cflags), False) + kept_flags(listed(extra_cflags), True)
    every = listed(extra_ldflags) + listed(extra_cuda_cflags) + listed(extra_cflags)
    libraries = [flag for flag in every if re.match(r"-l\w+$", flag)]
    return Extension(name, cpp, cuda, functions, list(dict.fromkeys(flags)), libraries)


def check_text(tree, file):
    """Refuses sources by their text alone."""
    imported = {alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import)
                for alias in node.names}
    imported |= {(node.module or "").split(".")[0] for node in ast.walk(tree)
                 if isinstance(node, ast.ImportFrom)}
    for module, language in PYTHON_KERNELS.items():
        if module in imported:
            raise Refusal(f"{file} is written in {language}",
                          "give a solution whose kernels are C++ or CUDA, built by load_inline")
    calls = lambda node: any(isinstance(n, ast.Call) and
                             getattr(n.func, "id", getattr(n.func, "attr", "")) == "load_inline"
                             for n in ast.walk(node))
    if not calls(tree):
        raise Refusal(f"{file} builds no extension by load_inline",
                      "give a solution whose kernels are C++ or CUDA, built by load_inline")
    builders = {node.name for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef) and calls(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and node.handlers and \
                any(calls(item) or calls_one_of(item, builders) for item in node.body):
            line = node.handlers[0].lineno
            raise Refusal(f"{file} falls back to torch where its build fails: the handler in line "
                          f"{line} goes on without the extension",
                          "leave the handler out, so that what is judged is the extension")


def calls_one_of(node, names):
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in names
               for n in ast.walk(node))


@contextlib.contextmanager
def replaced_build(build):
    """Replaces load_inline: it returns the result of `build` for an Extension, and compiles
    nothing."""
    def load_inline(name, cpp_sources, *args, **kwargs):
        names = ("cuda_sources", "functions", "extra_cflags", "extra_cuda_cflags", "extra_ldflags")
        return build(extension_of(name, cpp_sources, **dict(zip(names, args)), **kwargs))

    def load(name, *args, **kwargs):
        raise Refusal(f"the extension {name} is built of files", "give its sources as strings, to "
                      "load_inline")

    before = cpp_extension.load_inline, cpp_extension.load
    cpp_extension.load_inline, cpp_extension.load = load_inline, load
    try:
        yield
    finally:
        cpp_extension.load_inline, cpp_extension.load = before


DEFINED = re.compile(r"^[ \t]*(?:template\s*<[^;{}]*>\s*)?(?:(?:static|inline|__\w+__)\s+)*[\w:<>,]+"
                     r"(?:\s*[*&])?\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\([^;{}]*\)\s*\{",
                     re.MULTILINE)


def renamed(extension, taken):
    """Macros that rename the names which another extension defines, too."""
    defined = {name for name in DEFINED.findall(extension.cuda)
               if name not in ("if", "for", "while", "switch")}
    again = sorted((defined & taken) - set(extension.functions))
    taken |= defined
    return "".join(f"#define {name} {name}_of_{extension.name}\n" for name in again)


def sources_of(extensions, glue):
    """(file name, text) of each source. The first one names the kernel.

    Includes and module are those that torch's load_inline adds.
    """
    exported = [f for extension in extensions for f in extension.functions]
    twice = sorted({f for f in exported if exported.count(f) > 1})
    if twice:
        raise Refusal(f"two extensions export {', '.join(twice)}", "give the functions other names")
    files, taken = [], set()
    for i, extension in enumerate(extensions):
        if extension.cuda.strip():
            macros = renamed(extension, taken)
            files.append((f"cuda_{i}.cu", "#include <torch/types.h>\n#include <cuda.h>\n"
                          f"#include <cuda_runtime.h>\n{macros}{extension.cuda}\n"))
    definitions = "".join(f"  m.def(\"{f}\", &{f}, \"{f}\");\n" for f in exported)
    declared = "\n".join(extension.cpp for extension in extensions)
    files.append(("module.cpp", f"#include <torch/extension.h>\n{declared}\n\n"
                  f"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n{definitions}}}\n\n"
                  "// What forward() does around these functions.\n"
                  "extern \"C\" __attribute__((visibility(\"default\"))) const char rkb_glue[];\n"
                  f"const char rkb_glue[] = {literal(glue)};\n"))
    return files


def literal(text, length=8000):
    """A C++ string, in pieces, since compilers limit the length of one."""
    return "\n  ".join(f"R\"glue({text[i:i + length]})glue\"" for i in range(0, len(text), length))
