#pragma once

#include <string_view>

#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// The property of a kernel that a probe tests, in one sentence for people.
std::string_view question_of(Probe probe);

}  // namespace robust_kbench
