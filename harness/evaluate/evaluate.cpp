#include "evaluate/evaluate.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "bench/bench.hpp"
#include "bench/session.hpp"
#include "bench/worker_budget.hpp"
#include "check/batch.hpp"
#include "check/examiner.hpp"
#include "check/gpu_demand.hpp"
#include "check/stop_rule.hpp"
#include "compile/compile.hpp"
#include "core/error.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/replay.hpp"
#include "evaluate/sanitize.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tools.hpp"
#include "tensor/gpu_claim.hpp"

namespace robust_kbench {
namespace {

KernelRecord record_of(const KernelSource& kernel) {
  return {.path = kernel.sources.empty() ? "" : kernel.sources.front(),
          .name = kernel.name,
          .entry = kernel.entry,
          .device = kernel.device};
}

// One evaluation of one kernel: the record grows step by step, and each step needs the one before.
class Evaluation {
 public:
  Evaluation(const Manifest& manifest, const Task& task, const KernelSource& kernel,
             const EvaluateOptions& options)
      : m_manifest(manifest),
        m_task(task),
        m_kernel(kernel),
        m_options(options),
        m_configs(tested_configs(manifest, task, kernel, options)),
        m_timed_configs(options.bench ? timed_configs(manifest, task, kernel, options)
                                      : std::vector<Config>{}),
        m_record(record_of(kernel)) {}

  KernelRecord run(BuildRecord build) {
    m_record.build = std::move(build);
    std::optional<Tool> sanitizer;
    if (m_options.sanitize) sanitizer = find_tool("compute-sanitizer", m_manifest.toolchain);
    m_record.skipped_reason = sanitizer
                                  ? sanitize_skip_reason(m_kernel, m_manifest.toolchain, *sanitizer)
                                  : skip_reason(m_kernel, m_manifest.toolchain);
    if (m_record.build.verdict != Verdict::pass || !m_record.skipped_reason.empty()) {
      judge(m_record);
      if (m_record.verdict == Verdict::pass) m_record.verdict = Verdict::skipped;
      return std::move(m_record);
    }
    if (m_kernel.device == "cuda") m_record.gpu = gpu_facts().name;
    if (sanitizer) {
      sanitize_cases(sanitizer->path);
      judge(m_record);
    } else {
      examine_and_time();
    }
    return std::move(m_record);
  }

 private:
  void progress(const std::string& text) const {
    if (m_options.on_progress) m_options.on_progress(text);
  }

  void examine_and_time() {
    const bool claims = m_kernel.device == "cuda" && m_options.claim == nullptr;
    const bool own_session = m_options.bench && m_options.session == nullptr;
    std::unique_ptr<GpuClaim> to_time;
    std::optional<BenchSession> session;
    m_bench_options = bench_options(m_kernel, m_options);
    m_bench_options.on_progress = [&](const std::string& text) { progress(text); };
    std::unique_ptr<GpuClaim> to_test;
    if (claims) to_test = claim(testing_bytes());
    if (claims && own_session) to_time = GpuClaim::try_now(timing_bytes());
    // Its workers start while the cases run, where there is memory for them at once.
    if (own_session && (!claims || to_time)) start(session);
    examine_cases(to_test ? to_test.get() : m_options.claim);
    to_test.reset();
    judge(m_record);
    if (m_record.verdict != Verdict::pass || !m_options.bench) return;
    if (own_session && !session) {
      to_time = claim(timing_bytes());
      start(session);
    }
    time_configs(session ? *session : *m_options.session);
  }

  [[nodiscard]] Direction direction() const { return m_kernel.entry.direction; }

  [[nodiscard]] std::size_t testing_bytes() const {
    return examination_gpu_bytes(largest_arena(m_task, direction(), select_cases(), 1, true));
  }

  [[nodiscard]] std::size_t timing_bytes() const {
    return timing_gpu_bytes(m_task, direction(), m_timed_configs, 1, m_bench_options);
  }

  [[nodiscard]] std::unique_ptr<GpuClaim> claim(std::size_t bytes) const {
    return GpuClaim::wait(bytes, bytes, m_options.on_progress);
  }

  void examine_cases(const GpuClaim* claim) {
    const std::vector<Case> cases = select_cases();
    const std::string& library = m_record.build.library;
    ExamineOptions options;
    options.worker.program = m_manifest.toolchain.worker;
    options.worker.gpu = m_kernel.device == "cuda";
    options.worker.limits.call_timeout = m_options.call_timeout;
    options.worker.threads = static_cast<int>(cpu_facts().usable_cpus.size());
    options.nonce = m_options.nonce;
    options.all_cases = m_options.all_cases;
    options.contents = m_options.contents;
    options.memory_is_claimed = claim != nullptr && claim->is_promise();
    options.replay_command = replay_command(m_kernel);
    options.on_case = [&, done = std::size_t{0}](const CaseRecord&) mutable {
      progress("testing " + std::to_string(++done) + "/" + std::to_string(cases.size()));
    };
    const bool wants_cases = m_options.only_case != sequence_name;
    const bool wants_sequence = m_options.only_case.empty() || !wants_cases;
    if (wants_cases) {
      m_record.cases = examine(m_task, m_kernel.entry, library, cases, options);
    }
    if (wants_sequence && calls_sequence(m_record.cases, options)) {
      progress("testing all in one sequence");
      options.on_case = nullptr;
      m_record.cases.push_back(examine_sequence(m_task, m_kernel.entry, library, cases, options));
    }
    const std::size_t wanted = (wants_cases ? cases.size() : 0) + (wants_sequence ? 1 : 0);
    m_record.cases_not_called = static_cast<int>(wanted - m_record.cases.size());
  }

