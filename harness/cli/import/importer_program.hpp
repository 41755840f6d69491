#pragma once

#include <filesystem>

namespace robust_kbench {

// The places of the importer. The first two stand in the program itself, since a variable could
// name another importer.
struct ImporterProgram {
  std::filesystem::path sources;  // the directory that holds the Python package `importer`
  std::filesystem::path venv;     // of a Python that can import torch, where somebody has made it
  std::filesystem::path agent;    // `rkb_agent`, which judges what was imported
};

}  // namespace robust_kbench
