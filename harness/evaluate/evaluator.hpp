#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench.hpp"
#include "check/case_choice.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "evaluate/scope.hpp"
#include <robust_kbench/task_fwd.hpp>

// Source to record. Everything that judges a kernel goes through an Evaluator:
//
//     Evaluator evaluator(manifest, task, Direction::forward, Device::cpu);
//     const KernelRecord record = evaluator.submit(kernel);
//
// A request narrows the scope, adds rivals, and can end or cancel a submission:
//
//     std::stop_source stop;  // request_stop() from any thread cancels
//
//     evaluator.submit(child, {.scope = {.sets = {ConfigSet::small}, .seeds = 1},
//                              .rivals = {{"parent", parent}},
//                              .on_stage = [&](Stage, const KernelRecord& so_far) {
//                                return promising(so_far) ? Next::go_on : Next::end;
//                              },
//                              .stop = stop.get_token()});
namespace robust_kbench {

class LimitsFile;

class SharedState;

// The stages, in their order.
enum class Stage {
  compile,   // always; a kernel of the build is built already, so its record is read
  test,      // every case of the scope against the reference, then all in one sequence
  sanitize,  // the calls of a CUDA kernel's cases under compute-sanitizer
  time,      // in turns with rivals and baselines
};

std::string_view to_string(Stage stage);

enum class Next { go_on, end };

// The progress within a stage.
struct Progress {
  Stage stage;
  std::size_t done;   // cases, tools or configs
  std::size_t total;  // 0 if they are not counted
  std::string text;   // one line, no newline
};

enum class Replay {
  never,
  in_doubt,     // where spans seem false, which may be a busy host: the replay then decides
  if_possible,  // always, where it is timed on a GPU and the programs for it are built
  always,       // and baselines are timed in the same way
};

// Options of one submission. The submitting thread calls the callbacks. In a shared race, another
// submission's thread may call them.
struct Request {
  Scope scope = {};
  std::set<Stage> stages = {Stage::compile, Stage::test, Stage::time};
  // Further kernels of the entry, which race against the kernel when it is timed. The record's
  // timings and speed-ups use these names. Rivals are not tested, but their timed calls are
  // checked.
  std::map<std::string, KernelSource> rivals = {};
  // Whether baselines race, too. If not, rivals replace them, and the record has no baseline and no
  // figures of warm calls. On a GPU one baseline still runs beside the race, so that a trusted
  // clock gives the usual time (SECURITY.md).
  bool baselines = true;
  // Most workers of each kernel that races. 0: BenchOptions::workers. Fewer workers start sooner,
  // and make intervals wider.
  int workers = 0;
  // Whether its race comes before other waiting races.
  bool races_first = false;
  std::vector<Config> timed = {};  // replaces the configs of the scope
  // Called after each timed config. With `end` the other configs are not timed.
  std::function<Next(const std::vector<ConfigTimingRecord>& so_far)> on_timed = {};
  std::vector<std::string> estimators = {};  // further ones, of a CUDA kernel (ipc/estimate.hpp)
  // Runs racecheck and synccheck on one small case of a CUDA kernel that passed its cases, where
  // compute-sanitizer is installed (evaluate/synchronisation_check.hpp). racecheck also looks at
  // one near a timed config. They run beside the kernel's sequence, and end `synchronisation_time`
  // after it.
  bool synchronisation_check = false;
  std::chrono::seconds synchronisation_time{2};
  // When a CUDA kernel's work is also recorded, and repeated and timed where none of its host code
  // runs (replay/replay_judge.hpp). Wrong results there, or a time that contradicts the kernel's
  // own process, are findings.
  Replay replay = Replay::never;
  // A kernel that cannot be replayed is `skipped` with the reason.
  bool require_replay = false;
  // Limits the time for tests of a kernel whose calls are slow. If the limit is too short, fewer
  // cases are tested, but at least one of each kind (check/case_choice.hpp). The pass then lists
  // the cases that were left out, and the kernel is never timed. nullopt: every case is tested.
  // Only callers that show the pass to a person, and decide nothing by it, may set a limit.
  std::optional<SlowCallLimit> slow_calls = {};
  // Whether judgements of passed cases also hold the kernel's printed output. All judgements then
  // hold up to 1 MiB of it.
  bool output_in_full = false;
  // Called after each stage with the record so far. A rejected kernel ends there in any case.
  std::function<Next(Stage ended, const KernelRecord& so_far)> on_stage = {};
  std::function<void(const Progress&)> on_progress = {};
  // Called for a rival that failed while it was timed. From that config on the rival has no
  // figures.
  std::function<void(const std::string& rival, const Judgement& why)> on_rival_rejected = {};
  // Called at the end with the seconds in which the kernel waited for a GPU's memory or for races
  // of others. In a shared race, only time beyond its own share counts as waiting.
  std::function<void(double seconds)> on_waited = {};
  // Cancels the submission, even within a stage, and kills its workers. The record is `skipped`,
  // has the reason `cancelled` and keeps earlier findings.
  std::stop_token stop = {};
};

inline constexpr std::string_view cancelled = "cancelled";

struct EvaluatorOptions {
  BenchOptions bench;         // baselines, limits of calls, precision of times
  bool compile_cache = true;  // see compile/compile_cache.hpp
  // Holds limits for all processes that evaluate the same tasks. Null: nothing is shared.
  std::shared_ptr<LimitsFile> shared_limits = {};
  // What no kernel's code may ask for, unless KernelSource::allowed names it. A kernel that does is
  // rejected with load_error before it is called.
  Capabilities refused = {};
  // Number of submissions that are tested at a time on a GPU. Memory is claimed for all of them.
  int max_jobs = 1;
  // Bytes of a GPU's memory that are left to tools which inspect kernels meanwhile, where several
  // submissions are tested at a time. The memory of sanitizers on small configs is claimed with
  // that of the tests.
  std::size_t tool_bytes = 0;
  // Most submissions that share a race. They must wait to race against the same rivals, on the same
  // configs and with the same `stop`. The rivals' workers then serve all of them. A race has no
  // more kernels than the memory of two turns holds.
  int raced_together = 1;
  // How long a race waits for submissions that are still tested. A submission that has been tested
  // for longer than the second limit is not waited for.
  //
  // On a GPU nothing is tested while kernels are timed, and starting the workers of a race takes
  // some seconds. So few races with many kernels let other kernels become ready sooner than many
  // races with few. The tests of a kernel take about as long.
  std::chrono::milliseconds longest_race_wait{4'000};
  std::chrono::milliseconds longest_awaited_test{20'000};
  // The clock that measures the seconds of waiting.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // After so long without a submission, references are dropped and baselines free their memory.
  // On the CPU the baselines' workers stay, since starting one takes longer than timing a kernel.
  // On a GPU they end, which frees their memory.
  std::chrono::milliseconds idle_after{2000};
};

// Defaults for a device.
EvaluatorOptions usual_evaluator_options(Device device);

// Evaluates kernels of one task, direction and device. Meant to live long: the baselines' workers
// start with the first kernel that is timed and serve all others, and references are made once.
// Several threads may submit at the same time, but only one times at a time. On a GPU other threads
// may test meanwhile as GpuLock lets them, but not on the CPU (device/cpu_lock.hpp).
class Evaluator {
 public:
  // `manifest` and `task` must outlive this object. Throws UserError where the task has no such
  // direction.
  Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device);
  Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device,
            const EvaluatorOptions& options);
  ~Evaluator();  // requires that no submission is running
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Carries out the request stage by stage, and returns when all is done. A failure of the harness
  // gives verdict `harness_error`. If the harness lacked GPU memory, the submission is first tried
  // once more. Throws UserError for the caller's mistakes: another entry's kernel, a missing
  // source, an unknown case, a rival that does not compile.
  KernelRecord submit(const KernelSource& kernel, const Request& request = {});

  // The arguments of the constructor.
  [[nodiscard]] const Manifest& manifest() const;
  [[nodiscard]] const Task& task() const;
  [[nodiscard]] Direction direction() const;

  // Bytes of tensors that are kept between submissions: 0 after it has been idle.
  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  std::unique_ptr<SharedState> m_shared;
};

// The record of a kernel that could not be evaluated: `harness_error`.
KernelRecord harness_failed(const KernelSource& kernel, const std::string& reason);

}  // namespace robust_kbench
