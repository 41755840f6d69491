#include "evaluate/submission.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "broker/worker_enclosure.hpp"
#include "check/stop_rule.hpp"
#include "compile/given_names.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/kernel_places.hpp"
#include "core/speedup.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/crash_frames.hpp"
#include "evaluate/examine_options.hpp"
#include "evaluate/gpu_queues.hpp"
#include "evaluate/left_out.hpp"
#include "evaluate/machine.hpp"
#include "evaluate/probe_cases.hpp"
#include "evaluate/request_check.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/sanitize.hpp"
#include "profile/tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// Only tests use configs that are not listed. A kernel's own scope may not be widened.
Scope scope_of(const Request& request, const KernelSource& kernel, std::uint64_t nonce) {
  Scope scope = request.scope;
  if (scope.nonce == 0) scope.nonce = nonce;
  const bool tests = request.stages.contains(Stage::test);
  scope.coverage = tests ? std::max(scope.coverage, kernel.coverage) : Coverage::listed;
  return scope;
}

bool is_probe(const Case& c) {
  return c.probe.has_value();
}

}  // namespace

KernelRecord record_of(const KernelSource& kernel) {
  const bool as_direction = kernel.entry_point == to_string(kernel.entry.direction);
  return {.path = kernel.sources.empty() ? "" : kernel.sources.front(),
          .name = kernel.name,
          .entry = kernel.entry,
          .entry_point = as_direction ? "" : kernel.entry_point,
          .device = kernel.device,
          .solution = kernel.solution};
}

Submission::Submission(SharedState& shared, const KernelSource& kernel, const Request& request)
    : m_shared(shared),
      m_kernel(kernel),
      m_request(request),
      m_scope(scope_of(request, kernel, shared.nonce())),
      m_cases(wants(Stage::test) || wants(Stage::sanitize)
                  ? tested_cases(shared.manifest, shared.task, shared.entry.direction,
                                 shared.device, m_scope)
                  : std::vector<Case>{}),
      m_timed(configs_to_time()),
      m_record(record_of(kernel)) {
  const bool listed = std::ranges::all_of(m_cases, [](const Case& c) { return c.is_listed(); });
  m_record.coverage = listed ? Coverage::listed : m_scope.coverage;
  check_request(shared, kernel, request);
}

std::vector<Config> Submission::configs_to_time() const {
  if (!wants(Stage::time)) return {};
  if (!m_request.timed.empty()) return m_request.timed;
  return timed_configs(m_shared.manifest, m_shared.task, m_shared.entry.direction, m_shared.device,
                       m_scope);
}

KernelRecord Submission::run() {
  try {
    run_stages();
  } catch (const Cancelled&) {
    m_record.mean_speedups = mean_speedups(m_record.timings, same_within(m_record.device));
    m_record.judgement = {.verdict = Verdict::skipped, .reason = std::string(cancelled)};
  }
  if (m_request.on_waited) m_request.on_waited(m_waited_seconds);
  m_record.machine = machine_record(!m_record.gpu.empty());
  return std::move(m_record);
}

void Submission::run_stages() {
  if (wants(Stage::time)) start_rivals();
  // On a GPU the baselines start once their memory is claimed.
  if (!m_shared.on_gpu()) start_baselines();
  compile();
  if (!goes_on_after(Stage::compile)) return;
  if (wants(Stage::time)) require_rivals();
  if (m_shared.on_gpu()) {
    enter_gpu();
    start_baselines();
  }
  std::optional<RaceQueue::Coming> coming;
  if (wants(Stage::time)) coming.emplace(m_shared.races, m_race.emplace(race()));
  m_record.sandbox = worker_means(m_shared.manifest.toolchain, m_shared.on_gpu());
  for (const auto& [stage, work] : {std::pair(Stage::test, &Submission::test),
                                    std::pair(Stage::sanitize, &Submission::sanitize),
                                    std::pair(Stage::time, &Submission::time)}) {
    if (!wants(stage)) continue;
    // A slow kernel is tested on fewer cases, and must gain no time from that.
    if (stage == Stage::time && m_cut_short) return;
    (this->*work)();
    if (!goes_on_after(stage)) return;
  }
}

