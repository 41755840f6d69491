#pragma once

#include <stdexcept>

namespace robust_kbench {

// Whoever asked for the work no longer wants it. It says nothing about the kernel under test, nor
// about the harness.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace robust_kbench
