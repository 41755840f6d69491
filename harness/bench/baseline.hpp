#pragma once

#include <optional>
#include <string>

#include "core/device.hpp"
#include "ipc/message.hpp"
#include "tensor/workload.hpp"

// The subjects that a kernel is compared with. A baseline gets the same messages as a kernel, so
// that the same code calls and times both. The arguments of a baseline's call are all tensors of
// the call, in the order of Workload::tensor_names(). Its parameters are in `load`.
namespace robust_kbench {

// The task with the arguments of a baseline: all tensors of a call.
Task with_baseline_arguments(const Task& task, Direction direction);

// A baseline by its name in options and records:
//   eager    Torch's eager mode in float32. The forward runs in inference mode. The backward is
//            autograd::grad on a retained graph that `prepare` recorded.
//   compile  A torch.compile package (AOTInductor, .pt2), one for each config.
//   graph    Eager mode captured as a CUDA graph, on a GPU only.
//   empty    One kernel that does nothing, on a GPU only: the least time of any call.
// On a GPU the suffix "_tf32" asks for torch's default precision (see allow_tf32).
struct Baseline {
  enum class Kind { eager, compile, graph, empty };
  Kind kind = Kind::eager;
  bool tf32 = false;
};

// Throws UserError if the device has no such baseline.
Baseline parse_baseline(const std::string& name, Device device);

// The load request for a baseline's worker (ipc/baseline_load.hpp).
Load load_empty();
Load load_eager(const Baseline& baseline, const Workload& workload);
Load load_package(const Baseline& baseline, const std::string& path);
// The same baseline with each call captured as a graph, so that calls can be one work of the GPU.
// nullopt for the empty one.
std::optional<Load> captured(const Load& baseline);

}  // namespace robust_kbench
