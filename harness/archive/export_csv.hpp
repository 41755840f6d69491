#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace robust_kbench {

// Writes the proposals of a run as CSV with the 27 columns of robust-kbench's published results, in
// their order. A column without data in the archive is empty. Keys, paths and marks are scrubbed,
// also paths below `directories`. docs/archive.md lists the columns.
void export_csv(const Archive& archive, const std::string& run, std::ostream& out,
                const std::vector<std::string>& directories = {});

}  // namespace robust_kbench
