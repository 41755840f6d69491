#include "cli/file_evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/progress_share.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/several_gpus.hpp"

namespace robust_kbench {
namespace {

// KernelBench tests one shape, which our usual configs for CUDA lack, in five trials.
void ask_for_problems_shape(const EvaluateCommandOptions& options, Device device, Scope& scope) {
  if (!options.of_problem() || options.cases.one_case()) return;
  scope.all_cases = true;
  const bool usual = options.cases.configs.empty() && scope.configs.empty();
  if (usual && device == Device::cuda) scope.sets = {ConfigSet::single, ConfigSet::small};
}

}  // namespace

FileEvaluation::FileEvaluation(const Suite& suite, const Task& task,
                               const EvaluateCommandOptions& options,
                               std::vector<KernelSource> kernels)
    : m_suite(suite),
      m_task(task),
      m_options(options),
      m_kernels(std::move(kernels)),
      m_device(m_kernels.front().device) {
  check_own_configs(options.cases.own_configs, options.cases.configs, m_kernels);
  m_scope = options.cases.scope();
  m_scope.configs =
      own_configs_of(task, m_kernels.front().entry.direction, options.cases.own_configs);
  m_timed_scope = m_scope;
  ask_for_problems_shape(options, m_device, m_scope);
  if (!options.opponents.fail_if.empty()) {
    (void)SlowerLimit(options.opponents.fail_if);
    if (!options.times()) {
      throw UserError("--fail-if is about times: leave out --no-bench and --case");
    }
  }
  require_device();
  m_opponents = opponents_of(suite, options.opponents.against, m_kernels.front(), options.source);
  if (!options.times()) m_opponents.rivals.clear();
}

void FileEvaluation::require_device() const {
  const bool one_device = std::ranges::all_of(
      m_kernels, [&](const KernelSource& kernel) { return kernel.device == m_device; });
  if (!one_device) throw UserError("the kernels are for CPU and GPU; evaluate them apart");
  if (m_device == Device::cuda) return;
  if (m_options.jobs > 1 && m_options.times()) {
    throw UserError("--jobs " + std::to_string(m_options.jobs) +
                    ": on the CPU each kernel is timed on all cores; give --no-bench as well");
  }
  if (!m_options.gpus.empty()) throw UserError("--gpus is for CUDA kernels (.cu)");
  if (!m_options.estimators.empty()) throw UserError("--estimators is for CUDA kernels (.cu)");
  if (m_options.replay() == Replay::always) {
    throw UserError("--judge replay is for CUDA kernels (.cu)");
  }
}

Request FileEvaluation::request_of(const KernelSource& kernel) const {
  Request request{.scope = m_scope,
                  .estimators = m_options.estimators,
                  .synchronisation_check = !m_options.no_sanitize,
                  .replay = m_options.replay(),
                  .require_replay = m_options.require_replay,
                  .output_in_full = m_options.show_output};
  if (!m_options.times()) request.stages = {Stage::compile, Stage::test};
  if (m_options.times() && m_options.of_problem()) {
    request.timed = timed_configs(m_suite.manifest(), m_task, kernel.entry.direction, kernel.device,
                                  m_timed_scope);
  }
  if (m_options.slow_seconds > 0 && m_options.cases.case_name.empty()) {
    request.slow_calls = SlowCallLimit{.seconds = m_options.slow_seconds};
  }
  return request;
}

EvaluatorOptions FileEvaluation::evaluator_options(int jobs) const {
  EvaluatorOptions evaluator = usual_evaluator_options(m_device);
  evaluator.max_jobs = jobs;
  const std::chrono::duration<double> call_timeout(m_options.call_timeout_seconds);
  evaluator.bench.call_timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(call_timeout);
  evaluator.bench.baselines = m_opponents.baselines;
  evaluator.compile_cache = !m_options.no_cache;
  evaluator.refused = m_options.refused();
  return evaluator;
}

void FileEvaluation::tell_missing_packages() const {
  if (!m_options.times()) return;
  const std::string missing = missing_packages(m_suite.manifest(), m_task, m_kernels.front(),
                                               m_scope, m_opponents.baselines);
  if (!missing.empty()) std::fprintf(stderr, "%s\n", missing.c_str());
}

std::vector<KernelRecord> FileEvaluation::run(Reporters& reporters, InterruptStop& interrupt) {
  std::mutex mutex;  // of the reporters
  const auto told_request_of = [&](const KernelSource& kernel) {
    Request request = request_of(kernel);
    request.stop = interrupt.token();
    request.on_progress = [&, kernel, stages = request.stages](const Progress& made) {
      const std::scoped_lock lock(mutex);
      reporters.progress(kernel.sources.front(), made.text, share_done(made, kernel, stages));
    };
    return request;
  };
  const EvaluateShare evaluate_share = [&](const std::vector<KernelSource>& share) {
    // One of the processes that evaluate shares tells it.
    if (share.front().sources == m_kernels.front().sources) tell_missing_packages();
    const int jobs = std::min(m_options.jobs > 0 ? m_options.jobs : usual_jobs(m_device),
                              static_cast<int>(share.size()));
    Evaluator evaluator(m_suite.manifest(), m_task, share.front().entry.direction, m_device,
                        evaluator_options(jobs));
    const TestedRivals rivals(evaluator, m_opponents.rivals, told_request_of(share.front()));
    const auto racing = [&](const KernelSource& kernel) {
      Request request = told_request_of(kernel);
      request.rivals = rivals.racing();
      return request;
    };
    const auto on_raced = [&](const KernelSource&, KernelRecord record) {
      rivals.complete(record);
      const std::scoped_lock lock(mutex);
      reporters.finished(record);
    };
    std::vector<KernelRecord> raced =
        evaluate_all(evaluator, share, {.jobs = jobs, .request_of = racing, .on_done = on_raced});
    for (KernelRecord& record : raced) rivals.complete(record);
    return raced;
  };
  if (m_options.gpus.empty()) return evaluate_share(m_kernels);
  return evaluate_on_gpus(m_options.gpus, m_kernels, evaluate_share, interrupt.token(),
                          [&] { interrupt.wait_here(); });
}

}  // namespace robust_kbench
