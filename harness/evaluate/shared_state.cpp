#include "evaluate/shared_state.hpp"

#include <algorithm>
#include <utility>

#include "bench/worker_budget.hpp"
#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "evaluate/preload.hpp"
#include "process/heap.hpp"
#include "profile/tools.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Kept references take at most this fraction (1 / host_part) of the host's memory.
constexpr std::size_t host_part = 16;
constexpr std::size_t max_host_bytes = std::size_t{1} << 30;

constexpr int max_nonce_uses = 32;

std::size_t max_kept_bytes() {
  return std::min<std::size_t>(max_host_bytes, cpu_facts().memory_bytes / host_part);
}

}  // namespace

SharedState::SharedState(const Manifest& the_manifest, const Task& the_task, Direction direction,
                         Device the_device, EvaluatorOptions the_options)
    : manifest(the_manifest),
      task(the_task),
      entry{the_task.name, direction},
      device(the_device),
      options(std::move(the_options)),
      limits(options.shared_limits,
             fmt::format("{} {} {} ", manifest.path, entry.name(), to_string(device))),
      builds(manifest.toolchain, options.compile_cache, options.refused),
      memory(
          options.max_jobs, options.tool_bytes,
          [this](std::size_t cache_bytes) {
            const std::scoped_lock lock(m_mutex);
            m_contents = std::make_unique<ContentCache>(cache_bytes);
          },
          [this] {
            forget_contents();
            keeper.run([this] { timing.discard_baselines(); }).wait();
          }),
      timing(manifest, task, entry, device, options.bench, limits, keeper),
      races(timing, options),
      m_nonce(secret_key()),
      keeper(options.idle_after, [this] { rest(); }) {
  (void)contract(task, direction);
}

ContentCache& SharedState::contents() {
  const std::scoped_lock lock(m_mutex);
  if (!m_contents) m_contents = std::make_unique<ContentCache>(max_kept_bytes());
  return *m_contents;
}

std::size_t SharedState::kept_bytes() const {
  const std::scoped_lock lock(m_mutex);
  return m_contents ? m_contents->bytes() : 0;
}

void SharedState::preload_operators(const std::vector<Case>& cases) {
  std::call_once(m_preloaded,
                 [&] { robust_kbench::preload_operators(task, entry.direction, cases); });
}

const SanitizingTools& SharedState::sanitizing_tools() {
  std::call_once(m_looked, [this] {
    m_sanitizing_tools = {
        .compute_sanitizer = find_tool("compute-sanitizer", manifest.toolchain).path,
        .cuobjdump = find_tool("cuobjdump", manifest.toolchain).path};
  });
  return m_sanitizing_tools;
}

std::uint64_t SharedState::nonce() {
  const std::scoped_lock lock(m_mutex);
  if (m_nonce_uses++ == max_nonce_uses) {
    m_nonce = secret_key();
    m_nonce_uses = 1;
  }
  return m_nonce;
}

std::size_t SharedState::test_bytes(const std::vector<Case>& cases) const {
  return examination_gpu_bytes(largest_arena(task, entry.direction, cases, 1, /*gpu=*/true));
}

std::size_t SharedState::time_bytes(const std::vector<Config>& configs, std::size_t kernels) const {
  return timing_in_turns_gpu_bytes(task, entry.direction, configs, kernels, options.bench);
}

void SharedState::forget_contents() {
  const std::scoped_lock lock(m_mutex);
  if (m_contents) m_contents->clear();
}

// On a GPU, other processes may want the memory that workers and their contexts hold.
void SharedState::rest() {
  forget_contents();
  {
    const std::scoped_lock lock(m_mutex);
    m_nonce = secret_key();
    m_nonce_uses = 0;
  }
  if (on_gpu()) {
    timing.discard_baselines();
    memory.rest();
  } else {
    timing.rest();
  }
  give_back_freed_memory();
}

}  // namespace robust_kbench
