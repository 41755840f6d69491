#pragma once

#include <deque>
#include <vector>

#include "evolve/candidate.hpp"

namespace robust_kbench {

// The kernels that a proposer may look at beside the parent, fastest first. All have passed all
// cases: the parents before it, the right seeds, and the fastest of those that lost a race after
// that. `lineage` begins with the first parent, which is a seed, too, and ends with the parent.
std::vector<const Candidate*> context_kernels(const std::vector<const Candidate*>& lineage,
                                              const std::vector<Candidate>& right_seeds,
                                              const std::deque<Candidate>& outraced);

}  // namespace robust_kbench
