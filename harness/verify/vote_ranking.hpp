#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

// A kernel that may go on. It compiles, as do all that are ranked with it.
struct RankedKernel {
  std::string text;
  double score = 0;  // of its votes
};

// The indices of at most `most` kernels that go on, the best one first. The greatest score comes
// first. Among equal scores the kernel comes first that is least similar to the archive's sources
// and to those taken before it. A draw by the seed decides the rest. The order of `kernels` does
// not matter.
std::vector<std::size_t> ranked(const std::vector<RankedKernel>& kernels, std::size_t most,
                                const std::vector<std::string>& archive, std::uint64_t seed);

}  // namespace robust_kbench
