#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "core/judgement.hpp"
#include "ipc/arena.hpp"
#include "ipc/message.hpp"
#include "process/escape.hpp"
#include <robust_kbench/direction.hpp>

#include <nlohmann/json_fwd.hpp>

// The broker's side of a worker: starts it, talks to it, and ends it with all that it started.
namespace robust_kbench {

struct Limits {
  std::chrono::milliseconds call_timeout{20'000};  // the limit of one request, also of load
  // The least limit of the start, even with a shorter call_timeout. No kernel code runs in it.
  std::chrono::milliseconds start_timeout{20'000};
  std::chrono::milliseconds exit_timeout{2'000};  // after a stop request or a closed channel
  // RLIMIT_AS beyond the arena, capped at half of the machine's memory. 0 means no limit. Workers
  // on a GPU have none, since CUDA reserves addresses for all memory of host and GPUs.
  // AddressSanitizer's shadow alone takes 16 TiB of addresses.
#ifdef __SANITIZE_ADDRESS__
  std::size_t address_space_bytes = 0;
#else
  std::size_t address_space_bytes = std::size_t{16} << 30;
#endif
  // All files of its temporary directory together, and threads of all its processes.
  std::uint64_t scratch_bytes = std::uint64_t{256} << 20;
  int threads = 512;
  // RLIMIT_FSIZE: limits the worker's output until forget_output(), and each file that it makes.
  std::size_t file_bytes = std::size_t{64} << 20;
  std::size_t open_files = 256;  // RLIMIT_NOFILE, on a CPU
};

struct WorkerOptions {
  std::string program;                 // absolute path: rkb_worker, or rkb for a baseline
  std::vector<std::string> arguments;  // after the program's name
  // The CPUs that the worker is bound to from its start. Empty means the broker's own. Binding a
  // GPU worker after CUDA has counted its CPUs makes its answers some 35 us slower (H100, CUDA
  // 13.0).
  std::vector<int> cpus;
  int threads = 1;  // OMP_NUM_THREADS
  std::size_t arena_bytes = std::size_t{256} << 20;
  bool gpu = false;                    // the arena is memory of GPU 0
  std::string subject = "the kernel";  // the judgements' name for what it runs
  // A tool, with its arguments, that starts and inspects the worker: a sanitizer or a profiler of
  // CUDA kernels. The arena is on the host then, and each tensor is a separate allocation
  // (worker/separate_memory.hpp).
  std::vector<std::string> tool;
  // Absolute path of rkb_sandbox, which confines the worker as far as the machine allows. Empty: no
  // sandbox.
  std::string sandbox;
  // Absolute path of a program whose exit code for --probe-gpu says whether it reaches the GPU in a
  // sandbox. Empty: `program` has this option.
  std::string gpu_probe;
  // The function of the kernel's module that is called. Empty: the function named as the direction.
  std::string entry_point;
  // The number of hardware queues of its CUDA context, which affects how long the context takes to
  // make. 0: CUDA's default of 8.
  int gpu_queues = 0;
  std::vector<std::string> readable;  // paths that the worker needs, such as the kernel
  std::vector<std::string> writable;  // paths that a tool writes
  // A file as fd 6: rkb_worker --record writes a recording to it, and rkb_replayer reads one.
  int recording_fd = -1;
  std::size_t output_bytes = 4000;  // the most output that a judgement has
  Limits limits;
  // Any thread may request a stop. This kills the worker, and every pending or later request throws
  // Cancelled.
  std::stop_token stop = {};
};

// The request to load the kernel's library, and to call it in a direction.
Load load_of(const std::string& library, Direction direction, const WorkerOptions& options);

// The outcome of a request: an answer, or a judgement of what the worker runs. Its verdict is
// load_error, exception, out_of_memory, timeout or crash, by the worker's report or by how it
// ended. All text from the worker is escaped.
template <typename Answer>
using Outcome = std::variant<Answer, Judgement>;

// The answer of an outcome. Throws Rejection for a judgement.
template <typename Answer>
Answer answer_of(Outcome<Answer> outcome) {
  if (auto* judgement = std::get_if<Judgement>(&outcome)) throw Rejection(std::move(*judgement));
  return std::get<Answer>(std::move(outcome));
}

struct Ran {
  std::uint64_t wall_ns = 0;  // from sending `run` to receiving `ran`, by the broker's clock
  // The part of `wall_ns` in which the broker or the worker waited for a processor that something
  // else used.
  std::uint64_t delayed_ns = 0;
  std::uint64_t ran_before_ns = 0;  // processor time that it used while stopped, before wall_ns
};
struct Done {};

class WorkerProcess {
 public:
  // Starts the program with the channel as fd 3 and the arena as fd 4. On a GPU the arena's GPU
  // memory is fd 5, and the last argument is --gpu. The worker gets an environment of its own,
  // resource limits, a file for its output, and a temporary working directory. The calling process
  // becomes a child subreaper. The worker dies with the thread that made it. Throws HarnessError if
  // no process can be started.
  explicit WorkerProcess(const WorkerOptions& options);
  ~WorkerProcess();  // kills the worker and all that it started
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  [[nodiscard]] Arena& arena();
  [[nodiscard]] int pid() const;
  [[nodiscard]] bool alive() const;

  // Waits until the worker has started. Throws HarnessError if it cannot.
  void greet();
  // Calls greet() first.
  Outcome<Loaded> load(const Load& load);
  Outcome<Done> prepare(const std::vector<Call>& calls);
  Outcome<Ran> run();
  // For replayers and captured baselines. They prepare to run the batch as one work of the GPU, and
  // run it. That is all calls, each behind a sweep of the cache, or as many empty calls. The first
  // says whether calls begin with a fill of memory, as an empty call does then.
  Outcome<bool> prepare_together();
  Outcome<Ran> run_together(bool with_calls);
  Outcome<std::vector<CallResult>> collect(std::size_t call_count);
  // A sample of the last call's outputs (ipc/output_sample.hpp). It is empty if they could not be
  // sampled.
  Outcome<OutputSample> output_sample();
  // Samples of some calls of the batch, each taken when its call returned. On a GPU there are none.
  Outcome<std::vector<OutputSample>> call_samples(std::size_t call_count);
  // Times the first call of the prepared batch by one of estimator_names.
  Outcome<Estimate> estimate(const std::string& estimator);
  Outcome<Trace> trace();
  Outcome<Done> release();

  // The current number of the worker's threads, from /proc.
  [[nodiscard]] int thread_count() const;
  // Waits until every thread that started after the greeting has ended or is parked
  // (process/threads.hpp). Gives up after `limit`. From then on it waits only if there are more
  // threads than now.
  void settle(std::chrono::milliseconds limit);
  // The number of live processes that the worker has started.
  [[nodiscard]] int child_count();

  // Stops every thread of the worker's process group between requests, so that none disturbs
  // timings elsewhere. The group resumes once the next request is sent, which must fit into the
  // channel. So no thread works before the broker's clock of `run` starts.
  void pause();
  // Returns how much processor time the threads used while stopped. If it is not zero, something
  // else had resumed them.
  std::chrono::nanoseconds resume();
  // Kills the worker without waiting for its end, which takes a while on a GPU. The destructor
  // waits.
  void kill() const;
  // Asks the worker to exit and waits for the process itself, not for end of file. Then kills and
  // reaps every process that it started, even those that left its session. Returns how many there
  // were.
  int stop();

  // The end of its output to stdout and stderr, escaped, since its start or since forget_output().
  [[nodiscard]] std::string output() const;
  void forget_output();

 private:
  struct State;

  Outcome<Ran> run_request(const char* request, const nlohmann::json& body);

  std::unique_ptr<State> m_state;
};

}  // namespace robust_kbench
