#include "filter/tolerance_filter.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "check/reference_threads.hpp"

#include <ATen/ops/stack.h>
#include <ATen/ops/var.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

double root_mean(const at::Tensor& squares) {
  return squares.mean().sqrt().item<double>();
}

struct Signal {
  double over_elements = 0;
  double over_seeds = 0;

  [[nodiscard]] double least() const { return std::min(over_elements, over_seeds); }
};

Signal signal_of(const at::Tensor& stack) {
  return {.over_elements = root_mean(at::var(stack, /*unbiased=*/false)),
          .over_seeds = root_mean(at::var(stack, std::vector<std::int64_t>{0}))};
}

// The root mean square of the allowed errors.
double limit_of(const PrecisionLimits& limits, const at::Tensor& stack) {
  if (limits.rms) return limits.rms->most;
  return root_mean(stack.abs().mul(limits.rtol).add(limits.atol).square());
}

// Infinite where there is no signal.
double share(double limit, double signal) {
  return signal > 0 ? limit / signal : std::numeric_limits<double>::infinity();
}

class ToleranceFilter {
 public:
  explicit ToleranceFilter(const FilterSubject& subject)
      : m_subject(subject),
        m_result{.filter = Filter::tolerance,
                 .direction = subject.direction(),
                 .threshold = subject.options().tolerance} {}

  FilterResult result() {
    for (const Config& config : m_subject.configs()) measure(config);
    const auto most =
        std::ranges::max_element(m_least, {}, [](const auto& known) { return known.second; });
    if (most == m_least.end()) return m_result;
    m_result.value = finite(most->second);
    if (most->second < *m_result.threshold) return m_result;
    m_result.status = FilterStatus::caught;
    m_result.reason = fmt::format(
        "the limit of {}'s errors is {:.3g} times what differs between elements or calls",
        most->first, most->second);
    return m_result;
  }

 private:
  void measure(const Config& config) {
    const Workload workload = m_subject.workload(config.params);
    const ReferenceThreads threads(workload);
    const OutputLimits limits = m_subject.limits({.config = config, .seed = 1}, 1);
    for (std::size_t i = 0; i < limits->size(); ++i) {
      std::vector<at::Tensor> references;
      for (int seed = 1; seed <= m_subject.options().seeds; ++seed) {
        const auto content = m_subject.typical(config, static_cast<std::uint64_t>(seed));
        const at::Tensor& reference = content->references.at(i);
        if (reference.defined()) references.push_back(reference.to(at::kDouble));
      }
      if (references.size() < 2) continue;
      add(workload.contract().outputs.at(i).name, config, limits->at(i), at::stack(references));
    }
  }

  void add(const std::string& output, const Config& config, const PrecisionLimits& limits,
           const at::Tensor& stack) {
    const Signal signal = signal_of(stack);
    const double limit = limit_of(limits, stack);
    const double found = share(limit, signal.least());
    m_result.measurements.push_back(
        {"limit over signal of " + output, config.name, finite(found),
         fmt::format("limit {:.3g}, deviation over elements {:.3g}, over seeds {:.3g}", limit,
                     signal.over_elements, signal.over_seeds)});
    const auto known = m_least.try_emplace(output, found).first;
    known->second = std::min(known->second, found);
  }

  const FilterSubject& m_subject;
  FilterResult m_result;
  std::map<std::string, double> m_least;  // of each output, over configs
};

}  // namespace

FilterResult tolerance_filter(const FilterSubject& subject) {
  return ToleranceFilter(subject).result();
}

}  // namespace robust_kbench
