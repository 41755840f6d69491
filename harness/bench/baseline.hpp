#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/message.hpp"
#include "exec/serve.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

// What a kernel is measured against, and how it is asked for: the same messages as a kernel's, so
// that both sides are called and timed by the same code. The arguments of a baseline's call are all
// tensors of the call in the order of `call_tensors`; its parameters travel in `load`.
namespace robust_kbench {

// Every tensor that a call of the config is made of, but grad_output: inputs, then weights.
std::vector<TensorSpec> call_specs(const Task& task, Direction direction, const Params& params);

// Their names, then grad_output for a backward.
std::vector<std::string> call_tensors(const Task& task, Direction direction, const Params& params);

// The task as a baseline is called: its contract's arguments are `call_tensors`.
Task with_baseline_arguments(const Task& task, Direction direction);

// A baseline by its name in options and records:
//   eager    torch's eager mode in float32: the forward in inference mode; the backward is
//            autograd::grad on a graph that `prepare` recorded and that is retained
//   compile  a torch.compile package (AOTInductor, .pt2), one for each config
//   graph    on a GPU: eager mode captured as a CUDA graph
// and on a GPU each of them with "_tf32" behind: in torch's default precision (see allow_tf32).
struct Baseline {
  enum class Kind { eager, compile, graph };
  Kind kind = Kind::eager;
  bool tf32 = false;
};

// Throws UserError where there is no such baseline on the device ("cpu" or "cuda").
Baseline parse_baseline(const std::string& name, const std::string& device);

Load load_eager(const Baseline& baseline, const Task& task, Direction direction,
                const Params& params);
Load load_package(const Baseline& baseline, const std::string& path);
// Does nothing: what a batch costs beyond its calls.
Load load_noop();
// On a GPU, the same with an L2 cache full of lines to be written back after each call. What writes
// them is the call's span.
Load load_dirtying_noop();

// In place of all that was loaded, which is forgotten.
Load load_nothing();

// Serves every Load above, of the given tasks.
std::unique_ptr<Subject> make_baseline_subject(const std::vector<Task>& tasks, Arena& arena);

}  // namespace robust_kbench
