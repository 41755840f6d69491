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

// The broker's half: starts a worker, talks to it, and ends it with everything that it started.
namespace robust_kbench {

struct Limits {
  std::chrono::milliseconds call_timeout{20'000};  // one request, load included
  // Lower limit for the start, however short call_timeout is. No code of a kernel runs in it.
  std::chrono::milliseconds start_timeout{20'000};
  std::chrono::milliseconds exit_timeout{2'000};  // once asked, or once it has closed its channel
  // RLIMIT_AS beyond the arena, capped at half of the machine's memory. 0 means no limit. CUDA
  // reserves addresses for all memory of host and GPUs, so its workers have none. An address
  // sanitizer's shadow alone takes 16 TiB of addresses.
#ifdef __SANITIZE_ADDRESS__
  std::size_t address_space_bytes = 0;
#else
  std::size_t address_space_bytes = std::size_t{16} << 30;
#endif
  // RLIMIT_FSIZE: what it prints until that is forgotten, and each file that it makes.
  std::size_t file_bytes = std::size_t{64} << 20;
  std::size_t open_files = 256;  // RLIMIT_NOFILE, on a CPU
  int processes = 512;  // threads and processes beyond the user's own, where RLIMIT_NPROC binds
};

struct WorkerOptions {
  std::string program;                 // absolute path: rkb_worker, or rkb for a baseline
  std::vector<std::string> arguments;  // after the program's name
  // Affinity from the start. Empty means the broker's own. A GPU worker moved after CUDA has
  // counted its CPUs answers some 35 us later (H100, CUDA 13.0).
  std::vector<int> cpus;
  int threads = 1;  // OMP_NUM_THREADS
  std::size_t arena_bytes = std::size_t{256} << 20;
  bool gpu = false;                    // the arena is memory of GPU 0
  std::string subject = "the kernel";  // what it runs, as judgements call it
  // A tool that runs the program under its eyes, with its arguments: a sanitizer or a profiler of
  // CUDA kernels. The arena is on the host then, and each tensor is an allocation of its own
  // (worker/separate_memory.hpp).
  std::vector<std::string> tool;
  // Absolute path of rkb_sandbox, which encloses the worker as far as the machine allows. Empty:
  // the worker is as free as this process.
  std::string sandbox;
  // Absolute path of a program that tells by --probe-gpu whether it reaches the GPU in a sandbox.
  // Empty: the program itself does.
  std::string gpu_probe;
  // The function that is called, of the kernel's module. Empty: it is called as the direction.
  std::string entry_point;
  // Hardware queues of its context on a GPU, whose number decides how long the context takes to
  // make. 0: CUDA's default of 8.
  int gpu_queues = 0;
  std::vector<std::string> readable;  // files and directories that the worker needs: the kernel
  std::vector<std::string> writable;  // and those that a tool writes
  std::size_t output_bytes = 4000;    // of what it prints: the end that is told of
  Limits limits;
  // Any thread may request a stop. The worker is killed, and every pending or later request throws
  // Cancelled.
  std::stop_token stop = {};
};

// The request to load the kernel's library for the calls of a direction.
Load load_of(const std::string& library, Direction direction, const WorkerOptions& options);

// The outcome of a request: an answer, or a judgement of what the worker runs. The verdict is
// load_error, exception, out_of_memory, timeout or crash, by the worker's own report or by how it
// ended. All text from the worker is escaped.
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
  // The part of `wall_ns` in which broker and worker were ready to run but something else had the
  // processor. On a busy machine neither could have used that time.
  std::uint64_t delayed_ns = 0;
  std::uint64_t ran_before_ns = 0;  // processor time used while stopped, before wall_ns
};
struct Done {};

class WorkerProcess {
 public:
  // Starts the program with the channel as fd 3 and the arena as fd 4. With a GPU, the arena's GPU
  // memory is fd 5, and the last argument is --gpu. The process gets an environment of its own,
  // rlimits, files for stdout and stderr, and a temporary working directory. The calling process
  // becomes a child subreaper. The worker dies with the thread that made it. Throws HarnessError
  // when no process can be started.
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
  // A sample of the outputs of the calls that ran. It is empty where the outputs could not be
  // looked at.
  Outcome<OutputSample> output_sample();
  // The same of some calls of the batch, each from when it returned. On a GPU there are none.
  Outcome<std::vector<OutputSample>> call_samples(std::size_t call_count);
  // Times the first call of the prepared batch by one of estimator_names.
  Outcome<Estimate> estimate(const std::string& estimator);
  Outcome<Trace> trace();
  Outcome<Done> release();

  // Threads of the worker right now, from /proc.
  [[nodiscard]] int thread_count() const;
  // Waits until every thread that started after the greeting has ended or is parked
  // (process/threads.hpp). Gives up after `limit`. Then it waits again only when there are more
  // threads.
  void settle(std::chrono::milliseconds limit);
  // Live processes that the worker has started.
  [[nodiscard]] int child_count();

  // Stops every thread of the worker's process group between requests, so that none disturbs what
  // is timed elsewhere. The group resumes once the next request is sent, which must fit into the
  // channel. So with `run` no thread works before the broker's clock runs.
  void pause();
  // Returns how much processor time the threads used while stopped. It is nonzero where something
  // else had resumed them.
  std::chrono::nanoseconds resume();
  // Kills the worker without waiting for its end, which the destructor does. On a GPU that takes a
  // while.
  void kill() const;
  // Asks the worker to exit and waits for the process itself to exit, not for end of file. Then
  // kills and reaps every process that it started, even those that left its session. Returns how
  // many there were.
  int stop();

  // The end of what it wrote to stdout and stderr, escaped, since it started or since
  // forget_output().
  [[nodiscard]] std::string output() const;
  void forget_output();

  // The most arena bytes that one call took since the last `load`. A batch is poisoned that far
  // ahead, so that the worker need not poison within its calls.
  [[nodiscard]] std::size_t bytes_per_call() const;
  void expect_bytes_per_call(std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace robust_kbench
