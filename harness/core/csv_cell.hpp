#pragma once

#include <string>

namespace robust_kbench {

// A text as a cell of CSV after RFC 4180: quoted if it contains a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

}  // namespace robust_kbench
