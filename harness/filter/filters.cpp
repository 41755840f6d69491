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

// Runs a filter, and runs it again where the GPU lacks memory, since other work may end.
FilterResult result_of(FilterResult (*filter)(const FilterSubject&), const FilterSubject& subject) {
  return with_gpu_memory([&] { return filter(subject); });
}

}  // namespace

TaskVerdict filter_task(const Manifest& manifest, const Task& task, const FilterOptions& options) {
  TaskVerdict verdict{.task = task.name, .results = {}};
  const FilterSubject forward(manifest, task, Direction::forward, options);
  const std::unique_ptr<GpuClaim> claim = claim_for(forward);
  verdict.results = with_gpu_memory([&] { return output_statistics(forward); });
  verdict.results.push_back(
      {.filter = Filter::judgement,
       .status = FilterStatus::skipped,
       .reason = "it asks a language model, and none is asked for; name one by --model"});
  verdict.results.push_back(result_of(null_kernel_filter, forward));
  verdict.results.push_back(result_of(precision_filter, forward));
  verdict.results.push_back(result_of(tolerance_filter, forward));
  verdict.results.push_back(result_of(baseline_filter, forward));
  if (!task.backward_contract) return verdict;
  const FilterSubject backward(manifest, task, Direction::backward, options);
  verdict.results.push_back(result_of(null_kernel_filter, backward));
  verdict.results.push_back(result_of(precision_filter, backward));
  verdict.results.push_back(result_of(tolerance_filter, backward));
  return verdict;
}

}  // namespace robust_kbench
