#include "check/reference_threads.hpp"

#include <cstdint>

namespace robust_kbench {
namespace {

// The small configs of our tasks have less content, and take half the processor time or less with
// one thread.
constexpr std::uint64_t content_for_threads = std::uint64_t{64} << 20;  // bytes

}  // namespace

ReferenceThreads::ReferenceThreads(const Workload& workload) {
  if (content_bytes(workload) < content_for_threads) m_one_thread.emplace(1);
}

}  // namespace robust_kbench
