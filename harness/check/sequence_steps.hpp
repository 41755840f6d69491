#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/placement.hpp"
#include "core/case.hpp"

namespace robust_kbench {

// One call of a sequence.
struct Step {
  const Case* from;
  std::uint64_t seed;
  bool extra = false;                                  // a call besides the case's own
  std::optional<std::uint64_t> perturbation_key = {};  // set: the seed's content is perturbed
  Addresses addresses = Addresses::fresh;
};

// Takes every case once on its own seed in random order, with extra calls of `cases` between them.
// There are a quarter as many extra calls, or enough to reach 40 calls. An extra call has a secret
// seed, or perturbs the content of the last call on its config. Extra calls of probes have secret
// seeds, since a few changed elements could break a probe's property. `once` are further cases,
// which have no extra calls. The steps point into both lists.
std::vector<Step> steps_of(const std::vector<Case>& cases, const std::vector<Case>& once,
                           std::uint64_t nonce);

// Takes one case of each config, which nobody can foresee, in random order. Probes are among them.
std::vector<Step> one_step_each(const std::vector<Case>& cases, std::uint64_t nonce);

}  // namespace robust_kbench
