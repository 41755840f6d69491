#include "profile/call_rules.hpp"

#include <optional>
#include <string>

#include "profile/rule.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The usual time on an H100 from the end of one kernel to the beginning of the next in a stream.
constexpr double usual_gap_us = 2;
constexpr int min_launches = 3;
constexpr double min_launch_share = 0.3;
constexpr double min_idle_percent = 20;
constexpr const char* remedy = "Fuse kernels, or record the call as a CUDA graph.";

std::optional<Advice> measured_gaps(const KernelFacts& call, const ToolFinding& span,
                                    const ToolFinding& idle) {
  if (*idle.value < min_idle_percent) return std::nullopt;
  return advice("launch_bound", call, *idle.value / 100,
                fmt::format("The GPU has nothing to do for {:.0f} % of the {:.1f} us between the "
                            "call's first kernel and the end of its last. {}",
                            *idle.value, *span.value, remedy),
                {span, idle});
}

std::optional<Advice> usual_gaps(const KernelFacts& call, const std::vector<KernelFacts>& kernels) {
  double launches = 0;
  double busy_us = 0;
  std::vector<ToolFinding> because;
  for (const KernelFacts& kernel : kernels) {
    launches += kernel.value("launches");
    busy_us += kernel.value("duration");
    for (ToolFinding& finding : kernel.these({"launches", "duration"})) because.push_back(finding);
  }
  const double launching_us = usual_gap_us * launches;
  const double share = launching_us / (launching_us + busy_us);
  if (launches < min_launches || share < min_launch_share) return std::nullopt;
  return advice(
      "launch_bound", call, share,
      fmt::format("The call makes {:.0f} launches of {:.1f} us on average; with some {:.0f} us "
                  "between two of them, about {:.0f} % of its time goes into launching. {}",
                  launches, busy_us / launches, usual_gap_us, 100 * share, remedy),
      std::move(because));
}

std::optional<Advice> host_copies(const KernelFacts& call, const std::vector<ToolFinding>& findings,
                                  const ToolFinding& span) {
  double copying_us = 0;
  std::vector<ToolFinding> because;
  for (const ToolFinding& finding : findings) {
    const bool copies = finding.tool == "cupti" && finding.what.starts_with("copies_");
    if (!copies || finding.what.find("host") == std::string::npos) continue;
    copying_us += *finding.value;
    because.push_back(finding);
  }
  if (because.empty()) return std::nullopt;
  because.push_back(span);
  return advice("host_copies", call, *span.value > 0 ? copying_us / *span.value : 0,
                fmt::format("The call copies between host and device for {:.1f} of {:.1f} us. "
                            "Leave the data on the device, hand small values over as arguments "
                            "of the kernel, and have no host code wait for a result.",
                            copying_us, *span.value),
                std::move(because));
}

}  // namespace

std::vector<Advice> call_advice(const std::vector<KernelFacts>& kernels,
                                const std::vector<ToolFinding>& findings) {
  const KernelFacts call("", findings, {});  // the findings that name no kernel
  const ToolFinding* span = call.find("cupti", "span");
  const ToolFinding* idle = call.find("cupti", "idle");
  const bool traced = span != nullptr && idle != nullptr;
  std::vector<Advice> all;
  if (auto gaps = traced ? measured_gaps(call, *span, *idle) : usual_gaps(call, kernels)) {
    all.push_back(std::move(*gaps));
  }
  if (traced) {
    if (auto copies = host_copies(call, findings, *span)) all.push_back(std::move(*copies));
  }
  return all;
}

}  // namespace robust_kbench
