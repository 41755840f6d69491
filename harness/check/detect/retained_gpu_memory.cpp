#include "check/detect/retained_gpu_memory.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <unistd.h>

#include "device/gpu_facts.hpp"
#include "device/gpu_memory_budget.hpp"
#include "device/gpu_memory_wait.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t retained_part = 2;
constexpr std::chrono::seconds until_given_back{2};  // for the memory of a killed process
constexpr std::chrono::milliseconds pause{10};

std::string mib(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

std::optional<Judgement> scarce_gpu_memory() {
  const std::size_t all = gpu_facts().memory_bytes;
  const std::size_t scarce = scarce_gpu_bytes();
  if (free_gpu_memory() >= scarce) return std::nullopt;
  give_back_gpu_memory();
  const std::size_t left = free_gpu_memory();
  if (left >= scarce) return std::nullopt;
  return Judgement{.verdict = Verdict::out_of_memory,
                   .reason = "the GPU has " + mib(left) + " of its " + mib(all) + " left"};
}

std::optional<Judgement> retained_gpu_memory(std::size_t arena_bytes,
                                             const std::function<void()>& kill) {
  const std::size_t all = gpu_facts().memory_bytes;
  const std::size_t of_others = std::min(all, claimed_by_others(gpu_memory_budget(), getpid()));
  const std::size_t left = free_gpu_memory();
  kill();
  const auto deadline = std::chrono::steady_clock::now() + until_given_back;
  while (std::chrono::steady_clock::now() < deadline) {
    const std::size_t free = free_gpu_memory();
    if (free > left + arena_bytes + (all - of_others) / retained_part) {
      return Judgement{.verdict = Verdict::out_of_memory,
                       .reason = "the kernel kept " + mib(free - left) + " of the GPU's " +
                                 mib(all) + " of memory, of which other processes have claimed " +
                                 mib(of_others) +
                                 ": more than half of the rest beside its tensors"};
    }
    std::this_thread::sleep_for(pause);
  }
  return std::nullopt;
}

void require_claimed_gpu_memory(std::size_t bytes) {
  give_back_gpu_memory();
  const auto deadline = std::chrono::steady_clock::now() + until_given_back;
  while (free_gpu_memory() < bytes) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw OutOfGpuMemory("the GPU is out of memory: " + mib(bytes) +
                           " were claimed for a kernel, and " + mib(free_gpu_memory()) +
                           " are free without it; nvidia-smi says which other process has more "
                           "than it has claimed, end that");
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace robust_kbench
