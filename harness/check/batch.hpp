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

// When a batch gets its inputs.
enum class Inputs {
  now,
  later,  // by write_inputs()
};

// One or more calls of one config in a worker's arena. Correctness runs batches of one call, timing
// batches of many, through the same messages and the same code.
class Batch {
 public:
  Batch(WorkerProcess& worker, const Workload& workload);

  // Lays the tensors of each call into the arena between guard zones, and poisons what the kernel
  // may allocate. Throws HarnessError where the arena is too small.
  void place(std::span<const Tensors> calls, Addresses addresses = Addresses::fresh,
             Inputs inputs = Inputs::now);
  // Tells the worker of the calls that were placed.
  Outcome<Done> prepare();
  void write_inputs();
  // `look` samples the outputs as soon as the last call has returned, for inspect().
  Outcome<Ran> run(bool look = false);
  // Asks for the claimed spans and the results, and copies the outputs of call `keep`.
  Outcome<Done> collect(std::optional<std::size_t> keep);

  // Call it after a call that threw, in place of collect(). True if every byte of the arena that
  // the kernel may write to holds what it held before, its own allocations included. Throws
  // Rejection where it wrote to what it must not.
  [[nodiscard]] bool is_untouched() const;

  // The finding of the detectors of check/detect/, or none.
  [[nodiscard]] std::optional<Judgement> inspect() const;
  // A finding where an output of the kept call lies in the memory of an input. It only matters
  // where that output is wrong.
  [[nodiscard]] std::optional<Judgement> input_as_output() const;

  // The span that the worker claims for each call.
  [[nodiscard]] const std::vector<std::uint64_t>& claimed_ns() const;

  // The private copies of the kept call's outputs, undefined for None.
  [[nodiscard]] const std::vector<at::Tensor>& outputs() const;
  // The outputs of all calls, each stacked along a new first dimension; undefined for None. Ask for
  // them only where inspect() finds nothing. Throws Rejection where one is no usable tensor.
  [[nodiscard]] std::vector<at::Tensor> stacked_outputs() const;
  // False when something has written to the outputs since they were copied. If the kept call is the
  // batch's last, writes since its return count too.
  [[nodiscard]] bool outputs_unchanged() const;
  // Asks for what the worker saw of the outputs of some calls as each of them returned. The first
  // call whose outputs have changed since, if any has. Call it after collect().
  Outcome<std::optional<std::uint64_t>> unfinished_call() const;
  // How many calls a batch of such calls may have, limited by the room in the arena and in its log.
  // At least one.
  [[nodiscard]] std::size_t max_calls() const;

  // Ends the batch: drops the outputs and frees the arena.
  Outcome<Done> release();

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

// Bytes of an arena for `calls` calls of a config. They hold the task's tensors, and several times
// as much for what a kernel allocates. On the CPU pages that nothing touches cost nothing.
std::size_t arena_bytes(const Workload& workload, std::size_t calls = 1, bool gpu = false);
// The arena_bytes() of the config that needs most.
std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Config>& configs,
                          std::size_t calls, bool gpu);
std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Case>& cases,
                          std::size_t calls, bool gpu);

}  // namespace robust_kbench
