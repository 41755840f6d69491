#include "profile/advice.hpp"

#include <algorithm>
#include <array>

#include "core/kernel_name.hpp"
#include "profile/call_rules.hpp"
#include "profile/cpu_rules.hpp"
#include "profile/memory_rules.hpp"
#include "profile/parallelism_rules.hpp"
#include "profile/roofline_rule.hpp"
#include "profile/rule.hpp"
#include "profile/sanitizer.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::array<Rule, 7> rules{roofline_advice,      occupancy_advice,    uncoalesced_advice,
                                    bank_conflict_advice, local_memory_advice, grid_advice,
                                    divergence_advice};
// The guessed stake of a loss that ptxas warns of, since nothing measures it.
constexpr double guessed_loss = 0.2;

std::string place(const Place& where) {
  std::string text = where.kernel.empty() ? "" : " in " + short_kernel_name(where.kernel);
  if (!where.file.empty()) text += fmt::format(" at {}:{}", where.file, where.line);
  return text;
}

// The duration of all launches in one call. It is 0 if the call was not measured or does not launch
// the kernel.
double duration_us(const KernelFacts& kernel) {
  const ToolFinding* traced = kernel.find("cupti", "duration");
  return traced == nullptr ? kernel.value("duration") : *traced->value;
}

void advise_on_single(const ToolFinding& finding, std::vector<Advice>& advice) {
  const bool sanitizer =
      std::find(sanitizers.begin(), sanitizers.end(), finding.tool) != sanitizers.end();
  if (sanitizer && finding.severity == Severity::error) {
    advice.push_back({.rule = "unsafe",
                      .kernel = finding.where.kernel,
                      .stake = 1,
                      .text = fmt::format("Mend this before anything else: {} found {}{}, {:.0f} "
                                          "times. {}.",
                                          finding.tool, finding.what, place(finding.where),
                                          finding.value.value_or(1), finding.meaning),
                      .because = {finding}});
  } else if (finding.what == "performance_loss") {
    advice.push_back({.rule = "performance_loss",
                      .kernel = finding.where.kernel,
                      .stake = guessed_loss,
                      .text = "ptxas warns: " + finding.meaning + ".",
                      .because = {finding}});
  }
}

}  // namespace

std::vector<Advice> advise(const std::vector<ToolFinding>& findings, std::string_view source) {
  std::vector<KernelFacts> kernels = facts_by_kernel(findings, techniques_in(source));
  const bool measured = std::any_of(kernels.begin(), kernels.end(),
                                    [](const KernelFacts& k) { return duration_us(k) > 0; });
  // A source may have kernels and instances of templates that this call does not launch.
  if (measured) std::erase_if(kernels, [](const KernelFacts& k) { return duration_us(k) <= 0; });
  double total_us = 0;
  for (const KernelFacts& kernel : kernels) total_us += duration_us(kernel);

  std::vector<Advice> all;
  for (const ToolFinding& finding : findings) advise_on_single(finding, all);
  for (const KernelFacts& kernel : kernels) {
    const double share = total_us > 0 ? duration_us(kernel) / total_us : 1;
    for (const Rule rule : rules) {
      if (auto advice = rule(kernel)) {
        advice->stake *= share;
        all.push_back(std::move(*advice));
      }
    }
  }
  for (Advice& advice : call_advice(kernels, findings)) all.push_back(std::move(advice));
  for (Advice& advice : cpu_advice(findings, source)) all.push_back(std::move(advice));
  std::stable_sort(all.begin(), all.end(),
                   [](const Advice& a, const Advice& b) { return a.stake > b.stake; });
  return all;
}

}  // namespace robust_kbench
