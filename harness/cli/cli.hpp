#pragma once

#include <string>
#include <vector>

#include "report/page_paths.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The places of the importer, which makes tasks of PyTorch modules.
struct ImporterPaths {
  std::string sources;  // the directory that holds the Python package `importer`
  std::string venv;     // of a Python that can import torch, where somebody has made it
};

// The program `rkb` over the given tasks. Returns its exit code (core/error.hpp).
int cli_main(int argc, char** argv, const std::vector<Task>& tasks, const ImporterPaths& importer,
             const PagePaths& page);

}  // namespace robust_kbench
