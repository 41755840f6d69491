"""Runs the importer as people do, and reads its packages."""

import importlib
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import unittest.mock

from importer import cuda_libraries

cuda_libraries.preload()
SOURCES = pathlib.Path(__file__).parent / "sources"
REFUSED = SOURCES / "refused"
KERNEL_OF_SCALED_LINEAR = """#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x, torch::Tensor scale, torch::Tensor weight, torch::Tensor bias) {
  torch::Tensor y = torch::empty({x.size(0), weight.size(0)}, x.options());
  auto in = x.accessor<float, 2>(), w = weight.accessor<float, 2>(), out = y.accessor<float, 2>();
  for (int64_t i = 0; i < out.size(0); ++i)
    for (int64_t j = 0; j < out.size(1); ++j) {
      float sum = bias.data_ptr<float>()[j];
      for (int64_t k = 0; k < in.size(1); ++k) sum += in[i][k] * w[j][k];
      out[i][j] = (sum > 0 || sum != sum ? sum : 0) * scale.data_ptr<float>()[j];
    }
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
"""


def run(module, arguments, answers):
    os.dup2(os.open(answers, os.O_WRONLY | os.O_CREAT, 0o644), sys.stdout.fileno())
    sys.argv = [module, *map(str, arguments)]
    importlib.import_module(module).main()


def answers_of(module, *arguments, with_gpu=False):
    """The answers for each source from one process of a module of the importer, and its exit
    status.

    The process is forked from this one, since Python takes longer to load torch than to import a
    source. CUDA does not outlive a fork, so with a GPU the process starts afresh.
    """
    import torch._dynamo.config  # noqa: F401  The first import of a source would load it.
    with tempfile.TemporaryDirectory() as scratch, unittest.mock.patch.dict(os.environ):
        # With a GPU, a source that only runs on CUDA would pass.
        if not with_gpu:
            os.environ["CUDA_VISIBLE_DEVICES"] = ""
        answers = pathlib.Path(scratch, "answers")
        process = multiprocessing.get_context("spawn" if with_gpu else "fork").Process(
            target=run, args=(module, arguments, answers))
        process.start()
        process.join()
        lines = [json.loads(line) for line in answers.read_text().splitlines()]
    return {pathlib.Path(line["source"]).stem: line for line in lines}, process.exitcode


class Imported:
    """The answers of one process of the importer, by name of the source, and its packages."""

    def __init__(self, *sources, options=(), with_gpu=False):
        with tempfile.TemporaryDirectory() as out:
            self.answers, self.returncode = answers_of(
                "importer.__main__", *sources, "--out", out, *options, with_gpu=with_gpu)
            self.packages = {name: json.loads(pathlib.Path(line["package"]).read_text())
                             for name, line in self.answers.items() if "package" in line}

    def refusal(self, name):
        return self.answers[name]["refused"]


def tensor(package, name, point=0):
    """A tensor of a point by its name."""
    point = package["points"][point]
    return next(t for t in point["inputs"] + point["weights"] if t["name"] == name)


def operators(package, graph=None):
    graph = package["points"][0]["graph"] if graph is None else graph
    return [node["op"] for node in package["graphs"][graph]["nodes"]]
