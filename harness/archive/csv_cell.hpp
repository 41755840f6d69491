#pragma once

#include <string>

namespace robust_kbench {

// A text as a cell of CSV after RFC 4180: quoted where a comma, a quote or a line's end is in it.
std::string csv_cell(const std::string& text);

}  // namespace robust_kbench
