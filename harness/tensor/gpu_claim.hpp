#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "device/memory_claim.hpp"

namespace robust_kbench {

// A claim on memory of GPU 0, for a process that also uses torch there. device/memory_claim.hpp
// explains what must be claimed, and when. A process's first claim also covers the context that the
// process makes there, and keeps. When a claim ends, torch's cached GPU memory is freed.
class GpuClaim {
 public:
  // See MemoryClaim::wait().
  static std::unique_ptr<GpuClaim> wait(std::size_t least, std::size_t most,
                                        const MemoryClaim::OnWait& on_wait = nullptr);

  ~GpuClaim();
  GpuClaim(const GpuClaim&) = delete;
  GpuClaim& operator=(const GpuClaim&) = delete;

  [[nodiscard]] std::size_t bytes() const { return m_claim.bytes(); }
  // False if more was claimed than the GPU has. Then the memory may not be free.
  [[nodiscard]] bool is_promise() const;

 private:
  explicit GpuClaim(MemoryClaim claim) : m_claim(std::move(claim)) {}

  MemoryClaim m_claim;
};

}  // namespace robust_kbench
