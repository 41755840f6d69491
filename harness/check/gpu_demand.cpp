#include "check/gpu_demand.hpp"

#include "device/gpu_memory_budget.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t for_libraries = std::size_t{1} << 30;
constexpr std::size_t references_per_arena = 1;
constexpr std::size_t notes_per_arena = 1;

constexpr std::size_t sanitizers_at_a_time = 3;
constexpr std::size_t arena_of_sanitizers = std::size_t{288} << 20;  // the least, and a small call

}  // namespace

std::size_t worker_gpu_bytes(std::size_t arena_bytes) {
  return gpu_context_bytes + for_libraries + arena_bytes;
}

std::size_t examination_gpu_bytes(std::size_t arena_bytes) {
  return worker_gpu_bytes(arena_bytes) + references_per_arena * arena_bytes;
}

std::size_t inspection_gpu_bytes(std::size_t arena_bytes) {
  return worker_gpu_bytes(arena_bytes) + notes_per_arena * arena_bytes;
}

std::size_t sanitizers_gpu_bytes() {
  return sanitizers_at_a_time * inspection_gpu_bytes(arena_of_sanitizers);
}

}  // namespace robust_kbench
