#include "filter/null_kernel_filter.hpp"

#include <algorithm>
#include <set>

#include "check/content_cache.hpp"
#include "check/reference_threads.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "evaluate/scope.hpp"
#include "filter/stand_in_trial.hpp"
#include "filter/usual_cases.hpp"
#include "tensor/probe.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Content that may show a node's effect where the usual cases do not. Probes use the largest config
// that filters measure. The probe of NaN is left out, since it rejects no kernel, and that of
// masks, on which float32 may overflow.
std::vector<Case> further_cases(const FilterSubject& subject) {
  std::vector<Case> cases = cases_of(subject.configs(), 1);
  const Case largest = *std::ranges::max_element(
      cases, {}, [&](const Case& c) { return cost_of(subject.workload(c.config.params)).bytes; });
  for (const Probe probe : all_probes) {
    const bool concerns_gradients = probe == Probe::gradients_scaled;
    if (probe == Probe::nan_and_infinity || probe == Probe::masked || concerns_gradients) continue;
    for (const std::uint64_t seed : {1, 2}) {
      cases.push_back({.config = largest.config, .seed = seed, .probe = probe});
    }
  }
  return cases;
}

class NullKernelFilter {
 public:
  explicit NullKernelFilter(const FilterSubject& subject)
      : m_subject(subject),
        m_result{
            .filter = Filter::null_kernels, .direction = subject.direction(), .threshold = 1.0} {
    for (StandIn& kernel : constant_kernels(subject)) m_trials.emplace_back(std::move(kernel));
    for (StandIn& kernel : kernels_without_a_node(subject)) {
      m_trials.emplace_back(std::move(kernel));
    }
  }

  FilterResult result() {
    const std::vector<Case> cases = usual_cases(m_subject);
    for (const Case& of : cases) judge(of, m_trials);
    std::vector<StandInTrial> unseen;
    for (const StandInTrial& trial : m_trials) {
      const bool is_doubted = trial.accepted() && trial.kernel().node;
      if (is_doubted) unseen.emplace_back(trial.kernel());
    }
    if (!unseen.empty()) {
      for (const Case& of : further_cases(m_subject)) judge(of, unseen);
    }
    conclude(unseen, cases.size());
    return m_result;
  }

 private:
  void judge(const Case& of, std::vector<StandInTrial>& trials) {
    if (std::ranges::none_of(trials, &StandInTrial::accepted)) return;
    const ReferenceThreads threads(m_subject.workload(of.config.params));
    try {
      const auto content = m_subject.content(of, of.seed);
      const OutputLimits limits = m_subject.limits(of, of.seed);
      for (StandInTrial& trial : trials) trial.judge(m_subject, of, *content, *limits);
    } catch (const c10::Error& error) {
      // The operator may not accept a probe that the task leaves out.
      if (!of.probe || !why_inapplicable(m_subject.task(), m_subject.direction(), *of.probe)) {
        throw;
      }
    }
  }

  void conclude(const std::vector<StandInTrial>& unseen, std::size_t cases) {
    std::size_t accepted = 0;
    std::vector<std::string> names;
    for (const StandInTrial& trial : m_trials) {
      Measurement measured{trial.kernel().name, trial.rejected_on().value_or("all cases"),
                           trial.error(), trial.reason()};
      if (trial.accepted()) {
        const auto doubted = std::ranges::find_if(unseen, [&](const StandInTrial& other) {
          return other.kernel().node == trial.kernel().node;
        });
        const bool is_null = !trial.kernel().node || !doubted->accepted();
        measured.note = "accepted, and does nothing on any content known";
        if (is_null) {
          measured.note = "accepted";
          if (trial.kernel().node) {
            measured.note += ", though it is wrong on " + *doubted->rejected_on();
          }
          names.push_back(trial.kernel().name);
          ++accepted;
        }
      }
      m_result.measurements.push_back(std::move(measured));
    }
    m_result.value = static_cast<double>(accepted);
    if (accepted == 0) return;
    m_result.status = FilterStatus::caught;
    m_result.reason = fmt::format("{} passes all {}: {}",
                                  accepted == 1 ? "a null kernel" : "each null kernel of these",
                                  counted(cases, "case"), fmt::join(names, ", "));
  }

  const FilterSubject& m_subject;
  FilterResult m_result;
  std::vector<StandInTrial> m_trials;
};

}  // namespace

FilterResult null_kernel_filter(const FilterSubject& subject) {
  return NullKernelFilter(subject).result();
}

}  // namespace robust_kbench
