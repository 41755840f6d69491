#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// The record files that `given` names: files, directories with .json files anywhere below them,
// globs, and "-", which is stdin. Those of one name are in the order of their paths. Throws
// UserError for a name that stands for no file.
std::vector<std::string> record_files(const std::vector<std::string>& given);

// The records of a file that --json has written. Throws UserError for anything else.
std::vector<KernelRecord> records_of(const std::string& file);

}  // namespace robust_kbench
