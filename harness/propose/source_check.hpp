#pragma once

#include <string>

#include "core/device.hpp"

namespace robust_kbench {

// Why the text of a proposed kernel must not be compiled, for people; empty where it may be. It may
// be empty or too long, ask for options that are not allowed, or have tunables or names of headers
// that nobody can read.
std::string source_fault(const std::string& text, Device device);

}  // namespace robust_kbench
