#pragma once

#include <string>

#include "ipc/message.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/params.hpp>

namespace robust_kbench {

// The load request for the worker of a baseline. It travels in the same message as a kernel's
// shared object, so that the same loop serves both.
struct BaselineLoad {
  enum class Kind {
    eager,
    graph,    // eager, captured as a CUDA graph
    package,  // of torch.compile (AOTInductor)
    noop,     // calls that do nothing
    // On a GPU: calls that leave the L2 cache full of dirty lines.
    dirtying_noop,
    empty,    // on a GPU: calls that launch one kernel that does next to nothing
    nothing,  // in place of all that was loaded, which is forgotten
  };
  Kind kind = Kind::noop;
  bool tf32 = false;  // torch's default precision on a GPU
  // The next three fields are for eager and graph.
  std::string task = {};
  Direction direction = Direction::forward;
  Params params = {};
  // Path: what torch.compile has made, or the package of the imported task.
  std::string package = {};
};

Load encode(const BaselineLoad& load);
// Throws HarnessError for what encode() never makes.
BaselineLoad decode_baseline_load(const Load& load);

}  // namespace robust_kbench
