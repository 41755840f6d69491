#include "filter/filters.hpp"

#include <algorithm>
#include <memory>

#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "filter/baseline_filter.hpp"
#include "filter/filter_subject.hpp"
#include "filter/null_kernel_filter.hpp"
#include "filter/output_statistics.hpp"
#include "filter/precision_filter.hpp"
#include "filter/tolerance_filter.hpp"
#include "tensor/gpu_claim.hpp"
#include "tensor/torch_cuda.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

// Claims a GPU's memory for as long as a task is examined there.
std::unique_ptr<GpuClaim> claim_for(const FilterSubject& subject) {
  if (!subject.device().is_cuda()) return nullptr;
  load_torch_cuda();
  prepare_gpu_references();
  std::size_t most = 0;
  for (const Config& config : subject.configs()) {
    most = std::max(most, arena_bytes(subject.workload(config.params), 1, /*gpu=*/true));
  }
  const std::size_t bytes = examination_gpu_bytes(most);
  return GpuClaim::wait(bytes, bytes);
}

// Adds results of one direction to a task's verdict.
class Looking {
 public:
  Looking(const FilterSubject& subject, TaskVerdict& verdict, double all, const OnFilter& on_filter)
      : m_subject(subject), m_verdict(verdict), m_all(all), m_on_filter(on_filter) {}

  void statistics() {
    const bool any =
        std::ranges::any_of(statistical_filters, [&](Filter each) { return wants(each); });
    std::vector<FilterResult> found;
    if (any) tell("what outputs vary by");
    if (any) found = with_gpu_memory([&] { return output_statistics(m_subject); });
    for (std::size_t i = 0; i < statistical_filters.size(); ++i) {
      if (wants(statistical_filters[i])) {
        m_verdict.results.push_back(std::move(found.at(i)));
      } else {
        skip(statistical_filters[i], left_out);
      }
    }
  }

  // Runs the filter again where the GPU lacks memory, since other work may end.
  void by(Filter filter, FilterResult (*function)(const FilterSubject&)) {
    if (!wants(filter)) return skip(filter, left_out);
    tell(std::string(to_string(filter)) + " of " + std::string(to_string(m_subject.direction())));
    m_verdict.results.push_back(with_gpu_memory([&] { return function(m_subject); }));
  }

  void skip(Filter filter, const char* reason) {
    m_verdict.results.push_back({.filter = filter,
                                 .direction = m_subject.direction(),
                                 .status = FilterStatus::skipped,
                                 .reason = reason});
  }

 private:
  static constexpr const char* left_out = "left out by --filters";

  [[nodiscard]] bool wants(Filter filter) const {
    const std::set<Filter>& only = m_subject.options().only;
    return only.empty() || only.contains(filter);
  }

  void tell(const std::string& looking) const {
    if (m_on_filter) m_on_filter(looking, static_cast<double>(m_verdict.results.size()) / m_all);
  }

  const FilterSubject& m_subject;
  TaskVerdict& m_verdict;
  const double m_all;  // results of the task
  const OnFilter& m_on_filter;
};

constexpr std::size_t filters_of_backward = 3;

}  // namespace

TaskVerdict filter_task(const Manifest& manifest, const Task& task, const FilterOptions& options,
                        const OnFilter& on_filter) {
  TaskVerdict verdict{.task = task.name, .results = {}};
  const FilterSubject forward(manifest, task, Direction::forward, options);
  const std::unique_ptr<GpuClaim> claim = claim_for(forward);
  const auto all =
      static_cast<double>(all_filters.size() + (task.backward_contract ? filters_of_backward : 0));
  Looking at_forward(forward, verdict, all, on_filter);
  at_forward.statistics();
  at_forward.skip(Filter::judgement,
                  "it asks a language model, and none is asked for; name one by --model");
  at_forward.by(Filter::null_kernels, null_kernel_filter);
  at_forward.by(Filter::precision, precision_filter);
  at_forward.by(Filter::tolerance, tolerance_filter);
  at_forward.by(Filter::baseline, baseline_filter);
  if (!task.backward_contract) return verdict;
  const FilterSubject backward(manifest, task, Direction::backward, options);
  Looking at_backward(backward, verdict, all, on_filter);
  at_backward.by(Filter::null_kernels, null_kernel_filter);
  at_backward.by(Filter::precision, precision_filter);
  at_backward.by(Filter::tolerance, tolerance_filter);
  return verdict;
}

}  // namespace robust_kbench
