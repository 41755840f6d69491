#pragma once

#include <string>

#include "report/comparison.hpp"

namespace robust_kbench {

// Whether the name is that of a file, of an archive, of ARCHIVE:RUN, or "-" for stdin. If not, it
// may be a git revision.
bool names_measurements(const std::string& name);

// Reads a record file, a file of rkb_bench, Google Benchmark's JSON of any program, or an archive.
// It takes the fastest accepted kernel of each entry and device of an archive, and the winner of a
// run. Throws UserError for anything else.
ComparedSide measurements_of(const std::string& name);

}  // namespace robust_kbench
