#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// One kernel for linear_task(), as robust_kbench_compile_trial() has compiled it.
struct Trial {
  std::string name;  // "exploits/returns_zeros"; in a directory cuda it is one for the GPU
  Direction direction = Direction::forward;
  Limits limits;
  std::chrono::milliseconds repeated_calls_time{1000};  // see ExamineOptions
  // Also runs a CUDA kernel under racecheck and synccheck. Skipped where the tool is missing.
  bool sanitize = false;
  bool refuse = false;  // what its code asks for, as an evolution does by default
};

// Whether a kernel of this name is one for the GPU.
bool on_gpu(const std::string& name);

// The test suite of a kernel, apart for those of the GPU: CTest skips a suite whole or not at all.
std::string suite_of(const std::string& name, const std::string& suite);

// Runs every case of linear_cases() and then, unless too many failed, all of them in one sequence,
// and judges, as `rkb evaluate` does it. One that cannot run here is skipped, and its record says
// why.
KernelRecord try_kernel(const Trial& trial);

// The names of a test directory's kernels, as a Trial of that directory ends. Each .cpp file but
// the tests themselves is one, and so is each .cu file in cuda/.
std::vector<std::string> kernels_in(const std::string& directory);

}  // namespace robust_kbench
