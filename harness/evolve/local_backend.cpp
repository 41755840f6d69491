#include "evolve/local_backend.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "check/inspection.hpp"
#include "compile/compile.hpp"
#include "compile/machine_code.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_memory_budget.hpp"
#include "evaluate/build.hpp"
#include "evaluate/profile.hpp"
#include "evaluate/scope.hpp"
#include "evolve/acceptance.hpp"
#include "evolve/memory_check.hpp"
#include "evolve/nearby_configs.hpp"
#include "process/affinity.hpp"
#include "tensor/workload.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The least number of CPUs where compiling ahead pays. With fewer it takes from the tests as much
// as it gives.
constexpr std::size_t least_cpus_to_compile_ahead = 4;

// The workers of a kernel in a first race on a GPU, where workers start one after another and take
// most of its time. A gain must be won again in races with all workers. On an H100 a run decides
// 1.6 to 1.9 times as many candidates with two as with four.
constexpr int workers_to_screen = 2;

// Claims of memory are granted in their order, so one that waits holds up all that come later. An
// Evaluator leaves the memory of tools unclaimed if it is at most the GPU's memory divided by this.
constexpr std::size_t least_share_of_tools = 7;

// The time for racecheck and synccheck before a winner is confirmed. Few are, and a long look at
// its timed path costs little then.
constexpr std::chrono::seconds time_to_inspect_a_winner{10};

// Time without work after which an Evaluator is idle on a GPU. Compilers leave it without work for
// some seconds, and starting baselines takes as long.
constexpr std::chrono::milliseconds idle_after_on_gpu{6000};
// The same time before tools that need much memory. An Evaluator keeps its memory until it is idle,
// and they wait for that.
constexpr std::chrono::milliseconds idle_before_tools{300};

// The memory that timing leaves: for the test that takes most, for tools, and for other processes.
std::size_t bytes_beside_timing(const Manifest& manifest, const Task& task, Direction direction,
                                std::size_t tool_bytes) {
  const std::vector<Config> configs = tested_configs(manifest, task, direction, Device::cuda, {});
  return examination_gpu_bytes(largest_arena(task, direction, configs, 1, /*gpu=*/true)) +
         tool_bytes + sanitizers_gpu_bytes() + broker_context_bytes + gpu_facts().memory_bytes -
         gpu_memory_budget().bytes;
}

bool profiler_fits_beside(std::size_t bytes) {
  return bytes <= gpu_facts().memory_bytes / least_share_of_tools;
}

// The candidate as a kernel that is built once, in a directory of its own, so that equal code gives
// equal bytes. A kernel of the suite is built already.
KernelSource as_built(const Candidate& candidate, const fs::path& work) {
  KernelSource kernel = candidate.kernel;
  if (!kernel.record.empty()) return kernel;
  kernel.library = work / candidate.hash / "kernel.so";
  kernel.record = work / candidate.hash / "kernel.json";
  return kernel;
}

