#include "check/other_threads.hpp"

#include <vector>

#include "core/seed.hpp"
#include "device/cpu.hpp"

namespace robust_kbench {

int other_thread_count(int usual, std::uint64_t nonce) {
  const auto processors = static_cast<int>(usable_cpus().size());
  std::vector<int> counts{1, 3, processors + 2};
  std::erase(counts, usual);
  return counts[derived_key(nonce, "threads") % counts.size()];
}

}  // namespace robust_kbench
