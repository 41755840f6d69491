#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "device/memory_claim.hpp"

namespace robust_kbench {

// A claim on memory of GPU 0, for a process that uses it by torch too: device/memory_claim.hpp says
// what must be claimed, and when. The first one of a process also claims the context that the
// process makes there, and keeps. At a claim's end what torch keeps for later goes back to the GPU.
class GpuClaim {
 public:
  // See MemoryClaim::wait().
  static std::unique_ptr<GpuClaim> wait(std::size_t least, std::size_t most,
                                        const MemoryClaim::OnWait& on_wait = nullptr);
  // See MemoryClaim::try_now(). For a process that has claimed before.
  static std::unique_ptr<GpuClaim> try_now(std::size_t bytes);

  ~GpuClaim();
  GpuClaim(const GpuClaim&) = delete;
  GpuClaim& operator=(const GpuClaim&) = delete;

  [[nodiscard]] std::size_t bytes() const { return m_claim.bytes(); }
  // False where more was claimed than there is: then nothing says that it is free.
  [[nodiscard]] bool is_promise() const;

 private:
  explicit GpuClaim(MemoryClaim claim) : m_claim(std::move(claim)) {}

  MemoryClaim m_claim;
};

}  // namespace robust_kbench
