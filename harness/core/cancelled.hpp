#pragma once

#include <stdexcept>

namespace robust_kbench {

// The requester no longer wants the work. This tells nothing about the kernel under test, nor about
// the harness.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace robust_kbench
