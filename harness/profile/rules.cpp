#include "profile/rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "profile/kernel_name.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Nsight Compute calls a unit busy from here on; below, neither memory nor arithmetic is the limit.
constexpr double busy_percent = 60;
// Most of an SM's loads are hidden with half of its warps; above, more seldom help.
constexpr double enough_occupancy_percent = 50;
constexpr double sector_bytes = 32;
// From there on most of what is moved is used; unaligned rows cost up to a quarter.
constexpr double enough_bytes_per_sector = 24;
// A warp's 32 elements of 4 bytes lie in 4 sectors. Fewer bytes used of no more sectors is a
// broadcast, which costs nothing.
constexpr double sectors_of_a_warp = 4;
// Below, reordering shared memory is worth less than it costs in code.
constexpr double least_conflict_percent = 20;
// Of all instructions; below, spilling is hidden.
constexpr double least_local_share = 0.01;
// A grid's last wave matters while there are few of them, and less than this is no matter.
constexpr double least_tail = 0.15;
constexpr double enough_threads_of_warp = 24;
// What it costs on an H100 from the end of one kernel to the begin of the next in a stream.
constexpr double launch_us = 2;
constexpr int least_launches = 3;
constexpr double least_launch_share = 0.3;
// Without a measurement: a spilled byte in an inner loop costs about so much.
constexpr double guessed_spill_stake = 0.1;

Advice advice(const char* rule, const KernelFacts& kernel, double stake, std::string text,
              std::vector<ToolFinding> because) {
  return {.rule = rule,
          .kernel = kernel.kernel(),
          .stake = std::clamp(stake, 0.0, 1.0),
          .text = std::move(text),
          .because = std::move(because)};
}

double busiest(const KernelFacts& kernel) {
  return std::max(kernel.value("sm_throughput"), kernel.value("memory_throughput"));
}

// What to do about warps that wait.
constexpr std::array<std::pair<std::string_view, const char*>, 9> remedies{{
    {"stall_long_scoreboard",
     "Have more loads in flight before the first is used: several elements a thread, wider loads, "
     "cp.async or more warps."},
    {"stall_short_scoreboard",
     "Go to shared memory less often, without bank conflicts, and use fewer special functions."},
    {"stall_mio_throttle",
     "Go to shared memory less often: wider accesses, values kept in registers, warp shuffles."},
    {"stall_lg_throttle", "Combine loads and stores of neighbours into wider ones."},
    {"stall_barrier",
     "Give the warps of a block equal work between barriers, or use smaller blocks or warp-level "
     "synchronisation."},
    {"stall_math_pipe_throttle", "Use another unit: tensor cores, packed or cheaper instructions."},
    {"stall_wait", "Interleave independent work in each thread, so that latencies overlap."},
    {"stall_drain", "Write results earlier or with fewer, wider stores."},
    {"stall_no_instruction", "Unroll less, so that the code fits the instruction cache."},
}};

std::string remedy_of(const std::string& stall) {
  const auto found = std::find_if(remedies.begin(), remedies.end(),
                                  [&](const auto& remedy) { return remedy.first == stall; });
  return found == remedies.end() ? "" : std::string(" ") + found->second;
}

Advice latency_bound(const KernelFacts& kernel) {
  std::string text = fmt::format(
      "{} is latency-bound: its SMs come to {:.0f} % and its memory to {:.0f} % of "
      "their peaks, so it mostly waits.",
      short_kernel_name(kernel.kernel()), kernel.value("sm_throughput"),
      kernel.value("memory_throughput"));
  std::vector<ToolFinding> because = kernel.these({"sm_throughput", "memory_throughput"});
  const auto stalls = kernel.beginning("stall_");
  if (!stalls.empty()) {
    const ToolFinding& first = *stalls.front();
    text += fmt::format(" {:.0f} % {}.{}", *first.value, first.meaning, remedy_of(first.what));
    because.push_back(first);
  }
  return advice("latency_bound", kernel, 1 - busiest(kernel) / 100, text, because);
}

Advice memory_bound(const KernelFacts& kernel) {
  const bool device = kernel.value("dram_throughput") >= busy_percent;
  const char* remedy =
      device
          ? "Arithmetic is free there and only moving fewer bytes helps: read each input once, "
            "fuse with what produces or uses the tensor, keep parts on the SM."
          : "The caches are the limit, not device memory: reuse what is loaded from registers or "
            "shared memory, and load wider.";
  return advice(
      "memory_bound", kernel, 1 - busiest(kernel) / 100,
      fmt::format("{} is memory-bound: memory comes to {:.0f} % of its peak, device memory alone "
                  "to {:.0f} %, the SMs to {:.0f} %. {}",
                  short_kernel_name(kernel.kernel()), kernel.value("memory_throughput"),
                  kernel.value("dram_throughput"), kernel.value("sm_throughput"), remedy),
      kernel.these({"memory_throughput", "dram_throughput", "l2_throughput", "l1_throughput",
                    "sm_throughput"}));
}