double Submission::seconds_since(std::chrono::steady_clock::time_point start) const {
  return std::chrono::duration<double>(m_shared.options.now() - start).count();
}

// Sanitizers claim their memory themselves.
void Submission::enter_gpu() {
  m_record.gpu = gpu_facts().name;
  if (!wants(Stage::test) && !wants(Stage::time)) return;
  const auto start = m_shared.options.now();
  m_memory = m_shared.memory.enter(
      {.test_bytes =
           std::max(wants(Stage::test) ? m_shared.test_bytes(m_cases) : 0,
                    m_request.estimators.empty() ? 0 : m_shared.test_bytes(cases_of(m_timed, 1))),
       .time_bytes = wants(Stage::time) ? m_shared.time_bytes(m_timed, 1 + m_rivals.size()) : 0},
      m_request.stop, [&](const std::string& text) { report(Stage::test, text); });
  m_waited_seconds += seconds_since(start);
}

bool Submission::goes_on_after(Stage stage) const {
  if (m_request.stop.stop_requested()) throw Cancelled();
  const bool wanted = !m_request.on_stage || m_request.on_stage(stage, m_record) == Next::go_on;
  return wanted && m_record.judgement.passes();
}

void Submission::report(Stage stage, const std::string& text, std::size_t done,
                        std::size_t total) const {
  if (m_request.on_progress) m_request.on_progress({stage, done, total, text});
}

void Submission::compile() {
  report(Stage::compile, "compiling");
  m_build = m_shared.builds.build(
      m_kernel, m_request.stop, [this](const std::string& text) { report(Stage::compile, text); });
  m_record.build = m_build.record;
  m_record.judgement = judgement_of(m_record);
  if (!m_record.judgement.passes()) return;
  if (std::string reason = skipped(); !reason.empty()) {
    m_record.judgement = {.verdict = Verdict::skipped, .reason = std::move(reason)};
  }
}

// The reason why this machine can only compile the kernel, or empty where it can do more.
std::string Submission::skipped() const {
  const Toolchain& toolchain = m_shared.manifest.toolchain;
  if (!wants(Stage::sanitize)) return skip_reason(m_kernel, toolchain);
  return sanitize_skip_reason(m_kernel, toolchain, find_tool("compute-sanitizer", toolchain));
}

void Submission::start_rivals() {
  for (const auto& [name, rival] : m_request.rivals) {
    m_starting_rivals[name] = std::async(std::launch::async, [this, &rival = rival] {
      return m_shared.builds.build(rival, m_request.stop);
    });
  }
}

// Torch takes most of a second of a processor to start in each of their workers. It starts while
// the compiler and the cases leave a processor idle.
void Submission::start_baselines() {
  if (wants(Stage::time)) m_shared.timing.start(m_timed, 1 + m_request.rivals.size());
}

void Submission::require_rivals() {
  for (auto& [name, rival] : m_starting_rivals) {
    m_rivals[name] = rival.get();
    const BuildRecord& build = m_rivals[name].record;
    m_record.rivals.push_back({.name = name,
                               .path = m_request.rivals.at(name).sources.front(),
                               .judgement = build.judgement});
    if (build.judgement.passes()) continue;
    throw UserError("rival '" + name + "' does not compile: " + label(build.judgement) + ": " +
                    build.judgement.reason);
  }
}

