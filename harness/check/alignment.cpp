#include "check/alignment.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "ipc/arena.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

constexpr int least_alignment = 4;  // bytes, of a float32
constexpr double most_elements = 1e6;

}  // namespace

std::optional<int> measured_alignment(SequenceCalls& calls, const Task& task, Direction direction,
                                      const std::vector<Case>& cases, bool gpu) {
  const auto elements = [&](const Case* c) {
    return elements_of({task, direction, c->config.params}).value_or(0);
  };
  std::set<std::string> seen;
  std::vector<const Case*> called;
  for (const Case& c : cases) {
    if (!c.is_listed() || !calls.has_computed(c.config.params)) continue;
    if (seen.insert(c.config.name).second) called.push_back(&c);
  }
  std::ranges::stable_sort(called, {}, elements);
  const auto most = static_cast<int>(gpu ? gpu_arena_alignment : arena_alignment);
  int needed = least_alignment;
  for (const Case* c : called) {
    if (c != called.front() && elements(c) > most_elements) break;
    while (needed < most && !calls.is_right_at({.shift = static_cast<std::uint64_t>(needed)}, *c)) {
      needed *= 2;
    }
  }
  return needed == least_alignment ? std::nullopt : std::optional(needed);
}

}  // namespace robust_kbench
