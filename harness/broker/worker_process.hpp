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

// The broker's half: starts a worker, talks to it, and ends it with everything that it started.
namespace robust_kbench {

struct Limits {
  std::chrono::milliseconds call_timeout{20'000};  // one request, load included
  // The least for its start, in which nothing of a kernel runs, however short call_timeout is.
  std::chrono::milliseconds start_timeout{20'000};
  std::chrono::milliseconds exit_timeout{2'000};  // once asked, or once it has closed its channel
  // RLIMIT_AS beyond the arena, and at most half of the machine's memory; 0: no limit. CUDA
  // reserves addresses for all memory of host and GPUs, so its workers have none; an address
  // sanitizer's shadow alone takes 16 TiB of addresses.
#ifdef __SANITIZE_ADDRESS__
  std::size_t address_space_bytes = 0;
#else
  std::size_t address_space_bytes = std::size_t{16} << 30;
#endif
  std::size_t file_bytes = std::size_t{64} << 20;  // RLIMIT_FSIZE: stdout and stderr
  int processes = 512;  // threads and processes beyond the user's own, where RLIMIT_NPROC binds
};

struct WorkerOptions {
  std::string program;                 // absolute path: rkb_worker, or rkb for a baseline
  std::vector<std::string> arguments;  // after the program's name
  // Affinity; empty: the broker's own. From the first: a worker of a GPU that is moved later, after
  // CUDA has counted its CPUs, answers some 35 us later (H100, CUDA 13.0).
  std::vector<int> cpus;
  int threads = 1;  // OMP_NUM_THREADS
  std::size_t arena_bytes = std::size_t{256} << 20;
  bool gpu = false;                    // the arena is memory of GPU 0
  std::string subject = "the kernel";  // what it runs, as judgements call it
  // A tool that starts the program and looks at it, with its arguments: a sanitizer or a profiler
  // of CUDA kernels. The arena is on the host then, and a tensor an allocation of its own
  // (worker/separate_memory.hpp).
  std::vector<std::string> tool;
  Limits limits;
  // Any thread may request it: the worker is killed, and whoever waits for an answer, or asks
  // anything later, gets Cancelled thrown.
  std::stop_token stop = {};
};

// What a request came to: an answer, or what its own report of a failure, or its end, says about
// what the worker runs: load_error, exception, out_of_memory, timeout or crash. All text of the
// worker's is escaped.
template <typename Answer>
using Outcome = std::variant<Answer, Judgement>;

// Throws Rejection where there is no answer.
template <typename Answer>
Answer answer_of(Outcome<Answer> outcome) {
  if (auto* judgement = std::get_if<Judgement>(&outcome)) throw Rejection(std::move(*judgement));
  return std::get<Answer>(std::move(outcome));
}

struct Ran {
  std::uint64_t wall_ns = 0;  // from sending `run` to receiving `ran`, by the broker's clock
  // Of that, how long broker and worker were ready to run and something else had the processor: on
  // a busy machine, time that neither could have used.
  std::uint64_t delayed_ns = 0;
  std::uint64_t ran_before_ns = 0;  // of a processor, though it was stopped until wall_ns began
};
struct Done {};

class WorkerProcess {
 public:
  // Starts the program with the channel as fd 3 and the arena as fd 4 (and its memory of the GPU as
  // fd 5, which the last argument --gpu says), an environment of its own, its stdout and stderr in
  // files, a temporary directory as working directory, and rlimits. The calling process becomes a
  // child subreaper. The worker dies with the thread that made it. Throws HarnessError when no
  // process can be started.
  explicit WorkerProcess(const WorkerOptions& options);
  ~WorkerProcess();  // kills what is left
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  [[nodiscard]] Arena& arena();
  [[nodiscard]] int pid() const;
  [[nodiscard]] bool alive() const;

  // Waits until the worker has started. Throws HarnessError where it cannot.
  void greet();
  // Greets it first.
  Outcome<Loaded> load(const Load& load);
  Outcome<Done> prepare(const std::vector<Call>& calls);
  Outcome<Ran> run();
  Outcome<std::vector<CallResult>> collect(std::size_t call_count);
  // Of the calls that ran; one that sees nothing where the outputs could not be looked at.
  Outcome<OutputSample> output_sample();
  // Of the first call of the prepared batch, by one of estimator_names.
  Outcome<Estimate> estimate(const std::string& estimator);
  Outcome<Trace> trace();
  Outcome<Done> release();

  // Threads of the worker right now, from /proc.
  [[nodiscard]] int thread_count() const;
  // Waits until no thread can do anything more that was not there when the worker was greeted: they
  // have ended, or are parked (process/threads.hpp). Gives up after `limit`, then only once more
  // when there are more threads.
  void settle(std::chrono::milliseconds limit);
  // Live processes that the worker has started.
  [[nodiscard]] int child_count();

  // Stops every thread of the worker's process group between requests, so that none disturbs what
  // is timed elsewhere. It resumes once the next request is sent, which must fit into the channel:
  // so `run` has them do nothing before the broker's clock runs.
  void pause();
  // Returns how much of a processor they had all the same, more than nothing where somebody else
  // has let them go on.
  std::chrono::nanoseconds resume();
  // Begins what the destructor waits for: a worker on a GPU takes its time to go.
  void kill() const;
  // Asks the worker to exit, waits for its own exit (not for end of file), then kills and reaps
  // every process that it started, also those that left its session. Returns how many there were.
  int stop();

  [[nodiscard]] std::string stderr_tail() const;  // escaped

  // Arena bytes that one call took at most since the last `load`: a batch poisons so much ahead of
  // the calls, that the worker need not do it inside of them.
  [[nodiscard]] std::size_t bytes_per_call() const;
  void expect_bytes_per_call(std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace robust_kbench