  void sanitize_cases(const std::string& compute_sanitizer) {
    m_record.cases = sanitize({.task = m_task,
                               .entry = m_kernel.entry,
                               .library = m_record.build.library,
                               .worker = m_manifest.toolchain.worker},
                              compute_sanitizer, select_cases(), m_options.on_progress);
  }

  [[nodiscard]] std::vector<Case> select_cases() const {
    std::vector<Case> cases = cases_of(m_configs, m_options.seeds);
    if (m_options.only_case.empty() || m_options.only_case == sequence_name) return cases;
    std::erase_if(cases, [&](const Case& c) { return c.name() != m_options.only_case; });
    if (cases.empty()) {
      throw UserError("case '" + m_options.only_case + "' does not exist for " +
                      m_kernel.entry.name() + "; `rkb list --json` lists the cases");
    }
    return cases;
  }

  void start(std::optional<BenchSession>& session) {
    session.emplace(m_manifest, m_task, m_kernel.entry, m_kernel.device, m_timed_configs,
                    std::vector<BuiltKernel>{built_kernel()}, m_bench_options);
  }

  [[nodiscard]] BuiltKernel built_kernel() const {
    return {.name = "kernel", .library = m_record.build.library};
  }

  void time_configs(BenchSession& session) {
    std::optional<BenchSession::Turn> turn;
    if (m_options.session != nullptr) turn.emplace(session, built_kernel());
    const BenchResult result = bench(session, m_timed_configs, m_bench_options);
    m_record.timings = result.timings;
    m_record.speedups = result.speedups;
    if (outranks(result.verdict, m_record.verdict)) {
      m_record.verdict = result.verdict;
      m_record.cheat_class = result.cheat_class;
      m_record.reason = "while timing: " + result.reason;
      return;
    }
    for (const Config& config : m_timed_configs) {
      for (const std::string& estimator : m_options.estimators) {
        progress("timing by " + estimator);
        for (EstimateRecord& record : session.estimate(config, estimator)) {
          m_record.estimates.push_back(std::move(record));
        }
      }
    }
  }

  const Manifest& m_manifest;
  const Task& m_task;
  const KernelSource& m_kernel;
  const EvaluateOptions& m_options;
  std::vector<Config> m_configs;
  std::vector<Config> m_timed_configs;
  BenchOptions m_bench_options;
  KernelRecord m_record;
};

}  // namespace

KernelRecord or_harness_failed(const KernelSource& kernel,
                               const std::function<KernelRecord()>& evaluation) {
  try {
    return evaluation();
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    return harness_failed(kernel, error.what());
  }
}

KernelRecord harness_failed(const KernelSource& kernel, const std::string& reason) {
  KernelRecord record = record_of(kernel);
  record.verdict = Verdict::harness_error;
  record.reason = reason;
  return record;
}

BenchOptions bench_options(const KernelSource& kernel, const EvaluateOptions& options) {
  BenchOptions bench = usual_bench_options(kernel.device);
  bench.baselines = options.baselines;
  bench.call_timeout = options.call_timeout;
  return bench;
}

KernelRecord evaluate(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                      const EvaluateOptions& options) {
  const TemporaryDirectory directory("evaluate");
  if (options.on_progress) options.on_progress("compiling");
  Evaluation evaluation(manifest, task, kernel, options);
  return evaluation.run(compile(kernel, manifest.toolchain, directory.path() / "kernel.so",
                                {.cache = options.cache}));
}

KernelRecord evaluate_built(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                            const EvaluateOptions& options) {
  Evaluation evaluation(manifest, task, kernel, options);
  if (!missing_compiler(kernel, manifest.toolchain).empty()) {
    return evaluation.run(
        {.verdict = Verdict::skipped, .reason = skip_reason(kernel, manifest.toolchain)});
  }
  return evaluation.run(load_build_record(kernel));
}

void require_built(const Manifest& manifest, const std::vector<KernelSource>& kernels) {
  for (const KernelSource& kernel : kernels) {
    const bool of_build = !kernel.record.empty();
    const bool compiled = missing_compiler(kernel, manifest.toolchain).empty();
    if (of_build && compiled) (void)load_build_record(kernel);
  }
}

BuildRecord load_build_record(const KernelSource& kernel) {
  std::ifstream in(kernel.record);
  if (!in) {
    throw UserError("kernel '" + kernel.name + "' of " + kernel.entry.name() + " is not built: " +
                    kernel.record + " does not exist; build the target 'kernels' first");
  }
  try {
    return nlohmann::json::parse(in).get<BuildRecord>();
  } catch (const nlohmann::json::exception& error) {
    throw UserError("kernel '" + kernel.name + "' of " + kernel.entry.name() + ": " +
                    kernel.record + " is damaged: " + error.what() +
                    "; remove it and build the target 'kernels' again");
  }
}

}  // namespace robust_kbench
