#include "profile/cpu_rules.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/kernel_places.hpp"
#include "profile/kernel_facts.hpp"
#include "profile/rule.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// At this share of the call's time or more, memory or arithmetic is the limit.
constexpr double near_roof = 0.6;
// The least share of a call's time worth mentioning that does not depend on its size. The share is
// known if this call has several times the work of the smallest one.
constexpr double min_overhead_share = 0.3;
constexpr double min_work_ratio = 4;
// The guessed share of the time that loops take, if nothing is measured.
constexpr double guessed_share = 0.2;
constexpr std::size_t most_places = 5;

std::string rounded(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string far_remedy(const KernelFacts& call) {
  std::vector<RemedyStep> steps;
  if (!call.does(Technique::simd_pragma)) {
    steps.push_back({"vectorize its loops", Technique::vector_intrinsics});
  }
  steps.push_back({"touch each element once"});
  steps.push_back({"spread large work over the CPUs", Technique::threads});
  return remedy_left(call, "What is left: ", steps, ".", "and");
}

struct Roof {
  double share = 0;  // the nearer roof's time over the call's
  const ToolFinding* nearer = nullptr;
};

Roof roof_of(const KernelFacts& call) {
  const ToolFinding* time = call.find("roofline", "call_time");
  Roof roof;
  for (const char* what : {"memory_time", "arithmetic_time"}) {
    const ToolFinding* least = call.find("roofline", what);
    if (time == nullptr || least == nullptr || *time->value <= 0) continue;
    const double share = *least->value / *time->value;
    if (share > roof.share) roof = {share, least};
  }
  return roof;
}

// Says "It moves 4 of 10 GB/s and does 20 of 100 GFLOP/s.", as far as these are known.
std::string rates(const KernelFacts& call) {
  std::string text;
  const auto add = [&](const char* does, const char* achieved, const char* possible) {
    const ToolFinding* had = call.find("roofline", achieved);
    const ToolFinding* most = call.find("roofline", possible);
    if (had == nullptr || most == nullptr) return;
    text += fmt::format("{}{} {} of {} {}", text.empty() ? " It " : " and ", does,
                        rounded(*had->value), rounded(*most->value), most->unit);
  };
  add("moves", "bandwidth", "copy_rate");
  add("does", "flop_rate", "multiply_add_rate");
  return text.empty() ? text : text + ", which is possible here.";
}

std::optional<Advice> roof_advice(const KernelFacts& call, const Roof& roof) {
  if (roof.nearer == nullptr) return std::nullopt;
  const ToolFinding& time = *call.find("roofline", "call_time");
  const bool memory = roof.nearer->what == "memory_time";
  const std::string least = rounded(*roof.nearer->value) + " us of " + rounded(*time.value) + " us";
  if (roof.share < near_roof) {
    return advice("far_from_roof", call, 1 - roof.share,
                  fmt::format("The call takes {} times as long as its {} alone would: {}.{}{}",
                              rounded(1 / roof.share), memory ? "traffic to memory" : "arithmetic",
                              least, rates(call), far_remedy(call)),
                  {time, *roof.nearer});
  }
  if (memory) {
    return advice("memory_bound", call, 1 - roof.share,
                  fmt::format("The call is memory-bound: a copy of its bytes takes {}.{} Only "
                              "fewer passes over its tensors make it faster.",
                              least, rates(call)),
                  {time, *roof.nearer});
  }
  return advice("compute_bound", call, 1 - roof.share,
                fmt::format("The call is compute-bound: multiply-adds of its count take {}.{} Only "
                            "fewer operations make it faster.",
                            least, rates(call)),
                {time, *roof.nearer});
}

std::optional<Advice> overhead_advice(const KernelFacts& call) {
  const ToolFinding* time = call.find("roofline", "call_time");
  const ToolFinding* smallest = call.find("roofline", "smallest_call");
  const ToolFinding* ratio = call.find("roofline", "work_ratio");
  if (time == nullptr || smallest == nullptr || ratio == nullptr) return std::nullopt;
  const double share = *smallest->value / *time->value;
  if (share < min_overhead_share || *ratio->value < min_work_ratio) return std::nullopt;
  return advice(
      "call_overhead", call, share,
      fmt::format("A call with a {}th of the work takes {} of {} us, so much of that "
                  "is spent whatever the size. {}",
                  rounded(*ratio->value), rounded(*smallest->value), rounded(*time->value),
                  call.does(Technique::threads)
                      ? "Start no threads for little work, allocate less, and make fewer calls of "
                        "the library."
                      : "Allocate less, and make fewer calls of the library."),
      {*time, *smallest, *ratio});
}

// The compiler also says of a loop with intrinsics that it did not vectorize it. The remainder
// after such a loop takes little time.
bool is_vectorized_by_hand(const KernelFacts& call, const ToolFinding& finding,
                           std::string_view source) {
  if (!call.does(Technique::vector_intrinsics) || is_header(finding.where.file)) return false;
  const std::string_view loop = loop_at(source, finding.where.line);
  return is_remainder(loop) || techniques_in(loop).contains(Technique::vector_intrinsics);
}

std::optional<Advice> loop_advice(const KernelFacts& call, const std::string& what, double stake,
                                  const std::vector<ToolFinding>& findings, std::string_view source,
                                  const std::string& says) {
  std::vector<ToolFinding> because;
  std::string places;
  for (const ToolFinding& finding : findings) {
    if (finding.tool != "vectorizer" || finding.what != what) continue;
    if (is_vectorized_by_hand(call, finding, source)) continue;
    because.push_back(finding);
    if (because.size() > most_places) continue;
    const std::string file = std::filesystem::path(finding.where.file).filename();
    places += fmt::format("{}{}:{}", places.empty() ? "" : ", ", file, finding.where.line);
  }
  if (because.empty()) return std::nullopt;
  if (because.size() > most_places) {
    places += fmt::format(" and {} more", because.size() - most_places);
  }
  return advice(what.c_str(), call, stake, fmt::format(fmt::runtime(says), places),
                std::move(because));
}

}  // namespace

std::vector<Advice> cpu_advice(const std::vector<ToolFinding>& findings, std::string_view source) {
  const KernelFacts call("", findings, techniques_in(source));
  const Roof roof = roof_of(call);
  const double slack = roof.nearer == nullptr ? guessed_share : std::max(0.0, 1 - roof.share);
  std::vector<Advice> all;
  const auto add = [&all](std::optional<Advice> advice) {
    if (advice) all.push_back(*std::move(advice));
  };
  add(roof_advice(call, roof));
  add(overhead_advice(call));
  add(loop_advice(call, "in_order_reduction", slack, findings, source,
                  "Sums are taken one term after another at {}. Let the compiler take several at "
                  "a time: `#pragma omp simd reduction(+ : sum)`, or several sums of your own."));
  // The stake is halved, since fewer of these loops matter.
  add(loop_advice(call, "not_vectorized", slack / 2, findings, source,
                  "Loops are not vectorized at {}. The findings say why; `#pragma omp simd`, unit "
                  "strides and loops without calls help where they matter."));
  return all;
}

}  // namespace robust_kbench
