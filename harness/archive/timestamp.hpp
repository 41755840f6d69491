#pragma once

#include <string>

namespace robust_kbench {

// The present time, in UTC and to the millisecond: "2026-11-25T13:02:00.123Z".
std::string timestamp();

// From one such time to another. 0 where a text is no such time.
double seconds_between(const std::string& from, const std::string& to);

}  // namespace robust_kbench
