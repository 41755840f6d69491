#pragma once

#include <string>

namespace robust_kbench {

// The present time, in UTC and to the millisecond: "2026-11-25T13:02:00.123Z".
std::string timestamp();

}  // namespace robust_kbench
