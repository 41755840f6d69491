#include "filter/output_statistics.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "check/reference_threads.hpp"
#include "filter/escape.hpp"
#include "tensor/generator.hpp"
#include "tensor/probe_content.hpp"
#include "tensor/reference.hpp"

#include <ATen/ops/stack.h>
#include <ATen/ops/std.h>

namespace robust_kbench {
namespace {

// The results of all seeds for each output, stacked in float32. Undefined where one is absent.
using Stacks = std::vector<at::Tensor>;

Stacks stacked(const Workload& workload, const std::vector<Tensors>& calls) {
  std::vector<std::vector<at::Tensor>> of_outputs(workload.contract().outputs.size());
  for (const Tensors& call : calls) {
    const std::vector<at::Tensor> results = eager(workload, call);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].defined()) of_outputs.at(i).push_back(results[i].to(at::kFloat));
    }
  }
  Stacks stacks;
  for (const std::vector<at::Tensor>& results : of_outputs) {
    stacks.push_back(results.empty() ? at::Tensor() : at::stack(results));
  }
  return stacks;
}

double largest(const at::Tensor& tensor) {
  return tensor.numel() == 0 ? 0 : tensor.max().item<double>();
}

double deviation_along(const at::Tensor& stack, std::int64_t axis) {
  return largest(at::std(stack, std::vector<std::int64_t>{axis}));
}

// An axis of one element has no deviation.
double least_deviation(const at::Tensor& stack) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t axis = 0; axis < stack.dim(); ++axis) {
    if (stack.size(axis) > 1) least = std::min(least, deviation_along(stack, axis));
  }
  return least;
}

class Statistics {
 public:
  explicit Statistics(const FilterSubject& subject) : m_subject(subject) {}

  std::vector<FilterResult> results() {
    const FilterOptions& options = m_subject.options();
    const auto over_seeds = [](const at::Tensor& stack) { return deviation_along(stack, 0); };
    StacksOfConfigs stacks = stacks_of([&](const Workload& of) { return drawn(of); });
    std::vector<FilterResult> all{
        of_outputs(Filter::output_range, options.range, "largest magnitude of ", "is within +-",
                   stacks, [](const at::Tensor& stack) { return largest(stack.abs()); }),
        of_outputs(Filter::output_std, options.deviation, "largest deviation over seeds of ",
                   "deviates over seeds by less than", stacks, over_seeds),
        of_outputs(Filter::output_axes, options.deviation,
                   "largest deviation along the most uniform axis of ",
                   "deviates along an axis by less than", stacks, least_deviation)};
    stacks = stacks_of([&](const Workload& of) { return same_weights(of); });
    all.push_back(of_outputs(Filter::input_impact, options.input_impact,
                             "largest deviation over seeds of the inputs of ",
                             "deviates over seeds of the inputs by less than", stacks, over_seeds));
    all.push_back(of_weights());
    return all;
  }

 private:
  // One entry for each config that filters measure.
  using StacksOfConfigs = std::vector<Stacks>;

  [[nodiscard]] StacksOfConfigs stacks_of(
      const std::function<std::vector<Tensors>(const Workload&)>& calls) const {
    StacksOfConfigs all;
    for (const Config& config : m_subject.configs()) {
      const Workload workload = m_subject.workload(config.params);
      const ReferenceThreads threads(workload);
      all.push_back(stacked(workload, calls(workload)));
    }
    return all;
  }

  [[nodiscard]] FilterResult of_outputs(
      Filter filter, double threshold, const char* what, const char* says,
      const StacksOfConfigs& stacks,
      const std::function<double(const at::Tensor&)>& measure) const {
    FilterResult result{.filter = filter};
    Escape escape(result, threshold);
    for (std::size_t c = 0; c < stacks.size(); ++c) {
      const Config& config = m_subject.configs()[c];
      const Workload workload = m_subject.workload(config.params);
      for (std::size_t i = 0; i < stacks[c].size(); ++i) {
        if (!stacks[c][i].defined()) continue;
        escape.add(workload.contract().outputs.at(i).name, what, config.name,
                   measure(stacks[c][i]));
      }
    }
    escape.conclude(says);
    return result;
  }

  // Changes the values of one weight at a time.
  FilterResult of_weights() {
    FilterResult result{.filter = Filter::weight_impact};
    Escape escape(result, m_subject.options().weight_impact);
    for (const Config& config : m_subject.configs()) {
      const Workload workload = m_subject.workload(config.params);
      const ReferenceThreads threads(workload);
      for (const TensorSpec& weight : workload.weight_specs()) {
        if (!weight.present || escape.has_escaped(weight.name)) continue;
        double most = 0;
        for (const at::Tensor& stack : stacked(workload, other_values(workload, weight))) {
          if (stack.defined()) most = std::max(most, deviation_along(stack, 0));
        }
        escape.add(weight.name, "largest deviation of the outputs over seeds of ", config.name,
                   most);
      }
    }
    escape.conclude("changes the outputs by less than");
    if (result.status == FilterStatus::skipped) result.reason = "the task has no weights";
    return result;
  }

  [[nodiscard]] std::vector<Tensors> drawn(const Workload& workload) const {
    std::vector<Tensors> calls;
    for (int seed = 1; seed <= m_subject.options().seeds; ++seed) {
      calls.push_back(make_tensors(workload, static_cast<std::uint64_t>(seed), m_subject.device()));
    }
    return calls;
  }

  [[nodiscard]] std::vector<Tensors> same_weights(const Workload& workload) const {
    std::vector<Tensors> calls = drawn(workload);
    for (Tensors& call : calls) {
      for (const TensorSpec& weight : workload.weight_specs()) {
        call.set(weight.name, calls.front()[weight.name]);
      }
    }
    return calls;
  }

  // Weights that are constant in typical data vary here, since trained ones vary.
  [[nodiscard]] std::vector<Tensors> other_values(const Workload& workload,
                                                  const TensorSpec& weight) const {
    std::vector<Tensors> calls;
    for (int seed = 1; seed <= m_subject.options().seeds; ++seed) {
      const ProbeSource varied{m_subject.task(), Probe::general_weights,
                               static_cast<std::uint64_t>(seed), m_subject.device()};
      calls.push_back(make_tensors(workload, 1, m_subject.device()));
      calls.back().set(weight.name, probed_weight(weight, varied));
    }
    return calls;
  }

  const FilterSubject& m_subject;
};

}  // namespace

std::vector<FilterResult> output_statistics(const FilterSubject& subject) {
  return Statistics(subject).results();
}

}  // namespace robust_kbench
