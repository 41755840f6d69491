#include "tensor/gpu_claim.hpp"

#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "device/gpu_memory_budget.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

// Makes the process's first claim. The context's part of it lasts until the process ends.
class ContextClaim {
 public:
  // Returns nullopt if the first claim was made before.
  std::optional<MemoryClaim> first(std::size_t least, std::size_t most,
                                   const MemoryClaim::OnWait& on_wait) {
    const std::scoped_lock lock(m_mutex);
    if (m_kept) return std::nullopt;
    MemoryClaim claim = MemoryClaim::wait(gpu_memory_budget(), least + broker_context_bytes,
                                          most + broker_context_bytes, on_wait);
    m_kept = claim.keep(broker_context_bytes);
    return claim;
  }

 private:
  std::mutex m_mutex;
  std::optional<MemoryClaim> m_kept;
};

ContextClaim& context_claim() {
  static ContextClaim claim;
  return claim;
}

}  // namespace

std::unique_ptr<GpuClaim> GpuClaim::wait(std::size_t least, std::size_t most,
                                         const MemoryClaim::OnWait& on_wait) {
  std::optional<MemoryClaim> claim = context_claim().first(least, most, on_wait);
  if (!claim) claim = MemoryClaim::wait(gpu_memory_budget(), least, most, on_wait);
  return std::unique_ptr<GpuClaim>(new GpuClaim(*std::move(claim)));
}

GpuClaim::~GpuClaim() {
  try {
    give_back_gpu_memory();
  } catch (const std::exception&) {
    // A kernel may have broken the GPU, and then there is nothing to give back.
    return;
  }
}

bool GpuClaim::is_promise() const {
  return m_claim.bytes() + broker_context_bytes <= gpu_memory_budget().bytes;
}

}  // namespace robust_kbench
