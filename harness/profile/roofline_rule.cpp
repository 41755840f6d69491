#include "profile/roofline_rule.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel_name.hpp"
#include "profile/rule.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The remedy for warps that stall for one reason.
struct StallRemedy {
  std::string_view stall;
  std::string_view beginning;
  std::vector<RemedyStep> steps;
  std::string_view end = ".";
};

const std::array<StallRemedy, 9>& stall_remedies() {
  static const std::array<StallRemedy, 9> remedies{{
      {"stall_long_scoreboard",
       "Have more loads in flight before the first is used: ",
       {{"several elements a thread"},
        {"wider loads", Technique::wide_accesses},
        {"cp.async", Technique::asynchronous_copies},
        {"more warps"}}},
      {"stall_short_scoreboard",
       "",
       {{"Go to shared memory less often, without bank conflicts, and use fewer special "
         "functions"}}},
      {"stall_mio_throttle",
       "Go to shared memory less often: ",
       {{"wider accesses", Technique::wide_accesses},
        {"values kept in registers"},
        {"warp shuffles", Technique::warp_shuffles}}},
      {"stall_lg_throttle",
       "",
       {{"Combine loads and stores of neighbours into wider ones", Technique::wide_accesses}}},
      {"stall_barrier",
       "Give the warps of a block equal work between barriers, or use ",
       {{"smaller blocks"}, {"warp-level synchronisation", Technique::warp_shuffles}}},
      {"stall_math_pipe_throttle",
       "Use another unit: ",
       {{"tensor cores", Technique::tensor_cores}, {"packed"}, {"cheaper instructions"}}},
      {"stall_wait",
       "",
       {{"Interleave independent work in each thread, so that latencies overlap"}}},
      {"stall_drain",
       "Write results earlier or with ",
       {{"fewer"}, {"wider", Technique::wide_accesses}},
       " stores."},
      {"stall_no_instruction", "", {{"Unroll less, so that the code fits the instruction cache"}}},
  }};
  return remedies;
}

std::string remedy_of(const KernelFacts& kernel, const std::string& stall) {
  for (const StallRemedy& known : stall_remedies()) {
    if (known.stall == stall) return remedy_left(kernel, known.beginning, known.steps, known.end);
  }
  return "";
}

// Says " Device memory moves 2010 of 3350 GB/s." if that is known.
std::string memory_rate(const KernelFacts& kernel) {
  const double percent = kernel.value("dram_throughput");
  if (!kernel.has("dram_bandwidth") || percent <= 0) return "";
  const double achieved = kernel.value("dram_bandwidth");
  return fmt::format(" Device memory moves {:.0f} of {:.0f} GB/s.", achieved,
                     100 * achieved / percent);
}

Advice latency_bound(const KernelFacts& kernel) {
  std::string text = fmt::format(
      "{} is latency-bound: its SMs come to {:.0f} % and its memory to {:.0f} % of "
      "their peaks, so it mostly waits.{}",
      short_kernel_name(kernel.kernel()), kernel.value("sm_throughput"),
      kernel.value("memory_throughput"), memory_rate(kernel));
  std::vector<ToolFinding> because = kernel.these({"sm_throughput", "memory_throughput"});
  const auto stalls = kernel.beginning("stall_");
  if (!stalls.empty()) {
    const ToolFinding& first = *stalls.front();
    text +=
        fmt::format(" {:.0f} % {}.{}", *first.value, first.meaning, remedy_of(kernel, first.what));
    because.push_back(first);
  }
  return advice("latency_bound", kernel, 1 - busiest(kernel) / 100, text, because);
}

Advice memory_bound(const KernelFacts& kernel) {
  const bool device = kernel.value("dram_throughput") >= busy_percent;
  const std::string helps =
      device ? " Arithmetic is free there and only moving fewer bytes helps: read each input once, "
               "fuse with what produces or uses the tensor, keep parts on the SM."
             : remedy_left(kernel, "The caches are the limit, not device memory: ",
                           {{"reuse what is loaded from registers or shared memory"},
                            {"load wider", Technique::wide_accesses}},
                           ".", "and");
  return advice(
      "memory_bound", kernel, 1 - busiest(kernel) / 100,
      fmt::format("{} is memory-bound: memory comes to {:.0f} % of its peak, device memory alone "
                  "to {:.0f} %, the SMs to {:.0f} %.{}{}",
                  short_kernel_name(kernel.kernel()), kernel.value("memory_throughput"),
                  kernel.value("dram_throughput"), kernel.value("sm_throughput"),
                  memory_rate(kernel), helps),
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

}  // namespace robust_kbench
