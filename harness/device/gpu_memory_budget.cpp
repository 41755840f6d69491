#include "device/gpu_memory_budget.hpp"

#include "device/gpu_facts.hpp"
#include "device/shared_file.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t unclaimed_part = 16;

std::size_t unclaimed_bytes() {
  return gpu_facts().memory_bytes / unclaimed_part;
}

}  // namespace

const MemoryBudget& gpu_memory_budget() {
  static const MemoryBudget budget{.path = shared_file_of_gpu("claims"),
                                   .bytes = gpu_facts().memory_bytes - unclaimed_bytes()};
  return budget;
}

std::size_t scarce_gpu_bytes() {
  return unclaimed_bytes() / 2;
}

}  // namespace robust_kbench
