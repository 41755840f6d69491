#pragma once

#include <optional>
#include <stop_token>

#include "core/manifest.hpp"
#include "core/record.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The findings of compute-sanitizer's memcheck on a built CUDA kernel in one small case: a record
// with one case, `sanitize/memcheck`, as record_of_log() makes it. Without that tool, or without a
// small config, the record passes and has no case. Claims the GPU memory that it takes.
KernelRecord memory_check(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                          const std::stop_token& stop);

}  // namespace robust_kbench
