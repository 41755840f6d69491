#include "evaluate/shared_state.hpp"

#include <algorithm>
#include <utility>

#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/preload.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {
namespace {

// A share of the memory that tensors are in.
constexpr std::size_t gpu_share = 6;
constexpr std::size_t host_share = 16;
constexpr std::size_t most_host_bytes = std::size_t{1} << 30;

std::size_t most_kept_bytes(bool gpu) {
  if (gpu) return gpu_facts().memory_bytes / gpu_share;
  return std::min<std::size_t>(most_host_bytes, cpu_facts().memory_bytes / host_share);
}

}  // namespace

SharedState::SharedState(const Manifest& the_manifest, const Task& the_task, Direction direction,
                         std::string the_device, EvaluatorOptions the_options)
    : manifest(the_manifest),
      task(the_task),
      entry{the_task.name, direction},
      device(std::move(the_device)),
      options(std::move(the_options)),
      builds(manifest.toolchain, options.compile_cache),
      timing(manifest, task, entry, device, options.bench, keeper),
      m_nonce(secret_key()),
      keeper(options.idle_after, [this] { rest(); }) {
  (void)contract(task, direction);
}

ContentCache& SharedState::contents() {
  const std::scoped_lock lock(m_mutex);
  if (!m_contents) m_contents = std::make_unique<ContentCache>(most_kept_bytes(on_gpu()));
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

std::uint64_t SharedState::nonce() {
  const std::scoped_lock lock(m_mutex);
  return m_nonce;
}

void SharedState::rest() {
  {
    const std::scoped_lock lock(m_mutex);
    if (m_contents) m_contents->clear();
    m_nonce = secret_key();
  }
  timing.rest();
}

}  // namespace robust_kbench
