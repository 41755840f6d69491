#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "broker/worker_process.hpp"
#include "check/placement.hpp"
#include "core/case.hpp"
#include "core/judgement.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The time when a batch gets its inputs.
enum class Inputs {
  now,
  later,  // by write_inputs()
};

// One or more calls of one config in a worker's arena. Correctness runs batches of one call, timing
// batches of many, through the same messages and the same code.
class Batch {
 public:
  Batch(WorkerProcess& worker, const Workload& workload);

  // Lays the tensors of each call into the arena between guard zones, and poisons memory that the
  // kernel may allocate. Throws HarnessError if the arena is too small.
  void place(std::span<const Tensors> calls, Addresses addresses = Addresses::fresh,
             Inputs inputs = Inputs::now);
  // Where the worker hands its inputs to the kernel, from the next place() on. The detectors see
  // the arena alone, so writes to copies of inputs stay unseen.
  void hand_inputs_at(InputPlace place);
  // The most arena bytes that the kernel has taken for one call. place() poisons that much for each
  // call, so that the worker need not poison within its calls. Other batches of the same config may
  // tell it at the start.
  [[nodiscard]] std::size_t kernel_bytes_per_call() const;
  void expect_kernel_bytes_per_call(std::size_t bytes);
  // Tells the worker of the calls that were placed.
  Outcome<Done> prepare();
  void write_inputs();
  // `look` samples the outputs as soon as the last call has returned, for inspect().
  Outcome<Ran> run(bool look = false);
  // Asks for the claimed spans and the results, and copies the outputs of call `keep`.
  Outcome<Done> collect(std::optional<std::size_t> keep);

  // Replaces collect() after a call that threw. True if every byte of the arena that the kernel may
  // write to is unchanged, its own allocations included. Throws Rejection if the kernel wrote to
  // memory that it must not write to.
  [[nodiscard]] bool is_untouched() const;

  // The finding of the detectors in check/detect/, or nullopt.
  [[nodiscard]] std::optional<Judgement> inspect() const;
  // A finding if an output of the kept call lies in the memory of an input. This only matters if
  // that output is wrong.
  [[nodiscard]] std::optional<Judgement> input_as_output() const;

  // The span that the worker claims for each call.
  [[nodiscard]] const std::vector<std::uint64_t>& claimed_ns() const;

  // The private copies of the kept call's outputs. An output is undefined if it is None.
  [[nodiscard]] const std::vector<at::Tensor>& outputs() const;
  // Private copies of the outputs of any call. Call it only if inspect() finds nothing. Throws
  // Rejection if an output is no usable tensor.
  [[nodiscard]] std::vector<at::Tensor> outputs_of(std::size_t call) const;
  // The outputs of all calls, each stacked along a new first dimension. An output is undefined if
  // it is None. Call it only if inspect() finds nothing. Throws Rejection if an output is no usable
  // tensor.
  [[nodiscard]] std::vector<at::Tensor> stacked_outputs() const;
  // False if the outputs have been written to since they were copied. If the kept call is the
  // batch's last, writes since its return count, too.
  [[nodiscard]] bool outputs_unchanged() const;
  // Asks the worker for its samples of some calls' outputs, taken as each call returned. Returns
  // the first call whose outputs have changed since, if there is one. Call it after collect().
  Outcome<std::optional<std::uint64_t>> unfinished_call() const;
  // The largest possible number of such calls in a batch, limited by the room in the arena and in
  // its log. It is at least 1.
  [[nodiscard]] std::size_t max_calls() const;

  // Ends the batch: drops the outputs and frees the arena.
  Outcome<Done> release();

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

// The bytes of an arena for `calls` calls of a config. The arena holds the task's tensors, and
// several times as much for the kernel's allocations. On the CPU untouched pages cost nothing.
std::size_t arena_bytes(const Workload& workload, std::size_t calls = 1, bool gpu = false);
// The arena_bytes() of the config that needs most memory.
std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Config>& configs,
                          std::size_t calls, bool gpu);
std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Case>& cases,
                          std::size_t calls, bool gpu);

}  // namespace robust_kbench