// Options of the Evaluator. On a GPU an empty kernel takes part in races, which tells when a run
// may stop (stop_rule.hpp).
EvaluatorOptions options_for(const Manifest& manifest, const Task& task, Direction direction,
                             Device device, const LocalBackendOptions& of_run) {
  EvaluatorOptions options = usual_evaluator_options(device);
  options.refused = of_run.refused;
  options.max_jobs = of_run.side_by_side;
  options.raced_together = of_run.side_by_side;
  if (device == Device::cuda) {
    options.bench.baselines.emplace_back("empty");
    const std::size_t bytes = inspection_bytes(
        task, direction, timed_configs(manifest, task, direction, device, {.sets = of_run.sets}));
    const bool fits = profiler_fits_beside(bytes);
    if (fits) options.tool_bytes = bytes;
    options.bench.gpu_bytes_for_others =
        bytes_beside_timing(manifest, task, direction, options.tool_bytes);
    options.idle_after = fits ? idle_after_on_gpu : idle_before_tools;
  }
  return options;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

LocalBackend::LocalBackend(const Manifest& manifest, const Task& task, Direction direction,
                           Device device, LocalBackendOptions options)
    : m_manifest(manifest),
      m_task(task),
      m_direction(direction),
      m_device(device),
      m_options(std::move(options)),
      m_evaluator(manifest, task, direction, device,
                  options_for(manifest, task, direction, device, m_options)),
      m_timed(timed_configs(manifest, task, direction, device, {.sets = m_options.sets})),
      m_work("evolve"),
      m_nonce(secret_key()),
      m_ends(m_options.stop, m_options.search, m_options.first_races) {}

LocalBackend::~LocalBackend() {
  m_ends.end_candidates();
}

bool LocalBackend::profiles_beside() const {
  return m_device == Device::cuda &&
         profiler_fits_beside(inspection_bytes(m_task, m_direction, m_timed));
}

bool LocalBackend::looks_ahead() const {
  return usable_cpus().size() >= least_cpus_to_compile_ahead && !m_expected_build.valid();
}

void LocalBackend::expect(const Candidate& candidate) {
  KernelSource kernel = as_built(candidate, m_work.path());
  const fs::path directory = fs::path(kernel.library).parent_path();
  if (fs::exists(directory)) return;
  // A file of its own, since another candidate may get the one that this one would have.
  kernel.sources.front() = directory / fs::path(kernel.sources.front()).filename();
  OutputFile(kernel.sources.front()).write(candidate.text);
  m_expected = candidate.hash;
  m_expected_build = std::async(std::launch::async, [this, kernel] {
    const CpuLock processors(GpuLock::Use::shared);
    const ScopedAffinity beside_timing(cpus_beside_timing());
    return compile(kernel, m_manifest.toolchain, kernel.library, {.stop = m_ends.of_candidates()});
  });
}

// A build that was made ahead is taken where it succeeded. Else the errors are to name the
// candidate's own file.
BuildRecord LocalBackend::compiled(const KernelSource& kernel, const Candidate& candidate,
                                   const std::stop_token& stop) {
  if (m_expected_build.valid() && m_expected == candidate.hash) {
    BuildRecord build = m_expected_build.get();
    if (build.judgement.passes()) return build;
  }
  const bool given_up =
      m_expected_build.valid() &&
      m_expected_build.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (given_up) m_expected_build = {};
  fs::create_directories(fs::path(kernel.library).parent_path());
  return compile(kernel, m_manifest.toolchain, kernel.library, {.stop = stop});
}

// The candidate as a built kernel. A run that goes on may find the library gone.
KernelSource LocalBackend::built(const Candidate& candidate, const std::stop_token& stop) {
  KernelSource kernel = as_built(candidate, m_work.path());
  const std::lock_guard one_at_a_time(m_rebuilding);
  if (!fs::exists(kernel.record)) (void)compile_candidate(candidate, stop);
  return kernel;
}

Evaluation LocalBackend::compile_candidate(const Candidate& candidate,
                                           const std::stop_token& stop) {
  const KernelSource kernel = as_built(candidate, m_work.path());
  Evaluation evaluation{.record = {.path = kernel.sources.front(),
                                   .name = candidate.name,
                                   .entry = kernel.entry,
                                   .entry_point = kernel.entry_point,
                                   .device = m_device}};
  const bool of_suite = !candidate.kernel.record.empty();
  if (of_suite) {
    evaluation.record.build = load_build_record(kernel);
    refuse(m_options.refused, kernel, evaluation.record.build);
  } else {
    evaluation.record.build = compiled(kernel, candidate, stop);
    refuse(m_options.refused, kernel, evaluation.record.build);
    OutputFile(kernel.record).write(nlohmann::json(evaluation.record.build));
  }
  evaluation.record.judgement = evaluation.record.build.judgement;
  if (evaluation.record.judgement.passes())
    evaluation.object_hash = machine_code_digest(kernel.library, m_device);
  return evaluation;
}

bool LocalBackend::replays() const {
  return m_options.require_replay && m_device == Device::cuda;
}

void LocalBackend::choose_work(EvaluationKind kind, Request& request) const {
  switch (kind) {
    case EvaluationKind::compile:
    case EvaluationKind::profile:
    case EvaluationKind::memcheck:  // none is a request
      break;
    case EvaluationKind::test:
      request.synchronisation_check = true;
      request.stages = {Stage::compile, Stage::test};
      break;
    case EvaluationKind::screen:
      if (m_device == Device::cuda) request.workers = workers_to_screen;
      request.scope.sets = screened_sets();
      request.scope.seeds = 1;
      request.scope.coverage = Coverage::listed;
      request.scope.sequence = false;
      break;
    case EvaluationKind::race:
    case EvaluationKind::starts:
      request.races_first = true;  // who has won once is soon the next parent
      request.stages = {Stage::compile, Stage::time};
      break;
    case EvaluationKind::unseen:
      request.scope.configs = nearby_configs(m_task, m_direction, m_timed, m_nonce);
      request.scope.seeds = 1;
      request.scope.coverage = Coverage::listed;
      request.scope.sequence = false;
      request.scope.require_shapes = true;
      break;
    case EvaluationKind::confirm:
      request.scope.nonce = m_nonce;
      request.synchronisation_check = true;
      request.synchronisation_time = time_to_inspect_a_winner;
      request.require_replay = replays();
      break;
  }
}

Request LocalBackend::request_of(EvaluationKind kind,
                                 const std::map<std::string, const Candidate*>& rivals,
                                 const std::stop_token& stop) {
  Request request{.stop = stop};
  for (const auto& [name, rival] : rivals) request.rivals[name] = built(*rival, stop);
  request.baselines = kind == EvaluationKind::confirm || kind == EvaluationKind::starts;
  if (request.baselines && m_device == Device::cuda) request.estimators = m_options.estimators;
  if (m_options.on_progress) {
    request.on_progress = [this](const Progress& made) { m_options.on_progress(made.text); };
  }
  choose_work(kind, request);
  if (!request.stages.contains(Stage::time)) return request;
  if (replays()) request.replay = request.require_replay ? Replay::always : Replay::in_doubt;
  request.timed = kind == EvaluationKind::unseen ? request.scope.configs : m_timed;
  if (kind == EvaluationKind::screen || kind == EvaluationKind::race) {
    request.on_timed = [this, configs = request.timed.size()](const auto& so_far) {
      return race_is_lost(so_far, configs, parent_rival, m_options.slower_limit) ? Next::end
                                                                                 : Next::go_on;
    };
  }
  return request;
}

// The small configs, and those that are timed. The others of a GPU have tensors of gigabytes, which
// take most of the time and memory of a test. They are left to the tests of all cases.
std::vector<ConfigSet> LocalBackend::screened_sets() const {
  std::vector<ConfigSet> sets = m_options.sets;
  if (sets.empty()) sets.push_back(usual_timed_configs(m_device));
  if (std::ranges::find(sets, ConfigSet::small) == sets.end()) sets.push_back(ConfigSet::small);
  return sets;
}

// The profilers that cost little, on the largest config.
KernelRecord LocalBackend::profile_candidate(const Candidate& candidate) {
  const auto elements = [this](const Config& config) {
    return elements_of({m_task, m_direction, config.params}).value_or(0);
  };
  const Config& largest = *std::max_element(
      m_timed.begin(), m_timed.end(),
      [&](const Config& a, const Config& b) { return elements(a) < elements(b); });
  ProfileOptions options{.only_case = Case{largest, 1}.name(), .stop = m_options.stop};
  options.on_progress = [this](const std::string& text, double /*share*/) {
    if (m_options.on_progress) m_options.on_progress(text);
  };
  options.profilers = m_device == Device::cuda ? std::vector<std::string>{"ptxas", "cupti", "ncu"}
                                               : std::vector<std::string>{"vectorizer", "roofline"};
  return profile(m_manifest, m_task, built(candidate, m_options.stop), options).front();
}

Evaluation LocalBackend::evaluate(EvaluationKind kind, const Candidate& candidate,
                                  const std::map<std::string, const Candidate*>& rivals) {
  const Clock::time_point start = Clock::now();
  const std::stop_token stop = m_ends.of(kind);
  Evaluation evaluation;
  double waited = 0;  // for others that are evaluated side by side
  if (kind == EvaluationKind::compile) {
    evaluation = compile_candidate(candidate, stop);
  } else if (kind == EvaluationKind::profile) {
    evaluation.record = profile_candidate(candidate);
  } else if (kind == EvaluationKind::memcheck) {
    evaluation.record = memory_check(m_manifest, m_task, built(candidate, stop), stop);
  } else {
    const KernelSource kernel = built(candidate, stop);
    Request request = request_of(kind, rivals, stop);
    request.on_waited = [&](double seconds) { waited += seconds; };
    // A task of fixed shapes has no unseen configs.
    if (kind == EvaluationKind::unseen && request.timed.empty()) {
      evaluation.record = {.path = kernel.sources.front(),
                           .name = candidate.name,
                           .entry = kernel.entry,
                           .entry_point = kernel.entry_point,
                           .device = m_device,
                           .judgement = passed()};
    } else {
      evaluation.record = m_evaluator.submit(kernel, request);
    }
  }
  if (stop.stop_requested()) throw Cancelled();
  evaluation.seconds[to_string(kind)] = seconds_since(start) - waited;
  return evaluation;
}

}  // namespace robust_kbench