void Submission::test() {
  if (m_shared.on_gpu()) m_shared.preload_operators(m_cases);
  ExamineOptions options = examine_options(m_shared, m_kernel, m_request, m_scope);
  options.memory_is_claimed = m_memory && m_memory->is_promise();
  const std::string& only = m_scope.only_case;
  const bool wants_cases = only != sequence_name;
  const bool wants_sequence = (only.empty() && m_scope.sequence) || !wants_cases;
  const std::size_t wanted = number_of_cases(m_cases, m_scope);
  if (wants_cases) test_each_case(options);
  m_cut_short =
      judgement_of(m_record).passes() && wants_cases && m_record.cases.size() < m_cases.size();
  if (options.slow_calls) options.slow_calls = left_of(*options.slow_calls);
  const auto synchronisation = start_synchronisation_check();
  if (wants_sequence && calls_sequence(m_record.cases, options)) {
    report(Stage::test, "all cases in one sequence", wanted - 1, wanted);
    bool ends_early = false;
    m_record.cases.push_back(examine_sequence(m_shared.task, m_kernel.entry, m_build.record.library,
                                              m_cases, options, &ends_early));
    m_cut_short |= ends_early;
  }
  m_record.cases_not_called = static_cast<int>(wanted - m_record.cases.size());
  if (synchronisation) {
    report(Stage::test, "under racecheck and synccheck", wanted, wanted);
    for (CaseRecord& record : synchronisation->records()) {
      m_record.cases.push_back(std::move(record));
    }
  }
  for (CaseRecord& record : m_record.cases) name_functions(record.judgement);
  m_record.judgement = judgement_of(m_record);
  if (!m_record.judgement.passes()) return;
  if (m_cut_short) {
    m_record.timing_note = "too slow to time: " + left_out_for_time(m_cases, m_record.cases,
                                                                    m_request.slow_calls->seconds);
  }
  m_record.judgement.reason = left_out();
}

// A note for a pass, empty where nothing was left out.
std::string Submission::left_out() const {
  std::vector<std::string> notes;
  if (std::any_of(m_cases.begin(), m_cases.end(), is_probe)) {
    notes = probe_cases(m_shared.manifest, m_shared.task, m_shared.entry.direction, m_shared.device,
                        m_scope.nonce)
                .left_out;
  }
  if (m_cut_short) notes.push_back(m_record.timing_note);
  return fmt::format("{}", fmt::join(notes, "\n"));
}

// The limit that is left for the sequence. nullopt where no case was slow.
std::optional<SlowCallLimit> Submission::left_of(SlowCallLimit limit) const {
  double cost = 0;
  for (const CaseRecord& record : m_record.cases) cost += limit.cost(record);
  limit.seconds -= cost;
  return cost > 0 ? std::optional(limit) : std::nullopt;
}

// Names the functions in a crash's trace.
void Submission::name_functions(Judgement& judgement) const {
  judgement.reason = with_sources_of_modules(
      with_functions(judgement.reason, m_build.record.library, m_shared.manifest.toolchain.worker),
      m_kernel);
}

// Null where the kernel has failed already, or where the tool is missing.
std::unique_ptr<SynchronisationCheck> Submission::start_synchronisation_check() {
  if (!m_request.synchronisation_check || !m_shared.on_gpu()) return nullptr;
  if (!judgement_of(m_record).passes()) return nullptr;
  const SanitizingTools& tools = m_shared.sanitizing_tools();
  const auto inspected =
      case_to_inspect(m_shared.task, m_shared.entry.direction,
                      any_configs_of(m_shared.manifest, m_shared.task, m_shared.entry.direction,
                                     {ConfigSet::small}));
  if (tools.compute_sanitizer.empty() || !inspected) return nullptr;
  return std::make_unique<SynchronisationCheck>(
      InspectedKernel{.task = m_shared.task,
                      .entry = m_kernel.entry,
                      .library = m_build.record.library,
                      .entry_point = entry_point_of(m_kernel),
                      .worker = m_shared.manifest.toolchain.worker,
                      .readable = library_places(m_kernel),
                      .stop = m_request.stop},
      tools.compute_sanitizer, tools.cuobjdump, *inspected);
}

void Submission::test_each_case(ExamineOptions options) {
  std::vector<CaseRecord> ended;
  const std::size_t wanted = number_of_cases(m_cases, m_scope);
  options.on_case = [&, wanted](const CaseRecord& record) {
    ended.push_back(record);
    report(Stage::test, fmt::format("{} of {} cases", ended.size(), wanted), ended.size(), wanted);
    if (m_request.stop.stop_requested()) throw Cancelled();
  };
  try {
    m_record.cases =
        examine(m_shared.task, m_kernel.entry, m_build.record.library, m_cases, options);
  } catch (const Cancelled&) {
    m_record.cases_not_called = static_cast<int>(wanted - ended.size());
    m_record.cases = std::move(ended);
    throw;
  }
}

