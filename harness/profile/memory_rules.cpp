#include "profile/memory_rules.hpp"

#include <algorithm>
#include <string>

#include "core/kernel_name.hpp"
#include "profile/rule.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double sector_bytes = 32;
// With more bytes used of each sector, most moved bytes are used. Unaligned rows cost up to a
// quarter.
constexpr double enough_bytes_per_sector = 24;
// A warp's 32 elements of 4 bytes lie in 4 sectors. If fewer bytes are used of no more sectors, it
// is a broadcast, which costs nothing.
constexpr double sectors_of_a_warp = 4;
// With fewer conflicts, reordering shared memory gains less than it costs in code.
constexpr double min_conflict_percent = 20;
// A share of all instructions. With a smaller one, spilling is hidden.
constexpr double min_local_share = 0.01;
// The guessed stake of a spilled byte in an inner loop, since nothing measures it.
constexpr double guessed_spill_stake = 0.1;

}  // namespace

std::optional<Advice> uncoalesced_advice(const KernelFacts& kernel) {
  std::string which;
  double excess = 0;
  std::vector<ToolFinding> because;
  const auto look = [&](const char* bytes, const char* sectors, const char* name) {
    const bool poor = kernel.has(bytes) && kernel.value(bytes) < enough_bytes_per_sector &&
                      kernel.value(sectors) > sectors_of_a_warp;
    if (!poor) return;
    which += fmt::format(
        "{}{} use {:.0f} of each {:.0f} bytes that they move ({:.0f} sectors a warp)",
        which.empty() ? "" : ", ", name, kernel.value(bytes), sector_bytes, kernel.value(sectors));
    excess = std::max(excess, 1 - kernel.value(bytes) / sector_bytes);
    for (ToolFinding& finding : kernel.these({bytes, sectors})) because.push_back(finding);
  };
  look("bytes_per_sector_loaded", "sectors_per_load", "loads");
  look("bytes_per_sector_stored", "sectors_per_store", "stores");
  if (because.empty()) return std::nullopt;
  return advice("uncoalesced", kernel, excess * kernel.value("memory_throughput") / 100,
                fmt::format("Global memory accesses of {} are uncoalesced: {}. Let neighbouring "
                            "threads access neighbouring elements, or go through shared memory.",
                            short_kernel_name(kernel.kernel()), which),
                because);
}

std::optional<Advice> bank_conflict_advice(const KernelFacts& kernel) {
  const double worst =
      std::max(kernel.value("bank_conflicts_loading"), kernel.value("bank_conflicts_storing"));
  if (worst < min_conflict_percent) return std::nullopt;
  return advice(
      "bank_conflicts", kernel, worst / 100 * kernel.value("l1_throughput") / 100,
      fmt::format("{:.0f} % of the passes that {} makes through shared memory are bank "
                  "conflicts. Pad rows by one element, or permute columns by the row.",
                  worst, short_kernel_name(kernel.kernel())),
      kernel.these({"bank_conflicts_loading", "bank_conflicts_storing", "l1_throughput"}));
}

std::optional<Advice> local_memory_advice(const KernelFacts& kernel) {
  const ToolFinding* stores = kernel.find("ptxas", "spill_stores");
  const ToolFinding* loads = kernel.find("ptxas", "spill_loads");
  const double spilled =
      (stores == nullptr ? 0 : *stores->value) + (loads == nullptr ? 0 : *loads->value);
  const double instructions = kernel.value("instructions");
  const double accesses = kernel.value("local_loads") + kernel.value("local_stores");
  const double share = instructions > 0 ? accesses / instructions : 0;
  const bool measured = instructions > 0;
  std::vector<ToolFinding> because = kernel.these({"local_loads", "local_stores", "instructions"});
  if (spilled > 0 && (!measured || accesses > 0)) {
    const bool bounded = kernel.does(Technique::launch_bounds);
    for (const ToolFinding* finding : {stores, loads}) {
      if (finding != nullptr) because.push_back(*finding);
    }
    if (const ToolFinding* registers = kernel.find("ptxas", "registers")) {
      because.push_back(*registers);
    }
    return advice(
        "spills", kernel, measured ? share : guessed_spill_stake,
        fmt::format(
            "{} spills {:.0f} bytes of registers to local memory{}. Keep fewer "
            "values at a time: smaller tiles{} less unrolling{}.",
            short_kernel_name(kernel.kernel()), spilled,
            measured ? fmt::format(", {:.1f} % of its instructions", 100 * share) : std::string(),
            bounded ? "," : " or", bounded ? " or a looser __launch_bounds__" : ""),
        because);
  }
  if (share < min_local_share) return std::nullopt;
  return advice(
      "local_arrays", kernel, share,
      fmt::format("{:.1f} % of the instructions of {} go to local memory though no register "
                  "is spilled: it indexes an array by a variable. Unroll those loops, or "
                  "put the array into shared memory.",
                  100 * share, short_kernel_name(kernel.kernel())),
      because);
}

}  // namespace robust_kbench
