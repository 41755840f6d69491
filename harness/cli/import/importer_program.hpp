#pragma once

#include <filesystem>

namespace robust_kbench {

// Where the importer is. Its places stand in the program itself, as a variable could name another.
struct ImporterProgram {
  std::filesystem::path sources;  // the directory that holds the Python package `importer`
  std::filesystem::path venv;     // of a Python that can import torch, where somebody has made it
};

}  // namespace robust_kbench
