#pragma once

#include <optional>
#include <string_view>

#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// What a probe asks of a kernel: one sentence, for people.
std::string_view question_of(Probe probe);

// The probe of that name, or none.
std::optional<Probe> probe_named(std::string_view name);

}  // namespace robust_kbench
