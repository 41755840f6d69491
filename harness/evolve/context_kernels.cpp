#include "evolve/context_kernels.hpp"

#include <algorithm>
#include <cstddef>

namespace robust_kbench {
namespace {

// Twice as many as the paper draws its random ones from in a prompt.
constexpr std::size_t most_outraced = 20;

void sort_by_cost(std::vector<const Candidate*>& kernels) {
  std::ranges::stable_sort(kernels, {}, &Candidate::cost);
}

}  // namespace

std::vector<const Candidate*> context_kernels(const std::vector<const Candidate*>& lineage,
                                              const std::vector<Candidate>& right_seeds,
                                              const std::deque<Candidate>& outraced) {
  std::vector<const Candidate*> others;
  for (const Candidate& kernel : outraced) others.push_back(&kernel);
  sort_by_cost(others);
  others.resize(std::min(others.size(), most_outraced));
  others.insert(others.end(), lineage.begin(), lineage.end() - 1);
  for (const Candidate& seed : right_seeds) {
    if (seed.id != lineage.front()->id) others.push_back(&seed);
  }
  sort_by_cost(others);
  return others;
}

}  // namespace robust_kbench