void Submission::sanitize() {
  const CpuLock processors(GpuLock::Use::shared);
  const Tool tool = find_tool("compute-sanitizer", m_shared.manifest.toolchain);
  const auto records = robust_kbench::sanitize(
      {.task = m_shared.task,
       .entry = m_kernel.entry,
       .library = m_build.record.library,
       .entry_point = entry_point_of(m_kernel),
       .worker = m_shared.manifest.toolchain.worker,
       .readable = library_places(m_kernel),
       .stop = m_request.stop},
      tool.path, m_cases, [&](const std::string& text) { report(Stage::sanitize, text); });
  m_record.cases.insert(m_record.cases.end(), records.begin(), records.end());
  m_record.judgement = judgement_of(m_record);
}

Race Submission::race() {
  const auto built = [&](const std::string& name, const BuildRecord& build,
                         const KernelSource& kernel) {
    return BuiltKernel{.name = name,
                       .library = build.library,
                       .entry_point = entry_point_of(kernel),
                       .readable = library_places(kernel),
                       .max_workers = m_request.workers,
                       .gpu_queues = gpu_queues_of(kernel)};
  };
  Race race{.kernel = built(kernel_subject, m_build.record, m_kernel),
            .configs = m_timed,
            .run = bench_run(),
            .on_result = [this](const BenchResult& result, KernelTimer& timer,
                                double seconds) { take(result, timer, seconds); },
            .stop = m_request.stop,
            .together = !m_rivals.empty() && m_request.estimators.empty() &&
                        (!m_memory || m_memory->is_promise()),
            .goes_first = m_request.races_first};
  for (const auto& [name, rival] : m_rivals) {
    race.rivals.push_back(built(name, rival.record, m_request.rivals.at(name)));
  }
  return race;
}

void Submission::time() {
  // Other estimators have workers of their own, which need that memory.
  if (m_memory && m_request.estimators.empty()) m_memory->end_tests();
  const auto start = m_shared.options.now();
  m_shared.races.time(*m_race);
  m_waited_seconds += seconds_since(start) - m_own_seconds;
}

void Submission::take(const BenchResult& result, KernelTimer& timer, double seconds) {
  m_own_seconds = seconds;
  m_record.timings = result.timings;
  m_record.mean_speedups = result.mean_speedups;
  m_record.timing_note = result.note;
  for (const auto& [rival, why] : result.rejected_rivals) {
    std::ranges::find(m_record.rivals, rival, &RivalRecord::name)->judgement = why;
    if (m_request.on_rival_rejected) m_request.on_rival_rejected(rival, why);
  }
  if (outranks(result.judgement.verdict, m_record.judgement.verdict)) {
    m_record.judgement = result.judgement;
    m_record.judgement.reason = "while timing: " + result.judgement.reason;
    name_functions(m_record.judgement);
    return;
  }
  const auto start = m_shared.options.now();
  estimate(timer);
  m_own_seconds += seconds_since(start);
}

BenchRun Submission::bench_run() {
  BenchRun run;
  run.baselines = m_request.baselines;
  run.on_config = [this](std::size_t config) {
    report(Stage::time, fmt::format("timing {}/{}", config + 1, m_timed.size()), config,
           m_timed.size());
  };
  run.goes_on = [this](const std::vector<ConfigTimingRecord>& so_far) {
    // A cancelled submission reports the timings so far. In a race with rivals another thread may
    // call this, so they are not stored.
    if (m_rivals.empty()) m_record.timings = so_far;
    return !m_request.on_timed || m_request.on_timed(so_far) == Next::go_on;
  };
  return run;
}

void Submission::estimate(KernelTimer& timer) {
  for (std::size_t i = 0; i < m_record.timings.size(); ++i) {
    for (const std::string& estimator : m_request.estimators) {
      report(Stage::time, "timing by " + estimator, m_timed.size(), m_timed.size());
      for (EstimateRecord& record : timer.estimate(m_timed[i], estimator)) {
        m_record.timings.at(i).estimates.push_back(std::move(record));
      }
    }
  }
}

}  // namespace robust_kbench
