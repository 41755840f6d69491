#pragma once

#include <string>

#include "ipc/message.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/params.hpp>

namespace robust_kbench {

// The request that makes a baseline's worker load something. It travels in the same message as a
// kernel's shared object, so that one request loop serves both.
struct BaselineLoad {
  enum class Kind {
    eager,
    package,  // a package of torch.compile (AOTInductor)
    noop,     // calls that do nothing
    // On a GPU: calls that leave the L2 cache full of dirty lines, and do nothing else.
    dirtying_noop,
    empty,    // on a GPU: calls that launch one kernel that does next to nothing
    nothing,  // unloads everything
  };
  Kind kind = Kind::noop;
  bool tf32 = false;      // torch's default precision on a GPU
  bool captured = false;  // on a GPU: eager or a package, each call captured as a CUDA graph
  // The next three fields are for eager.
  std::string task = {};
  Direction direction = Direction::forward;
  Params params = {};
  // Path of torch.compile's package, or for eager of the imported task's package.
  std::string package = {};
};

Load encode(const BaselineLoad& load);
// Throws HarnessError for a request that encode() never makes.
BaselineLoad decode_baseline_load(const Load& load);

}  // namespace robust_kbench
