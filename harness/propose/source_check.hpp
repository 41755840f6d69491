#pragma once

#include <string>

#include "core/device.hpp"

namespace robust_kbench {

// The reason, for people, for which the text of a proposed kernel must not be compiled; empty where
// it may be. It may be empty or too long, ask for options that are not allowed, or have tunables or
// names of headers that nobody can read.
std::string source_fault(const std::string& text, Device device);

}  // namespace robust_kbench
