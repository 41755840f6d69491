#pragma once

#include <stdexcept>

namespace robust_kbench {

// Thrown where the requester no longer wants the work. Says nothing about the kernel under test,
// nor about the harness.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace robust_kbench
