#pragma once

#include <filesystem>

namespace robust_kbench {

// The places of the importer. They stand in the program itself, since a variable could name another
// importer.
struct ImporterProgram {
  std::filesystem::path sources;  // the directory that holds the Python package `importer`
  std::filesystem::path venv;     // of a Python that can import torch, where somebody has made it
};

}  // namespace robust_kbench
