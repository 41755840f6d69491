#include "evaluate/left_out.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// The seeds of a config, or of a probe on it.
struct Seeds {
  std::string of;
  int all = 0;
  int left = 0;
};

std::string seeds_text(const Seeds& seeds) {
  if (seeds.all == 1) return seeds.of;
  return seeds.left == seeds.all
             ? fmt::format("all {} seeds of {}", seeds.all, seeds.of)
             : fmt::format("{} of {} seeds of {}", seeds.left, seeds.all, seeds.of);
}

}  // namespace

std::string left_out_for_time(const std::vector<Case>& cases, const std::vector<CaseRecord>& called,
                              double seconds) {
  std::vector<Seeds> all;
  for (const Case& c : cases) {
    const std::string of = c.probe ? c.name() : c.config.name;
    auto seeds = std::ranges::find(all, of, &Seeds::of);
    if (seeds == all.end()) seeds = all.insert(all.end(), {.of = of});
    ++seeds->all;
    if (std::ranges::find(called, c.name(), &CaseRecord::name) == called.end()) ++seeds->left;
  }
  std::vector<std::string> left;
  for (const Seeds& seeds : all) {
    if (seeds.left > 0) left.push_back(seeds_text(seeds));
  }
  if (left.empty()) left.emplace_back("calls of the sequence");
  return fmt::format("its calls are so slow that {} s were too little for all tests; left out: {}",
                     seconds, fmt::join(left, ", "));
}

}  // namespace robust_kbench
