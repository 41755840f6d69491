#pragma once

#include <ostream>
#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// Writes everything about a run as JSON lines: the run, then each proposal by id, then each call of
// a language model. A line has every column of its row, and its `type`: `run`, `proposal` or
// `call`. A proposal also has its `source` as text and its `record`, a record file, each of which
// may be null.
void export_jsonl(const Archive& archive, const std::string& run, std::ostream& out);

}  // namespace robust_kbench
