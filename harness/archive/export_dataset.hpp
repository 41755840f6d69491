#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace robust_kbench {

// Writes a run in the layout of robust-kbench's published dataset: results.csv, and beside it a
// folder for each proposal. A folder holds the source and the conversation with a language model.
// docs/archive.md has the layout. Keys, paths and marks are scrubbed, also paths below `personal`.
// Throws UserError where the directory is not empty, or a file cannot be written.
void export_dataset(const Archive& archive, const std::string& run,
                    const std::filesystem::path& directory,
                    const std::vector<std::string>& personal = {});

}  // namespace robust_kbench
