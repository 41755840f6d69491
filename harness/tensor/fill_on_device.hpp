#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A flat float32 tensor of `count` elements on `device`, normal or uniform. Its bits are those that
// fill.hpp makes for the same key. It is made on the device by torch's operators, each of which
// rounds once. That is ten times the traffic of fill.hpp, yet hundreds of times faster than a copy
// from the host.
at::Tensor fill_on_device(const Distribution& distribution, std::uint64_t key, std::int64_t count,
                          c10::Device device);

}  // namespace robust_kbench
