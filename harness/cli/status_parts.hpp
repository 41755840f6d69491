#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace robust_kbench {

// A part of a status line.
struct StatusPart {
  std::string text;
  int keep = 0;  // parts with the least are left out first
};

// Joins the parts by "; " into at most that many bytes. Whole parts are left out until the rest
// fits, and the one that is kept longest stays in any case.
std::string joined_status(std::vector<StatusPart> parts, std::size_t width);

}  // namespace robust_kbench
