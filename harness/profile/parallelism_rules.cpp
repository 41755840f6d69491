#include "profile/parallelism_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "core/kernel_name.hpp"
#include "profile/rule.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Half of an SM's warps hide most of its loads' latency, and more warps seldom help.
constexpr double enough_occupancy_percent = 50;
// The least share of time lost in the last wave that matters. With many waves the share is small.
constexpr double min_tail = 0.15;
constexpr double enough_threads_of_warp = 24;

}  // namespace

std::optional<Advice> occupancy_advice(const KernelFacts& kernel) {
  struct Limit {
    const char* what;
    const char* name;
    const char* remedy;
  };
  constexpr std::array<Limit, 4> limits{{
      {"block_limit_registers", "registers", "use fewer registers (less unrolling, shorter lives)"},
      {"block_limit_shared_memory", "shared memory", "use less of it in each block"},
      {"block_limit_warps", "the size of the block", "choose a size that divides an SM's warps"},
      {"block_limit_blocks", "the number of blocks that an SM takes", "use larger blocks"},
  }};
  const double theoretical = kernel.value("theoretical_occupancy");
  if (!kernel.has("theoretical_occupancy") || theoretical > enough_occupancy_percent ||
      busiest(kernel) >= busy_percent) {
    return std::nullopt;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Limit& limit : limits) {
    if (kernel.has(limit.what)) least = std::min(least, kernel.value(limit.what));
  }
  std::vector<ToolFinding> because = kernel.these({"theoretical_occupancy", "achieved_occupancy"});
  std::string names;
  std::string how;
  for (const Limit& limit : limits) {
    if (!kernel.has(limit.what) || kernel.value(limit.what) > least) continue;
    names += (names.empty() ? "" : " and ") + std::string(limit.name);
    how += (how.empty() ? "" : "; ") + std::string(limit.remedy);
    const bool by_registers = limit.what == std::string_view("block_limit_registers");
    if (by_registers && !kernel.does(Technique::launch_bounds))
      how += ", or bound them by __launch_bounds__";
    because.push_back(*kernel.find("ncu", limit.what));
  }
  if (names.empty()) return std::nullopt;
  return advice("occupancy", kernel, (1 - theoretical / 100) * (1 - busiest(kernel) / 100),
                fmt::format("An SM can hold only {:.0f} % of its warps of {}, limited to {:.0f} "
                            "blocks by {}. To hide more latency: {}.",
                            theoretical, short_kernel_name(kernel.kernel()), least, names, how),
                because);
}

std::optional<Advice> grid_advice(const KernelFacts& kernel) {
  const double waves = kernel.value("waves_per_sm");
  const double sms = kernel.value("sm_count");
  const double blocks = kernel.value("grid_size");
  const std::vector<ToolFinding> because =
      kernel.these({"grid_size", "sm_count", "waves_per_sm", "sm_active"});
  if (waves > 0 && sms > 0 && blocks < sms) {
    return advice(
        "small_grid", kernel, 1 - blocks / sms,
        fmt::format("{} has {:.0f} blocks for {:.0f} SMs, so {:.0f} % of the GPU is idle. "
                    "Split the work further: smaller blocks, or several for each row.",
                    short_kernel_name(kernel.kernel()), blocks, sms, 100 * (1 - blocks / sms)),
        because);
  }
  if (waves <= 1) return std::nullopt;
  const double tail = 1 - waves / std::ceil(waves);
  if (tail < min_tail) return std::nullopt;
  return advice(
      "tail_effect", kernel, tail,
      fmt::format("The grid of {} makes {:.2f} waves over the SMs, so the last one leaves "
                  "up to {:.0f} % of the time unused. Choose a grid of whole waves, smaller "
                  "blocks, or as many blocks as fit that loop over the work.",
                  short_kernel_name(kernel.kernel()), waves, 100 * tail),
      because);
}

std::optional<Advice> divergence_advice(const KernelFacts& kernel) {
  const double threads = kernel.value("active_threads_per_warp");
  if (!kernel.has("active_threads_per_warp") || threads >= enough_threads_of_warp) {
    return std::nullopt;
  }
  return advice(
      "divergence", kernel,
      (1 - threads / 32) *
          std::max(kernel.value("sm_throughput"), kernel.value("issue_slots_busy")) / 100,
      fmt::format("On average {:.0f} of 32 threads take part in an instruction of {}. Have "
                  "the threads of a warp take the same branches and loop equally often; "
                  "make blocks multiples of 32.",
                  threads, short_kernel_name(kernel.kernel())),
      kernel.these({"active_threads_per_warp", "divergent_branches", "block_size"}));
}

}  // namespace robust_kbench
