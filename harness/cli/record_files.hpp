#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// Returns the record files that `given` names: files, directories with .json files anywhere below
// them, globs, and "-" for stdin. The files of one name are in the order of their paths. Throws
// UserError for a name that stands for no file.
std::vector<std::string> record_files(const std::vector<std::string>& given);

// Returns the records of a file that --json has written. Throws UserError for any other file.
std::vector<KernelRecord> records_of(const std::string& file);

}  // namespace robust_kbench
