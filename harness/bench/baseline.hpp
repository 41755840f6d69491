#pragma once

#include <string>

#include "core/device.hpp"
#include "ipc/message.hpp"
#include "tensor/workload.hpp"

// What a kernel is measured against, and how it is asked for: the same messages as a kernel's, so
// that both sides are called and timed by the same code. The arguments of a baseline's call are all
// tensors of the call in the order of Workload::tensor_names(); its parameters travel in `load`.
namespace robust_kbench {

// The task as a baseline is called: its contract's arguments are those tensors.
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

// Throws UserError where there is no such baseline on the device.
Baseline parse_baseline(const std::string& name, Device device);

// What its worker is to load (ipc/baseline_load.hpp).
Load load_eager(const Baseline& baseline, const Workload& workload);
Load load_package(const Baseline& baseline, const std::string& path);

}  // namespace robust_kbench