Advice compute_bound(const KernelFacts& kernel) {
  const auto pipes = [&] {
    std::vector<ToolFinding> found =
        kernel.these({"fp32_pipe", "tensor_pipe", "alu_pipe", "xu_pipe", "lsu_pipe"});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return *a.value > *b.value; });
    return found;
  }();
  std::string text = fmt::format(
      "{} is compute-bound: the SMs come to {:.0f} % of their peak, memory to {:.0f} %.",
      short_kernel_name(kernel.kernel()), kernel.value("sm_throughput"),
      kernel.value("memory_throughput"));
  std::vector<ToolFinding> because = kernel.these({"sm_throughput", "memory_throughput"});
  if (!pipes.empty()) {
    const ToolFinding& first = pipes.front();
    text += fmt::format(" Busiest: {:.0f} % {}.", *first.value, first.meaning);
    if (first.what == "fp32_pipe" && kernel.value("tensor_pipe") < 1) {
      text +=
          " Tensor cores are idle: matrix products belong there, in three TF32 products where "
          "one is not precise enough.";
    } else {
      text += " Do less of it: hoist what repeats, use cheaper instructions, compute once.";
    }
    because.push_back(first);
  }
  return advice("compute_bound", kernel, 1 - busiest(kernel) / 100, text, because);
}

}  // namespace

std::optional<Advice> roofline_advice(const KernelFacts& kernel) {
  if (!kernel.has("sm_throughput") || !kernel.has("memory_throughput")) return std::nullopt;
  if (busiest(kernel) < busy_percent) return latency_bound(kernel);
  return kernel.value("memory_throughput") >= kernel.value("sm_throughput") ? memory_bound(kernel)
                                                                            : compute_bound(kernel);
}

std::optional<Advice> occupancy_advice(const KernelFacts& kernel) {
  struct Limit {
    const char* what;
    const char* name;
    const char* remedy;
  };
  constexpr std::array<Limit, 4> limits{{
      {"block_limit_registers", "registers",
       "use fewer registers (__launch_bounds__, less unrolling, shorter lives)"},
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
    because.push_back(*kernel.find("ncu", limit.what));
  }
  if (names.empty()) return std::nullopt;
  return advice("occupancy", kernel, (1 - theoretical / 100) * (1 - busiest(kernel) / 100),
                fmt::format("An SM can hold only {:.0f} % of its warps of {}, limited to {:.0f} "
                            "blocks by {}. To hide more latency: {}.",
                            theoretical, short_kernel_name(kernel.kernel()), least, names, how),
                because);
}

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
  if (worst < least_conflict_percent) return std::nullopt;
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
    for (const ToolFinding* finding : {stores, loads}) {
      if (finding != nullptr) because.push_back(*finding);
    }
    if (const ToolFinding* registers = kernel.find("ptxas", "registers")) {
      because.push_back(*registers);
    }
    return advice("spills", kernel, measured ? share : guessed_spill_stake,
                  fmt::format("{} spills {:.0f} bytes of registers to local memory{}. Keep fewer "
                              "values at a time: smaller tiles, less unrolling, or a looser "
                              "__launch_bounds__.",
                              short_kernel_name(kernel.kernel()), spilled,
                              measured ? fmt::format(", {:.1f} % of its instructions", 100 * share)
                                       : std::string()),
                  because);
  }
  if (share < least_local_share) return std::nullopt;
  return advice(
      "local_arrays", kernel, share,
      fmt::format("{:.1f} % of the instructions of {} go to local memory though no register "
                  "is spilled: it indexes an array by a variable. Unroll those loops, or "
                  "put the array into shared memory.",
                  100 * share, short_kernel_name(kernel.kernel())),
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
  if (tail < least_tail) return std::nullopt;
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

std::optional<Advice> launch_advice(const std::vector<KernelFacts>& kernels) {
  double launches = 0;
  double busy_us = 0;
  std::vector<ToolFinding> because;
  for (const KernelFacts& kernel : kernels) {
    launches += kernel.value("launches");
    busy_us += kernel.value("duration");
    for (ToolFinding& finding : kernel.these({"launches", "duration"})) because.push_back(finding);
  }
  const double launching_us = launch_us * launches;
  const double share = launching_us / (launching_us + busy_us);
  if (launches < least_launches || share < least_launch_share) return std::nullopt;
  return Advice{.rule = "launch_bound",
                .kernel = {},
                .stake = share,
                .text = fmt::format(
                    "The call makes {:.0f} launches of {:.1f} us on average; with some {:.0f} us "
                    "between two of them, about {:.0f} % of its time goes into launching. Fuse "
                    "kernels.",
                    launches, busy_us / launches, launch_us, 100 * share),
                .because = std::move(because)};
}

}  // namespace robust_kbench
