#pragma once

#include <cstdint>
#include <functional>

namespace robust_kbench {

// Calls `work` for parts of [0, count), on torch's threads. A part has at least `per_thread`
// elements, but for the last one.
void in_parallel(std::int64_t count, std::int64_t per_thread,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& work);

}  // namespace robust_kbench
