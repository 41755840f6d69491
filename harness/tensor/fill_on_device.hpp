#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A flat float32 tensor of `count` elements on GPU `device`, normal or uniform. Its bits are those
// that fill.hpp makes for the same key. A kernel of ours makes it, asynchronously, on the legacy
// default stream. Throws HarnessError.
at::Tensor fill_on_device(const Distribution& distribution, std::uint64_t key, std::int64_t count,
                          c10::Device device);

}  // namespace robust_kbench
