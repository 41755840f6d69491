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

class SharedState;

// The stages, in their order.
enum class Stage {
  compile,   // always; a kernel of a build is built already, and its record is read
  test,      // every case of the scope against the reference, then all in one sequence
  sanitize,  // a CUDA kernel's calls of the cases under compute-sanitizer
  time,      // in turns with rivals and baselines
};

std::string_view to_string(Stage stage);

enum class Next { go_on, end };

// How far a stage is.
struct Progress {
  Stage stage;
  std::size_t done;   // of its cases, tools or configs
  std::size_t total;  // 0: they are not counted
  std::string text;   // one line, no newline
};

// What to do with one source. The submitting thread calls the callbacks, but that of another does
// where both race together.
struct Request {
  Scope scope = {};
  std::set<Stage> stages = {Stage::compile, Stage::test, Stage::time};
  // Further kernels of the entry, which race against the kernel when it is timed. The record's
  // timings and speed-ups use these names. Rivals are not tested, but their timed calls are
  // checked.
  std::map<std::string, KernelSource> rivals = {};
  // Race, too. Else rivals stand in their place, and the record has no baseline and no figures of
  // warm calls. On a GPU one of them still runs beside the race, so that a trusted clock says what
  // is usual (SECURITY.md).
  bool baselines = true;
  // Each kernel that races has at most so many. 0: BenchOptions::workers. Fewer start sooner, and
  // make intervals wider.
  int workers = 0;
  // Its race comes before those of others that wait.
  bool races_first = false;
  std::vector<Config> timed = {};  // in place of those of the scope
  // Called after each timed config. With `end` the others are not timed.
  std::function<Next(const std::vector<ConfigTimingRecord>& so_far)> on_timed = {};
  std::vector<std::string> estimators = {};  // asked as well, of a CUDA kernel (ipc/estimate.hpp)
  // A CUDA kernel that passed its cases runs on one small case under racecheck and synccheck, where
  // compute-sanitizer is there (evaluate/synchronisation_check.hpp). It does so beside its
  // sequence.
  bool synchronisation_check = false;
  // How long its tests may take where its calls are slow. A kernel that needs more is tested on
  // fewer cases, of each kind one at least (check/case_choice.hpp). Such a pass says which were
  // left out, and it is never timed. None: it is tested in full, whatever that takes. Nothing that
  // takes a pass for more than a person's look at it may give a limit.
  std::optional<SlowCallLimit> slow_calls = {};
  // Judgements of cases that passed tell what the kernel printed, too, and all tell up to 1 MiB.
  bool output_in_full = false;
  // Called after each stage with the record so far. A rejected kernel goes no further anyway.
  std::function<Next(Stage ended, const KernelRecord& so_far)> on_stage = {};
  std::function<void(const Progress&)> on_progress = {};
  // Called for a rival that failed while it was timed. It has no figures from that config on.
  std::function<void(const std::string& rival, const Judgement& why)> on_rival_rejected = {};
  // Called at the end with the seconds in which the kernel waited for a GPU's memory or for races
  // of others. Those of a race that it shared are others', but for its share.
  std::function<void(double seconds)> on_waited = {};
  // Cancels the submission, even within a stage. Its workers are killed. The record is `skipped`,
  // with `cancelled` as the reason and with what was found before.
  std::stop_token stop = {};
};

inline constexpr std::string_view cancelled = "cancelled";

struct EvaluatorOptions {
  BenchOptions bench;         // baselines, limits of calls, how exactly to time
  bool compile_cache = true;  // see compile/compile_cache.hpp
  // Number of submissions tested at a time on a GPU. Memory there is claimed for so many.
  int max_jobs = 1;
  // Bytes of a GPU's memory that are left to tools which inspect kernels meanwhile, where several
  // submissions are tested at a time. At least so much as sanitizers take on small configs.
  std::size_t tool_bytes = 0;
  // Submissions that wait to race against the same rivals, on the same configs and with the same
  // `stop`, share a race, at most so many. The rivals' workers then serve all of them. A race has
  // no more kernels than the memory of two turns holds.
  int raced_together = 1;
  // How long a race waits for those that are tested. Who has been tested for longer than the second
  // limit is not waited for. On a GPU nothing is tested while kernels are timed, and starting the
  // workers of a race takes some seconds. So few races with many kernels let the others become
  // ready sooner than many with few. Tests of a kernel take about as long.
  std::chrono::milliseconds longest_race_wait{4'000};
  std::chrono::milliseconds longest_awaited_test{20'000};
  // What seconds of waiting are told by.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // After so long without a submission, references are dropped and baselines unload what they have.
  // On the CPU the baselines' workers stay, since starting one takes longer than timing a kernel.
  // On a GPU they end, so that others can have the memory.
  std::chrono::milliseconds idle_after{2000};
};

// Defaults for a device.
EvaluatorOptions usual_evaluator_options(Device device);

// Evaluates kernels of one task, direction and device. Meant to live long. The baselines' workers
// start with the first kernel that is timed and serve all others, and references are made once.
// Several threads may submit at the same time, but only one times at a time. On a GPU others may
// test meanwhile as GpuLock lets them, on the CPU they may not (device/cpu_lock.hpp).
class Evaluator {
 public:
  // `manifest` and `task` must outlive this object. Throws UserError where the task has no such
  // direction.
  Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device);
  Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device,
            const EvaluatorOptions& options);
  ~Evaluator();  // when no submission is under way
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Carries out the request stage by stage, and returns when all is done. A failure of the harness
  // gives verdict `harness_error`. If the harness lacked GPU memory, everything is tried once more
  // before that. Throws UserError for what the caller can mend: another entry's kernel, a missing
  // source, an unknown case, a rival that does not compile.
  KernelRecord submit(const KernelSource& kernel, const Request& request = {});

  // The arguments of the constructor.
  [[nodiscard]] const Manifest& manifest() const;
  [[nodiscard]] const Task& task() const;
  [[nodiscard]] Direction direction() const;

  // Bytes of tensors that are kept between submissions: 0 where it has been idle.
  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  std::unique_ptr<SharedState> m_shared;
};

// The record of a kernel that could not be evaluated: `harness_error`.
KernelRecord harness_failed(const KernelSource& kernel, const std::string& reason);

}  // namespace robust_kbench
