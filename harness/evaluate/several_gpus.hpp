#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// The share of the CPUs for one of `processes` processes. It is all CPUs where there are fewer CPUs
// than processes.
std::vector<int> cpus_of(std::size_t process, std::size_t processes);

// Makes a GPU the only one that this process uses. Call it before any use of the driver. Throws
// UserError where the GPU does not exist.
void take_gpu(int gpu);

using EvaluateShare =
    std::function<std::vector<KernelRecord>(const std::vector<KernelSource>& kernels)>;

constexpr int max_gpus = 1024;

// Distributes kernels over GPUs, which are given by their indices among those that this process may
// use. One process for each GPU evaluates its share by `evaluate`, on its share of the CPUs. A
// single GPU needs no further process. Records are in the order of `kernels`. Call it before any
// use of the driver.
//
// A stop is passed on to each process as one SIGINT, since no terminal signals them. `in_process`
// is called first in each process.
//
// Throws UserError where a GPU does not exist or is named twice. If a process dies, its kernels
// get `harness_error`.
std::vector<KernelRecord> evaluate_on_gpus(const std::vector<int>& gpus,
                                           const std::vector<KernelSource>& kernels,
                                           const EvaluateShare& evaluate,
                                           const std::stop_token& stop = {},
                                           const std::function<void()>& in_process = {});

}  // namespace robust_kbench
