#pragma once

#include <string_view>

#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// What a probe asks of a kernel: one sentence, for people.
std::string_view question_of(Probe probe);

}  // namespace robust_kbench
